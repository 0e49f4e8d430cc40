/* On every GPU that is known, and on such that nobody knows, a header chooses nothing that
 * asks for more shared memory, threads or blocks than there are. */
#include "device/gpu_table.h"
#include "dispatch.h"
#include "tile_fixture.h"

#include <limits.h>

static const int unknown[][2] = {
    {1, 0},  {5, 2},       {6, 1}, {7, 3},  {8, 8},  {9, 9},   {13, 0},
    {99, 9}, {INT_MAX, 0}, {0, 0}, {-1, 0}, {7, -1}, {12, 10}, {INT_MIN, INT_MIN}};
enum { UNKNOWN = sizeof unknown / sizeof *unknown };
static const int64_t ends[] = {INT64_MIN, -1,  0,    1,         3,
                               4,         999, 4096, INT32_MAX, INT64_MAX};
enum { ENDS = sizeof ends / sizeof *ends };

/* What a GPU truly has; of one that nobody knows, what CUDA promises of all. */
struct truth {
    int major, minor, sms;
    int64_t shared, threads_per_sm;
};

static size_t list_gpus(struct truth *list)
{
    size_t count = 0;
    struct hone_gpu gpu;
    for (; hone_gpu_name(count); count++) {
        assert_true(hone_gpu_find(&gpu, hone_gpu_name(count)));
        list[count] = (struct truth){
            (int)gpu.limits.cc_major, (int)gpu.limits.cc_minor, (int)gpu.limits.sm_count,
            gpu.limits.max_shared_bytes, gpu.limits.max_threads_per_sm};
    }
    for (size_t i = 0; i < UNKNOWN; i++)
        list[count++] = (struct truth){unknown[i][0], unknown[i][1], 7, 49152, 1024};
    return count;
}

// What a tile needs, counted here; the launch is the tuner's, whose equality with the
// header's is a claim of test_emit_extremes.c.
static void check_choice(const struct emit_plan *plan, size_t config,
                         const struct truth *gpu, const struct hone_limits *limits,
                         const struct hone_value *problem)
{
    int64_t c[3];
    for (size_t i = 0; i < 3; i++)
        c[i] = hone_emit_value_of(&plan->configs[config], i).i;
    const struct emit_launch l = hone_emit_launch_of(plan, config, limits, problem);
    assert_true((c[0] + c[1]) * 512 <= gpu->shared);
    assert_true(l.shared <= gpu->shared);
    assert_true(c[0] * c[1] / 16 <= 1024 && c[0] * c[1] / 16 <= gpu->threads_per_sm);
    assert_true(l.grid[0] && l.block[0] && l.block[0] * l.block[1] * l.block[2] <= 1024);
}

static size_t ask_all(const struct emit_plan *plan, const struct truth *gpus_here,
                      size_t count, size_t *asked)
{
    size_t served = 0;
    for (size_t g = 0; g < count; g++)
        for (size_t i = 0; i < ENDS * ENDS; i++) {
            const struct hone_value problem[] = {
                {.type = HONE_INT, .i = ends[i % ENDS]},
                {.type = HONE_INT, .i = ends[i / ENDS]},
                {.type = HONE_STRING, .s = i % 2 ? "nn" : "nt"}};
            const struct hone_limits limits = hone_emit_gpu_of(
                plan, gpus_here[g].major, gpus_here[g].minor, gpus_here[g].sms);
            enum emit_tier tier;
            const size_t config = hone_emit_dispatch(plan, &limits, problem, &tier);
            ++*asked;
            if (config == SIZE_MAX) continue;
            check_choice(plan, config, &gpus_here[g], &limits, problem);
            served++;
        }
    return served;
}

/* Tables of each GPU alone, each pair, and all of them. */
static void nothing_is_chosen_that_a_gpu_lacks(void **state)
{
    (void)state;
    static const struct sizes sizes[] = {
        {4096, 4096, "nn"}, {512, 2048, "nn"}, {64, 96, "nt"}};
    struct truth list[64];
    size_t served = 0, asked = 0;
    const size_t count = list_gpus(list);
    for (unsigned set = 1; set < 1u << GPUS; set++) {
        struct loaded loaded = {0};
        struct hone_error err = {0};
        struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
        const struct hone_emit_options options = {.max_configs = 2};
        for (size_t d = 0; d < GPUS; d++)
            if (set >> d & 1) loaded.list[loaded.count++] = record(&gpus[d], sizes, 3);
        assert_ok(hone_emit_make_plan(&plan, loaded.list, loaded.count, &options), err);
        served += ask_all(&plan, list, count, &asked);
        hone_emit_plan_fini(&plan);
        unload(&loaded);
    }
    print_message("%zu of %zu served\n", served, asked);
    assert_true(served > asked / 10 && served < asked);
}

/* What every compute capability that is known fulfils, a later one may not. */
static void a_bound_on_the_compute_capability_is_asked_of_later_gpus(void **state)
{
    (void)state;
    static const char text[] =
        "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":[{\"name\":\"A\","
        "\"values\":[1,2]}],\"problem\":{\"N\":8},\"where\":[\"device.cc_major <= 12\","
        "\"A <= device.max_threads_per_block\"],\"device\":{\"name\":\"H\",\"limits\":{"
        "\"arch\":\"sm_90a\",\"cc_major\":9,\"cc_minor\":0,\"sm_count\":132,"
        "\"max_threads_per_block\":1024}}}\n"
        "{\"config\":[1],\"outcome\":\"valid\",\"time_us\":1.5}\n";
    struct hone_error err = {0};
    struct hone_recording *recording = recording_of(text);
    const struct hone_recording *const list[] = {recording};
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT, .err = &err};
    const struct hone_value problem[] = {{.type = HONE_INT, .i = 9}};
    assert_ok(hone_emit_make_plan(&plan, list, 1, &(struct hone_emit_options){0}), err);
    assert_int_equal(plan.fit_count, 2); /* and N is from 1 on */
    for (int major = 5; major < 15; major++) {
        const struct hone_limits gpu = hone_emit_gpu_of(&plan, major, 0, 10);
        enum emit_tier tier;
        assert_int_equal(hone_emit_dispatch(&plan, &gpu, problem, &tier) != SIZE_MAX,
                         major <= 12);
    }
    hone_emit_plan_fini(&plan);
    hone_recording_free(recording);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_is_chosen_that_a_gpu_lacks),
    cmocka_unit_test(a_bound_on_the_compute_capability_is_asked_of_later_gpus),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
