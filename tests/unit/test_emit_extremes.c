/* Emitted functions at the ends of their arguments: nothing is undefined there, and what
 * they choose and compute is what the tuner does. */
#include "emit_fixture.h"

#include <inttypes.h>
#include <limits.h>

#include "base/file.h"
#include "emit_internal.h"

static int setup(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    return rmdir(folder);
}

static const int64_t ints[] = {INT64_MIN, INT_MIN, -1, 0, 1, 3, 4096, INT_MAX, INT64_MAX};
static const double reals[] = {-1e300, -1, 0, 0.5, 2.5, 4294967296.0, 1e300};
static const char *const texts[] = {"row", "x", ""};
static const int gpus[][3] = {{INT_MIN, INT_MIN, INT_MIN},
                              {-1, -1, -1},
                              {0, 0, 0},
                              {7, 0, 80},
                              {7, 10, 80},
                              {9, 0, 132},
                              {9, INT_MIN, 1},
                              {8, 0, 108},
                              {9, INT_MAX, 132},
                              {INT_MAX, INT_MAX, INT_MAX}};
enum {
    INTS = sizeof ints / sizeof *ints,
    REALS = sizeof reals / sizeof *reals,
    TEXTS = sizeof texts / sizeof *texts,
    ASKED = sizeof gpus / sizeof *gpus
};

static size_t values_of(enum hone_type type)
{
    static const size_t counts[] = {
        [HONE_INT] = INTS, [HONE_FLOAT] = REALS, [HONE_BOOL] = 2, [HONE_STRING] = TEXTS};
    return counts[type];
}

static struct hone_value value_at(enum hone_type type, size_t i)
{
    switch (type) {
    case HONE_INT:
        return (struct hone_value){.type = HONE_INT, .i = ints[i]};
    case HONE_FLOAT:
        return (struct hone_value){.type = HONE_FLOAT, .f = reals[i]};
    case HONE_BOOL:
        return (struct hone_value){.type = HONE_BOOL, .b = i};
    case HONE_STRING:
        return (struct hone_value){.type = HONE_STRING, .s = texts[i]};
    }
    return (struct hone_value){0};
}

// All combinations of arguments, the first counting fastest.
static size_t combinations(const struct emit_plan *plan)
{
    size_t count = 1;
    for (size_t i = 0; i < plan->info->problem_count; i++)
        if (!plan->problem[i].fixed) count *= values_of(plan->problem[i].type);
    return count;
}

static void read_problem(const struct emit_plan *plan, size_t number,
                         struct hone_value *problem)
{
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        problem[i] = plan->info->problem[i].value;
        if (plan->problem[i].fixed) continue;
        const size_t count = values_of(plan->problem[i].type);
        problem[i] = value_at(plan->problem[i].type, number % count);
        number /= count;
    }
}

/* --- what the tuner says --- */

static void expect_launch(struct hone_strbuf *out, const struct emit_plan *plan,
                          size_t config, const struct hone_value *problem)
{
    static const struct hone_limits unknown;
    const struct hone_limits *limits = plan->configs[config].origin->info->limits;
    const struct emit_launch l =
        hone_emit_launch_of(plan, config, limits ? limits : &unknown, problem);
    hone_strbuf_printf(out, " %u,%u,%u %u,%u,%u %u", l.grid[0], l.grid[1], l.grid[2],
                       l.block[0], l.block[1], l.block[2], l.shared);
    assert_true(l.grid[0] <= INT_MAX && l.grid[1] <= 65535 && l.grid[2] <= 65535);
    assert_true(!l.grid[0] == !l.grid[2] && l.block[0] * l.block[1] * l.block[2] <= 1024);
}

