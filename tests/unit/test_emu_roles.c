// Warp groups with roles: setmaxnreg moves the registers of a block between them, and
// named barriers let them take turns, as FlashAttention-3's scheduler does.
#include "emu_kernel.h"

enum { GROUP = 128, MOST_THREADS = 512 };

// %t0 is the thread, %t1 its warp group, %t2 its number in that; the body's first line is
// line 9.
static const char frame[] =
    ".version 9.0\n.target sm_90a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) %s {\n"
    ".reg .b32 %%t<16>; .reg .b64 %%x<8>; .reg .pred %%p<8>; .shared .b32 words[128];\n"
    "ld.param.u64 %%x0, [p]; mov.u32 %%t0, %%tid.x;\n"
    "shr.u32 %%t1, %%t0, 7; and.b32 %%t2, %%t0, 127; setp.eq.u32 %%p0, %%t1, 0;\n"
    "shl.b32 %%t3, %%t2, 2; mov.u32 %%t4, words; add.u32 %%t4, %%t4, %%t3;\n"
    "%s\nret;\n}\n";

struct run {
    const char *bounds, *body;
    uint32_t threads;
    int32_t registers; // as ptxas says; -1: it was not asked
    bool reversed;
};

static struct hone_fault run_kernel(const struct run *run, uint32_t *words)
{
    struct emu emu;
    char text[4096];
    emu_open(&emu);
    hone_emu_set_reversed(emu.dev, run->reversed);
    snprintf(text, sizeof text, frame, run->bounds, run->body);
    if (emu_load_as(&emu, text, "k", run->registers)) {
        hone_devptr p = emu_buffer(&emu, NULL, MOST_THREADS * sizeof *words);
        struct emu_args args = {0};
        EMU_ARG(args, p);
        struct hone_launch launch = emu_geometry(&args, 1, run->threads);
        launch.check = true;
        emu_run(&emu, &launch);
        if (words) emu_fetch(&emu, words, p, MOST_THREADS * sizeof *words);
    }
    emu_close(&emu);
    return emu.fault;
}

static void check_silent(const struct run *run, uint32_t *words)
{
    const struct hone_fault fault = run_kernel(run, words);
    if (fault.outcome != HONE_VALID) fail_msg("%s: %s", run->body, fault.reason);
}

static void check_found(const struct run *run, enum hone_finding finding,
                        const char *reason)
{
    const struct hone_fault fault = run_kernel(run, NULL);
    if (!strstr(fault.reason, reason) || fault.finding != finding)
        fail_msg("%s: %s (%s), should be %s", run->body, fault.reason,
                 hone_finding_name(fault.finding), reason);
}

// ---- setmaxnreg ----

#define ROLES(fewer, more)                                                               \
    "@%p0 bra PRODUCER;\nsetmaxnreg.inc.sync.aligned.u32 " more "; bra DONE;\n"          \
    "PRODUCER: setmaxnreg.dec.sync.aligned.u32 " fewer ";\nDONE:"
#define OF_384 ".maxntid 384, 1, 1 .minnctapersm 1"

static void three_roles_share_the_registers_of_a_block(void **state)
{
    // 168 a thread at launch: 24 + 2 * 240 is 3 * 168, and so is 40 + 2 * 232
    static const char *const bodies[] = {ROLES("24", "240"), ROLES("40", "232")};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct run run = {OF_384, bodies[i / 2], 384, 168, i % 2};
        check_silent(&run, NULL);
        run.registers = -1; // then from the bounds
        check_silent(&run, NULL);
        run.bounds = ".reqntid 384 .minnctapersm 1";
        check_silent(&run, NULL);
        run.bounds = ".maxnreg 168";
        check_silent(&run, NULL);
    }
}

static void two_roles_begin_with_as_many_as_one_of_them_asks_for(void **state)
{
    // 65536 / 256 is 256 a thread; ptxas 13.0 reports 248 and 232
    static const char *const bodies[] = {ROLES("40", "248"), ROLES("40", "232")};
    static const char bounds[] = ".maxntid 256, 1, 1 .minnctapersm 1";
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        const struct run run = {bounds, bodies[i / 2], 256, -1, i % 2};
        check_silent(&run, NULL);
    }
}

static void a_pool_that_is_too_small_is_a_deadlock(void **state)
{
    struct run run = {OF_384, ROLES("24", "248"), 384, 168, false};
    (void)state;
    check_found(&run, HONE_FINDING_DEADLOCK,
                "deadlock: warps 0-7: exited; warps 8-11: waiting for 10240 registers, "
                "8192 are free");
}

static void registers_that_come_later_are_waited_for(void **state)
{
    // the consumers store what the producer left before it gave its registers back
    struct run run = {
        OF_384,
        "@%p0 bra PRODUCER;\nsetmaxnreg.inc.sync.aligned.u32 240;\n"
        "bar.sync 1, 384; ld.shared.u32 %t5, [%t4]; mad.wide.u32 %x1, %t0, 4, %x0;\n"
        "st.global.u32 [%x1], %t5; ret;\nPRODUCER: st.shared.u32 [%t4], %t2;\n"
        "setmaxnreg.dec.sync.aligned.u32 24; bar.sync 1, 384;",
        384, 168, false};
    uint32_t words[MOST_THREADS];
    (void)state;
    for (int reversed = 0; reversed < 2; reversed++) {
        run.reversed = reversed;
        check_silent(&run, words);
        for (uint32_t t = GROUP; t < 384; t++)
            assert_int_equal(words[t], t % GROUP);
    }
}

