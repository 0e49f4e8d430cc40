// PTX that Triton 3.9.0 makes for sm_90 of kernels written for this suite
// (tests/ptx/triton/kernels.py), checked and held to results written out in C.
#include <math.h>
#include <stdlib.h>

#include "emu_kernel.h"

// A launch in the making: Triton adds two pointers, to scratch memory, to the arguments.
struct job {
    struct emu emu;
    struct emu_args args;
    hone_devptr pointers[8];
    int32_t counts[8];
    float single;
};

static void job_begin(struct job *job, const char *kernel)
{
    char path[64];
    *job = (struct job){0};
    snprintf(path, sizeof path, "triton/%s.ptx", kernel);
    char *text = emu_read_ptx(path);
    emu_open(&job->emu);
    if (!emu_load(&job->emu, text, kernel))
        fail_msg("%s: %s", kernel, job->emu.fault.reason);
    free(text);
}

static hone_devptr job_buffer(struct job *job, const void *data, size_t bytes)
{
    hone_devptr *at = &job->pointers[job->args.count];
    *at = emu_buffer(&job->emu, data, bytes);
    EMU_ARG(job->args, *at);
    return *at;
}

static void job_count(struct job *job, int32_t count)
{
    int32_t *at = &job->counts[job->args.count];
    *at = count;
    EMU_ARG(job->args, *at);
}

static void job_single(struct job *job, float single)
{
    job->single = single;
    EMU_ARG(job->args, job->single);
}

// Runs it, gives back the buffer and ends the job.
static void job_end(struct job *job, uint32_t columns, uint32_t rows, uint32_t threads,
                    uint32_t shared, hone_devptr from, void *out, size_t bytes)
{
    job_buffer(job, NULL, (size_t)384 * columns * rows);
    job_buffer(job, NULL, 16);
    struct hone_launch launch = emu_geometry(&job->args, columns, threads);
    launch.grid[1] = rows;
    launch.shared_bytes = shared;
    launch.check = true;
    if (!emu_run(&job->emu, &launch)) fail_msg("%s", job->emu.fault.reason);
    emu_fetch(&job->emu, out, from, bytes);
    emu_close(&job->emu);
}

// ---- values ----

static int small(uint32_t *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return (int)(*seed >> 16) % 7 - 3;
}

// The f16 of a whole number, divided by 2 to the power of down.
static uint16_t half_of(int value, unsigned down)
{
    const unsigned size = (unsigned)abs(value);
    unsigned exponent = 0;
    if (size == 0) return 0;
    while (size >> (exponent + 1))
        exponent++;
    return (uint16_t)((value < 0 ? 0x8000U : 0U) | (exponent + 15 - down) << 10 |
                      ((size << (10 - exponent)) & 0x3ff));
}

static int whole_of(uint16_t half)
{
    const int exponent = (half >> 10 & 31) - 15;
    const int size = exponent < 0 ? 0 : (0x400 | (half & 0x3ff)) >> (10 - exponent);
    return half & 0x8000 ? -size : size;
}

static void check_near(const char *what, size_t i, double got, double expected)
{
    if (!(fabs(got - expected) <= 2e-6 + 2e-5 * fabs(expected)))
        fail_msg("%s: element %zu is %.9g, should be %.9g", what, i, got, expected);
}

// ---- rows ----

static void softmax_of_rows(void **state)
{
    enum { ROWS = 6, COLUMNS = 1000 };
    static float x[ROWS * COLUMNS], y[ROWS * COLUMNS];
    uint32_t seed = 3;
    struct job job;
    (void)state;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = (float)small(&seed) + 0.25F * (float)small(&seed);
    job_begin(&job, "softmax");
    job_buffer(&job, x, sizeof x);
    const hone_devptr out = job_buffer(&job, NULL, sizeof y);
    job_count(&job, COLUMNS);
    job_end(&job, ROWS, 1, 128, 16, out, y, sizeof y);
    for (size_t row = 0; row < ROWS; row++) {
        double sum = 0;
        for (size_t c = 0; c < COLUMNS; c++)
            sum += exp((double)x[row * COLUMNS + c]);
        for (size_t c = 0; c < COLUMNS; c++)
            check_near("softmax", row * COLUMNS + c, (double)y[row * COLUMNS + c],
                       exp((double)x[row * COLUMNS + c]) / sum);
    }
}

