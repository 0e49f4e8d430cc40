// Reductions and kernels on rows run on the emulator: any address, any size, numbers that
// are none.
#include <math.h>
#include <string.h>

#include "template_machine.h"

struct reduction {
    const char *entry;
    uint32_t block, blocks, parts;
    long long N, part;
};

// in: N floats from offset on. out, index: one a part. in_index: N, or NULL.
static void run_reduction(const struct hone_build *build, const struct reduction *r,
                          float *in, size_t offset, float *out, uint32_t *index,
                          uint32_t *in_index)
{
    float partials[64 * 2] = {0};
    uint32_t counters[8] = {0}, none = 0;
    const size_t length = (size_t)r->N, parts = r->parts;
    assert_true(r->blocks * parts <= 64 && parts <= 8);
    hone_devptr array = to_device(in, (length + offset) * sizeof *in),
                from = array + offset * sizeof *in,
                result = to_device(out, parts * sizeof *out),
                found = to_device(index, parts * sizeof *index),
                places = in_index ? to_device(in_index, length * sizeof *in_index)
                                  : to_device(&none, sizeof none),
                left = to_device(partials, sizeof partials),
                counts = to_device(counters, sizeof counters);
    const void *params[] = {&from,  &result, &r->N, &r->part,
                            &found, &places, &left, &counts};
    const size_t widths[] = {8, 8, 8, 8, 8, 8, 8, 8};
    const struct hone_launch recipe = {.grid = {r->blocks, r->parts, 1},
                                       .block = {r->block, 1, 1},
                                       .params = params,
                                       .param_sizes = widths,
                                       .param_count = 8};
    launch(build, r->entry, &recipe);
    from_device(out, result, parts * sizeof *out);
    from_device(index, found, parts * sizeof *index);
    from_device(counters, counts, sizeof counters);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        assert_int_equal(counters[i], 0); // ready for the next launch
    device->fns->free(device, array);
    device->fns->free(device, places);
    device->fns->free(device, left);
}

// Within the tolerance of kernels/reduction.lua; out is added to, not set.
static void check_sum(const struct hone_build *build, const struct reduction *r,
                      size_t offset)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 13);
    float *in = random_floats(&rng, (size_t)r->N + offset), out = 0.5f;
    uint32_t unused = 0;
    double want = 0.5;
    for (size_t i = 0; i < (size_t)r->N; i++)
        want += (double)in[offset + i];
    run_reduction(build, r, in, offset, &out, &unused, NULL);
    free(in);
    if (!(fabs((double)out - want) <= 1.1e-5 * sqrt((double)r->N)))
        fail_msg("%s, %u threads, %u blocks, N %lld: %.9g, not %.9g", r->entry, r->block,
                 r->blocks, r->N, (double)out, want);
}

static const long long lengths[] = {0, 1, 31, 4096, 4097, 100003};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void reduction_is_near_at_every_kind_of_configuration(void **state)
{
    (void)state;
    need_machine();
    enum { NAMES = 6 };
    static const char *const names[NAMES] = {"BLOCK", "BLOCKS_PER_SM", "ITEMS",
                                             "VEC",   "SHUFFLE",       "FINISH"};
    static const int configs[][NAMES] = {
        {256, 4, 4, 16, 1, 0}, {256, 4, 4, 16, 0, 1},  {32, 1, 1, 4, 1, 1},
        {32, 32, 8, 8, 0, 0},  {1024, 1, 8, 16, 1, 1}, {1024, 2, 1, 4, 0, 0},
        {64, 8, 2, 8, 1, 0},   {512, 2, 8, 4, 0, 1},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        const int *c = configs[i];
        const struct hone_build *build = build_template(
            "reduction.cu", "reduction", print_parameters(names, c, NAMES));
        for (size_t j = 0; j < LENGTHS; j++) {
            for (size_t offset = 0; offset < 2; offset++) {
                const struct reduction r = {"reduction", (uint32_t)c[0], 5,
                                            1,           lengths[j],     lengths[j]};
                check_sum(build, &r, offset);
            }
        }
        hone_build_release(build);
    }
}

static void reference_of_sums_agrees_with_sums_made_here(void **state)
{
    (void)state;
    need_machine();
    const struct hone_build *build =
        build_template("reference/reduction.cu", "reduction_reference", "");
    for (size_t j = 0; j < LENGTHS; j++) {
        const struct reduction r = {
            "reduction_reference", 256, 1, 1, lengths[j], lengths[j]};
        check_sum(build, &r, 0);
    }
    hone_build_release(build);
}

