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

static void check_fidelity(const char *body, bool check, const char *fidelity)
{
    struct hone_launch_report report = {0};
    run_body(body, HONE_ORDER_USUAL, check, &report);
    assert_string_equal(report.fidelity, fidelity);
    assert_true(report.varies && !report.copies);
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
    cmocka_unit_test(a_report_says_how_much_dynamic_shared_memory_is_written),
    cmocka_unit_test(a_report_names_what_is_approximate),
    cmocka_unit_test(a_report_tells_where_approximate_values_went),
    cmocka_unit_test(launches_of_a_kernel_add_up),
};

HONE_TEST_MAIN(tests)