static void layer_norm_of_rows(void **state)
{
    enum { ROWS = 5, COLUMNS = 1300 };
    static float x[ROWS * COLUMNS], weight[COLUMNS], bias[COLUMNS], y[ROWS * COLUMNS];
    const double epsilon = 1e-5;
    uint32_t seed = 5;
    struct job job;
    (void)state;
    for (size_t i = 0; i < ROWS * COLUMNS; i++)
        x[i] = (float)small(&seed) + 0.125F * (float)small(&seed);
    for (size_t i = 0; i < COLUMNS; i++)
        weight[i] = (float)small(&seed), bias[i] = (float)small(&seed);
    job_begin(&job, "layer_norm");
    job_buffer(&job, x, sizeof x);
    job_buffer(&job, weight, sizeof weight);
    job_buffer(&job, bias, sizeof bias);
    const hone_devptr out = job_buffer(&job, NULL, sizeof y);
    job_count(&job, COLUMNS);
    job_single(&job, (float)epsilon);
    job_end(&job, ROWS, 1, 128, 2048, out, y, sizeof y);
    for (size_t row = 0; row < ROWS; row++) {
        double sum = 0, squares = 0;
        for (size_t c = 0; c < COLUMNS; c++)
            sum += (double)x[row * COLUMNS + c];
        for (size_t c = 0; c < COLUMNS; c++)
            squares += pow((double)x[row * COLUMNS + c] - sum / COLUMNS, 2);
        for (size_t c = 0; c < COLUMNS; c++) {
            const double scaled = ((double)x[row * COLUMNS + c] - sum / COLUMNS) /
                                  sqrt(squares / COLUMNS + epsilon);
            check_near("layer_norm", row * COLUMNS + c, (double)y[row * COLUMNS + c],
                       scaled * (double)weight[c] + (double)bias[c]);
        }
    }
}

static void a_total_of_all_blocks(void **state)
{
    enum { COUNT = 5000 };
    static int32_t x[COUNT];
    int32_t y = 0, expected = 0;
    uint32_t seed = 7;
    struct job job;
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        expected += x[i] = small(&seed) * (int32_t)i;
    job_begin(&job, "total");
    job_buffer(&job, x, sizeof x);
    const hone_devptr out = job_buffer(&job, &y, sizeof y);
    job_count(&job, COUNT);
    job_end(&job, (COUNT + 1023) / 1024, 1, 256, 32, out, &y, sizeof y);
    assert_int_equal(y, expected);
}

// ---- matrices ----

enum { MOST = 160 };
static uint16_t a[MOST * MOST], b[MOST * MOST];
static int whole_a[MOST * MOST], whole_b[MOST * MOST];

static void fill_matrices(int rows, int columns, int depth)
{
    uint32_t seed = (uint32_t)(rows + columns);
    for (int i = 0; i < rows * depth; i++)
        whole_a[i] = small(&seed), a[i] = half_of(whole_a[i], 0);
    for (int i = 0; i < depth * columns; i++)
        whole_b[i] = small(&seed), b[i] = half_of(whole_b[i], 0);
}

static int product_at(int row, int column, int columns, int depth)
{
    int sum = 0;
    for (int k = 0; k < depth; k++)
        sum += whole_a[row * depth + k] * whole_b[k * columns + column];
    return sum;
}

static void begin_product(struct job *job, const char *kernel, int rows, int columns,
                          int depth)
{
    fill_matrices(rows, columns, depth);
    job_begin(job, kernel);
    job_buffer(job, a, (size_t)(rows * depth) * sizeof *a);
    job_buffer(job, b, (size_t)(depth * columns) * sizeof *b);
}

