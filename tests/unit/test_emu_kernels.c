// Whole kernels as NVRTC 13.0 compiles them (tests/ptx), bit by bit against the host.
#include "emu_kernel.h"

#include <math.h>

static float *random_floats(size_t n, uint32_t seed)
{
    float *x = malloc(n * sizeof *x);
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525U + 1013904223U;
        x[i] = (float)(int32_t)seed * 0x1p-31f;
    }
    return x;
}

// C = A B with one fused multiply-add after another along K, as the kernel does.
static void reference_gemm(float *c, const float *a, const float *b, int m, int n, int k)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0.0f;
            for (int l = 0; l < k; l++)
                sum = fmaf(a[i * k + l], b[l * n + j], sum);
            c[i * n + j] = sum;
        }
}

static void check_gemm(struct emu *emu, int m, int n, int k)
{
    size_t a_bytes = sizeof(float) * (size_t)(m * k),
           b_bytes = sizeof(float) * (size_t)(k * n);
    size_t c_bytes = sizeof(float) * (size_t)(m * n);
    float *a = random_floats((size_t)(m * k), 1), *b = random_floats((size_t)(k * n), 2);
    float *c = malloc(c_bytes), *expected = malloc(c_bytes);
    hone_devptr da = emu_buffer(emu, a, a_bytes), db = emu_buffer(emu, b, b_bytes);
    hone_devptr dc = emu_buffer(emu, NULL, c_bytes);
    struct emu_args args = {0};
    EMU_ARG(args, da), EMU_ARG(args, db), EMU_ARG(args, dc);
    EMU_ARG(args, m), EMU_ARG(args, n), EMU_ARG(args, k);
    struct hone_launch launch = emu_geometry(&args, (uint32_t)(n + 63) / 64, 256);
    launch.grid[1] = (uint32_t)(m + 63) / 64;
    if (!emu_run(emu, &launch)) fail_msg("%s", emu->fault.reason);
    emu_fetch(emu, c, dc, c_bytes);
    reference_gemm(expected, a, b, m, n, k);
    assert_memory_equal(c, expected, c_bytes);
    free(a), free(b), free(c), free(expected);
}

static void sgemm_equals_the_host_bit_by_bit(void **state)
{
    struct emu emu;
    char *ptx = emu_read_ptx("sgemm_64x64.ptx");
    (void)state;
    emu_open(&emu);
    if (!emu_load(&emu, ptx, "sgemm")) fail_msg("%s", emu.fault.reason);
    check_gemm(&emu, 128, 128, 64);
    check_gemm(&emu, 64, 64, 16);
    check_gemm(&emu, 100, 77, 33); // ragged in all three
    check_gemm(&emu, 1, 1, 1);
    emu_close(&emu);
    free(ptx);
}

// The kernel's order: each thread strides the grid, then butterflies, then lanes of the
// block.
static float reference_sum(const float *x, int n, int grid)
{
    float total = 0.0f;
    for (int block = 0; block < grid; block++) {
        float warp[8], lane[32] = {0};
        for (int w = 0; w < 8; w++) {
            float v[32], u[32];
            for (int l = 0; l < 32; l++) {
                v[l] = 0.0f;
                for (int i = block * 256 + w * 32 + l; i < n; i += grid * 256)
                    v[l] += x[i];
            }
            for (int o = 16; o > 0; o /= 2) {
                for (int l = 0; l < 32; l++)
                    u[l] = v[l] + v[l ^ o];
                memcpy(v, u, sizeof v);
            }
            warp[w] = v[0];
        }
        memcpy(lane, warp, sizeof warp);
        for (int o = 16; o > 0; o /= 2)
            for (int l = 0; l < 32; l++)
                lane[l] += l + o < 32 ? lane[l + o] : lane[l];
        total += lane[0];
    }
    return total;
}

