// The orders that a launch can be asked for, and what its report says of the kernel.
#include "emu_kernel.h"

static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".extern .shared .align 16 .b8 d[];\n.visible .entry k(.param .u64 p) {\n"
    ".reg .b32 %%t<16>; .reg .b64 %%x<8>; .reg .pred %%p<4>; .reg .f32 %%f<8>;\n"
    ".shared .align 16 .b8 s[1024];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x; shr.u32 %%t1, %%t0, 5;\n"
    "and.b32 %%t2, %%t0, 31; setp.eq.u32 %%p0, %%t2, 0; mov.f32 %%f0, 0f3F800000;\n"
    "%s\nret;\n}\n";

static uint64_t drawn_from; // seed of the launches

// Word 0 of the buffer after the launch of 64 threads.
static uint32_t run_body(const char *body, enum hone_order order, bool check,
                         struct hone_launch_report *report)
{
    struct emu emu;
    char text[4096];
    uint32_t words[256] = {7, 7, 7, 7};
    emu_open(&emu);
    snprintf(text, sizeof text, frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, words, sizeof words);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    launch.shared_bytes = 512;
    launch.order = order;
    launch.seed = drawn_from;
    launch.check = check;
    launch.report = report;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, words, p, sizeof words);
    emu_close(&emu);
    return words[0];
}

static void warps_can_run_from_the_last_to_the_first(void **state)
{
    static const char last_wins[] = "@%p0 atom.global.exch.b32 %t3, [%x0], %t1;";
    (void)state;
    assert_int_equal(run_body(last_wins, HONE_ORDER_USUAL, false, NULL), 1);
    assert_int_equal(run_body(last_wins, HONE_ORDER_LATE_COPIES, false, NULL), 1);
    assert_int_equal(run_body(last_wins, HONE_ORDER_REVERSED, false, NULL), 0);
}

static void copies_can_be_made_late(void **state)
{
    static const char no_wait[] =
        "shl.b32 %t3, %t0, 4; cp.async.cg.shared.global [%t3], [%x0], 16;\n"
        "ld.shared.u32 %t4, [%t3]; @%p0 st.global.u32 [%x0], %t4;";
    (void)state;
    assert_int_equal(run_body(no_wait, HONE_ORDER_USUAL, false, NULL), 7);
    assert_int_equal(run_body(no_wait, HONE_ORDER_REVERSED, false, NULL), 7);
    assert_int_equal(run_body(no_wait, HONE_ORDER_LATE_COPIES, false, NULL), UINT32_MAX);
}

// Of 64 copies, each into a word of s, those that had not landed as they were read.
static uint32_t late_words(enum hone_order order, uint64_t seed)
{
    static const char body[] =
        "mov.u32 %t3, d; setp.ne.u32 %p1, %t0, 0; @%p1 bra OUT;\n"
        "mbarrier.init.shared.b64 [%t3], 1; mov.u32 %t4, 0;\n"
        "NEXT: shl.b32 %t5, %t4, 4; mov.u32 %t6, s; add.u32 %t6, %t6, %t5;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t6], [%x0], "
        "16, [%t3];\nadd.u32 %t4, %t4, 1; setp.lt.u32 %p2, %t4, 64; @%p2 bra NEXT;\n"
        "mov.u32 %t4, 0; mov.u32 %t7, 0;\n"
        "READ: shl.b32 %t5, %t4, 4; mov.u32 %t6, s; add.u32 %t6, %t6, %t5;\n"
        "ld.shared.u32 %t8, [%t6]; setp.ne.u32 %p3, %t8, 7; @%p3 add.u32 %t7, %t7, 1;\n"
        "add.u32 %t4, %t4, 1; setp.lt.u32 %p2, %t4, 64; @%p2 bra READ;\n"
        "st.global.u32 [%x0], %t7;\nOUT:";
    drawn_from = seed;
    return run_body(body, order, false, NULL);
}

