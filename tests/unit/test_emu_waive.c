// Waivers on the emulator: one kind of finding at one line, or in one buffer, is counted
// and the kernel goes on; everything else is a finding as before.
#include "emu_kernel.h"

// 64 threads with their number in %t0, a buffer of 256 bytes at %x0, called y, and one of
// 64 words that were written at %x1, called z.
#define HEAD                                                                             \
    ".version 9.0\n.target sm_90a\n.address_size 64\n"                                   \
    ".visible .entry k(.param .u64 y, .param .u64 z) {\n"                                \
    ".reg .b32 %t<8>; .reg .b64 %x<8>; .reg .pred %p<4>;\n"                              \
    ".shared .align 4 .b8 s[256];\n"                                                     \
    "ld.param.u64 %x0, [y]; ld.param.u64 %x1, [z]; mov.u32 %t0, %tid.x;\n"
#define TAIL "ret;\n}\n.file 1 \"k.cu\"\n.file 2 \"other.cu\"\n"

static const char store_race[] = HEAD ".loc 1 5 0\nst.global.u32 [%x0], %t0;\n" TAIL;
static const char two_lines[] = HEAD ".loc 1 5 0\nst.global.u32 [%x0], %t0;\n.loc 1 6 0\n"
                                     "st.global.u32 [%x1], %t0;\n" TAIL;
// Warp 1 loads at line 9 what warp 0 stores at line 8, without a barrier.
static const char shared_race[] = HEAD
    "setp.lt.u32 %p0, %t0, 32;\n.loc 1 8 0\n@%p0 st.shared.u32 [s], 7;\n"
    ".loc 1 9 0\n@!%p0 ld.shared.u32 %t1, [s];\n@!%p0 st.global.u32 [%x0], %t1;\n" TAIL;
// Warp 0 loads at line 3 what warp 1 stores at line 4 afterwards, and passes it on.
static const char later_store[] = HEAD
    "setp.lt.u32 %p0, %t0, 32;\n.loc 1 3 0\n@%p0 ld.global.u32 %t1, [%x0];\n"
    ".loc 1 4 0\n@!%p0 st.global.u32 [%x0], 7;\n@%p0 st.global.u32 [%x1], %t1;\n" TAIL;
// A branch on a register that nobody wrote decides whether something is stored.
static const char undecided[] =
    HEAD ".loc 1 21 0\nsetp.eq.u32 %p0, %t3, 7;\n.loc 1 22 0\n@%p0 bra end;\n"
         "st.global.u32 [%x0], 1;\nend:\n" TAIL;
static const char unwritten[] = HEAD "mul.wide.u32 %x2, %t0, 4; add.u64 %x2, %x2, %x0;\n"
                                     ".loc 1 11 0\nst.global.u32 [%x2], %t3;\n" TAIL;
static const char missing_wait[] =
    HEAD "mul.lo.u32 %t1, %t0, 4;\n.loc 1 12 0\n"
         "cp.async.ca.shared.global [%t1], [%x1], 4;\n.loc 1 13 0\n"
         "ld.shared.u32 %t2, [%t1];\nst.global.u32 [%x0], %t2;\n" TAIL;
// What all store at line 30 a bulk copy reads at line 31; one stores into it at line 33.
#define BULK(before, after)                                                              \
    HEAD "mul.lo.u32 %t1, %t0, 4; setp.ne.u32 %p0, %t0, 0;\n.loc 1 30 0\n"               \
         "st.shared.u32 [%t1], %t0;\n" before                                            \
         "bar.sync 0; @%p0 bra end; mov.u32 %t2, s;\n.loc 1 31 0\n"                      \
         "cp.async.bulk.global.shared::cta.bulk_group [%x0], [%t2], 256;\n"              \
         "cp.async.bulk.commit_group;\n" after                                           \
         "cp.async.bulk.wait_group 0;\nend:\n" TAIL
static const char no_proxy_fence[] = BULK("", "");
static const char overwritten[] =
    BULK("fence.proxy.async;\n", ".loc 1 33 0\nst.shared.u32 [%t2], 7;\n");
static const char outside[] = HEAD ".loc 1 14 0\nst.global.u32 [%x0+256], %t0;\n" TAIL;

#define AT(kind, name, number)                                                           \
    {                                                                                    \
        .finding = HONE_FINDING_##kind, .file = (name), .line = (number), .reason = "so" \
    }
#define IN(kind, name)                                                                   \
    {                                                                                    \
        .finding = HONE_FINDING_##kind, .buffer = (name), .reason = "so"                 \
    }

static struct hone_fault run_waived(const char *text, const struct hone_waiver *waivers,
                                    size_t count, struct hone_launch_report *report)
{
    struct emu emu;
    const uint32_t zeros[64] = {0};
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr y = emu_buffer(&emu, zeros, 256), z = emu_buffer(&emu, zeros, 256);
    struct emu_args args = {0};
    EMU_ARG(args, y), EMU_ARG(args, z);
    const struct hone_extent extents[] = {{.base = y, .bytes = 256, .name = "y"},
                                          {.base = z, .bytes = 256, .name = "z"}};
    struct hone_launch launch = emu_geometry(&args, 1, 64);
    launch.check = true;
    launch.report = report;
    launch.extents = extents;
    launch.extent_count = 2;
    launch.waivers = waivers;
    launch.waiver_count = count;
    emu_run(&emu, &launch);
    emu_close(&emu);
    return emu.fault;
}

