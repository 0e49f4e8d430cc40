// Generated products of matrices in the styles of Hopper's libraries (pipeline.cu): depth of
// the ring, who loads, who frees a stage and when, how results leave, clusters that share
// loads. Right ones are valid in every order without a finding; each bug is planted in
// several of them and found by its name. HONE_TESTS=long draws ten times as many.
#include "verdict_file.h"
#include "verdict_run.h"

#include "base/file.h"
#include "hone_test.h"

#include <string.h>

struct style {
    int stages, math, steps, tiles, producer, frees, store, cluster, lag, one_waits,
        init_by_last;
};

enum { GROUP_LOADS, WARP_LOADS, MATH_LOADS };

#define FOUND(name) ((uint64_t)1 << HONE_FINDING_##name)

// A bug, and which styles can have it. Products that read what another block of the cluster
// fills again are not followed: a stage that is freed too early there is not looked for.
struct bug {
    const char *name;
    uint64_t findings; // any of them
    bool has_ring;     // stages are freed by those who multiply, and used again
    bool stages_leave; // results leave by asynchronous stores
    bool lags, two_tiles, in_cluster, several_free, alone;
};

static const struct bug bugs[] = {
    {.name = "MULTIPLIES_WITHOUT_A_WAIT",
     .findings = FOUND(MISSING_WAIT) | FOUND(IN_FLIGHT)},
    {.name = "MULTIPLIES_WITHOUT_A_FENCE", .findings = FOUND(WGMMA_FENCE)},
    {.name = "MULTIPLIES_THE_NEXT_STAGE",
     .findings = FOUND(MISSING_WAIT) | FOUND(IN_FLIGHT) | FOUND(RACE) | FOUND(UNWRITTEN) |
                 FOUND(MISMATCH)},
    {.name = "KEEPS_THE_PARITY",
     .findings = FOUND(PHASE) | FOUND(MISSING_WAIT) | FOUND(IN_FLIGHT) | FOUND(RACE) |
                 FOUND(DEADLOCK),
     .has_ring = true},
    {.name = "WAITS_A_PHASE_EARLY",
     .findings = FOUND(PHASE) | FOUND(IN_FLIGHT) | FOUND(RACE) | FOUND(UNWRITTEN)},
    {.name = "LOADS_WITHOUT_A_WAIT",
     .findings = FOUND(IN_FLIGHT) | FOUND(RACE) | FOUND(BARRIER),
     .has_ring = true},
    {.name = "FREES_TOO_EARLY",
     .findings = FOUND(IN_FLIGHT) | FOUND(RACE),
     .has_ring = true,
     .alone = true},
    {.name = "FREED_BY_ONE_LESS",
     .findings = FOUND(PHASE) | FOUND(IN_FLIGHT) | FOUND(RACE) | FOUND(DEADLOCK) |
                 FOUND(TX_BYTES),
     .has_ring = true,
     .several_free = true,
     .alone = true},
    {.name = "NEVER_FREES", .findings = FOUND(DEADLOCK), .has_ring = true},
    {.name = "EXPECTS_TOO_LITTLE", .findings = FOUND(TX_BYTES)},
    {.name = "EXPECTS_TOO_MUCH", .findings = FOUND(TX_BYTES) | FOUND(DEADLOCK)},
    {.name = "NOBODY_WAITS_FOR_THE_OBJECTS",
     .findings = FOUND(RACE) | FOUND(BARRIER),
     .alone = true},
    {.name = "STORES_WITHOUT_A_WAIT", .findings = FOUND(MISSING_WAIT), .lags = true},
    {.name = "STORES_WITHOUT_A_FENCE",
     .findings = FOUND(PROXY_FENCE),
     .stages_leave = true},
    {.name = "STORES_WITHOUT_A_BARRIER",
     .findings = FOUND(RACE) | FOUND(PROXY_FENCE),
     .stages_leave = true},
    {.name = "REUSES_WHAT_IS_STORED",
     .findings = FOUND(IN_FLIGHT) | FOUND(RACE),
     .stages_leave = true,
     .two_tiles = true},
    {.name = "FREES_ITS_OWN_ONLY",
     .findings = FOUND(DEADLOCK),
     .has_ring = true,
     .in_cluster = true},
    {.name = "LOADS_ONE_STAGE_MORE",
     .findings = FOUND(IN_FLIGHT),
     .has_ring = true,
     .alone = true},
    {.name = "ENDS_BEFORE_ITS_PEER", .findings = FOUND(PEER), .in_cluster = true},
};
enum { BUGS = sizeof bugs / sizeof *bugs };

static struct verdict_machine machine;

