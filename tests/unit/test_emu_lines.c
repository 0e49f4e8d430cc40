// Reports name lines of the source where the compiler wrote them down: .file and .loc.
#include "emu_kernel.h"

// What a launch of so many threads of text says; "" when nothing is wrong.
static struct hone_fault check_block(const char *text, unsigned threads, bool check,
                                     const char *reason)
{
    struct emu emu;
    emu_open(&emu);
    if (!emu_load(&emu, text, "k")) fail_msg("%s", emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, 256);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, threads);
    launch.check = check;
    emu_run(&emu, &launch);
    assert_string_equal(emu.fault.reason, reason);
    emu_close(&emu);
    return emu.fault;
}

static struct hone_fault check_reason(const char *text, bool check, const char *reason)
{
    return check_block(text, 64, check, reason);
}

#define HEAD                                                                             \
    ".version 9.0\n.target sm_90a\n.address_size 64\n"                                   \
    ".visible .entry k(.param .u64 p) {\n"                                               \
    ".reg .b32 %t<4>; .reg .b64 %x<4>; .shared .align 4 .b8 s[256];\n"                   \
    "ld.param.u64 %x0, [p]; mov.u32 %t0, %tid.x;\n"
#define FILES                                                                            \
    "}\n.file 1 \"/home/user/kernels/my kernel.cu\"\n\t.file\t2 \"common/a.cuh\"\n"

static void a_fault_names_the_line_of_the_source(void **state)
{
    (void)state;
    const struct hone_fault fault = check_reason(
        HEAD ".loc 1 20 3\n.loc 2 7 11, function_name $L__info_string0, "
             "inlined_at 1 20 3\nld.global.u32 %t1, [%x0+256];\nret;\n" FILES,
        false,
        "out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 "
        "bytes at block (0,0,0) thread (0,0,0) of k, a.cuh:7, PTX line 9, called at my "
        "kernel.cu:20");
    assert_int_equal(fault.finding, HONE_FINDING_OUT_OF_BOUNDS);
    assert_string_equal(fault.file, "a.cuh");
    assert_int_equal(fault.line, 7);
    assert_int_equal(fault.ptx_line, 9);
}

// The end of each name, and both lines, whatever their length.
static void long_names_are_cut_and_lines_are_not(void **state)
{
    (void)state;
    check_reason(
        HEAD
        ".loc 1 2000000 3\n.loc 2 1000000 11, function_name $L, inlined_at 1 2000000 "
        "3\nld.global.u32 %t1, [%x0+256];\nret;\n"
        "}\n.file 1 \"a/gemm_universal_grouped_blockwise_scaling_fp8_of_hopper.cu\"\n"
        "\t.file\t2 \"b/mma_multistage_warpspecialized_with_blockwise_scales.cuh\"\n",
        false,
        "out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 bytes at "
        "block "
        "(0,0,0) thread (0,0,0) of k, "
        "...arpspecialized_with_blockwise_scales.cuh:1000000, "
        "PTX line 9, called at ...ouped_blockwise_scaling_fp8_of_hopper.cu:2000000");
}

// Of calls within calls the one that the kernel makes is told; a call by itself has none.
static void what_is_called_names_the_line_of_the_kernel(void **state)
{
    (void)state;
    static const char load[] = "ld.global.u32 %t1, [%x0+256];\nret;\n" FILES;
    static const struct {
        const char *locs, *place;
    } cases[] = {
        {".loc 1 20 3\n.loc 2 7 11, function_name $L, inlined_at 1 20 3\n"
         ".loc 2 3 5, function_name $L, inlined_at 2 7 11\n",
         "a.cuh:3, PTX line 10, called at my kernel.cu:20"},
        {".loc 2 7 11, function_name $L, inlined_at 1 20 3\n"
         ".loc 2 3 5, function_name $L, inlined_at 2 7 12\n",
         "a.cuh:3, PTX line 9, called at a.cuh:7"},
        {".loc 2 7 11, function_name $L, inlined_at 1 20 3\n.loc 1 21 3\n",
         "my kernel.cu:21, PTX line 9"},
        {".loc 2 7 11, function_name $L, inlined_at 3 20 3\n", "a.cuh:7, PTX line 8"},
        {".loc 2 7 11, function_name $L, inlined_at\n", "a.cuh:7, PTX line 8"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[1024], reason[256];
        snprintf(text, sizeof text, "%s%s%s", HEAD, cases[k].locs, load);
        snprintf(reason, sizeof reason,
                 "out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 "
                 "bytes at block (0,0,0) thread (0,0,0) of k, %s",
                 cases[k].place);
        const struct hone_fault fault = check_reason(text, false, reason);
        assert_string_equal(fault.file, k == 2 ? "my kernel.cu" : "a.cuh");
    }
}

// As in the waits of libcu++, whose calls are many deep.
static void a_call_is_known_behind_many_others(void **state)
{
    char text[16384] = HEAD ".loc 2 7 11, function_name $L, inlined_at 1 20 3\n";
    (void)state;
    for (int k = 0; k < 200; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text),
                 ".loc 2 %d 5, function_name $L, inlined_at 1 %d 3\n", 100 + k, 30 + k);
    strcat(text, ".loc 2 3 5, function_name $L, inlined_at 2 7 11\n"
                 "ld.global.u32 %t1, [%x0+256];\nret;\n" FILES);
    check_reason(text, false,
                 "out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 "
                 "bytes at block (0,0,0) thread (0,0,0) of k, a.cuh:3, PTX line 209, "
                 "called at my kernel.cu:20");
}