static void the_moments_of_copies_can_be_drawn_from_a_seed(void **state)
{
    (void)state;
    const uint32_t drawn = late_words(HONE_ORDER_DRAWN_COPIES, 1);
    assert_int_equal(late_words(HONE_ORDER_USUAL, 1), 0);
    assert_int_equal(late_words(HONE_ORDER_LATE_COPIES, 1), 64);
    assert_in_range(drawn, 1, 63);
    assert_int_equal(late_words(HONE_ORDER_DRAWN_COPIES, 1), drawn);
    assert_int_not_equal(late_words(HONE_ORDER_DRAWN_COPIES, 2), drawn);
}

// %t3: address of the thread's word of s; %t6 of what it gets, 0 when nobody stored it.
#define OWN_WORD "shl.b32 %t3, %t0, 2; mov.u32 %t4, s; add.u32 %t3, %t3, %t4;\n"
// The number of threads whose %t6 is not as %p1 wants, in word 0.
#define COUNT     "bar.sync 0; @%p1 bra OUT; red.global.add.u32 [%x0], 1;\nOUT:"
#define NEIGHBOUR "xor.b32 %t5, %t0, 1; setp.eq.u32 %p1, %t6, %t5;\n" COUNT
// Each lane adds up what the one at twice the distance holds; sums of the first lanes count.
#define FOLD(by, between)                                                                \
    "ld.volatile.shared.u32 %t6, [%t3]; ld.volatile.shared.u32 %t7, [%t3+" by            \
    "];\n" between " add.u32 %t6, %t6, %t7;\nst.volatile.shared.u32 [%t3], %t6;" between \
    "\n"
#define REDUCE(between)                                                                  \
    OWN_WORD "st.volatile.shared.u32 [%t3+128], 0; bar.sync 0;\n"                        \
             "st.volatile.shared.u32 [%t3], 1; bar.sync 0;\nsetp.gt.u32 %p2, %t0, 31;\n" \
             "mov.u32 %t6, 32; @%p2 bra DONE;\n" FOLD("64", between) FOLD("32", between) \
                 FOLD("16", between) FOLD("8", between)                                  \
                     FOLD("4", between) "ld.volatile.shared.u32 %t6, [s];\n"             \
                                        "DONE: setp.eq.u32 %p1, %t6, 32;\n" COUNT
#define EXCHANGE(kind, between)                                                          \
    OWN_WORD "st" kind ".shared.u32 [%t3], %t0;" between "\n"                            \
             "xor.b32 %t4, %t3, 4; ld" kind ".shared.u32 %t6, [%t4];\n" NEIGHBOUR
#define TELL(between)                                                                    \
    OWN_WORD                                                                             \
    "st.volatile.shared.u32 [s+512], 0; bar.sync 0;\nsetp.lt.u32 %p3, %t0, 32;\n"        \
    "mov.u32 %t6, 9; @!%p3 bra TOLD;\n"                                                  \
    "@%p0 st.volatile.shared.u32 [s+512], 9;" between "\n"                               \
    "ld.volatile.shared.u32 %t6, [s+512];\nTOLD: setp.eq.u32 %p1, %t6, 9;\n" COUNT

static const enum hone_order orders_of_lanes[] = {HONE_ORDER_LANES,
                                                  HONE_ORDER_LANES_REVERSED};

static uint32_t wrong_in_some_order(const char *body)
{
    uint32_t most = 0;
    for (size_t i = 0; i < 2; i++) {
        uint32_t wrong = run_body(body, orders_of_lanes[i], false, NULL) - 7;
        if (wrong > most) most = wrong;
    }
    assert_int_equal(run_body(body, HONE_ORDER_USUAL, true, NULL), 7);
    assert_int_equal(run_body(body, HONE_ORDER_REVERSED, false, NULL), 7);
    return most;
}

