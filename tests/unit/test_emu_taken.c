// Forms that ptxas takes and compilers or their headers write, beside those of the other
// suites: spellings with the mode in front, pairs of singles, vectors of eight, vectors of
// registers, variables of a body, names in generic accesses, special registers.
#include <fenv.h>
#include <math.h>

#include "emu_kernel.h"

enum { THREADS = 64, WORDS = 1024 };

// %t0 is the thread, %x0 its place of 64 bytes in a zeroed buffer, %x1 the buffer.
static const char frame[] =
    ".version 9.0\n.target sm_100a\n.address_size 64\n"
    ".visible .entry k(.param .u64 p) {\n"
    ".reg .b32 %t<16>; .reg .f32 %f<16>; .reg .b64 %x<16>; .reg .pred %p<4>;\n"
    "ld.param.u64 %x1, [p]; mov.u32 %t0, %tid.x; mad.wide.u32 %x0, %t0, 64, %x1;\n";

static void run_body(const char *body, uint32_t words[THREADS][16])
{
    struct emu emu;
    char text[4096];
    emu_open(&emu);
    snprintf(text, sizeof text, "%s%s\nret;\n}\n", frame, body);
    if (!emu_load(&emu, text, "k")) fail_msg("%s: %s", body, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, THREADS * 16 * 4);
    struct emu_args args = {0};
    EMU_ARG(args, p);
    struct hone_launch launch = emu_geometry(&args, 1, THREADS);
    launch.check = true;
    if (!emu_run(&emu, &launch)) fail_msg("%s: %s", body, emu.fault.reason);
    emu_fetch(&emu, words, p, THREADS * 16 * 4);
    emu_close(&emu);
}

// ---- votes ----

static void votes_take_their_mode_first_and_immediates(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body("and.b32 %t1, %t0, 3; setp.eq.u32 %p0, %t1, 1; setp.lt.u32 %p1, %t0, 99;\n"
             "vote.ballot.sync.b32 %t2, %p0, 0xffffffff; st.global.u32 [%x0], %t2;\n"
             "vote.sync.ballot.b32 %t2, !%p0, -1; st.global.u32 [%x0+4], %t2;\n"
             "vote.ballot.sync.b32 %t2, 1, 0xffffffff; st.global.u32 [%x0+8], %t2;\n"
             "vote.sync.ballot.b32 %t2, 0, 0xffffffff; st.global.u32 [%x0+12], %t2;\n"
             "vote.all.sync.pred %p2, %p1, 0xffffffff; selp.u32 %t2, 5, 6, %p2;\n"
             "st.global.u32 [%x0+16], %t2; vote.any.sync.pred %p2, %p0, -1;\n"
             "selp.u32 %t2, 5, 6, %p2; st.global.u32 [%x0+20], %t2;\n"
             "vote.uni.sync.pred %p2, %p0, -1; selp.u32 %t2, 5, 6, %p2;\n"
             "st.global.u32 [%x0+24], %t2;",
             words);
    static const uint32_t wanted[] = {0x22222222, 0xdddddddd, 0xffffffff, 0, 5, 5, 6};
    for (int t = 0; t < THREADS; t++)
        for (int k = 0; k < 7; k++)
            assert_int_equal(words[t][k], wanted[k]);
}

// ---- pairs of singles ----

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return x != x ? 0x7fffffff : bits;
}

