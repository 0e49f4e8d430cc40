// What a checked launch meets is judged by what becomes of it: a racing load whose value
// is dropped, and an undefined branch that changes nothing, are fine.
#include "emu_check.h"

// Warp 0 reads what warp 1 stores, in either order of the text.
#define OTHER "xor.b32 %t1, %t0, 32; shl.b32 %s2, %t1, 2; add.u32 %s2, %s2, %s1;\n"
#define EARLY OTHER "st.shared.u32 [%s0], 5; bar.sync 0; ld.shared.u32 %t2, [%s2];\n"
#define STORE "st.shared.u32 [%s0], %t0;\n"
#define LATE  OTHER "st.shared.u32 [%s0], %t0; ld.shared.u32 %t2, [%s2];\n"
#define PLACE "mad.wide.u32 %x1, %t0, 4, %x0;\n"
#define KEEP  PLACE "st.global.u32 [%x1], %t2;"
// never, though nobody knows when this is compiled
#define NEVER "setp.gt.u32 %p1, %t0, 99;\n"

static void check_refusal(const char *body, const char *words)
{
    struct hone_fault fault;
    run_checked(body, 1, true, &fault);
    if (!strstr(fault.reason, words)) fail_msg("%s: '%s'", body, fault.reason);
    assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
}

static void a_racing_load_that_is_dropped_is_fine(void **state)
{
    (void)state;
    check_silence(LATE);
    check_silence(EARLY STORE);
    check_silence(EARLY STORE NEVER "selp.u32 %t2, %t2, 7, %p1;" KEEP);
    check_silence(LATE NEVER "selp.u32 %t2, %t2, 7, %p1;" KEEP);
    check_silence(LATE "st.shared.u32 [%s0+1024], %t2; ld.shared.u32 %t2, [%s0+1024]; "
                       "and.b32 %t2, %t2, 0;" KEEP);
}

static void a_racing_load_that_is_used_is_a_race(void **state)
{
    (void)state;
    check_refusal(LATE KEEP, "data race on shared memory: ");
    check_refusal(EARLY STORE KEEP, "data race on shared memory: ");
    check_refusal(EARLY STORE "shfl.sync.bfly.b32 %t2, %t2, 1, 31, -1;" KEEP,
                  "data race");
    check_refusal(EARLY STORE "st.shared.u32 [%s0+1024], %t2; "
                              "ld.shared.u32 %t2, [%s0+1024];" KEEP,
                  "data race");
    check_refusal(EARLY STORE "and.b32 %t2, %t2, 4; cvt.u64.u32 %x2, %t2; "
                              "add.u64 %x2, %x2, %x0; st.global.u32 [%x2], 3;",
                  "data race");
    check_refusal(LATE "red.global.add.u32 [%x0], %t2;", "data race");
}

// All lanes read the last element, each keeps its own: softmax kernels clamp like that.
static void lanes_of_one_load_are_judged_apart(void **state)
{
    static const char body[] =
        "st.shared.u32 [%s0], %t0; bar.sync 0;\n"
        "min.u32 %t1, %t0, 9; shl.b32 %s2, %t1, 2; add.u32 %s2, %s2, %s1;\n"
        "ld.shared.u32 %t2, [%s2]; setp.eq.u32 %p1, %t1, %t0; @%p1 st.shared.u32 [%s2], "
        "4;\n"
        "selp.u32 %t2, %t2, 8, ";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s%s", body, "%p1;" KEEP);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", body, "%p0;" KEEP);
    check_refusal(text, "data race on shared memory: ");
}

static void only_loads_before_the_order_race(void **state)
{
    (void)state;
    // the same load in a loop: kept where a barrier orders it, dropped the last time
    check_silence(OTHER "mov.u32 %t5, 0; mov.u32 %t6, 0; st.shared.u32 [%s0], %t0; "
                        "bar.sync 0;\n"
                        "NEXT: ld.shared.u32 %t2, [%s2]; setp.lt.u32 %p1, %t5, 3;\n"
                        "@%p1 bar.sync 0; selp.u32 %t3, %t2, 0, %p1; "
                        "add.u32 %t6, %t6, %t3; st.shared.u32 [%s0], %t5;\n"
                        "bar.sync 0; add.u32 %t5, %t5, 1; @%p1 bra NEXT;\n"
                        "mov.u32 %t2, %t6;" KEEP);
}

static void loads_behind_the_order_do_not_race(void **state)
{
    (void)state;
    // what is dropped races, what is kept is read when all have stored
    check_silence(EARLY STORE "bar.sync 0; ld.shared.u32 %t2, [%s2];" KEEP);
    check_silence(EARLY STORE
                  "bar.sync 0; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%t2}, "
                  "[s];" KEEP);
}