static void reduction_equals_the_host_bit_by_bit(void **state)
{
    static const int sizes[] = {1, 31, 256, 1000, 100000};
    struct emu emu;
    char *ptx = emu_read_ptx("reduce_sum.ptx");
    (void)state;
    emu_open(&emu);
    if (!emu_load(&emu, ptx, "reduce_sum")) fail_msg("%s", emu.fault.reason);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int n = sizes[i], grid = 5;
        float *x = random_floats((size_t)n, 3), zero = 0.0f, sum;
        hone_devptr dx = emu_buffer(&emu, x, sizeof *x * (size_t)n);
        hone_devptr out = emu_buffer(&emu, &zero, sizeof zero);
        struct emu_args args = {0};
        EMU_ARG(args, dx), EMU_ARG(args, out), EMU_ARG(args, n);
        struct hone_launch launch = emu_geometry(&args, (uint32_t)grid, 256);
        if (!emu_run(&emu, &launch)) fail_msg("%s", emu.fault.reason);
        emu_fetch(&emu, &sum, out, sizeof sum);
        float expected = reference_sum(x, n, grid);
        assert_memory_equal(&sum, &expected, sizeof sum);
        free(x);
    }
    emu_close(&emu);
    free(ptx);
}

// ---- prediction ----

static struct hone_timing predict_gemm(struct emu *emu, int m, int n, int k)
{
    struct hone_timing timing;
    size_t bytes = sizeof(float);
    hone_devptr a = emu_buffer(emu, NULL, bytes * (size_t)m * (size_t)k);
    hone_devptr b = emu_buffer(emu, NULL, bytes * (size_t)k * (size_t)n);
    hone_devptr c = emu_buffer(emu, NULL, bytes * (size_t)m * (size_t)n);
    struct emu_args args = {0};
    EMU_ARG(args, a), EMU_ARG(args, b), EMU_ARG(args, c);
    EMU_ARG(args, m), EMU_ARG(args, n), EMU_ARG(args, k);
    struct hone_launch launch = emu_geometry(&args, (uint32_t)n / 64, 256);
    launch.grid[1] = (uint32_t)m / 64;
    assert_ok(emu->dev->fns->time(emu->dev, emu->module, &launch,
                                  &hone_time_policy_default, &timing, &emu->fault,
                                  &emu->err),
              emu->err);
    if (emu->fault.outcome != HONE_VALID) fail_msg("%s", emu->fault.reason);
    return timing;
}

static double metric(const struct hone_timing *timing, const char *name)
{
    for (uint32_t i = 0; i < timing->metric_count; i++)
        if (strcmp(timing->metrics[i].name, name) == 0) return timing->metrics[i].value;
    fail_msg("no metric %s", name);
    return 0.0;
}