// Each half is the host's own operation in the rounding mode, of small and odd values.
static void pairs_of_singles_are_two_singles(void **state)
{
    static const struct {
        const char *text;
        int operation, mode;
        bool flush;
    } rows[] = {{"add.rn.f32x2 %x4, %x2, %x3;", '+', FE_TONEAREST, false},
                {"add.f32x2 %x4, %x2, %x3;", '+', FE_TONEAREST, false},
                {"add.rz.f32x2 %x4, %x2, %x3;", '+', FE_TOWARDZERO, false},
                {"sub.rm.f32x2 %x4, %x2, %x3;", '-', FE_DOWNWARD, false},
                {"mul.rp.f32x2 %x4, %x2, %x3;", '*', FE_UPWARD, false},
                {"mul.rn.ftz.f32x2 %x4, %x2, %x3;", '*', FE_TONEAREST, true},
                {"fma.rn.f32x2 %x4, %x2, %x3, %x2;", 'f', FE_TONEAREST, false},
                {"fma.rz.f32x2 %x4, %x2, %x3, %x2;", 'f', FE_TOWARDZERO, false}};
    static uint32_t words[THREADS][16];
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        char body[1024];
        snprintf(
            body, sizeof body,
            "mul.lo.u32 %%t1, %%t0, 0x9e3779b1; mul.lo.u32 %%t2, %%t0, 0x85ebca6b;\n"
            "xor.b32 %%t3, %%t1, 0x3f1234; shr.u32 %%t4, %%t2, 9;\n"
            "mov.b64 %%x2, {%%t1, %%t4}; mov.b64 %%x3, {%%t3, %%t2}; mov.b64 %%x4, 0;"
            "\n%s st.global.v2.b64 [%%x0], {%%x2, %%x3}; st.global.b64 [%%x0+16], "
            "%%x4;",
            rows[r].text);
        run_body(body, words);
        for (int t = 0; t < THREADS; t++)
            for (int half = 0; half < 2; half++) {
                volatile float a, b, result;
                uint32_t in[2] = {words[t][half], words[t][2 + half]};
                float x, y;
                memcpy(&x, &in[0], 4), memcpy(&y, &in[1], 4);
                if (rows[r].flush && fpclassify(x) == FP_SUBNORMAL) x = copysignf(0, x);
                if (rows[r].flush && fpclassify(y) == FP_SUBNORMAL) y = copysignf(0, y);
                a = x, b = y;
                fesetround(rows[r].mode);
                result = rows[r].operation == '+'   ? a + b
                         : rows[r].operation == '-' ? a - b
                         : rows[r].operation == '*' ? a * b
                                                    : fmaf(a, b, a);
                fesetround(FE_TONEAREST);
                if (rows[r].flush && fpclassify(result) == FP_SUBNORMAL)
                    result = copysignf(0, result);
                if (words[t][4 + half] != bits_of(result))
                    fail_msg("%s of 0x%x and 0x%x is 0x%x, should be 0x%x", rows[r].text,
                             in[0], in[1], words[t][4 + half], bits_of(result));
            }
    }
}

// ---- wide vectors and vectors of registers ----

static void vectors_of_32_bytes_are_loaded_and_stored(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body("add.u32 %t1, %t0, 1; add.u32 %t2, %t0, 2; add.u32 %t3, %t0, 3;\n"
             "add.u32 %t4, %t0, 4; add.u32 %t5, %t0, 5; add.u32 %t6, %t0, 6;\n"
             "add.u32 %t7, %t0, 7;\n"
             "st.global.v8.b32 [%x0], {%t0, %t1, %t2, %t3, %t4, %t5, %t6, %t7};\n"
             "ld.global.v8.f32 {%f0, %f1, %f2, %f3, %f4, %f5, %f6, %f7}, [%x0];\n"
             "ld.global.v4.b64 {%x4, %x5, %x6, %x7}, [%x0];\n"
             "st.global.v4.b64 [%x0+32], {%x7, %x6, %x5, %x4};\n"
             "st.global.v8.f32 [%x0], {%f7, %f6, %f5, %f4, %f3, %f2, %f1, %f0};",
             words);
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t k = 0; k < 8; k++) {
            assert_int_equal(words[t][k], t + 7 - k);
            assert_int_equal(words[t][8 + k], t + (6 - k / 2 * 2) + k % 2);
        }
}