// The loop that the programming guide adds doubles by.
static void a_guess_is_proved_by_its_compare_and_swap(void **state)
{
    static const char loop[] =
        "@%p0 st.shared.u32 [%s1], 0; bar.sync 0; mov.u32 %t2, 0; ld.shared.u32 %t5, "
        "[s];\n"
        "NEXT: add.u32 %t6, %t5, 1; atom.shared.cas.b32 %t7, [s], %t5, %t6;\n"
        "setp.ne.u32 %p1, %t7, %t5; mov.u32 %t5, %t7; @%p1 bra NEXT;\n";
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s%s", loop, "bar.sync 0; ld.shared.u32 %t2, [s];" KEEP);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", loop, "ld.shared.u32 %t2, [s];" KEEP);
    check_refusal(text, "data race on shared memory");
    check_refusal("@%p0 st.shared.u32 [%s1], 0; bar.sync 0;\n"
                  "atom.shared.cas.b32 %t7, [s], %t9, 1;",
                  "a value that was never written is an operand");
}

// A plain load beside atomic operations: what it decides is tried with what was there.
static void a_look_before_an_atomic_operation_gets_values_held(void **state)
{
    static const char *const spaces[] = {"global", "shared"};
    static const char *const places[] = {"[%x0]", "[s]"};
    (void)state;
    for (int i = 0; i < 2; i++) {
        char look[256], text[1024];
        snprintf(look, sizeof look, "ld.%s.u32 %%t2, %s; setp.", spaces[i], places[i]);
        const char *begin = "@%p0 st.shared.u32 [%s1], 0; bar.sync 0;\n";
        snprintf(text, sizeof text,
                 "%s%slt.u32 %%p1, %%t2, %%t0; @%%p1 red.%s.max.u32 %s, %%t0;", begin,
                 look, spaces[i], places[i]);
        check_silence(text);
        snprintf(text, sizeof text,
                 "%sred.%s.add.u32 %s, 1; %seq.u32 %%p1, %%t2, 7777;\n"
                 "@%%p1 red.global.add.u32 [%%x0+8], 1;",
                 begin, spaces[i], places[i], look);
        check_silence(text); // the sum is never that
        snprintf(text, sizeof text,
                 "%sred.%s.add.u32 %s, 1; %seq.u32 %%p1, %%t2, 64;\n"
                 "@%%p1 red.global.add.u32 [%%x0+8], 1;",
                 begin, spaces[i], places[i], look);
        check_refusal(text, "data race on "); // warp 0 may see what warp 1 adds
        snprintf(text, sizeof text,
                 "%s%seq.u32 %%p1, %%t2, 0; red.%s.add.u32 %s, 1;\n"
                 "@%%p1 red.global.add.u32 [%%x0+8], 1;",
                 begin, look, spaces[i], places[i]);
        check_refusal(text, "data race on "); // and warp 1 what was there at first
        snprintf(text, sizeof text,
                 "%sred.%s.add.u32 %s, 1; %seq.u32 %%p1, %%t2, 0;\n"
                 "@%%p1 red.global.add.u32 [%%x0+8], 1;",
                 begin, spaces[i], places[i], look);
        check_silence(text); // each has added 1 itself
        snprintf(text, sizeof text,
                 "%s%slt.u32 %%p1, %%t2, %%t9; red.%s.max.u32 %s, %%t0;\n"
                 "@%%p1 red.global.add.u32 [%%x0+8], 1;",
                 begin, look, spaces[i], places[i]);
        check_refusal(text, "never written"); // not a guess alone
    }
}

static void a_word_of_ones_own_is_read_and_written(void **state)
{
    (void)state;
    check_silence("st.shared.u32 [%s0], %t0; ld.shared.u32 %t2, [%s0];\n"
                  "add.u32 %t3, %t2, 1; st.shared.u32 [%s0], %t3;" KEEP);
}

static void racing_stores_are_refused_always(void **state)
{
    (void)state;
    check_refusal("st.shared.u32 [%s1], %t0;",
                  "store of warp 0 (PTX line 10) and store at");
    check_refusal("and.b32 %t1, %t0, 1; st.shared.u32 [%s1+64], %t1;", " and store at");
}

static void a_copy_in_flight_may_be_read_and_dropped(void **state)
{
    static const char copy[] = "shl.b32 %s2, %t0, 4; add.u32 %s2, %s2, %s1;\n"
                               "cp.async.cg.shared.global [%s2], [%x0+2048], 16;\n"
                               "ld.shared.u32 %t2, [%s2]; cp.async.wait_all;\n" PLACE;
    char text[1024];
    (void)state;
    snprintf(text, sizeof text, "%s%s", copy, NEVER "selp.u32 %t2, %t2, 7, %p1;" KEEP);
    check_silence(text);
    snprintf(text, sizeof text, "%s%s", copy, KEEP);
    check_refusal(text, "missing wait of an asynchronous copy (PTX line 11): load");
}