// Volatile accesses are no race, and lanes in step give the right result.
static void a_missing_warp_barrier_shows_when_lanes_run_apart(void **state)
{
    static const char *const bodies[] = {REDUCE(""),
                                         EXCHANGE(".volatile", ""),
                                         TELL(""),
                                         REDUCE("membar.cta;"),
                                         EXCHANGE(".volatile", "membar.gl;"),
                                         TELL("fence.sc.cta;")};
    static const char *const sound[] = {
        REDUCE("bar.warp.sync -1;"), EXCHANGE(".volatile", "bar.warp.sync -1;"),
        EXCHANGE("", "bar.warp.sync -1;"), TELL("bar.warp.sync -1;"),
        TELL("bar.sync 1, 32;")};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (wrong_in_some_order(bodies[i]) == 0) fail_msg("not seen: %s", bodies[i]);
    for (size_t i = 0; i < sizeof sound / sizeof *sound; i++)
        if (wrong_in_some_order(sound[i])) fail_msg("wrong: %s", sound[i]);
}

// In the place of a word of width letters.
static void write_number(char *at, int width, unsigned number)
{
    char text[16];
    snprintf(text, sizeof text, "%*u", width, number);
    memcpy(at, text, (size_t)width);
}

// One lane leans on one other: every pair, either way.
static void each_pair_of_lanes_runs_in_both_orders(void **state)
{
    static const char told_by_one[] =
        "st.volatile.shared.u32 [s], 0; bar.sync 0; mov.u32 %t6, 9;\n"
        "setp.eq.u32 %p2, %t0, TELLER; setp.eq.u32 %p3, %t0, TOLD;\n"
        "@%p2 st.volatile.shared.u32 [s], 9;\n@%p3 ld.volatile.shared.u32 %t6, [s];\n"
        "setp.eq.u32 %p1, %t6, 9;\n" COUNT;
    (void)state;
    for (unsigned teller = 0; teller < 32; teller++)
        for (unsigned told = 0; told < 32; told += 1 + (teller + told) % 5) {
            char body[1024];
            if (teller == told) continue;
            snprintf(body, sizeof body, "%s", told_by_one);
            write_number(strstr(body, "TELLER"), 6, teller);
            write_number(strstr(body, "TOLD"), 4, told);
            if (wrong_in_some_order(body) != 1) fail_msg("%u to %u", teller, told);
        }
}

// What does not lean on lanes in step: tiles with masks of their own, lanes that hand over
// by a flag or take a lock in turn, lanes that left, barriers that each lane comes to.
static void sound_kernels_stand_lanes_that_run_apart(void **state)
{
    static const char *const bodies[] = {
        // tiles of eight, each at its own time
        "and.b32 %t3, %t0, 24; shl.b32 %t4, 255, %t3; rem.u32 %t5, %t0, 7; and.b32 %t8, "
        "%t0, 7;\n"
        "LOOP: setp.eq.u32 %p1, %t5, 0; @%p1 bra SUM; sub.u32 %t5, %t5, 1; bra LOOP;\n"
        "SUM: redux.sync.add.u32 %t6, %t8, %t4; shfl.sync.bfly.b32 %t7, %t6, 1, 0x181f, "
        "%t4;\nsetp.eq.u32 %p1, %t7, 28;\n" COUNT,
        // each lane of a warp waits for the one before it
        "shl.b32 %t3, %t1, 2; mov.u32 %t4, s; add.u32 %t3, %t3, %t4;\n"
        "st.volatile.shared.u32 [%t3], 0; bar.sync 0;\n"
        "WAIT: ld.volatile.shared.u32 %t6, [%t3]; setp.eq.u32 %p1, %t6, %t2;\n"
        "@!%p1 bra WAIT;\nmembar.cta; add.u32 %t6, %t6, 1;\n"
        "st.volatile.shared.u32 [%t3], %t6; bar.sync 0;\n"
        "ld.volatile.shared.u32 %t6, [%t3]; setp.eq.u32 %p1, %t6, 32;\n" COUNT,
        // a lock that all lanes want
        "st.volatile.shared.u32 [s], 0; st.volatile.shared.u32 [s+4], 0; bar.sync 0;\n"
        "TAKE: atom.shared.cas.b32 %t3, [s], 0, 1; setp.ne.u32 %p1, %t3, 0;\n"
        "@%p1 bra TAKE;\nmembar.cta; ld.volatile.shared.u32 %t6, [s+4];\n"
        "add.u32 %t6, %t6, 1; st.volatile.shared.u32 [s+4], %t6; membar.cta;\n"
        "atom.shared.exch.b32 %t3, [s], 0; bar.sync 0;\n"
        "ld.volatile.shared.u32 %t6, [s+4]; setp.eq.u32 %p1, %t6, 64;\n" COUNT,
        // some lanes leave, the others meet
        "setp.gt.u32 %p2, %t2, 20; @%p2 ret;\nbar.warp.sync -1; and.b32 %t3, %t0, 0;\n"
        "vote.sync.ballot.b32 %t6, %p0, -1; setp.eq.u32 %p1, %t6, 1;\n" COUNT,
        // a reduction at a barrier that each lane reaches by itself
        "setp.lt.u32 %p2, %t2, 9; @%p2 bra LOW;\nadd.u32 %t3, %t0, 1;\n"
        "LOW: barrier.cta.red.popc.u32 %t6, 0, %p2; setp.eq.u32 %p1, %t6, 18;\n" COUNT,
        // whoever is there names whom to talk to
        "activemask.b32 %t4; redux.sync.add.u32 %t6, 1, %t4; popc.b32 %t5, %t4;\n"
        "setp.eq.u32 %p1, %t6, %t5;\n" COUNT};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        if (wrong_in_some_order(bodies[i])) fail_msg("wrong: %s", bodies[i]);
}