static void registers_may_be_vectors(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body(
        ".reg .v4 .b32 a, b; .reg .v2 .b64 c;\n"
        "mov.u32 a.x, %t0; add.u32 a.y, %t0, 10; add.u32 a.b, %t0, 20;\n"
        "add.u32 a.w, a.z, 10; st.global.v4.b32 [%x0], a;\n"
        "ld.global.v4.b32 b, [%x0]; st.global.v4.b32 [%x0+16], {b.a, b.z, b.g, b.r};\n"
        "ld.global.v2.b64 c, [%x0]; st.global.v2.b64 [%x0+32], {c.y, c.x};",
        words);
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t k = 0; k < 4; k++) {
            assert_int_equal(words[t][k], t + 10 * k);
            assert_int_equal(words[t][4 + k], t + 30 - 10 * k);
            assert_int_equal(words[t][8 + k], t + 10 * ((k + 2) % 4));
        }
}

// ---- variables ----

static void variables_of_a_body_may_be_global_and_constant(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body(".global .align 4 .b32 start[2] = {7, 9}; .const .align 4 .b32 step = 5;\n"
             ".shared .align 4 .b32 all[64];\n"
             "ld.global.u32 %t1, [start+4]; ld.const.u32 %t2, [step];\n"
             "mad.lo.u32 %t3, %t0, %t2, %t1; st.global.u32 [%x0], %t3;",
             words);
    for (uint32_t t = 0; t < THREADS; t++)
        assert_int_equal(words[t][0], 5 * t + 9);
}

static void a_name_says_where_a_generic_access_goes(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body(".local .align 16 .b8 frame[64]; .shared .align 4 .b32 common;\n"
             "st.u32 [frame+8], %t0; setp.eq.u32 %p0, %t0, 5; @%p0 st.u32 [common], 77;\n"
             "bar.sync 0; ld.u32 %t1, [frame+8]; ld.u32 %t2, [common];\n"
             "ld.local.u32 %t3, [frame+8]; st.global.v2.u32 [%x0], {%t1, %t2};\n"
             "st.global.u32 [%x0+8], %t3;",
             words);
    for (uint32_t t = 0; t < THREADS; t++) {
        assert_int_equal(words[t][0], t);
        assert_int_equal(words[t][1], 77);
        assert_int_equal(words[t][2], t);
    }
}

// ---- special registers ----

static void registers_of_the_environment_hold_nothing(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body("mov.u32 %t1, %envreg0; mov.u32 %t2, %envreg31; add.u32 %t2, %t2, 1;\n"
             "st.global.v2.u32 [%x0], {%t1, %t2};",
             words);
    assert_int_equal(words[3][0], 0);
    assert_int_equal(words[3][1], 1);
}

static void reserved_shared_memory_lies_before_the_kernels_own(void **state)
{
    static uint32_t words[THREADS][16];
    (void)state;
    run_body(".shared .align 4 .b32 own[64];\n"
             "mov.u32 %t1, own; mov.u32 %t2, %reserved_smem_offset_begin;\n"
             "mov.u32 %t3, %reserved_smem_offset_end; mov.u32 %t4, "
             "%reserved_smem_offset_1;\n"
             "mov.u32 %t5, %total_smem_size; mov.u32 %t6, %aggr_smem_size;\n"
             "st.global.v4.u32 [%x0], {%t1, %t2, %t3, %t4};\n"
             "st.global.v2.u32 [%x0+16], {%t5, %t6};",
             words);
    assert_int_equal(words[0][0], 1024);
    assert_int_equal(words[0][1], 0);
    assert_int_equal(words[0][2], 1024);
    assert_true(words[0][3] + 288 <= 1024); // what cooperative groups need there
    assert_int_equal(words[0][4], 256);
    assert_int_equal(words[0][5], 1280);
}

// ---- cooperative groups ----

static struct hone_fault run_groups(const char *entry, bool cooperative, uint32_t blocks,
                                    uint32_t *words)
{
    struct emu emu;
    struct emu_args args = {0};
    char *text = emu_read_ptx("corpus/groups.ptx");
    emu_open(&emu);
    if (!emu_load(&emu, text, entry)) fail_msg("%s: %s", entry, emu.fault.reason);
    hone_devptr p = emu_buffer(&emu, NULL, WORDS * 4), q = emu_buffer(&emu, NULL, 4);
    EMU_ARG(args, p);
    if (strcmp(entry, "meet") == 0) EMU_ARG(args, q);
    struct hone_launch launch = emu_geometry(&args, blocks, 256);
    launch.check = true;
    launch.flags = cooperative ? HONE_LAUNCH_COOPERATIVE : 0;
    if (emu_run(&emu, &launch)) emu_fetch(&emu, words, p, WORDS * 4);
    emu_close(&emu);
    free(text);
    return emu.fault;
}

