/* Headers of several devices and problems: what the header chooses is what the tuner
 * chooses, nothing runs outside its envelope, and the regret it announces is found. */
#include "dispatch.h"
#include "emit/coverage.h"
#include "tile_fixture.h"

/* --- 100,000 queries --- */

enum { QUERIES = 100000 };

static const struct {
    int major, minor, sms;
    long long memory; /* GiB; 0: as the table has it */
} asked[] = {{8, 0, 108, 0}, {8, 0, 108, 80}, {8, 0, 98, 0},   {8, 6, 84, 0},
             {8, 6, 28, 12}, {8, 9, 128, 0},  {9, 0, 132, 0},  {9, 0, 114, 94},
             {7, 5, 72, 0},  {12, 0, 170, 0}, {10, 0, 148, 0}, {6, 1, 20, 4}};

static const char asker[] =
    "#include \"tile.h\"\n#include <stdio.h>\n"
    "int main(void)\n{\n"
    "    int major, minor, sms, tier;\n"
    "    long long memory, M, N;\n"
    "    char layout[8];\n"
    "    while (scanf(\"%d %d %d %lld %lld %lld %7s\", &major, &minor, &sms, &memory, "
    "&M,\n"
    "                 &N, layout) == 7) {\n"
    "        tile_gpu gpu = tile_gpu_of(major, minor, sms);\n"
    "        const tile_config *config;\n"
    "        if (memory) gpu.memory_bytes = memory << 30;\n"
    "        config = tile_select_for(&gpu, M, N, layout, &tier);\n"
    "        printf(\"%d %d\\n\", tier, config ? (int)(config - tile_configs) : -1);\n"
    "    }\n"
    "    return 0;\n}\n";

static void shell(const char *commands)
{
    char command[1024];
    snprintf(command, sizeof command, "cd %s && %s", folder, commands);
    assert_int_equal(system(command), 0);
}

static void emit_to(const char *name, const struct loaded *loaded)
{
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {.max_configs = 4};
    assert_ok(hone_emit(&out, loaded->list, loaded->count, &options, &err), err);
    write_file(name, out.data);
    hone_strbuf_fini(&out);
}

static void make_plan(struct emit_plan *plan, const struct loaded *loaded,
                      struct hone_error *err)
{
    const struct hone_emit_options options = {.max_configs = 4};
    *plan = (struct emit_plan){.geometry = HONE_STRBUF_INIT, .err = err};
    assert_ok(hone_emit_make_plan(plan, loaded->list, loaded->count, &options), *err);
}

static bool may_run(const struct emit_plan *plan, size_t config,
                    const struct hone_limits *gpu, const struct sizes *sizes)
{
    int64_t c[3];
    for (size_t i = 0; i < 3; i++)
        c[i] = hone_emit_value_of(&plan->configs[config], i).i;
    return sizes->m >= 1 && sizes->n >= 1 && is_valid(gpu, c, sizes->m, sizes->layout);
}

static size_t count_that_may_run(const struct emit_plan *plan,
                                 const struct hone_limits *gpu, const struct sizes *sizes)
{
    size_t count = 0;
    for (size_t i = 0; i < plan->config_count; i++)
        count += may_run(plan, i, gpu, sizes);
    return count;
}

/* Asks the plan: the answer may run there, and there is one where anything may. */
static void expect(struct hone_strbuf *expected, const struct emit_plan *plan, size_t gpu,
                   const struct sizes *sizes, size_t *tiers)
{
    const struct hone_value problem[] = {{.type = HONE_INT, .i = sizes->m},
                                         {.type = HONE_INT, .i = sizes->n},
                                         {.type = HONE_STRING, .s = sizes->layout}};
    struct hone_limits limits =
        hone_emit_gpu_of(plan, asked[gpu].major, asked[gpu].minor, asked[gpu].sms);
    enum emit_tier tier;
    if (asked[gpu].memory) limits.memory_bytes = asked[gpu].memory << 30;
    const size_t config = hone_emit_dispatch(plan, &limits, problem, &tier);
    tiers[tier]++;
    hone_strbuf_printf(expected, "%d %d\n", (int)tier,
                       config == SIZE_MAX ? -1 : (int)config);
    if (config == SIZE_MAX)
        assert_int_equal(count_that_may_run(plan, &limits, sizes), 0);
    else
        assert_true(may_run(plan, config, &limits, sizes));
}