static void registers_given_back_behind_a_barrier_come_too_late(void **state)
{
    // the producer gives back only behind a barrier that the consumers never reach
    struct run run = {
        OF_384,
        "@%p0 bra PRODUCER;\nsetmaxnreg.inc.sync.aligned.u32 240;\nbar.sync 0; ret;\n"
        "PRODUCER: bar.sync 0; setmaxnreg.dec.sync.aligned.u32 24;",
        384, 168, false};
    (void)state;
    check_found(&run, HONE_FINDING_DEADLOCK,
                "deadlock: warps 0-3: at barrier 0 with 128 of 384 threads (PTX line "
                "12); warps 4-11: waiting for 9216 registers, 0 are free (PTX line 10)");
}

static void setmaxnreg_does_nothing_where_ptxas_ignores_it(void **state)
{
    static const char *const bounds[] = {"", ".maxntid 384", ".reqntid 384",
                                         ".minnctapersm 1"};
    (void)state;
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        const struct run run = {bounds[i], ROLES("24", "248"), 384, 168, false};
        check_silent(&run, NULL);
    }
}

static void registers_go_one_way_at_a_time(void **state)
{
    struct run run = {OF_384, "setmaxnreg.inc.sync.aligned.u32 40;", 384, 168, false};
    (void)state;
    check_found(&run, HONE_FINDING_REGISTERS,
                "setmaxnreg.inc to 40 registers a thread, it has 168 at block (0,0,0) "
                "thread (0,0,0) of k, PTX line 9");
    run.body = "setmaxnreg.dec.sync.aligned.u32 240;";
    check_found(&run, HONE_FINDING_REGISTERS,
                "setmaxnreg.dec to 240 registers a thread, it has 168");
    run.body = "setmaxnreg.dec.sync.aligned.u32 168; bar.sync 0;\n"
               "setmaxnreg.inc.sync.aligned.u32 168; bar.sync 0;\n"
               "setmaxnreg.dec.sync.aligned.u32 64; bar.sync 0;\n"
               "setmaxnreg.inc.sync.aligned.u32 128;";
    check_silent(&run, NULL);
}

static void all_warps_of_a_group_execute_each_setmaxnreg(void **state)
{
    static const struct {
        const char *body, *reason;
    } cases[] = {
        {"setp.lt.u32 %p1, %t2, 96; @%p1 setmaxnreg.dec.sync.aligned.u32 24;",
         "exit without the setmaxnreg of others of the warp group of warps"},
        {"setp.lt.u32 %p1, %t2, 32; @%p1 bra SKIP;\n"
         "setmaxnreg.dec.sync.aligned.u32 24;\nSKIP:",
         "of the warp group of warps 0-3: all of them execute each setmaxnreg"},
        {"setmaxnreg.dec.sync.aligned.u32 40; setmaxnreg.inc.sync.aligned.u32 64;",
         "setmaxnreg by a part of the warp group of warps"},
        {"setp.lt.u32 %p1, %t2, 64; @%p1 bra A; setmaxnreg.dec.sync.aligned.u32 24; "
         "ret;\n"
         "A: setmaxnreg.dec.sync.aligned.u32 32;",
         "setmaxnreg by a part of the warp group of warps"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct run run = {OF_384, cases[i].body, 384, 168, false};
        check_found(&run, HONE_FINDING_DIVERGENCE, cases[i].reason);
    }
}

static void numbers_of_registers_are_those_that_gpus_have(void **state)
{
    static const char *const numbers[] = {"16", "28", "264"};
    char body[64];
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(body, sizeof body, "setmaxnreg.inc.sync.aligned.u32 %s;", numbers[i]);
        const struct run run = {OF_384, body, 384, 168, false};
        check_found(&run, HONE_FINDING_NONE, "no number of registers (24 to 256");
    }
}

// ---- turns by named barriers ----

// Two groups take turns at words, 6 times each: x = 3 x + group + 1. Barrier 1 + g lets
// group g go; %t5 is its number, %t6 that of the other. At the end the second group's
// last arrival is pending, as in FlashAttention-3.
#define TURNS(init, wait, go)                                                            \
    "add.u32 %t5, %t1, 1; sub.u32 %t6, 2, %t1; mov.u32 %t7, 0;\n"                        \
    "mov.u32 %t9, 0; @%p0 st.shared.u32 [%t4], %t9; bar.sync 0;\n" init "\nNEXT: " wait  \
    "\nld.shared.u32 %t8, [%t4]; mad.lo.u32 %t8, %t8, 3, %t5;\n"                         \
    "st.shared.u32 [%t4], %t8;\n" go "\nadd.u32 %t7, %t7, 1;\n"                          \
    "setp.lt.u32 %p2, %t7, 6; @%p2 bra NEXT;\nbar.sync 0;\n"                             \
    "ld.shared.u32 %t8, [%t4]; mad.wide.u32 %x1, %t0, 4, %x0;\n"                         \
    "st.global.u32 [%x1], %t8;"