enum { FIND_LENGTH = 1000 };

// Rows of 0 but for a few numbers: where the first of the largest is, and its value.
static const struct find {
    const char *what;
    struct {
        uint32_t at;
        float x;
    } put[3];
    float fill;
    uint32_t index;
    float value;
} finds[] = {
    {"one", {{777, 3}}, 0, 777, 3},
    {"equal ones", {{999, 3}, {801, 3}, {800, 3}}, 0, 800, 3},
    {"NaN above infinity", {{5, INFINITY}, {600, NAN}, {601, NAN}}, 0, 600, NAN},
    {"zeros of both signs", {{0, -1}, {1, -0.0f}, {2, 0}}, -1, 1, 0},
    {"negative numbers", {{400, -2}, {401, -1}}, -3, 401, -1},
    {"nothing but -inf", {{0, -INFINITY}}, -INFINITY, 0, -INFINITY},
    {"-inf and the lowest", {{998, -3e38f}}, -INFINITY, 998, -3e38f},
};

static void check_found(const struct find *find, uint32_t index, float value)
{
    const bool same = isnan(find->value) ? isnan(value) : value == find->value;
    if (index != find->index || !same)
        fail_msg("%s: %.9g at %u, not %.9g at %u", find->what, (double)value, index,
                 (double)find->value, find->index);
}

// In one pass by three blocks, and in two: five parts, the last of them short, then those.
static void argmax_finds_the_first_of_the_largest(void **state)
{
    (void)state;
    need_machine();
    const char *common = "OP argmax, ACCUMULATE 0, FINISH 1, BLOCK 64, ITEMS 2";
    char indexed[100];
    snprintf(indexed, sizeof indexed, "%s, INDEXED 1, VEC 4, SHUFFLE 0", common);
    const struct hone_build *first = build_template("reduction.cu", "reduction", common),
                            *second =
                                build_template("reduction.cu", "reduction", indexed);
    for (size_t i = 0; i < sizeof finds / sizeof *finds; i++) {
        float in[FIND_LENGTH], values[5], value = 0;
        uint32_t places[5], place = 0;
        for (size_t j = 0; j < FIND_LENGTH; j++)
            in[j] = finds[i].fill;
        for (size_t j = 0; j < 3; j++)
            if (finds[i].put[j].x != 0 || finds[i].put[j].at)
                in[finds[i].put[j].at] = finds[i].put[j].x;
        const struct reduction once = {"reduction", 64, 3, 1, FIND_LENGTH, FIND_LENGTH},
                               parts = {"reduction", 64, 1, 5, FIND_LENGTH, 204},
                               rest = {"reduction", 64, 1, 1, 5, 5};
        run_reduction(first, &once, in, 0, &value, &place, NULL);
        check_found(&finds[i], place, value);
        run_reduction(first, &parts, in, 0, values, places, NULL);
        run_reduction(second, &rest, values, 0, &value, &place, places);
        check_found(&finds[i], place, value);
    }
    hone_build_release(first);
    hone_build_release(second);
}

// The largest, NaN where there is one, is the same by either way for blocks to meet.
static void max_takes_nan_for_the_largest(void **state)
{
    (void)state;
    need_machine();
    static const char *const configs[] = {"OP max, FINISH 0, BLOCK 32",
                                          "OP max, FINISH 1, BLOCK 32"};
    for (size_t i = 0; i < 2; i++) {
        const struct hone_build *build =
            build_template("reduction.cu", "reduction", configs[i]);
        const struct reduction r = {"reduction", 32, 3, 1, FIND_LENGTH, FIND_LENGTH};
        float in[FIND_LENGTH], out = -INFINITY;
        uint32_t unused = 0;
        for (size_t j = 0; j < FIND_LENGTH; j++)
            in[j] = -1 - (float)j;
        run_reduction(build, &r, in, 0, &out, &unused, NULL);
        assert_true(out == -1);
        out = 2;
        run_reduction(build, &r, in, 0, &out, &unused, NULL);
        assert_true(out == 2);
        in[FIND_LENGTH - 1] = -NAN;
        run_reduction(build, &r, in, 0, &out, &unused, NULL);
        assert_true(isnan(out));
        hone_build_release(build);
    }
}