// The last byte counts, wherever the first is; static memory lies before.
static void a_report_says_how_much_dynamic_shared_memory_is_written(void **state)
{
    static const char a_word_each[] =
        "mov.u32 %t3, d; shl.b32 %t4, %t0, 2; add.u32 %t3, %t3, %t4;\n"
        "st.shared.u32 [%t3], %t0;";
    struct hone_launch_report report = {0};
    (void)state;
    run_body("mov.u32 %t4, s; shl.b32 %t3, %t0, 2; add.u32 %t4, %t4, %t3;\n"
             "st.shared.u32 [%t4+512], %t0;",
             HONE_ORDER_USUAL, true, &report);
    assert_int_equal(report.shared_written, 0); // static
    run_body(a_word_each, HONE_ORDER_USUAL, false, &report);
    assert_int_equal(report.shared_written, 0); // not watched
    run_body(a_word_each, HONE_ORDER_USUAL, true, &report);
    assert_int_equal(report.shared_written, 64 * 4);
}

// By one thread, of 16 bytes that it has written.
#define STORED                                                                           \
    "setp.ne.u32 %p1, %t0, 0; @%p1 exit; mov.u32 %t3, 0;\n"                              \
    "st.shared.v4.u32 [0], {%t3, %t3, %t3, %t3}; fence.proxy.async.shared::cta;\n"       \
    "cp.async.bulk.global.shared::cta.bulk_group [%x0], [0], 16;\n"

static void check_fidelity(const char *body, bool check, const char *fidelity)
{
    struct hone_launch_report report = {0};
    run_body(body, HONE_ORDER_USUAL, check, &report);
    assert_string_equal(report.fidelity, fidelity);
    assert_true(report.varies && report.copies == (strstr(body, "cp.async") != NULL));
}

static void a_report_names_what_is_approximate(void **state)
{
    (void)state;
    check_fidelity("fma.rn.f32 %f1, %f0, %f0, %f0; sqrt.rn.f32 %f1, %f1;", true, "exact");
    check_fidelity("ex2.approx.f32 %f1, %f0; div.approx.f32 %f2, %f1, %f0;\n"
                   "ex2.approx.ftz.f32 %f1, %f0;",
                   true, "approximate: div.approx (2 ulp), ex2.approx (2 ulp)");
    check_fidelity("@%p0 red.global.add.f32 [%x0], %f0;", true,
                   "approximate: order of atomics");
    check_fidelity("red.global.add.u32 [%x0], 1;", true, "exact");
    check_fidelity("mov.u32 %t3, 0; mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 "
                   "{%t4, %t5, %t6, %t7}, {%t3, %t3}, {%t3}, {%t3, %t3, %t3, %t3};",
                   true, "exact");
    check_fidelity("mov.u32 %t3, %clock;", true, "approximate: clock");
    check_fidelity(STORED "cp.async.bulk.commit_group;", true,
                   "approximate: a bulk store outlives its block");
    check_fidelity(STORED "cp.async.bulk.commit_group;\n"
                          "cp.async.bulk.wait_group.read 0;",
                   true, "exact");
}