static size_t expect_all(struct hone_strbuf *out, const struct emit_plan *plan)
{
    size_t served = 0;
    struct hone_value problem[16];
    assert_true(plan->info->problem_count <= 16);
    for (size_t n = 0; n < combinations(plan); n++) {
        read_problem(plan, n, problem);
        for (size_t g = 0; g < ASKED; g++) {
            const struct hone_limits gpu =
                hone_emit_gpu_of(plan, gpus[g][0], gpus[g][1], gpus[g][2]);
            enum emit_tier tier;
            const size_t config = hone_emit_dispatch(plan, &gpu, problem, &tier);
            served += config != SIZE_MAX;
            hone_strbuf_printf(out, "%d %d\n", (int)tier,
                               config == SIZE_MAX ? -1 : (int)config);
        }
        for (size_t c = 0; c < plan->config_count && hone_emit_has_launch(plan->info);
             c++)
            expect_launch(out, plan, c, problem);
        hone_strbuf_add(out, "\n");
    }
    return served;
}

/* --- what the header says --- */

static void add_arrays(struct hone_strbuf *out)
{
    hone_strbuf_add(out, "static const long long ints[] = {");
    for (size_t i = 0; i < INTS; i++)
        hone_strbuf_printf(
            out, ints[i] == INT64_MIN ? "-%" PRId64 "LL - 1, " : "%" PRId64 "LL, ",
            ints[i] == INT64_MIN ? INT64_MAX : ints[i]);
    hone_strbuf_add(out, "};\nstatic const double reals[] = {");
    for (size_t i = 0; i < REALS; i++)
        hone_strbuf_printf(out, "%.17g, ", reals[i]);
    hone_strbuf_add(out, "};\nstatic const char *const texts[] = {");
    for (size_t i = 0; i < TEXTS; i++)
        hone_strbuf_printf(out, "\"%s\", ", texts[i]);
    hone_strbuf_add(out, "};\nstatic const int bools[] = {0, 1};\n"
                         "static const int gpus[][3] = {");
    for (size_t i = 0; i < ASKED; i++) {
        hone_strbuf_add(out, "{");
        for (size_t k = 0; k < 3; k++)
            hone_strbuf_printf(out, gpus[i][k] == INT_MIN ? "-%d - 1, " : "%d, ",
                               gpus[i][k] == INT_MIN ? INT_MAX : gpus[i][k]);
        hone_strbuf_add(out, "}, ");
    }
    hone_strbuf_add(out, "};\n");
}

static void add_arguments(struct hone_strbuf *out, const struct emit_plan *plan)
{
    static const char *const arrays[] = {[HONE_INT] = "ints",
                                         [HONE_FLOAT] = "reals",
                                         [HONE_BOOL] = "bools",
                                         [HONE_STRING] = "texts"};
    size_t stride = 1;
    for (size_t i = 0; i < plan->info->problem_count; i++) {
        if (plan->problem[i].fixed) continue;
        const enum hone_type type = plan->problem[i].type;
        hone_strbuf_printf(out, ", %s[n / %zu %% %zu]", arrays[type], stride,
                           values_of(type));
        stride *= values_of(type);
    }
}

static void write_asker(const struct emit_plan *plan)
{
    struct hone_strbuf out = HONE_STRBUF_INIT, args = HONE_STRBUF_INIT;
    char path[80];
    struct hone_error err = {0};
    add_arguments(&args, plan);
    hone_strbuf_add(&out, "#include <stdio.h>\n#define k_RUNTIME\n#include \"k.h\"\n");
    add_arrays(&out);
    hone_strbuf_printf(&out,
                       "int main(void)\n{\n    size_t n, g;\n    int c, tier;\n"
                       "    unsigned grid[3], block[3];\n"
                       "    (void)ints, (void)reals, (void)texts, (void)bools;\n"
                       "    (void)grid, (void)block, (void)c;\n"
                       "    for (n = 0; n < %zu; n++) {\n"
                       "        for (g = 0; g < %d; g++) {\n"
                       "            const k_config *config = k_select(gpus[g][0], "
                       "gpus[g][1], gpus[g][2]%s, &tier);\n"
                       "            printf(\"%%d %%d\\n\", tier, config ? (int)(config - "
                       "k_configs) : -1);\n        }\n",
                       combinations(plan), (int)ASKED, args.data);
    if (hone_emit_has_launch(plan->info))
        hone_strbuf_printf(
            &out,
            "        for (c = 0; c < K_CONFIGS; c++) {\n"
            "            k_grid(&k_configs[c]%s, grid);\n"
            "            k_block(&k_configs[c]%s, block);\n"
            "            printf(\" %%u,%%u,%%u %%u,%%u,%%u %%u\", grid[0], grid[1], "
            "grid[2], block[0],\n                   block[1], block[2], "
            "k_shared_bytes(&k_configs[c]%s));\n        }\n",
            args.data, args.data, args.data);
    hone_strbuf_add(&out, "        printf(\"\\n\");\n    }\n    return 0;\n}\n");
    snprintf(path, sizeof path, "%s/p.c", folder);
    assert_ok(hone_file_write(path, out.data, out.len, &err), err);
    hone_strbuf_fini(&out);
    hone_strbuf_fini(&args);
}