/* Compiles tile.h and asks it. */
static void expect_of_header(const struct hone_strbuf *asks,
                             const struct hone_strbuf *expected)
{
    write_file("asks", asks->data);
    write_file("expected", expected->data);
    write_file("p.c", asker);
    shell("gcc -O2 -std=c99 -Wall -Wextra -Wpedantic -Werror p.c -o p && "
          "./p <asks >got && cmp expected got && rm p p.c tile.h asks expected got");
}

static void ask(struct hone_strbuf *asks, struct hone_strbuf *expected,
                const struct emit_plan *plan, struct hone_rng *rng,
                const struct sizes *sizes, size_t *tiers)
{
    const size_t gpu = (size_t)hone_rng_below(rng, sizeof asked / sizeof *asked);
    hone_strbuf_printf(asks, "%d %d %d %lld %lld %lld %s\n", asked[gpu].major,
                       asked[gpu].minor, asked[gpu].sms, asked[gpu].memory,
                       (long long)sizes->m, (long long)sizes->n, sizes->layout);
    expect(expected, plan, gpu, sizes, tiers);
}

static void the_header_chooses_what_the_tuner_chooses(void **state)
{
    (void)state;
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    struct loaded loaded = {0};
    static struct sizes sizes[GPUS][MOST_SIZES];
    struct hone_strbuf asks = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
    struct emit_plan plan;
    struct hone_error err = {0};
    struct hone_rng rng;
    size_t tiers[EMIT_NONE + 1] = {0};
    load_all(&loaded, sizes[0]);
    emit_to("tile.h", &loaded);
    make_plan(&plan, &loaded, &err);
    hone_rng_seed(&rng, 32);
    for (int i = 0; i < QUERIES; i++) {
        const struct emit_row *row = &plan.rows[hone_rng_below(&rng, plan.row_count)];
        const struct hone_constant *own = row->info->problem;
        struct sizes at = {own[0].value.i, own[1].value.i, own[2].value.s};
        if (hone_rng_below(&rng, 4))
            at = (struct sizes){random_size(&rng), random_size(&rng),
                                hone_rng_below(&rng, 9) ? "nt" : "tt"};
        ask(&asks, &expected, &plan, &rng, &at, tiers);
    }
    for (size_t t = 0; t < EMIT_NONE; t++)
        assert_true(tiers[t] > 100); // every tier answers
    expect_of_header(&asks, &expected);
    hone_strbuf_fini(&asks);
    hone_strbuf_fini(&expected);
    hone_emit_plan_fini(&plan);
    unload(&loaded);
}

/* Sizes that vectors divide, but for one in four. */
static void table_of(struct loaded *loaded, struct hone_rng *rng)
{
    struct sizes sizes[3];
    for (size_t d = 0; d < GPUS; d++) {
        const size_t count = (size_t)hone_rng_below(rng, 4);
        for (size_t i = 0; i < count; i++)
            sizes[i] = (struct sizes){
                hone_rng_below(rng, 4) ? random_size(rng) * 4 : random_size(rng),
                random_size(rng), hone_rng_below(rng, 2) ? "nn" : "nt"};
        if (count) loaded->list[loaded->count++] = record(&gpus[d], sizes, count);
    }
}

/* Also for sizes that no vector divides, for layouts and GPUs that are not in the table,
 * and for a problem without work. */
static void null_is_selected_only_where_nothing_may_run(void **state)
{
    (void)state;
    enum { TABLES = 12, ASKS = 3000 };
    if (system("gcc --version >/dev/null 2>&1") != 0) SKIP("no gcc here");
    struct hone_rng rng;
    size_t tiers[EMIT_NONE + 1] = {0};
    hone_rng_seed(&rng, 34);
    for (int table = 0; table < TABLES; table++) {
        struct loaded loaded = {0};
        struct hone_strbuf asks = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
        struct emit_plan plan;
        struct hone_error err = {0};
        while (!loaded.count)
            table_of(&loaded, &rng);
        emit_to("tile.h", &loaded);
        make_plan(&plan, &loaded, &err);
        for (int i = 0; i < ASKS; i++) {
            const struct sizes at = {
                (int64_t)hone_rng_below(&rng, 40) * random_size(&rng), random_size(&rng),
                hone_rng_below(&rng, 2) ? "nt" : "tt"};
            ask(&asks, &expected, &plan, &rng, &at, tiers);
        }
        expect_of_header(&asks, &expected);
        hone_strbuf_fini(&asks);
        hone_strbuf_fini(&expected);
        hone_emit_plan_fini(&plan);
        unload(&loaded);
    }
    assert_true(tiers[EMIT_NONE] > 100);
    assert_true(tiers[EMIT_DEFAULT] > 100);
}

