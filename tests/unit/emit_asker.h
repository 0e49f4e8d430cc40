/* Asks the functions of emitted headers, compiled with sanitizers, at the ends of their
 * arguments, and compares with what the tuner chooses and computes. */
#ifndef EMIT_ASKER_H
#define EMIT_ASKER_H

#include "emit_fixture.h"

#include <inttypes.h>
#include <limits.h>

#include "base/file.h"
#include "dispatch.h"

static const int64_t ints[] = {
    INT64_MIN,           INT_MIN, -1, 0, 1, 3, 8, 64, 4096, INT_MAX, INT64_MAX, 128,
    INT_MAX + INT64_C(1)};
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

// Of many combinations every so manieth, by an odd step, so that all values come up.
enum { COMBINATIONS_MOST = 2000, PROBLEM_MOST = 64 };
static size_t step_of(const struct emit_plan *plan)
{
    const size_t step = combinations(plan) / COMBINATIONS_MOST;
    return step ? step | 1 : 1;
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
    struct hone_value problem[PROBLEM_MOST];
    assert_true(plan->info->problem_count <= PROBLEM_MOST);
    for (size_t n = 0; n < combinations(plan); n += step_of(plan)) {
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
    hone_strbuf_add(&out,
                    "#include <stdio.h>\n#include \"k.h\"\n#include \"k_runtime.h\"\n");
    add_arrays(&out);
    hone_strbuf_printf(&out,
                       "int main(void)\n{\n    size_t n, g;\n    int c, tier;\n"
                       "    unsigned grid[3], block[3];\n"
                       "    (void)ints, (void)reals, (void)texts, (void)bools;\n"
                       "    (void)grid, (void)block, (void)c;\n"
                       "    for (n = 0; n < %zu; n += %zu) {\n"
                       "        for (g = 0; g < %d; g++) {\n"
                       "            const k_config *config = k_select(gpus[g][0], "
                       "gpus[g][1], gpus[g][2]%s, &tier);\n"
                       "            printf(\"%%d %%d\\n\", tier, config ? (int)(config - "
                       "k_configs) : -1);\n        }\n",
                       combinations(plan), step_of(plan), (int)ASKED, args.data);
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
             "cd %s && %s -Wall -Wextra -Werror -fsanitize=undefined,address "
             "-fno-sanitize-recover=all p.c -o p && ./p > got && cmp expected got",
             folder, compiler);
    if (system(command) != 0) fail_msg("%s", command);
}

static inline void ask(struct loaded loaded, size_t *queries, size_t *served)
{
    char path[80];
    struct emit_plan plan = {.geometry = HONE_STRBUF_INIT};
    struct hone_strbuf expected = HONE_STRBUF_INIT;
    struct hone_error err = {0};
    const struct hone_emit_options options = {
        .name = "k", .accept_predicted = true, .shape = HONE_SHAPE_RUNTIME};
    plan.err = &err;
    assert_ok(hone_emit_make_plan(&plan, loaded.list, loaded.count, &options), err);
    snprintf(path, sizeof path, "%s/k.h", folder);
    assert_ok(hone_emit_file(path, loaded.list, loaded.count, &options, &err), err);
    *served += expect_all(&expected, &plan);
    *queries += combinations(&plan) / step_of(&plan) * ASKED;
    snprintf(path, sizeof path, "%s/expected", folder);
    assert_ok(hone_file_write(path, expected.data, expected.len, &err), err);
    write_asker(&plan);
    run_asker("gcc -std=c99 -O1"); // some warnings come of what the optimiser sees
    run_asker("g++ -std=c++11 -x c++ -O0");
    snprintf(path, sizeof path, "cd %s && rm p p.c k.h k_runtime.h got expected", folder);
    assert_int_equal(system(path), 0);
    hone_strbuf_fini(&expected);
    hone_emit_plan_fini(&plan);
    unload(&loaded);
}

#endif