static void run_asker(const char *compiler)
{
    char command[512];
    snprintf(command, sizeof command,
             "cd %s && %s -O1 -Wall -Wextra -Werror -fsanitize=undefined,address "
             "-fno-sanitize-recover=all p.c -o p && ./p > got && cmp expected got",
             folder, compiler);
    if (system(command) != 0) fail_msg("%s", command);
}

static void ask(struct loaded loaded, size_t *queries, size_t *served)
{
    char path[80];
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT};
    struct hone_strbuf header = HONE_STRBUF_INIT, expected = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {.name = "k", .accept_predicted = true};
    plan.err = &err;
    assert_ok(hone_emit(&header, loaded.list, loaded.count, &options, &err), err);
    assert_ok(hone_emit_make_plan(&plan, loaded.list, loaded.count, &options), err);
    snprintf(path, sizeof path, "%s/k.h", folder);
    assert_ok(hone_file_write(path, header.data, header.len, &err), err);
    *served += expect_all(&expected, &plan);
    *queries += combinations(&plan) * ASKED;
    snprintf(path, sizeof path, "%s/expected", folder);
    assert_ok(hone_file_write(path, expected.data, expected.len, &err), err);
    write_asker(&plan);
    run_asker("gcc -std=c99");
    run_asker("g++ -std=c++11 -x c++");
    snprintf(path, sizeof path, "cd %s && rm p p.c k.h got expected", folder);
    assert_int_equal(system(path), 0);
    hone_strbuf_fini(&header);
    hone_strbuf_fini(&expected);
    hone_emit_plan_fini(&plan);
    unload(&loaded);
}