static void journals_in_any_order_give_the_same_header(void **state)
{
    (void)state;
    struct loaded loaded = {0};
    static struct sizes sizes[MOST_SIZES];
    char *first = NULL;
    load_all(&loaded, sizes);
    for (size_t turn = 0; turn < GPUS; turn++) {
        struct loaded turned = {.count = GPUS};
        struct hone_strbuf out = HONE_STRBUF_INIT;
        struct hone_error err = {0};
        const struct hone_emit_options options = {.max_configs = 3};
        for (size_t i = 0; i < GPUS; i++)
            turned.list[i] =
                loaded.list[turn % 2 ? (turn + i) % GPUS : (turn + GPUS - i) % GPUS];
        assert_ok(hone_emit(&out, turned.list, GPUS, &options, &err), err);
        if (first) assert_string_equal(first, out.data);
        if (!first) first = hone_strbuf_steal(&out);
        hone_strbuf_fini(&out);
    }
    free(first);
    unload(&loaded);
}

/* --- coverage --- */

static const struct hone_coverage_gap *find_gap(const struct hone_coverage *coverage,
                                                const char *what)
{
    static const struct hone_coverage_gap none;
    for (size_t i = 0; i < coverage->gap_count; i++)
        if (strcmp(coverage->gaps[i].what, what) == 0) return &coverage->gaps[i];
    return &none;
}

/* Of one device the table has the author's default, which takes any M; of two only what
 * is fast on both, and that needs M by four. CUDA's grids end before N does. */
static void coverage_names_the_sizes_that_nothing_serves(void **state)
{
    (void)state;
    static const struct sizes sizes[] = {{4096, 4096, "nn"}, {512, 2048, "nn"}};
    const struct hone_constant names[] = {
        {.name = "layout"}, {.name = "N"}, {.name = "M"}};
    const struct hone_value at[] = {{.type = HONE_STRING, .s = "nn"},
                                    {.type = HONE_INT, .i = 96},
                                    {.type = HONE_INT, .i = 99}};
    const struct hone_value *const list[] = {at};
    const struct hone_coverage_named named = {"to verify at", names, 3, list, 1};
    const struct hone_emit_options options = {.max_configs = 4};
    size_t without = 0;
    for (size_t devices = 1; devices <= 2; devices++) {
        struct loaded loaded = {.list = {record(&gpus[0], sizes, 2)}, .count = devices};
        struct hone_coverage coverage;
        struct hone_error err = {0};
        if (devices == 2) loaded.list[1] = record(&gpus[3], sizes, 2);
        assert_ok(hone_coverage_make(&coverage, loaded.list, loaded.count, &options,
                                     &named, &err),
                  err);
        // Shared memory that it has not: told once, in no gap.
        for (size_t i = 0; i < coverage.without_count; i++)
            assert_string_equal(coverage.without[i], "compute capability 7.5");
        without += coverage.without_count;
        assert_int_equal(find_gap(&coverage, "tuned sizes")->problems, 0);
        assert_int_equal(find_gap(&coverage, "N huge")->device_count,
                         coverage.device_count - coverage.without_count);
        const struct hone_coverage_gap *odd = find_gap(&coverage, "M odd");
        const struct hone_coverage_gap *verify = find_gap(&coverage, "to verify at");
        assert_int_equal(odd->problems, devices == 2 ? 2 : 0);
        assert_int_equal(verify->problems, devices == 2 ? 1 : 0);
        if (devices == 2) {
            assert_string_equal(odd->problem, "M=511 N=2048 layout=nn");
            assert_string_equal(odd->devices[0], "A");
            assert_string_equal(verify->problem, "M=99 N=96 layout=nn");
        }
        hone_coverage_fini(&coverage);
        unload(&loaded);
    }
    assert_int_equal(without, 1);
}

