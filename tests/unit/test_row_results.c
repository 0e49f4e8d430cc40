// Reductions run on the emulator, at any address and any size, against the host.
#include <math.h>
#include <string.h>

#include "template_machine.h"

struct reduction {
    uint32_t block, blocks;
    long long N;
    size_t offset; // floats that the input lies behind its allocation
};

static double run_reduction(const struct hone_build *build, const char *entry,
                            const struct reduction *r, float *in, float start)
{
    hone_devptr on_device = to_device(in, ((size_t)r->N + r->offset) * 4),
                out = to_device(&start, sizeof start), from = on_device + 4 * r->offset;
    const void *params[] = {&from, &out, &r->N};
    const size_t widths[] = {8, 8, 8};
    const struct hone_launch recipe = {.grid = {r->blocks, 1, 1},
                                       .block = {r->block, 1, 1},
                                       .params = params,
                                       .param_sizes = widths,
                                       .param_count = 3};
    launch(build, entry, &recipe);
    from_device(&start, out, sizeof start);
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
    enum { NAMES = 5 };
    static const char *const names[NAMES] = {"BLOCK", "BLOCKS_PER_SM", "ITEMS", "VEC",
                                             "SHUFFLE"};
    static const int configs[][NAMES] = {
        {256, 4, 4, 4, 1},  {256, 4, 4, 4, 0},  {32, 1, 1, 1, 1}, {32, 32, 8, 2, 0},
        {1024, 1, 8, 4, 1}, {1024, 2, 1, 1, 0}, {64, 8, 2, 2, 1}, {512, 2, 8, 1, 0},
    };
    for (size_t i = 0; i < sizeof configs / sizeof *configs; i++) {
        const int *c = configs[i];
        const struct hone_build *build = build_template(
            "reduction.cu", "reduction", print_parameters(names, c, NAMES));
        for (size_t j = 0; j < LENGTHS; j++) {
            for (size_t offset = 0; offset < 2; offset++) {
                const struct reduction r = {(uint32_t)c[0], 5, lengths[j], offset};
                check_reduction(build, "reduction", &r);
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
    for (size_t j = 0; j < LENGTHS; j++)
        check_reduction(build, "reduction_reference",
                        &(struct reduction){256, 1, lengths[j], 0});
    hone_build_release(build);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(reduction_is_near_at_every_kind_of_configuration),
    cmocka_unit_test(reference_of_sums_agrees_with_sums_made_here),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
