// The shipped templates run on the emulator, configurations of every kind at sizes of
// every kind, against sums computed here.
#include <math.h>
#include <string.h>

#include "hone/build.h"
#include "hone/device.h"
#include "hone_test.h"
#include "rng.h"
#include "strbuf.h"
#include "template.h"

enum { GUARD_FLOATS = 64, POISON = 0xff }; // 0xffffffff is a NaN

static struct hone_builder *builder;
static struct hone_device *device;

static int open_machine(void **state)
{
    (void)state;
    struct hone_error err = {0};
    const struct hone_builder_options options = {.cache_folder = ""};
    if (hone_builder_new(&builder, &options, &err) == HONE_OK)
        hone_device_open(&device, "emu:h200", &err);
    if (!device) printf("skipped: %s\n", err.text);
    return 0;
}

static int close_machine(void **state)
{
    (void)state;
    if (device) hone_device_close(device);
    hone_builder_free(builder);
    return 0;
}

static void need_machine(void)
{
    if (!builder || !device) SKIP("no NVRTC or no emulator");
}

struct parameter {
    const char *name;
    int value;
};

static const struct hone_build *build_template(const char *name, const char *entry,
                                               const struct parameter *parameters,
                                               size_t count)
{
    char path[512];
    snprintf(path, sizeof path, "%s/templates/%s", HONE_SOURCE_DIR, name);
    struct hone_error err = {0};
    struct hone_strbuf source = HONE_STRBUF_INIT;
    for (size_t i = 0; i < count; i++)
        hone_strbuf_printf(&source, "#define %s %d\n", parameters[i].name,
                           parameters[i].value);
    struct hone_template template;
    assert_ok(hone_template_read(&template, path, &err), err);
    hone_strbuf_add(&source, template.text);
    const struct hone_build_request request = {.source = source.data,
                                               .source_name = name,
                                               .entry = entry,
                                               .arch = device->limits.arch};
    uint64_t ticket;
    const struct hone_build *build = NULL;
    assert_ok(hone_builder_submit(builder, &request, &ticket, &err), err);
    assert_ok(hone_builder_take(builder, ticket, &build, &err), err);
    if (build->outcome != HONE_VALID) fail_msg("%s", build->reason);
    hone_template_fini(&template);
    hone_strbuf_fini(&source);
    return build;
}

static void launch(const struct hone_build *build, const char *entry,
                   const struct hone_launch *launch)
{
    struct hone_error err = {0};
    struct hone_fault fault = {0};
    struct hone_module *module = NULL;
    assert_ok(device->fns->load(device, build, entry, &module, &fault, &err), err);
    if (fault.outcome != HONE_VALID) fail_msg("load: %s", fault.reason);
    assert_ok(device->fns->launch(device, module, launch, &fault, &err), err);
    if (fault.outcome != HONE_VALID) fail_msg("launch: %s", fault.reason);
    device->fns->unload(device, module);
}

static hone_devptr to_device(float *data, size_t count)
{
    struct hone_error err = {0};
    hone_devptr ptr = 0;
    assert_ok(device->fns->alloc(device, count * sizeof *data, &ptr, &err), err);
    assert_ok(
        device->fns->copy(device, HONE_TO_DEVICE, ptr, data, count * sizeof *data, &err),
        err);
    return ptr;
}

static void from_device(float *data, hone_devptr ptr, size_t count)
{
    struct hone_error err = {0};
    assert_ok(
        device->fns->copy(device, HONE_TO_HOST, ptr, data, count * sizeof *data, &err),
        err);
    device->fns->free(device, ptr);
}

static float *random_floats(struct hone_rng *rng, size_t count)
{
    float *data = malloc(count * sizeof *data);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)(2.0 * hone_rng_double(rng) - 1.0);
    return data;
}

static uint32_t ceil_div(int a, int b)
{
    return (uint32_t)((a + b - 1) / b);
}

enum {
    BM,
    BN,
    BK,
    WM,
    WN,
    TM,
    TN,
    STAGES,
    GROUP_M,
    VEC,
    MIN_BLOCKS,
    ASYNC,
    SGEMM_PARAMETERS
};

struct sgemm {
    int M, N, K;
    int offset; // floats that A, B and C lie behind their allocation
};

static struct hone_launch sgemm_shape(const int *p, const struct sgemm *s)
{
    int skew = 32 * p[VEC] / p[BK] > 4 ? 32 * p[VEC] / p[BK] : 4;
    int floats = p[BK] * p[BM] + p[BK] / p[VEC] * skew + p[BK] * p[BN];
    return (struct hone_launch){
        .grid = {ceil_div(s->M, p[BM]) * ceil_div(s->N, p[BN]), 1, 1},
        .block = {(uint32_t)(32 * (p[BM] / p[WM]) * (p[BN] / p[WN])), 1, 1},
        .shared_bytes = (uint32_t)(4 * p[STAGES] * floats)};
}