static void what_is_waived_is_counted_and_the_kernel_goes_on(void **state)
{
    static const struct {
        const char *text;
        struct hone_waiver waiver;
    } cases[] = {
        {store_race, AT(RACE, "k.cu", 5)},
        {store_race, IN(RACE, "y")},
        {shared_race, AT(RACE, "k.cu", 8)},
        {shared_race, AT(RACE, "k.cu", 9)},
        {unwritten, AT(UNWRITTEN, "k.cu", 11)},
        {unwritten, IN(UNWRITTEN, "y")},
        {missing_wait, AT(MISSING_WAIT, "k.cu", 13)},
        {later_store, AT(RACE, "k.cu", 3)},
        {later_store, AT(RACE, "k.cu", 4)},
        {later_store, IN(RACE, "y")},
        {undecided, AT(UNWRITTEN, "k.cu", 22)},
        {no_proxy_fence, AT(PROXY_FENCE, "k.cu", 30)},
        {no_proxy_fence, AT(PROXY_FENCE, "k.cu", 31)},
        {overwritten, AT(IN_FLIGHT, "k.cu", 31)},
        {overwritten, AT(IN_FLIGHT, "k.cu", 33)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_launch_report report = {0};
        struct hone_fault fault = run_waived(cases[i].text, NULL, 0, &report);
        assert_int_equal(fault.outcome, HONE_WRONG_RESULT);
        assert_int_equal(fault.finding, cases[i].waiver.finding);
        assert_int_equal(report.waived[0], 0);
        fault = run_waived(cases[i].text, &cases[i].waiver, 1, &report);
        if (fault.outcome != HONE_VALID) fail_msg("case %zu: %s", i, fault.reason);
        assert_true(report.waived[0] > 0);
    }
}

static void every_other_finding_stays_one(void **state)
{
    static const struct {
        const char *text;
        struct hone_waiver waiver;
    } cases[] = {
        {store_race, AT(RACE, "k.cu", 6)},
        {store_race, AT(RACE, "other.cu", 5)},
        {store_race, AT(UNWRITTEN, "k.cu", 5)},
        {store_race, IN(RACE, "z")},
        {store_race, AT(RACE, "K.cu", 5)},
        {store_race, IN(UNWRITTEN, "y")},
        {shared_race, IN(RACE, "y")},
        {shared_race, AT(MISSING_WAIT, "k.cu", 9)},
        {two_lines, AT(RACE, "k.cu", 5)},
        {two_lines, IN(RACE, "y")},
        {unwritten, AT(RACE, "k.cu", 11)},
        {unwritten, IN(UNWRITTEN, "z")},
        {missing_wait, AT(MISSING_WAIT, "k.cu", 12)},
        {outside, AT(OUT_OF_BOUNDS, "k.cu", 15)},
        {later_store, AT(RACE, "k.cu", 2)},
        {later_store, IN(RACE, "z")}, // where the value goes, not where it comes from
        {undecided, AT(UNWRITTEN, "k.cu", 21)},
        {undecided, IN(UNWRITTEN, "y")},
        {no_proxy_fence, AT(PROXY_FENCE, "k.cu", 32)},
        {overwritten, AT(RACE, "k.cu", 33)},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_launch_report report = {0};
        const struct hone_fault fault =
            run_waived(cases[i].text, &cases[i].waiver, 1, &report);
        if (fault.outcome == HONE_VALID) fail_msg("case %zu was waived", i);
    }
}

static void each_waiver_counts_its_own(void **state)
{
    static const struct hone_waiver waivers[] = {AT(RACE, "k.cu", 5), AT(RACE, "k.cu", 7),
                                                 IN(RACE, "z"), AT(RACE, "k.cu", 6)};
    struct hone_launch_report report = {0};
    (void)state;
    const struct hone_fault fault = run_waived(two_lines, waivers, 4, &report);
    assert_string_equal(fault.reason, "");
    assert_int_equal(fault.outcome, HONE_VALID);
    assert_true(report.waived[0] > 0);
    assert_int_equal(report.waived[1], 0);
    assert_true(report.waived[2] > 0);
    assert_int_equal(report.waived[2], report.waived[3]); // both are of the same line
}

static void findings_in_global_memory_name_the_buffer(void **state)
{
    static const struct {
        const char *text, *buffer;
    } cases[] = {{store_race, "y"}, {unwritten, "y"}, {shared_race, ""}, {outside, "y"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hone_launch_report report = {0};
        const struct hone_fault fault = run_waived(cases[i].text, NULL, 0, &report);
        assert_string_equal(fault.buffer, cases[i].buffer);
        assert_string_equal(fault.file, "k.cu");
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(what_is_waived_is_counted_and_the_kernel_goes_on),
    cmocka_unit_test(every_other_finding_stays_one),
    cmocka_unit_test(each_waiver_counts_its_own),
    cmocka_unit_test(findings_in_global_memory_name_the_buffer),
};

HONE_TEST_MAIN(tests)