#define INIT "@!%p0 bar.arrive 1, 256;"
#define WAIT "bar.sync %t5, 256;"
#define GO   "bar.arrive %t6, 256;"

static void groups_that_take_turns_are_right(void **state)
{
    static const char *const bodies[] = {
        TURNS(INIT, WAIT, GO),
        TURNS("@!%p0 barrier.cta.arrive 1, 256;", "barrier.cta.sync %t5, 256;",
              "barrier.cta.arrive %t6, 256;"),
        TURNS("@!%p0 barrier.arrive.aligned 1, 256;", "barrier.sync.aligned %t5, 256;",
              "barrier.arrive.aligned %t6, 256;"),
    };
    uint32_t words[MOST_THREADS], expected = 0;
    (void)state;
    for (uint32_t turn = 0; turn < 12; turn++)
        expected = expected * 3 + turn % 2 + 1;
    for (size_t i = 0; i < 6; i++) {
        const struct run run = {"", bodies[i / 2], 256, 64, i % 2};
        check_silent(&run, words);
        for (uint32_t t = 0; t < 256; t++)
            assert_int_equal(words[t], expected);
    }
}

static void groups_out_of_turn_are_found(void **state)
{
    static const struct {
        const char *body;
        enum hone_finding finding;
        const char *reason;
    } cases[] = {
        // nobody goes first
        {TURNS("", WAIT, GO), HONE_FINDING_DEADLOCK,
         "warps 0-3: at barrier 1 with 128 of 256 threads (PTX line 12); warps 4-7: at "
         "barrier 2 with 128 of 256 threads"},
        // the other is never let go
        {TURNS(INIT, WAIT, ""), HONE_FINDING_DEADLOCK, "with 128 of 256 threads"},
        // one lets itself go, not the other
        {TURNS(INIT, WAIT, "bar.arrive %t5, 256;"), HONE_FINDING_DEADLOCK,
         "warps 4-7: at barrier 2 with 128 of 256 threads"},
        // one waits at the other's barrier: who comes through with whom is not said
        {TURNS(INIT, "bar.sync 1, 256;", GO), HONE_FINDING_BARRIER,
         "that its last opening counted"},
        // a count of one group: nobody waits for anybody
        {TURNS("@!%p0 bar.arrive 1, 128;", "bar.sync %t5, 128;", "bar.arrive %t6, 128;"),
         HONE_FINDING_BARRIER, "that its last opening counted"},
        // those who wait and those who arrive count differently
        {TURNS(INIT, WAIT, "bar.arrive %t6, 128;"), HONE_FINDING_BARRIER,
         "for 128 threads, others wait for 256"},
        // no wait at all
        {TURNS("", "", ""), HONE_FINDING_RACE, "data race on shared memory"},
        // a barrier that does not exist
        {TURNS(INIT, "bar.sync 16, 256;", GO), HONE_FINDING_BARRIER,
         "barrier 16 for 256 threads"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct run run = {"", cases[i].body, 256, 64, false};
        check_found(&run, cases[i].finding, cases[i].reason);
    }
}

// ---- stores of a box ----

// CUTLASS has a whole warp store one box: its lanes write the same.
static void a_whole_warp_may_store_one_box(void **state)
{
    const struct run run = {
        "",
        ".shared .align 16 .b8 tile[128];\nmov.u32 %t5, tile; shl.b32 %t6, %t0, 2;\n"
        "add.u32 %t6, %t6, %t5; st.shared.u32 [%t6], %t0;\n"
        "fence.proxy.async.shared::cta; bar.warp.sync -1;\n"
        "cp.async.bulk.global.shared::cta.bulk_group [%x0], [%t5], 128;\n"
        "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;",
        32, 64, false};
    uint32_t words[MOST_THREADS];
    (void)state;
    check_silent(&run, words);
    for (uint32_t t = 0; t < 32; t++)
        assert_int_equal(words[t], t);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(three_roles_share_the_registers_of_a_block),
    cmocka_unit_test(two_roles_begin_with_as_many_as_one_of_them_asks_for),
    cmocka_unit_test(a_pool_that_is_too_small_is_a_deadlock),
    cmocka_unit_test(registers_that_come_later_are_waited_for),
    cmocka_unit_test(registers_given_back_behind_a_barrier_come_too_late),
    cmocka_unit_test(setmaxnreg_does_nothing_where_ptxas_ignores_it),
    cmocka_unit_test(registers_go_one_way_at_a_time),
    cmocka_unit_test(all_warps_of_a_group_execute_each_setmaxnreg),
    cmocka_unit_test(numbers_of_registers_are_those_that_gpus_have),
    cmocka_unit_test(groups_that_take_turns_are_right),
    cmocka_unit_test(groups_out_of_turn_are_found),
    cmocka_unit_test(a_whole_warp_may_store_one_box),
};

HONE_TEST_MAIN(tests)