/* --- the announced regret --- */

/* Tuned on half of the sizes, the rule is asked for the other half, many times over: the
 * mean regret found there lies in the announced interval as often as 95 % suggests, and
 * most of the time in any case. */
static void the_announced_regret_is_found_on_other_sizes(void **state)
{
    (void)state;
    enum { ROUNDS = 40, TUNED = 20, OTHERS = 200 };
    struct hone_rng rng;
    int inside = 0, compared = 0;
    double announced = 0, met = 0;
    hone_rng_seed(&rng, 33);
    for (int round = 0; round < ROUNDS; round++) {
        struct sizes sizes[TUNED + OTHERS];
        struct emit_plan plan;
        struct hone_error err = {0};
        const struct hone_limits *gpu = &gpus[3];
        double sum = 0;
        for (size_t i = 0; i < TUNED + OTHERS; i++)
            sizes[i] = (struct sizes){64 + 4 * (int64_t)hone_rng_below(&rng, 1000),
                                      64 + 4 * (int64_t)hone_rng_below(&rng, 1000), "nn"};
        struct loaded loaded = {.list = {record(gpu, sizes, TUNED)}, .count = 1};
        make_plan(&plan, &loaded, &err);
        for (size_t i = TUNED; i < TUNED + OTHERS; i++) {
            const struct hone_value problem[] = {
                {.type = HONE_INT, .i = sizes[i].m},
                {.type = HONE_INT, .i = sizes[i].n},
                {.type = HONE_STRING, .s = sizes[i].layout}};
            enum emit_tier tier;
            const size_t chosen = hone_emit_dispatch(&plan, gpu, problem, &tier);
            double least = (double)INFINITY;
            assert_true(chosen != SIZE_MAX);
            for (uint16_t k = 0; k < ALL; k++) {
                const int64_t c[3] = {bm_values[k / 8].i, bm_values[k / 2 % 4].i,
                                      vec_values[k % 2].i};
                if (!is_valid(gpu, c, sizes[i].m, "nn")) continue;
                least = fmin(least, time_of(gpu, c, sizes[i].m, sizes[i].n));
            }
            int64_t c[3];
            for (size_t k = 0; k < 3; k++)
                c[k] = hone_emit_value_of(&plan.configs[chosen], k).i;
            sum += time_of(gpu, c, sizes[i].m, sizes[i].n) / least - 1;
        }
        const struct emit_estimate *e = &plan.groups[0].unseen;
        compared++;
        announced += e->mean;
        met += sum / OTHERS;
        inside += e->low <= sum / OTHERS && sum / OTHERS <= e->high;
        hone_emit_plan_fini(&plan);
        unload(&loaded);
    }
    print_message("announced %.4f, met %.4f, inside %d of %d\n", announced / compared,
                  met / compared, inside, compared);
    assert_true(inside >= compared * 8 / 10);
    assert_true(fabs(announced - met) / compared < 0.02);
}

/* --- many rows --- */

static void ten_thousand_rows_make_a_header(void **state)
{
    (void)state;
    enum { ROWS = 10000 };
    struct sizes *sizes = calloc(ROWS, sizeof *sizes);
    struct hone_strbuf out = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {0};
    for (int i = 0; i < ROWS; i++)
        sizes[i] = (struct sizes){16 + 16 * (i % 100), 16 + 16 * (i / 100), "nn"};
    struct loaded loaded = {.list = {record(&gpus[3], sizes, ROWS)}, .count = 1};
    assert_ok(hone_emit(&out, loaded.list, 1, &options, &err), err);
    assert_non_null(strstr(out.data, "TILE_ROWS = 10000 };"));
    assert_non_null(strstr(out.data, "configurations for 10000 problems"));
    hone_strbuf_fini(&out);
    unload(&loaded);
    free(sizes);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(the_header_chooses_what_the_tuner_chooses),
    cmocka_unit_test(null_is_selected_only_where_nothing_may_run),
    cmocka_unit_test(coverage_names_the_sizes_that_nothing_serves),
    cmocka_unit_test(journals_in_any_order_give_the_same_header),
    cmocka_unit_test(the_announced_regret_is_found_on_other_sizes),
    cmocka_unit_test(ten_thousand_rows_make_a_header),
};
HONE_TEST_MAIN_WITH(tests, make_folder, remove_folder)