static void nothing_is_undefined_and_all_is_as_the_tuner_says(void **state)
{
    (void)state;
    static const char *const sets[][MOST] = {
        {"sgemm_h200", "sgemm_h200_small", "sgemm_a100", NULL},
        {"sgemm_emu", NULL},
        {"odd", NULL},
        {"plain", NULL}};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        ask(load(sets[i]), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
    assert_true(queries > 10000 && served > 100 && served < queries);
}

static struct loaded load_text(const struct hone_strbuf *text)
{
    struct loaded loaded = {.count = 1};
    struct hone_recording *recording = NULL;
    struct hone_error err = {0};
    char path[80];
    assert_false(text->failed);
    snprintf(path, sizeof path, "%s/j.jsonl", folder);
    assert_ok(hone_file_write(path, text->data, text->len, &err), err);
    assert_ok(hone_recording_load(&recording, path, &err), err);
    loaded.list[0] = recording;
    unlink(path);
    return loaded;
}

// A golden journal whose grid begins with another expression.
static struct loaded load_with(const char *grid)
{
    static const char key[] = "\"grid\":[\"";
    struct hone_error err = {0};
    struct hone_strbuf edited = HONE_STRBUF_INIT;
    char *text = NULL;
    assert_ok(hone_file_read(&text, NULL,
                             HONE_SOURCE_DIR "/tests/golden/sgemm_h200_small.jsonl",
                             &err),
              err);
    char *at = strstr(text, key);
    assert_non_null(at);
    at += strlen(key);
    hone_strbuf_add_bytes(&edited, text, (size_t)(at - text));
    hone_strbuf_add(&edited, grid);
    hone_strbuf_add(&edited, strchr(at, '"'));
    const struct loaded loaded = load_text(&edited);
    hone_strbuf_fini(&edited);
    free(text);
    return loaded;
}

// What compilers know the value of, what is left out of the C form, and what has no value
// at some sizes: there no configuration is chosen.
static void odd_geometry_is_as_the_tuner_says_without_a_warning(void **state)
{
    (void)state;
    static const char *const grids[] = {"(N == N) and N or 1",
                                        "N and 4",
                                        "(M < 3 and M > 5) and 7 or N",
                                        "(2 ~ 8) + N",
                                        "(M < 4294967296) and 2 or 3",
                                        "1 + N // M",
                                        "N % (M - M) + 1",
                                        "(M == 0) and 5 or N // M",
                                        "(M ~= 0 and N // M > 3) and 2 or 3",
                                        "not (N // M) and 5 or 6",
                                        "ceil_div(N, M + 1) + 2",
                                        "(N / 4 | 1) & 7",
                                        "1 + N // (THREADS - 1)",
                                        "3 + M % (BM - BM)"};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof grids / sizeof *grids; i++)
        ask(load_with(grids[i]), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
}

/* --- derived values --- */

// Each is the sum of the two before it, or twice the one before.
static struct loaded load_levels(const char *first, int levels, int back,
                                 const char *where)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_strbuf_printf(&text,
                       "{\"hone\":1,\"kind\":\"journal\",\"kernel\":\"k\",\"params\":["
                       "{\"name\":\"X\",\"values\":[1,2]}],\"problem\":{\"N\":8},"
                       "\"limits\":{\"cc_major\":7,\"cc_minor\":0,\"sm_count\":80},"
                       "\"launch\":{\"grid\":[\"D%d %% 7 + 1\",\"D2\"],\"block\":[\"X\"],"
                       "\"shared\":\"D%d & 1023\"},\"where\":[%s\"D%d >= N or N > 3\"],"
                       "\"derived\":[{\"name\":\"D0\",\"text\":\"%s\"}",
                       levels, levels / 2, where, levels, first);
    for (int i = 1; i <= levels; i++)
        hone_strbuf_printf(&text, ",{\"name\":\"D%d\",\"text\":\"D%d + D%d\"}", i, i - 1,
                           i > back ? i - back : 0);
    hone_strbuf_add(&text, "]}\n{\"config\":[1],\"outcome\":\"valid\",\"time_us\":3}\n"
                           "{\"config\":[2],\"outcome\":\"valid\",\"time_us\":4}\n");
    const struct loaded loaded = load_text(&text);
    hone_strbuf_fini(&text);
    return loaded;
}

// Computed at each use, 64 levels would take longer than there is time. What has no value
// at some sizes is known from a flag, and a constraint that is given up half way leaves
// what others read.
static void derived_values_that_double_are_computed_once(void **state)
{
    (void)state;
    static const char *const firsts[] = {"X + 1", "N + X", "1 + 64 // X", "64 // N"};
    size_t queries = 0, served = 0;
    if (system("g++ --version >/dev/null 2>&1") != 0) SKIP("no g++ here");
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        for (int back = 1; back <= 2; back++)
            ask(load_levels(firsts[i], 64, back, ""), &queries, &served);
    ask(load_levels("N", 64, 1, "\"D60 > log2(D3)\","), &queries, &served);
    print_message("%zu selections, %zu of them served\n", queries, served);
    assert_true(served > 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(derived_values_that_double_are_computed_once),
    cmocka_unit_test(odd_geometry_is_as_the_tuner_says_without_a_warning),
    cmocka_unit_test(nothing_is_undefined_and_all_is_as_the_tuner_says),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