static void a_function_names_the_line_that_calls_it(void **state)
{
    (void)state;
    check_reason(
        ".version 9.0\n.target sm_90a\n.address_size 64\n"
        ".func f(.reg .b64 %a) {\n.reg .b32 %t;\n.loc 2 7 11\n"
        "ld.global.u32 %t, [%a+256];\nret;\n}\n"
        ".func g(.reg .b64 %a) {\n.loc 2 9 11\ncall f, (%a);\nret;\n}\n"
        ".visible .entry k(.param .u64 p) {\n.reg .b64 %x<4>;\n"
        "ld.param.u64 %x0, [p];\n.loc 1 20 3\ncall g, (%x0);\nret;\n" FILES,
        false,
        "out-of-bounds global load of 4 bytes, 0 bytes past a buffer of 256 bytes at "
        "block (0,0,0) thread (0,0,0) of k, a.cuh:7, PTX line 7, called at my "
        "kernel.cu:20");
}

// Warps 0 and 1 store, and one lane tells it: of whom warp 2 has heard nothing, a meeting
// of lanes does not order. arrive: of which lanes; count: how many the object waits for.
#define TELLS(arrive, count)                                                             \
    HEAD ".reg .pred %p<4>; .shared .align 8 .b64 o;\n"                                  \
         "setp.eq.u32 %p0, %t0, 0; @%p0 mbarrier.init.shared.b64 [o], " count "; "       \
         "bar.sync 0;\nmov.u32 %t2, s; mad.lo.u32 %t2, %t0, 4, %t2; and.b32 %t3, %t0, "  \
         "31;\n"                                                                         \
         "setp.ge.u32 %p1, %t0, 64; @%p1 bra WAIT;\n"                                    \
         "st.shared.u32 [%t2], %t0;\n"                                                   \
         "setp.eq.u32 %p2, " arrive                                                      \
         ", 0; @%p2 mbarrier.arrive.shared.b64 _, [o]; ret;\n"                           \
         "WAIT: mbarrier.test_wait.parity.shared.b64 %p2, [o], 0; @!%p2 bra WAIT;\n"     \
         "ld.shared.u32 %t3, [%t2+-252]; st.global.u32 [%x0], %t3; ret;\n" FILES

static void what_is_missing_fits_those_that_told(void **state)
{
    (void)state;
#define RACE(missing)                                                                    \
    "data race on shared memory: store of warp 0 (PTX line 11) and, without a " missing  \
    " between them, load at block (0,0,0) thread (64,0,0) of k, PTX line 14"
    check_block(TELLS("%t0", "1"), 96, true,
                RACE("barrier (a __syncwarp before one lane's arrival or fence orders "
                     "its warp alone)"));
    check_block(TELLS("%t3", "2"), 96, true,
                RACE("__syncwarp before the arrival or fence of one lane"));
#undef RACE
}

static void a_race_names_both_lines(void **state)
{
    (void)state;
    check_reason(HEAD "\t.loc\t1 5 0\nst.shared.u32 [s], %t0;\n" FILES, true,
                 "data race on shared memory: store of warp 0 (my kernel.cu:5, PTX "
                 "line 8) and store at block (0,0,0) thread (1,0,0) of k, my "
                 "kernel.cu:5, PTX line 8");
}

static void a_missing_wait_names_the_copy(void **state)
{
    (void)state;
    check_reason(
        HEAD "mad.lo.u32 %t1, %t0, 4, 0;\n.loc 1 9 1\n"
             "cp.async.ca.shared.global [%t1], [%x0], 4;\n.loc 1 12 1\n"
             "ld.shared.u32 %t2, [%t1]; st.global.u32 [%x0], %t2;\nret;\n" FILES,
        true,
        "missing wait of an asynchronous copy (my kernel.cu:9, PTX line 9): load of its "
        "place at block (0,0,0) thread (0,0,0) of k, my kernel.cu:12, PTX line 11");
}

// Line information that is cut off, names no file or makes no sense is not there.
static void lines_that_cannot_be_told_are_left_out(void **state)
{
    static const char *const places[] = {
        ".loc", ".loc 3 5 1", ".loc 1", ".loc 1 0 0", ".loc x y z", ".loc 99999999999 3"};
    char text[1024];
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(text, sizeof text, "%s%s\ntrap;\n%s.file\n.file 1\n.file 1 \"x\n", HEAD,
                 places[i], FILES);
        const struct hone_fault fault = check_reason(
            text, false, "trap at block (0,0,0) thread (0,0,0) of k, PTX line 8");
        assert_int_equal(fault.finding, HONE_FINDING_TRAP);
        assert_string_equal(fault.file, "");
        assert_int_equal(fault.line, 0);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fault_names_the_line_of_the_source),
    cmocka_unit_test(long_names_are_cut_and_lines_are_not),
    cmocka_unit_test(what_is_called_names_the_line_of_the_kernel),
    cmocka_unit_test(a_call_is_known_behind_many_others),
    cmocka_unit_test(a_function_names_the_line_that_calls_it),
    cmocka_unit_test(what_is_missing_fits_those_that_told),
    cmocka_unit_test(a_race_names_both_lines),
    cmocka_unit_test(a_missing_wait_names_the_copy),
    cmocka_unit_test(lines_that_cannot_be_told_are_left_out),
};

HONE_TEST_MAIN(tests)