static void a_grid_meets_in_a_cooperative_launch(void **state)
{
    static uint32_t words[WORDS];
    (void)state;
    struct hone_fault fault = run_groups("meet", true, 4, words);
    assert_string_equal(fault.reason, "");
    for (uint32_t i = 0; i < WORDS; i++)
        assert_int_equal(words[i], 1023 * 1024 / 2 - i);
}

// A block is counted alone, and waits for nobody.
static void a_grid_that_meets_is_predicted(void **state)
{
    (void)state;
    struct emu emu;
    struct emu_args args = {0};
    struct hone_timing timing;
    const struct hone_time_policy policy = {0};
    static uint32_t words[WORDS], after[WORDS];
    char *text = emu_read_ptx("corpus/groups.ptx");
    double us[2];
    emu_open(&emu);
    assert_true(emu_load(&emu, text, "meet"));
    hone_devptr p = emu_buffer(&emu, words, WORDS * 4), q = emu_buffer(&emu, NULL, 4);
    EMU_ARG(args, p);
    EMU_ARG(args, q);
    for (uint32_t i = 0; i < 2; i++) {
        struct hone_launch launch = emu_geometry(&args, 1 + 3 * i, 256);
        launch.flags = HONE_LAUNCH_COOPERATIVE;
        assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &policy, &timing,
                                     &emu.fault, &emu.err),
                  emu.err);
        assert_string_equal(emu.fault.reason, "");
        us[i] = timing.predicted_us;
        assert_true(us[i] > 1 && us[i] < 1000);
    }
    assert_true(us[1] > us[0]); // four blocks add four times as many words
    emu_fetch(&emu, after, p, WORDS * 4);
    assert_memory_equal(after, words, sizeof words);
    emu_close(&emu);
    free(text);
}

static void a_grid_that_cannot_meet_is_refused(void **state)
{
    static uint32_t words[WORDS];
    (void)state;
    struct hone_fault fault = run_groups("meet", false, 4, words);
    assert_int_equal(fault.outcome, HONE_LAUNCH_FAILED);
    assert_memory_equal(fault.reason, "grid.sync() needs a cooperative launch, ", 40);
    fault = run_groups("meet", true, 1 << 20, words);
    assert_int_equal(fault.outcome, HONE_REJECTED);
    assert_memory_equal(fault.reason, "1048576 blocks in a cooperative launch, ", 40);
}

static void tiles_of_two_warps_have_barriers_of_their_own(void **state)
{
    static uint32_t words[WORDS];
    (void)state;
    struct hone_fault fault = run_groups("tiles", false, 1, words);
    assert_string_equal(fault.reason, "");
    for (uint32_t t = 0; t < 256; t++)
        assert_int_equal(words[t], 3 * (t ^ 63));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(votes_take_their_mode_first_and_immediates),
    cmocka_unit_test(pairs_of_singles_are_two_singles),
    cmocka_unit_test(vectors_of_32_bytes_are_loaded_and_stored),
    cmocka_unit_test(registers_may_be_vectors),
    cmocka_unit_test(variables_of_a_body_may_be_global_and_constant),
    cmocka_unit_test(a_name_says_where_a_generic_access_goes),
    cmocka_unit_test(registers_of_the_environment_hold_nothing),
    cmocka_unit_test(reserved_shared_memory_lies_before_the_kernels_own),
    cmocka_unit_test(a_grid_meets_in_a_cooperative_launch),
    cmocka_unit_test(a_grid_that_meets_is_predicted),
    cmocka_unit_test(a_grid_that_cannot_meet_is_refused),
    cmocka_unit_test(tiles_of_two_warps_have_barriers_of_their_own),
};

HONE_TEST_MAIN(tests)