// --- rows that a random fill does not make ---

// A softmax of floats: rows of SPECIAL_COLS in the middle of a matrix whose every row is
// longer and whose first element lies offset floats behind an aligned address.
enum { SPECIAL_COLS = 37, SPECIAL_STRIDE = 40, SPECIAL_ROWS = 7, SPECIAL_SPLIT = 4 };

static void run_softmax(const struct hone_build *build, const struct hone_launch *shape,
                        float *in, float *out, int rows, size_t offset)
{
    const size_t bytes = ((size_t)rows * SPECIAL_STRIDE + offset) * sizeof *in;
    const hone_devptr in_base = to_device(in, bytes);
    const hone_devptr out_base = out == in ? in_base : to_device(out, bytes);
    const hone_devptr from = in_base + offset * 4, to = out_base + offset * 4;
    const int cols = SPECIAL_COLS;
    const int64_t stride = SPECIAL_STRIDE;
    const float scale = 1;
    float partials[SPECIAL_ROWS * SPECIAL_SPLIT * 2] = {0};
    uint32_t counters[SPECIAL_ROWS + 1] = {0};
    hone_devptr left = to_device(partials, sizeof partials),
                counts = to_device(counters, sizeof counters);
    const void *params[] = {&from, &to,     &left,   &counts, &rows,
                            &cols, &stride, &stride, &scale};
    const size_t widths[] = {8, 8, 8, 8, 4, 4, 8, 8, 4};
    struct hone_launch recipe = *shape;
    recipe.params = params;
    recipe.param_sizes = widths;
    recipe.param_count = sizeof widths / sizeof *widths;
    launch(build, "softmax", &recipe);
    from_device(out, out_base, bytes);
    from_device(counters, counts, sizeof counters);
    for (size_t i = 0; i < sizeof counters / sizeof *counters; i++)
        assert_int_equal(counters[i], 0); // ready for the next launch
    device->fns->free(device, left);
    if (in_base != out_base) device->fns->free(device, in_base);
}

// What the contract says of a row: NaN everywhere, or exp(x - max) / sum.
static void check_softmax_row(const float *in, const float *out)
{
    double max = -INFINITY, sum = 0;
    bool special = false;
    for (int c = 0; c < SPECIAL_COLS; c++) {
        special |= isnan(in[c]) || in[c] == INFINITY;
        max = fmax(max, (double)in[c]);
    }
    for (int c = 0; c < SPECIAL_COLS; c++)
        sum += exp((double)in[c] - max);
    for (int c = 0; c < SPECIAL_COLS; c++) {
        const double want = exp((double)in[c] - max) / sum;
        if (special || isinf(max))
            assert_true(isnan(out[c]));
        else
            assert_true(fabs((double)out[c] - want) <= 1e-6 * want + 1e-37);
    }
    for (int c = SPECIAL_COLS; c < SPECIAL_STRIDE; c++)
        assert_true(out[c] == in[c]); // beyond the row
}

static void fill_special_rows(float *rows)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 17);
    float *random = random_floats(&rng, SPECIAL_ROWS * SPECIAL_STRIDE);
    memcpy(rows, random, SPECIAL_ROWS * SPECIAL_STRIDE * sizeof *rows);
    free(random);
    rows[20] = NAN;
    rows[SPECIAL_STRIDE + 36] = INFINITY;
    rows[2 * SPECIAL_STRIDE] = -INFINITY;
    for (int c = 0; c < SPECIAL_COLS; c++) {
        rows[3 * SPECIAL_STRIDE + c] = -INFINITY;
        rows[4 * SPECIAL_STRIDE + c] *= 3e38f;
        rows[5 * SPECIAL_STRIDE + c] = -3e38f;
    }
}