static int open_machine(void **state)
{
    (void)state;
    verdict_machine_open(&machine);
    return 0;
}

static int close_machine(void **state)
{
    (void)state;
    verdict_machine_close(&machine);
    return 0;
}

// ---- styles ----

static int draw(uint32_t *state, int count)
{
    *state = *state * 1664525 + 1013904223;
    return (int)((*state >> 16) % (uint32_t)count);
}

static struct style draw_style(uint32_t *state)
{
    struct style s = {.stages = 2 + draw(state, 3),
                      .math = 1 + draw(state, 2),
                      .steps = 2 + draw(state, 4),
                      .tiles = 1 + draw(state, 2),
                      .producer = draw(state, 3),
                      .frees = draw(state, 3),
                      .store = draw(state, 3),
                      .cluster = 1 + draw(state, 2),
                      .lag = draw(state, 2),
                      .one_waits = draw(state, 3) == 0,
                      .init_by_last = draw(state, 2)};
    if (s.producer == MATH_LOADS) s.cluster = 1;
    if (s.cluster > 1) s.init_by_last = 0; // whose fence is for the block alone
    if (s.cluster > 1 && s.frees == 2) s.frees = 1;
    return s;
}

// Changes the style so that it can have the bug.
static void fit(struct style *s, const struct bug *bug)
{
    if (bug->alone) s->cluster = 1;
    if (bug->in_cluster) s->cluster = 2, s->init_by_last = 0;
    if ((bug->has_ring || bug->in_cluster) && s->producer == MATH_LOADS)
        s->producer = WARP_LOADS;
    if (s->cluster > 1 && s->frees == 2) s->frees = 1;
    if (bug->has_ring && s->steps * s->tiles < 2 * s->stages + 1)
        s->steps = 2 * s->stages + 1;
    if (bug->stages_leave && s->store == 0) s->store = 1;
    if (bug->lags) s->lag = 1;
    if (bug->two_tiles) s->tiles = 2;
    // warps of a group pass a wait together, so that one of them may well be left out
    if (bug->several_free) s->math = 2, s->frees = 0;
}

static void describe(char *out, size_t size, const struct style *s, const char *bug)
{
    snprintf(
        out, size,
        "#define STAGES %d\n#define MATH %d\n#define STEPS %d\n#define TILES %d\n"
        "#define PRODUCER %d\n#define FREES %d\n#define STORE %d\n#define CLUSTER %d\n"
        "#define LAG %d\n#define ONE_WAITS %d\n#define INIT_BY_LAST %d\n"
        "#define BUG %s\n",
        s->stages, s->math, s->steps, s->tiles, s->producer, s->frees, s->store,
        s->cluster, s->lag, s->one_waits, s->init_by_last, bug);
}

// ---- files ----

static char *make_text(const struct style *s, const char *bug)
{
    struct hone_error err = {0};
    char *body = NULL, defines[512];
    describe(defines, sizeof defines, s, bug);
    assert_ok(
        hone_file_read(&body, NULL, HONE_SOURCE_DIR "/tests/verdicts/pipeline.cu", &err),
        err);
    const size_t size = strlen(body) + sizeof defines + 64 * BUGS;
    char *text = malloc(size);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, size, "#define NONE 0\n");
    for (size_t i = 0; i < BUGS; i++)
        used += (size_t)snprintf(text + used, size - used, "#define %s %zu\n",
                                 bugs[i].name, i + 1);
    snprintf(text + used, size - used, "%s%s", defines, body);
    free(body);
    return text;
}

static void set_matrix(struct verdict_arg *arg, const char *name, int rows, int columns,
                       int box)
{
    *arg = (struct verdict_arg){.kind = HONE_ARG_INPUT,
                                .dtype = HONE_BF16,
                                .fill = HONE_FILL_INTEGERS,
                                .low = -3,
                                .high = 3};
    snprintf(arg->name, sizeof arg->name, "%s", name);
    snprintf(arg->size, sizeof arg->size, "%d", rows * columns);
    snprintf(arg->map, sizeof arg->map, "%d/64 %d/%d swizzle 128", columns, rows, box);
}