// Elements of C that differ in any bit from the same products added in the same order,
// and guards that changed.
static size_t count_wrong(const struct sgemm *s, const float *A, const float *B,
                          const float *C)
{
    size_t wrong = 0;
    for (int i = 0; i < GUARD_FLOATS; i++)
        wrong += (size_t)(!isnan(C[i - GUARD_FLOATS]) + !isnan(C[s->M * s->N + i]));
    for (int m = 0; m < s->M; m++) {
        for (int n = 0; n < s->N; n++) {
            float sum = 0;
            for (int k = 0; k < s->K; k++)
                sum = fmaf(A[m * s->K + k], B[k * s->N + n], sum);
            wrong += memcmp(&sum, &C[m * s->N + n], sizeof sum) != 0;
        }
    }
    return wrong;
}

// Runs entry with the geometry of shape.
static size_t run_sgemm(const struct hone_build *build, const char *entry,
                        const struct hone_launch *shape, const struct sgemm *s)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    const size_t offset = (size_t)s->offset, at_c = GUARD_FLOATS + offset;
    const size_t a_count = (size_t)(s->M * s->K) + offset,
                 b_count = (size_t)(s->K * s->N) + offset,
                 c_count = (size_t)(s->M * s->N) + at_c + GUARD_FLOATS;
    float *A = random_floats(&rng, a_count), *B = random_floats(&rng, b_count);
    float *C = malloc(c_count * sizeof *C);
    memset(C, POISON, c_count * sizeof *C);
    hone_devptr on_device[] = {to_device(A, a_count), to_device(B, b_count),
                               to_device(C, c_count)};
    const hone_devptr a = on_device[0] + offset * 4, b = on_device[1] + offset * 4,
                      c = on_device[2] + at_c * 4;
    const hone_devptr none = 0;
    const float alpha = 1, beta = 0;
    const void *params[] = {&a,    &b,    &none, &c,     &none, &none, &none,
                            &none, &none, &none, &s->M,  &s->N, &s->K, &s->K,
                            &s->N, &s->N, &s->N, &alpha, &beta};
    const size_t widths[] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 4, 4, 4, 4, 4};
    struct hone_launch recipe = *shape;
    recipe.params = params;
    recipe.param_sizes = widths;
    recipe.param_count = sizeof widths / sizeof *widths;
    launch(build, entry, &recipe);
    from_device(C, on_device[2], c_count);
    device->fns->free(device, on_device[0]);
    device->fns->free(device, on_device[1]);
    size_t wrong = count_wrong(s, A + offset, B + offset, C + at_c);
    free(A);
    free(B);
    free(C);
    return wrong;
}