static void softmax_keeps_its_word_on_special_rows_at_any_address(void **state)
{
    (void)state;
    need_machine();
    static const struct {
        const char *parameters;
        uint32_t blocks, threads;
        bool in_place;
    } configs[] = {
        {"TYPE f32, ROW_THREADS 32, ROWS 2, CHUNKS 1, VEC 16, EVICT 2", 4, 64, false},
        {"TYPE f32, ROW_THREADS 8, ROWS 4, CHUNKS 1, VEC 8, LOAD 0, STORE 2", 2, 32,
         true}, // read twice
        {"TYPE f32, ROW_THREADS 64, ROWS 1, CHUNKS 2, VEC 4, LOAD 1", 7, 64, false},
        {"TYPE f32, ROW_THREADS 128, ROWS 4, CHUNKS 1, VEC 16, LOAD 0", 2, 512, true},
        // Two tiles a row: of a block each, and two blocks that have none.
        {"TYPE f32, ROW_THREADS 32, ROWS 1, CHUNKS 1, VEC 4, SPLIT 2", 14, 32, false},
        {"TYPE f32, ROW_THREADS 32, ROWS 1, CHUNKS 1, VEC 4, SPLIT 4, LOAD 0", 28, 32,
         true},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        const struct hone_build *build =
            build_template("softmax.cu", "softmax", configs[i].parameters);
        const struct hone_launch shape = {.grid = {configs[i].blocks, 1, 1},
                                          .block = {configs[i].threads, 1, 1}};
        for (size_t offset = 0; offset < 4; offset++) {
            float in[SPECIAL_ROWS * SPECIAL_STRIDE + 4] = {0}, out[sizeof in / 4];
            fill_special_rows(in + offset);
            memcpy(out, in, sizeof in);
            run_softmax(build, &shape, configs[i].in_place ? out : in, out, SPECIAL_ROWS,
                        offset);
            for (size_t row = 0; row < SPECIAL_ROWS; row++)
                check_softmax_row(in + offset + row * SPECIAL_STRIDE,
                                  out + offset + row * SPECIAL_STRIDE);
        }
        hone_build_release(build);
    }
}

enum { NORM_COLS = 1003 };

// A row of layernorm. What is NULL: no residual, a weight of 1, a bias of 0. All but in
// and out lie offset floats behind aligned addresses.
struct layernorm {
    float *in, *residual, *weight;
    int cols;
    size_t offset;
};

static hone_devptr to_offset(const float *data, float otherwise, size_t offset)
{
    float filled[NORM_COLS + 1] = {0};
    for (size_t i = 0; i < NORM_COLS; i++)
        filled[i + offset] = data ? data[i] : otherwise;
    return to_device(filled, sizeof filled);
}

// out has so many bytes; the residual becomes the sum.
static void run_layernorm(const char *parameters, const struct layernorm *l, void *out,
                          size_t bytes, float *row_scale)
{
    const struct hone_build *build =
        build_template("layernorm.cu", "layernorm", parameters);
    const size_t back = l->offset * sizeof(float);
    hone_devptr in = to_device(l->in, NORM_COLS * sizeof *l->in),
                y = to_device(out, bytes),
                at[] = {to_offset(l->residual, 0, l->offset),
                        to_offset(l->weight, 1, l->offset),
                        to_offset(NULL, 0, l->offset)},
                residual = at[0] + back, weight = at[1] + back, bias = at[2] + back,
                scales = to_device(row_scale, sizeof *row_scale);
    const int rows = 1;
    const int64_t stride = NORM_COLS;
    const float eps = 1e-5f, scale = 0.01f;
    const void *params[] = {&in,   &residual, &weight, &bias,   &y,   &scales,
                            &rows, &l->cols,  &stride, &stride, &eps, &scale};
    const size_t widths[] = {8, 8, 8, 8, 8, 8, 4, 4, 8, 8, 4, 4};
    const struct hone_launch recipe = {.grid = {1, 1, 1},
                                       .block = {128, 1, 1},
                                       .params = params,
                                       .param_sizes = widths,
                                       .param_count = sizeof widths / sizeof *widths};
    float sums[NORM_COLS + 1];
    launch(build, "layernorm", &recipe);
    from_device(out, y, bytes);
    from_device(row_scale, scales, sizeof *row_scale);
    from_device(sums, at[0], sizeof sums);
    if (l->residual) memcpy(l->residual, sums + l->offset, NORM_COLS * sizeof *sums);
    device->fns->free(device, in);
    device->fns->free(device, at[1]);
    device->fns->free(device, at[2]);
    hone_build_release(build);
}