static void blocks_may_read_and_drop_too(void **state)
{
    static const char body[] =
        "mov.u32 %t1, %ctaid.x; mad.wide.u32 %x2, %t0, 4, %x0; mul.wide.u32 %x1, %t1, "
        "256; "
        "add.u64 %x1, %x1, %x2; ld.global.u32 %t2, [%x2+256]; st.global.u32 [%x1], ";
    char text[1024];
    struct hone_fault fault;
    (void)state;
    snprintf(text, sizeof text, "%s%s", body, "%t0;");
    check_silence_of(text, 2);
    snprintf(text, sizeof text, "%s%s", body, "%t2;");
    run_checked(text, 2, true, &fault);
    assert_non_null(strstr(fault.reason, "data race on global memory"));
}

static void a_branch_that_changes_nothing_is_fine(void **state)
{
    (void)state;
    check_silence("setp.eq.u32 %p1, %t9, 3; @%p1 bra OUT; mov.u32 %t4, 1; OUT:");
    check_silence("mov.u32 %t2, 6; setp.eq.u32 %p1, %t9, 3; @%p1 bra ELSE;\n"
                  "st.shared.u32 [%s0], 1; bra JOIN; ELSE: st.shared.u32 [%s0], 2;\n"
                  "JOIN: ld.shared.u32 %t3, [%s0];" KEEP);
    // a loop whose rounds nobody knows, for threads that store nothing
    check_silence("mov.u32 %t2, 6; @!%p0 bra KEEP; mov.u32 %t4, 0;\n"
                  "NEXT: add.u32 %t4, %t4, 1; setp.lt.u32 %p1, %t4, %t9; @%p1 bra NEXT;\n"
                  "ret; KEEP:" KEEP);
    check_silence("setp.eq.u32 %p1, %t9, 3; @%p1 mov.u32 %t4, 1;");
}

static void a_branch_that_changes_what_is_stored_is_not(void **state)
{
    (void)state;
    check_refusal("mov.u32 %t2, 6; setp.eq.u32 %p1, %t9, 3; @%p1 bra OUT; "
                  "mov.u32 %t2, 7; OUT:" KEEP,
                  "a value that was never written decides a branch");
    check_refusal("mov.u32 %t2, 6; setp.eq.u32 %p1, %t9, 3; @%p1 mov.u32 %t2, 7;" KEEP,
                  "a value that was never written guards an instruction");
    check_refusal(LATE "setp.eq.u32 %p1, %t2, 3; @%p1 bra OUT; st.global.u32 [%x0], 1;\n"
                       "OUT:",
                  "data race on shared memory: ");
    check_refusal("setp.eq.u32 %p1, %t9, 3; @%p1 bra OUT; bar.sync 1; OUT: bar.sync 0;",
                  "a value that was never written decides a branch");
}

// To judge a launch the kernel runs several times, each time on the same memory.
static void memory_is_as_after_one_run(void **state)
{
    static const char *const bodies[] = {
        EARLY STORE "red.global.add.u32 [%x0], 1;",
        "setp.eq.u32 %p1, %t9, 3; @%p1 bra OUT; mov.u32 %t4, 1;\n"
        "OUT: red.global.add.u32 [%x0], 1;"};
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct emu emu;
        char text[4096];
        uint32_t counted = 0;
        emu_open(&emu);
        snprintf(text, sizeof text, check_frame, bodies[i]);
        if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
        hone_devptr p = emu_buffer(&emu, NULL, 4096);
        struct emu_args args = {0};
        EMU_ARG(args, p);
        struct hone_launch launch = emu_geometry(&args, 1, 64);
        launch.check = true;
        emu_run(&emu, &launch);
        assert_string_equal(emu.fault.reason, "");
        emu_fetch(&emu, &counted, p, sizeof counted);
        assert_int_equal(counted, 64);
        emu.dev->fns->free(emu.dev, p);
        emu_close(&emu);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_racing_load_that_is_dropped_is_fine),
    cmocka_unit_test(a_racing_load_that_is_used_is_a_race),
    cmocka_unit_test(lanes_of_one_load_are_judged_apart),
    cmocka_unit_test(only_loads_before_the_order_race),
    cmocka_unit_test(loads_behind_the_order_do_not_race),
    cmocka_unit_test(a_guess_is_proved_by_its_compare_and_swap),
    cmocka_unit_test(a_look_before_an_atomic_operation_gets_values_held),
    cmocka_unit_test(a_word_of_ones_own_is_read_and_written),
    cmocka_unit_test(racing_stores_are_refused_always),
    cmocka_unit_test(a_copy_in_flight_may_be_read_and_dropped),
    cmocka_unit_test(blocks_may_read_and_drop_too),
    cmocka_unit_test(a_branch_that_changes_nothing_is_fine),
    cmocka_unit_test(a_branch_that_changes_what_is_stored_is_not),
    cmocka_unit_test(memory_is_as_after_one_run),
};

HONE_TEST_MAIN(tests)
