// Matrix products run on the emulator, configurations of every kind at sizes of every
// kind, against sums computed here.
#include <math.h>
#include <string.h>

#include "template_machine.h"

enum { GUARD_FLOATS = 64, POISON = 0xff }; // 0xffffffff is a NaN

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
    hone_devptr on_device[] = {to_device(A, a_count * sizeof *A),
                               to_device(B, b_count * sizeof *B),
                               to_device(C, c_count * sizeof *C)};
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
    from_device(C, on_device[2], c_count * sizeof *C);
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
        const struct hone_build *build = build_template(
            "sgemm.cu", "sgemm", print_parameters(names, configs[i], SGEMM_PARAMETERS));
        for (size_t j = 0; j < SIZES; j++) {
            const struct hone_launch shape = sgemm_shape(configs[i], &sizes[j]);
            size_t wrong = run_sgemm(build, "sgemm", &shape, &sizes[j]);
            if (wrong) fail_msg("configuration %zu at size %zu: %zu wrong", i, j, wrong);
        }
        hone_build_release(build);
    }
}

static void reference_of_products_agrees_with_sums_made_here(void **state)
{
    (void)state;
    need_machine();
    const struct hone_build *build =
        build_template("reference/gemm.cu", "gemm_reference", "");
    for (size_t j = 0; j < SIZES; j++) {
        const struct hone_launch shape = {
            .grid = {ceil_div(sizes[j].N, 32), ceil_div(sizes[j].M, 8), 1},
            .block = {32, 8, 1}};
        assert_int_equal(run_sgemm(build, "gemm_reference", &shape, &sizes[j]), 0);
    }
    hone_build_release(build);
}

// Then a prediction fills them with zeros, in no time.
static void floats_of_products_and_sums_decide_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *file, *entry, *parameters;
        unsigned floats; // bit of each parameter that points to some
    } templates[] = {
        {"sgemm.cu", "sgemm", "", 15},
        {"reduction.cu", "reduction", "", 3},
        {"transpose.cu", "transpose", "", 3},
    };
    need_machine();
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++) {
        struct hone_error err = {0};
        struct hone_fault fault = {0};
        struct hone_module *module = NULL;
        const struct hone_build *build = build_template(
            templates[i].file, templates[i].entry, templates[i].parameters);
        assert_ok(
            device->fns->load(device, build, templates[i].entry, &module, &fault, &err),
            err);
        for (unsigned p = 0; p < 4; p++)
            if (templates[i].floats >> p & 1 &&
                device->fns->data_steers(device, module, p))
                fail_msg("%s: parameter %u", templates[i].file, p);
        device->fns->unload(device, module);
        hone_build_release(build);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(floats_of_products_and_sums_decide_nothing),
    cmocka_unit_test(sgemm_is_exact_at_every_kind_of_configuration),
    cmocka_unit_test(reference_of_products_agrees_with_sums_made_here),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