// From the result of ex2 to where it decides something.
#define VALUE   "ex2.approx.f32 %f1, %f0;\n"
#define INTEGER VALUE "cvt.rzi.u32.f32 %t3, %f1;\n"

static void a_report_tells_where_approximate_values_went(void **state)
{
    (void)state;
    check_fidelity(VALUE "setp.gt.f32 %p1, %f1, %f0; selp.f32 %f2, %f0, %f1, %p1;\n"
                         "st.global.f32 [%x0], %f0;",
                   true, "approximate: ex2.approx (2 ulp)");
    check_fidelity(VALUE "setp.gt.f32 %p1, %f1, %f0; @%p1 bra OUT;\nOUT:", true,
                   "approximate, reaches a branch: ex2.approx (2 ulp)");
    check_fidelity(VALUE "setp.gt.f32 %p1, %f1, %f0; @%p1 add.u32 %t3, %t0, 1;", true,
                   "approximate, reaches a branch: ex2.approx (2 ulp)");
    check_fidelity(INTEGER "shl.b32 %t3, %t3, 2; ld.shared.u32 %t4, [%t3];", true,
                   "approximate, reaches an address: ex2.approx (2 ulp)");
    check_fidelity(INTEGER "bar.sync %t3;", true,
                   "approximate, reaches a barrier: ex2.approx (2 ulp)");
    // by way of shared memory and of another lane
    check_fidelity(VALUE "shl.b32 %t5, %t0, 2; st.shared.f32 [%t5], %f1; bar.sync 0;\n"
                         "ld.shared.f32 %f2, [%t5]; mov.b32 %t6, %f2;\n"
                         "shfl.sync.idx.b32 %t7, %t6, 0, 31, -1;\n"
                         "setp.gt.u32 %p1, %t7, 5; @%p1 bra OUT;\nOUT: bar.sync 0;",
                   true, "approximate, reaches a branch: ex2.approx (2 ulp)");
    // overwritten by something exact
    check_fidelity(VALUE "mov.f32 %f1, %f0; setp.gt.f32 %p1, %f1, %f0; @%p1 bra OUT;\n"
                         "OUT:",
                   true, "approximate: ex2.approx (2 ulp)");
    check_fidelity(VALUE "setp.gt.f32 %p1, %f1, %f0; @%p1 bra OUT;\nOUT:", false,
                   "approximate: ex2.approx (2 ulp)"); // nobody looked
}

static void launches_of_a_kernel_add_up(void **state)
{
    struct hone_launch_report report = {0};
    (void)state;
    run_body(VALUE "setp.gt.f32 %p1, %f1, %f0; @%p1 bra OUT;\nOUT:", HONE_ORDER_USUAL,
             true, &report);
    run_body(VALUE, HONE_ORDER_REVERSED, false, &report);
    assert_string_equal(report.fidelity,
                        "approximate, reaches a branch: ex2.approx (2 ulp)");
    run_body("cp.async.wait_all; cp.async.ca.shared.global [s], [%x0], 4;",
             HONE_ORDER_USUAL, false, &report);
    assert_true(report.copies);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(warps_can_run_from_the_last_to_the_first),
    cmocka_unit_test(copies_can_be_made_late),
    cmocka_unit_test(the_moments_of_copies_can_be_drawn_from_a_seed),
    cmocka_unit_test(a_missing_warp_barrier_shows_when_lanes_run_apart),
    cmocka_unit_test(each_pair_of_lanes_runs_in_both_orders),
    cmocka_unit_test(sound_kernels_stand_lanes_that_run_apart),
    cmocka_unit_test(a_report_says_how_much_dynamic_shared_memory_is_written),
    cmocka_unit_test(a_report_names_what_is_approximate),
    cmocka_unit_test(a_report_tells_where_approximate_values_went),
    cmocka_unit_test(launches_of_a_kernel_add_up),
};

HONE_TEST_MAIN(tests)