static void predictions_grow_with_the_problem(void **state)
{
    static const int sizes[][3] = {{64, 64, 64},
                                   {256, 256, 256},
                                   {1024, 1024, 256},
                                   {1024, 1024, 1024},
                                   {4096, 4096, 512}};
    struct emu emu;
    char *ptx = emu_read_ptx("sgemm_64x64.ptx");
    double before = 0.0;
    (void)state;
    emu_open(&emu);
    assert_true(emu_load(&emu, ptx, "sgemm"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct hone_timing timing =
            predict_gemm(&emu, sizes[i][0], sizes[i][1], sizes[i][2]);
        assert_true(isfinite(timing.predicted_us) && timing.predicted_us > before);
        assert_true(isnan(timing.time_us));
        assert_int_equal(timing.clock, HONE_CLOCK_EMULATED);
        assert_int_equal(timing.kind, HONE_TIME_PREDICTED);
        before = timing.predicted_us;
    }
    emu_close(&emu);
    free(ptx);
}

// 64 x 64 tile, K = 64: the arithmetic of the kernel is known exactly.
static void counts_are_those_of_the_kernel(void **state)
{
    struct emu emu;
    char *ptx = emu_read_ptx("sgemm_64x64.ptx");
    (void)state;
    emu_open(&emu);
    assert_true(emu_load(&emu, ptx, "sgemm"));
    struct hone_timing timing = predict_gemm(&emu, 256, 256, 64);
    assert_true(metric(&timing, "fp32_per_block") == 64.0 * 64 * 64 / 32);
    assert_true(metric(&timing, "load_bytes") == 2 * 64 * 64 * 4);
    assert_true(metric(&timing, "store_bytes") == 64 * 64 * 4);
    assert_true(metric(&timing, "barriers") == 2 * 8 * (64 / 16));
    emu_close(&emu);
    free(ptx);
}

static void predicting_leaves_memory_as_it_was(void **state)
{
    enum { N = 1024 };
    struct emu emu;
    char *ptx = emu_read_ptx("reduce_sum.ptx");
    int n = N;
    float *x = random_floats(N, 4), before = 42.0f, after;
    struct hone_timing timing;
    (void)state;
    emu_open(&emu);
    assert_true(emu_load(&emu, ptx, "reduce_sum"));
    hone_devptr dx = emu_buffer(&emu, x, sizeof *x * N);
    hone_devptr out = emu_buffer(&emu, &before, sizeof before);
    struct emu_args args = {0};
    EMU_ARG(args, dx), EMU_ARG(args, out), EMU_ARG(args, n);
    struct hone_launch launch = emu_geometry(&args, 4, 256);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    assert_int_equal(emu.fault.outcome, HONE_VALID);
    emu_fetch(&emu, &after, out, sizeof after);
    assert_true(after == before);
    emu_close(&emu);
    free(x);
    free(ptx);
}

// Blocks wait in pairs, by ticket: one that is counted needs another beside it.
static const char pairs_ptx[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                                ".visible .entry pairs(.param .u64 counter)\n{\n"
                                ".reg .pred %p<2>; .reg .b32 %r<4>; .reg .b64 %rd<2>;\n"
                                "ld.param.u64 %rd1, [counter];\n"
                                "atom.global.add.u32 %r1, [%rd1], 1;\n"
                                "or.b32 %r2, %r1, 1;\n"
                                "SPIN:\n"
                                "ld.acquire.gpu.global.u32 %r3, [%rd1];\n"
                                "setp.le.u32 %p1, %r3, %r2;\n"
                                "@%p1 bra SPIN;\n"
                                "ret;\n}\n";

static void block_is_counted_beside_those_that_it_waits_for(void **state)
{
    struct emu emu;
    uint32_t before = 0, after = 1;
    struct hone_timing timing;
    (void)state;
    emu_open(&emu);
    if (!emu_load(&emu, pairs_ptx, "pairs")) fail_msg("%s", emu.fault.reason);
    hone_devptr counter = emu_buffer(&emu, &before, sizeof before);
    struct emu_args args = {0};
    EMU_ARG(args, counter);
    struct hone_launch launch = emu_geometry(&args, 8, 1);
    assert_ok(emu.dev->fns->time(emu.dev, emu.module, &launch, &hone_time_policy_default,
                                 &timing, &emu.fault, &emu.err),
              emu.err);
    if (emu.fault.outcome != HONE_VALID) fail_msg("%s", emu.fault.reason);
    assert_true(isfinite(timing.predicted_us));
    assert_true(metric(&timing, "issued_per_block") < 20); // no turn of waiting
    emu_fetch(&emu, &after, counter, sizeof after);
    assert_int_equal(after, 0);
    emu_close(&emu);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sgemm_equals_the_host_bit_by_bit),
    cmocka_unit_test(reduction_equals_the_host_bit_by_bit),
    cmocka_unit_test(predictions_grow_with_the_problem),
    cmocka_unit_test(counts_are_those_of_the_kernel),
    cmocka_unit_test(predicting_leaves_memory_as_it_was),
    cmocka_unit_test(block_is_counted_beside_those_that_it_waits_for),
};

HONE_TEST_MAIN(tests)