// M, N, K, offset
static const struct sgemm sizes[] = {
    {256, 256, 64, 0}, // whole tiles, vectors
    {129, 131, 67, 0}, // every tile cut, no row aligned
    {1, 1, 1, 0},      // least
    {40, 300, 100, 0}, // aligned rows, cut tiles
    {128, 128, 32, 1}, // whole tiles at odd addresses
    {300, 17, 3, 0},   // less than a tile deep
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void sgemm_is_exact_at_every_kind_of_configuration(void **state)
{
    (void)state;
    need_machine();
    static const char *const names[SGEMM_PARAMETERS] = {
        "BM", "BN",     "BK",      "WM",  "WN",         "TM",
        "TN", "STAGES", "GROUP_M", "VEC", "MIN_BLOCKS", "ASYNC"};
    static const int configs[][SGEMM_PARAMETERS] = {
        {128, 128, 8, 64, 32, 8, 8, 2, 8, 4, 2},
        {128, 32, 8, 64, 32, 4, 16, 1, 1, 1, 1},
        {128, 128, 16, 16, 128, 16, 4, 3, 4, 2, 1},
        {32, 64, 32, 16, 64, 4, 8, 1, 16, 1, 1},
        {64, 64, 16, 32, 32, 4, 8, 3, 4, 4, 2},
        {32, 256, 16, 32, 32, 4, 8, 1, 1, 1, 2},
        {256, 32, 8, 128, 16, 8, 8, 3, 8, 1, 1},
        {64, 32, 8, 32, 16, 4, 4, 3, 16, 2, 1},
        {256, 128, 16, 64, 64, 16, 8, 2, 4, 4, 1},
        {32, 32, 32, 16, 32, 4, 4, 2, 1, 2, 1},
        {128, 128, 8, 64, 32, 8, 8, 4, 8, 4, 2, 1},
        {32, 64, 32, 16, 64, 4, 8, 2, 16, 1, 1, 1},
        {64, 64, 16, 32, 32, 4, 8, 3, 4, 2, 2, 1},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        struct parameter parameters[SGEMM_PARAMETERS];
        for (size_t j = 0; j < SGEMM_PARAMETERS; j++)
            parameters[j] = (struct parameter){names[j], configs[i][j]};
        const struct hone_build *build =
            build_template("sgemm.cu", "sgemm", parameters, SGEMM_PARAMETERS);
        for (size_t j = 0; j < SIZES; j++) {
            const struct hone_launch shape = sgemm_shape(configs[i], &sizes[j]);
            size_t wrong = run_sgemm(build, "sgemm", &shape, &sizes[j]);
            if (wrong) fail_msg("configuration %zu at size %zu: %zu wrong", i, j, wrong);
        }
        hone_build_release(build);
    }
}

struct reduction {
    uint32_t block, blocks;
    long long N;
    size_t offset; // floats that the input lies behind its allocation
};

static double run_reduction(const struct hone_build *build, const char *entry,
                            const struct reduction *r, float *in, float start)
{
    hone_devptr on_device = to_device(in, (size_t)r->N + r->offset),
                out = to_device(&start, 1), from = on_device + 4 * r->offset;
    const void *params[] = {&from, &out, &r->N};
    const size_t widths[] = {8, 8, 8};
    const struct hone_launch recipe = {.grid = {r->blocks, 1, 1},
                                       .block = {r->block, 1, 1},
                                       .params = params,
                                       .param_sizes = widths,
                                       .param_count = 3};
    launch(build, entry, &recipe);
    from_device(&start, out, 1);
    device->fns->free(device, on_device);
    return (double)start;
}

// Within the tolerance of kernels/reduction.lua; out is added to, not set.
static void check_reduction(const struct hone_build *build, const char *entry,
                            const struct reduction *r)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, 13);
    float *in = random_floats(&rng, (size_t)r->N + r->offset);
    double want = 0.5;
    for (size_t i = 0; i < (size_t)r->N; i++)
        want += (double)in[r->offset + i];
    double got = run_reduction(build, entry, r, in, 0.5f);
    free(in);
    if (!(fabs(got - want) <= 1.1e-5 * sqrt((double)r->N)))
        fail_msg("%s, %u threads, %u blocks, N %lld: %.9g, not %.9g", entry, r->block,
                 r->blocks, r->N, got, want);
}

static const long long lengths[] = {1, 31, 4096, 4097, 100003};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void reduction_is_near_at_every_kind_of_configuration(void **state)
{
    (void)state;
    need_machine();
    static const int configs[][5] = {
        {256, 4, 4, 4, 1},  {256, 4, 4, 4, 0},  {32, 1, 1, 1, 1}, {32, 32, 8, 2, 0},
        {1024, 1, 8, 4, 1}, {1024, 2, 1, 1, 0}, {64, 8, 2, 2, 1}, {512, 2, 8, 1, 0},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        const int *c = configs[i];
        const struct parameter parameters[] = {{"BLOCK", c[0]},
                                               {"BLOCKS_PER_SM", c[1]},
                                               {"ITEMS", c[2]},
                                               {"VEC", c[3]},
                                               {"SHUFFLE", c[4]}};
        const struct hone_build *build =
            build_template("reduction.cu", "reduction", parameters, 5);
        for (size_t j = 0; j < LENGTHS; j++) {
            for (size_t offset = 0; offset < 2; offset++) {
                const struct reduction r = {(uint32_t)c[0], 5, lengths[j], offset};
                check_reduction(build, "reduction", &r);
            }
        }
        hone_build_release(build);
    }
}

static void references_agree_with_sums_made_here(void **state)
{
    (void)state;
    need_machine();
    const struct hone_build *build =
        build_template("reference/gemm.cu", "gemm_reference", NULL, 0);
    for (size_t j = 0; j < SIZES; j++) {
        const struct hone_launch shape = {
            .grid = {ceil_div(sizes[j].N, 32), ceil_div(sizes[j].M, 8), 1},
            .block = {32, 8, 1}};
        assert_int_equal(run_sgemm(build, "gemm_reference", &shape, &sizes[j]), 0);
    }
    hone_build_release(build);
    build = build_template("reference/reduction.cu", "reduction_reference", NULL, 0);
    for (size_t j = 0; j < LENGTHS; j++)
        check_reduction(build, "reduction_reference",
                        &(struct reduction){256, 1, lengths[j], 0});
    hone_build_release(build);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(sgemm_is_exact_at_every_kind_of_configuration),
    cmocka_unit_test(reduction_is_near_at_every_kind_of_configuration),
    cmocka_unit_test(references_agree_with_sums_made_here),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