static void set_launch(struct verdict_kernel *kernel, const struct style *s)
{
    struct verdict_launch *launch = &kernel->launches[0];
    struct verdict_geometry *g = &launch->geometry;
    const int blocks = 2, rows = blocks * s->tiles * s->math * 64, depth = s->steps * 64;
    const int extra = s->producer == GROUP_LOADS  ? 128
                      : s->producer == WARP_LOADS ? 32
                                                  : 0;
    snprintf(g->grid[0], sizeof g->grid[0], "%d", blocks);
    snprintf(g->block[0], sizeof g->block[0], "%d", s->math * 128 + extra);
    snprintf(g->shared, sizeof g->shared, "%d",
             (s->stages * (s->math + 1) + s->math) * 8192 + 1024);
    set_matrix(&launch->args[0], "a", rows, depth, 64);
    set_matrix(&launch->args[1], "b", 64, depth, 64 / s->cluster);
    set_matrix(&launch->args[2], "c", rows, 64, 64);
    launch->args[2].kind = HONE_ARG_OUTPUT;
    launch->args[2].map[0] = 0;
    if (s->store == 1)
        snprintf(launch->args[2].map, sizeof launch->args[2].map, "64/64 %d/64", rows);
    launch->arg_count = 3;
    kernel->launch_count = 1;
    snprintf(kernel->reference_geometry.grid[0], 12, "%d", rows / 64);
    snprintf(kernel->reference_geometry.block[0], 12, "64");
}

static struct hone_trial run(const struct style *s, const char *bug)
{
    struct verdict_file *file = calloc(1, sizeof *file);
    assert_non_null(file);
    snprintf(file->path, sizeof file->path, "pipeline.cu");
    file->name = file->path;
    file->text = make_text(s, bug);
    file->count = 2;
    snprintf(file->on, sizeof file->on, "emu:h200");
    snprintf(file->with, sizeof file->with, "hopper.cuh");
    struct verdict_kernel *kernel = &file->kernels[0];
    snprintf(kernel->name, sizeof kernel->name, "pipeline");
    snprintf(kernel->reference, sizeof kernel->reference, "pipeline_reference");
    snprintf(file->kernels[1].name, sizeof file->kernels[1].name, "pipeline_reference");
    set_launch(kernel, s);
    const struct hone_trial trial = verdict_run(&machine, file, kernel, kernel->launches);
    verdict_file_free(file);
    return trial;
}

static void say(const struct style *s, const char *bug, const struct hone_trial *trial)
{
    printf("HONE_PIPELINE='%d %d %d %d %d %d %d %d %d %d %d %s': %s, %s at line %u: %s\n",
           s->stages, s->math, s->steps, s->tiles, s->producer, s->frees, s->store,
           s->cluster, s->lag, s->one_waits, s->init_by_last, bug,
           hone_outcome_name(trial->outcome), hone_finding_name(trial->found->finding),
           trial->found->line, trial->reason);
}

static int how_often(int usual)
{
    return hone_test_is_long() ? 10 * usual : usual;
}

static void right_pipelines_are_valid_without_a_finding(void **state)
{
    uint32_t random = 1;
    int wrong = 0;
    (void)state;
    if (!machine.builder) SKIP("no NVRTC or no emulator");
    for (int i = 0; i < how_often(12); i++) {
        const struct style s = draw_style(&random);
        const struct hone_trial trial = run(&s, "NONE");
        if (trial.outcome == HONE_VALID) continue;
        say(&s, "NONE", &trial);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void every_bug_is_found_by_its_name(void **state)
{
    uint32_t random = 2;
    int missed = 0;
    (void)state;
    if (!machine.builder) SKIP("no NVRTC or no emulator");
    for (size_t k = 0; k < BUGS; k++)
        for (int i = 0; i < how_often(1); i++) {
            struct style s = draw_style(&random);
            fit(&s, &bugs[k]);
            const struct hone_trial trial = run(&s, bugs[k].name);
            if (trial.outcome != HONE_VALID &&
                bugs[k].findings >> trial.found->finding & 1)
                continue;
            say(&s, bugs[k].name, &trial);
            missed++;
        }
    assert_int_equal(missed, 0);
}

// HONE_PIPELINE has the words that say() prints: what becomes of that one.
static void one_that_is_asked_for_is_printed(void **state)
{
    const char *asked = getenv("HONE_PIPELINE");
    struct style s = {0};
    char bug[40];
    (void)state;
    if (!machine.builder || !asked) SKIP("HONE_PIPELINE is not set");
    if (sscanf(asked, "%d %d %d %d %d %d %d %d %d %d %d %39s", &s.stages, &s.math,
               &s.steps, &s.tiles, &s.producer, &s.frees, &s.store, &s.cluster, &s.lag,
               &s.one_waits, &s.init_by_last, bug) != 12)
        fail_msg("HONE_PIPELINE='%s': eleven numbers and a bug", asked);
    const struct hone_trial trial = run(&s, bug);
    say(&s, bug, &trial);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(one_that_is_asked_for_is_printed),
    cmocka_unit_test(right_pipelines_are_valid_without_a_finding),
    cmocka_unit_test(every_bug_is_found_by_its_name),
};

HONE_TEST_MAIN_WITH(tests, open_machine, close_machine)