static void products_by_wgmma(void **state)
{
    static const int sizes[][3] = {{64, 64, 32}, {128, 64, 96}, {100, 90, 70}};
    static float c[MOST * MOST];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int rows = sizes[i][0], columns = sizes[i][1], depth = sizes[i][2];
        const size_t bytes = (size_t)(rows * columns) * sizeof *c;
        struct job job;
        begin_product(&job, "matmul", rows, columns, depth);
        const hone_devptr out = job_buffer(&job, NULL, bytes);
        job_count(&job, rows), job_count(&job, columns), job_count(&job, depth);
        job_end(&job, (uint32_t)(rows + 63) / 64, (uint32_t)(columns + 63) / 64, 128,
                16384, out, c, bytes);
        for (int at = 0; at < rows * columns; at++)
            assert_int_equal((int)c[at],
                             product_at(at / columns, at % columns, columns, depth));
    }
}

// Its maps of a, b and c are written on the device.
static void products_of_tensor_maps(void **state)
{
    static const int sizes[][3] = {{64, 64, 64}, {128, 128, 128}, {100, 72, 96}};
    static uint16_t c[MOST * MOST];
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const int rows = sizes[i][0], columns = sizes[i][1], depth = sizes[i][2];
        const size_t bytes = (size_t)(rows * columns) * sizeof *c;
        struct job job;
        begin_product(&job, "matmul_tma", rows, columns, depth);
        const hone_devptr out = job_buffer(&job, NULL, bytes);
        job_count(&job, rows), job_count(&job, columns), job_count(&job, depth);
        job_end(&job, (uint32_t)(rows + 63) / 64, (uint32_t)(columns + 63) / 64, 128,
                49176, out, c, bytes);
        for (int at = 0; at < rows * columns; at++)
            assert_int_equal(whole_of(c[at]),
                             product_at(at / columns, at % columns, columns, depth));
    }
}

static void attention_of_heads(void **state)
{
    enum { HEADS = 2, LENGTH = 100, WIDTH = 64, COUNT = HEADS * LENGTH * WIDTH };
    static uint16_t halves[3][COUNT];
    static double values[3][COUNT];
    static float o[COUNT];
    uint32_t seed = 11;
    struct job job;
    (void)state;
    for (int m = 0; m < 3; m++)
        for (int i = 0; i < COUNT; i++) {
            const int value = small(&seed);
            halves[m][i] = half_of(value, 2);
            values[m][i] = value / 4.0;
        }
    job_begin(&job, "attention");
    for (int m = 0; m < 3; m++)
        job_buffer(&job, halves[m], sizeof halves[m]);
    const hone_devptr out = job_buffer(&job, NULL, sizeof o);
    job_count(&job, LENGTH);
    job_single(&job, 0.125F);
    job_end(&job, (LENGTH + 63) / 64, HEADS, 128, 32768, out, o, sizeof o);
    for (int row = 0; row < HEADS * LENGTH; row++) {
        const int first = row / LENGTH * LENGTH; // key of the head
        double share[LENGTH], sum = 0;
        for (int key = 0; key < LENGTH; key++) {
            double score = 0;
            for (int d = 0; d < WIDTH; d++)
                score +=
                    values[0][row * WIDTH + d] * values[1][(first + key) * WIDTH + d];
            sum += share[key] = exp(score * 0.125);
        }
        for (int d = 0; d < WIDTH; d++) {
            double expected = 0;
            for (int key = 0; key < LENGTH; key++)
                expected += share[key] / sum * values[2][(first + key) * WIDTH + d];
            const double got = (double)o[row * WIDTH + d];
            if (!(fabs(got - expected) < 1e-3)) // shares are rounded to f16
                fail_msg("attention: (%d,%d) is %g, should be %g", row, d, got, expected);
        }
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(softmax_of_rows),         cmocka_unit_test(layer_norm_of_rows),
    cmocka_unit_test(a_total_of_all_blocks),   cmocka_unit_test(products_by_wgmma),
    cmocka_unit_test(products_of_tensor_maps), cmocka_unit_test(attention_of_heads),
};

HONE_TEST_MAIN(tests)