// Mean squares would lose all there is: 1e8 has steps of 8.
static void layernorm_is_precise_far_from_zero(void **state)
{
    (void)state;
    need_machine();
    struct hone_rng rng;
    hone_rng_seed(&rng, 19);
    float *in = random_floats(&rng, NORM_COLS), out[NORM_COLS], unused = 0;
    double mean = 0, variance = 0;
    for (size_t i = 0; i < NORM_COLS; i++)
        mean += (double)(in[i] += 1e4f) / NORM_COLS;
    for (size_t i = 0; i < NORM_COLS; i++)
        variance += ((double)in[i] - mean) * ((double)in[i] - mean) / NORM_COLS;
    static const char *const configs[] = {
        "TYPE f32, ROW_THREADS 128, CHUNKS 4, VEC 16, MIN_BLOCKS 1",
        "TYPE f32, ROW_THREADS 128, CHUNKS 1, VEC 4, MIN_BLOCKS 1", // read twice
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        const struct layernorm l = {.in = in, .cols = NORM_COLS};
        run_layernorm(configs[i], &l, out, sizeof out, &unused);
        for (size_t c = 0; c < NORM_COLS; c++) {
            const double want = ((double)in[c] - mean) / sqrt(variance + 1e-5);
            assert_true(fabs((double)out[c] - want) < 2e-3); // steps of 1e4: 1e-3
        }
    }
    free(in);
}

// 448 is 0x7e; a row of equal numbers has nothing but zeros, and the least scale.
static void quantised_rows_reach_the_largest_number_and_no_further(void **state)
{
    (void)state;
    need_machine();
    struct hone_rng rng;
    hone_rng_seed(&rng, 23);
    float *in = random_floats(&rng, NORM_COLS), scale = -1;
    unsigned char out[NORM_COLS];
    in[500] = -1e6f;
    const char *by_row = "TYPE f32, OUT e4m3, QUANT row, ROW_THREADS 128";
    const struct layernorm l = {.in = in, .cols = NORM_COLS}, nothing = {.in = in};
    run_layernorm(by_row, &l, out, sizeof out, &scale);
    assert_int_equal(out[500], 0xfe);
    assert_true(fabs((double)scale * 448 - sqrt(NORM_COLS - 1)) < 1e-2);
    run_layernorm("TYPE f32, OUT e4m3, QUANT given, ROW_THREADS 128", &l, out, sizeof out,
                  &scale);
    assert_int_equal(out[500], 0xfe);
    for (size_t i = 0; i < NORM_COLS; i++)
        in[i] = 3;
    run_layernorm(by_row, &l, out, sizeof out, &scale);
    for (size_t i = 0; i < NORM_COLS; i++)
        assert_int_equal(out[i] & 0x7f, 0);
    assert_true(scale > 0 && (double)scale < 1e-18);
    out[0] = 42;
    run_layernorm(by_row, &nothing, out, sizeof out, &scale);
    assert_int_equal(out[0], 42); // a row of nothing
    free(in);
}

// Where a row is made of whole vectors and weight and residual are not.
static void weight_and_residual_may_lie_anywhere(void **state)
{
    (void)state;
    need_machine();
    struct hone_rng rng;
    hone_rng_seed(&rng, 29);
    enum { COLS = 512 };
    float *in = random_floats(&rng, NORM_COLS), *weight = random_floats(&rng, NORM_COLS),
          *residual = random_floats(&rng, NORM_COLS), sums[2][NORM_COLS],
          out[2][NORM_COLS] = {{0}}, unused = 0;
    for (size_t offset = 0; offset < 2; offset++) {
        memcpy(sums[offset], residual, sizeof sums[offset]);
        const struct layernorm l = {in, sums[offset], weight, COLS, offset};
        run_layernorm("TYPE f32, RESIDUAL 1, ROW_THREADS 128", &l, out[offset],
                      sizeof out[offset], &unused);
    }
    for (size_t i = 0; i < NORM_COLS; i++)
        assert_true(sums[0][i] == residual[i] + (i < COLS ? in[i] : 0));
    assert_memory_equal(sums[0], sums[1], sizeof sums[0]);
    assert_memory_equal(out[0], out[1], sizeof out[0]);
    free(in);
    free(weight);
    free(residual);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reduction_is_near_at_every_kind_of_configuration),
    cmocka_unit_test(reference_of_sums_agrees_with_sums_made_here),
    cmocka_unit_test(argmax_finds_the_first_of_the_largest),
    cmocka_unit_test(max_takes_nan_for_the_largest),
    cmocka_unit_test(softmax_keeps_its_word_on_special_rows_at_any_address),
    cmocka_unit_test(layernorm_is_precise_far_from_zero),
    cmocka_unit_test(quantised_rows_reach_the_largest_number_and_no_further),
    cmocka_unit_test(weight_and_residual_may_lie_anywhere),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
