/* Whatever is written to a journal is read back: random first lines and random trials. */
#include "record_fixture.h"

#include <math.h>

#include "base/arena.h"
#include "base/rng.h"

// The first of these pieces may stand in names, more in expressions, all in remarks.
enum { OF_NAMES = 10, OF_TEXTS = 11, OF_REMARKS = 13 };

static char *random_of(struct hone_arena *arena, struct hone_rng *rng, uint64_t count)
{
    static const char *const pieces[] = {
        "a",           "Z",        "\"",           "\\",
        " ",           "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\x89",
        "/",           "0",        "\n",           "\x01",
        "\xe2\x80\xae"};
    char *text = hone_arena_strdup(arena, "");
    for (uint64_t n = hone_rng_below(rng, 9); n; n--)
        text = hone_arena_printf(arena, "%s%s", text, pieces[hone_rng_below(rng, count)]);
    return text;
}

static char *random_text(struct hone_arena *arena, struct hone_rng *rng)
{
    return random_of(arena, rng, OF_TEXTS);
}

static char *random_name(struct hone_arena *arena, struct hone_rng *rng)
{
    return random_of(arena, rng, OF_NAMES);
}

static char *maybe_text(struct hone_arena *arena, struct hone_rng *rng)
{
    return hone_rng_below(rng, 3) ? random_text(arena, rng) : NULL;
}

static double random_double(struct hone_rng *rng)
{
    double x = NAN;
    while (!isfinite(x)) {
        uint64_t bits = hone_rng_next(rng);
        memcpy(&x, &bits, sizeof x);
    }
    return hone_rng_below(rng, 2) ? x : (double)hone_rng_below(rng, 100) / 8;
}

static struct hone_value random_value(struct hone_arena *arena, struct hone_rng *rng)
{
    switch (hone_rng_below(rng, 4)) {
    case 0:
        return (struct hone_value){
            .type = HONE_INT,
            .i = (int64_t)(hone_rng_next(rng) >> hone_rng_below(rng, 64))};
    case 1:
        return (struct hone_value){.type = HONE_FLOAT, .f = random_double(rng)};
    case 2:
        return (struct hone_value){.type = HONE_BOOL, .b = hone_rng_below(rng, 2)};
    default:
        return (struct hone_value){.type = HONE_STRING, .s = random_name(arena, rng)};
    }
}

static bool equal_numbers(struct hone_value a, struct hone_value b)
{
    double x, y;
    bool numbers = a.type <= HONE_FLOAT && b.type <= HONE_FLOAT;
    return numbers && hone_value_to_double(a, &x) && hone_value_to_double(b, &y) &&
           x == y;
}

static void add_value(struct hone_value *values, size_t *count, struct hone_value value)
{
    for (size_t i = 0; i < *count; i++)
        if (hone_value_same(values[i], value) || equal_numbers(values[i], value)) return;
    values[(*count)++] = value;
}

static struct hone_param *random_params(struct hone_arena *arena, struct hone_rng *rng,
                                        size_t count)
{
    struct hone_param *list = hone_arena_array(arena, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct hone_value *values = hone_arena_array(arena, 6, sizeof *values);
        list[i].name = hone_arena_printf(arena, "P%zu", i);
        list[i].values = values;
        for (uint64_t n = 1 + hone_rng_below(rng, 6); n; n--)
            add_value(values, &list[i].count, random_value(arena, rng));
    }
    return list;
}

static const struct hone_map_def *maybe_map(struct hone_arena *arena,
                                            struct hone_rng *rng)
{
    static const uint32_t promotions[] = {0, 64, 128, 256};
    if (hone_rng_below(rng, 2)) return NULL;
    struct hone_map_def *map = hone_arena_alloc(arena, sizeof *map);
    *map =
        (struct hone_map_def){.rank = 1 + (size_t)hone_rng_below(rng, HONE_MAP_RANK_MAX),
                              .modes = {.promotion = promotions[hone_rng_below(rng, 4)],
                                        .nan_fill = (uint32_t)hone_rng_below(rng, 2)}};
    for (size_t i = 0; i < map->rank; i++) {
        map->axes[i].size = random_text(arena, rng);
        map->axes[i].box = random_text(arena, rng);
        map->axes[i].stride = maybe_text(arena, rng);
    }
    return map;
}

static void random_lists(struct hone_record_info *info, struct hone_arena *arena,
                         struct hone_rng *rng)
{
    struct hone_constant *constants = hone_arena_array(arena, 4, sizeof *constants);
    struct hone_derived *values = hone_arena_array(arena, 4, sizeof *values);
    struct hone_record_arg *list = hone_arena_array(arena, 4, sizeof *list);
    info->problem_count = (size_t)hone_rng_below(rng, 5);
    info->derived_count = (size_t)hone_rng_below(rng, 5);
    info->arg_count = (size_t)hone_rng_below(rng, 5);
    for (size_t i = 0; i < 4; i++) {
        constants[i] = (struct hone_constant){hone_arena_printf(arena, "c%zu", i),
                                              random_value(arena, rng)};
        values[i] =
            (struct hone_derived){hone_arena_printf(arena, "d%zu", i),
                                  random_text(arena, rng), (int)hone_rng_below(rng, 3)};
        list[i] = (struct hone_record_arg){random_name(arena, rng),
                                           random_name(arena, rng),
                                           random_name(arena, rng),
                                           random_text(arena, rng),
                                           maybe_text(arena, rng),
                                           maybe_map(arena, rng),
                                           hone_rng_below(rng, 2) ? "zero" : NULL};
    }
    info->problem = constants;
    info->derived = values;
    info->args = list;
    uint16_t *choices = hone_arena_array(arena, info->param_count, sizeof *choices);
    for (size_t i = 0; i < info->param_count; i++)
        choices[i] = (uint16_t)hone_rng_below(rng, info->params[i].count);
    info->defaults = hone_rng_below(rng, 2) ? choices : NULL;
    const char **names = hone_arena_array(arena, 4, sizeof *names);
    info->define_count = (size_t)hone_rng_below(rng, info->problem_count + 1);
    for (size_t i = 0; i < info->define_count; i++)
        names[i] = constants[info->define_count - 1 - i].name;
    info->defines = info->define_count || hone_rng_below(rng, 2) ? names : NULL;
}

static const size_t text_offsets[] = {
    offsetof(struct hone_record_info, device_name),
    offsetof(struct hone_record_info, device_id),
    offsetof(struct hone_record_info, driver),
    offsetof(struct hone_record_info, clock),
    offsetof(struct hone_record_info, objective),
    offsetof(struct hone_record_info, template_name),
    offsetof(struct hone_record_info, template_hash),
    offsetof(struct hone_record_info, space_hash),
    offsetof(struct hone_record_info, options_hash),
    offsetof(struct hone_record_info, hone_version),
    offsetof(struct hone_record_info, nvrtc_version),
    offsetof(struct hone_record_info, box),
    offsetof(struct hone_record_info, verified),
    offsetof(struct hone_record_info, strategy),
    offsetof(struct hone_record_info, entry),
    offsetof(struct hone_record_info, grid[0]),
    offsetof(struct hone_record_info, grid[1]),
    offsetof(struct hone_record_info, grid[2]),
    offsetof(struct hone_record_info, block[0]),
    offsetof(struct hone_record_info, block[1]),
    offsetof(struct hone_record_info, block[2]),
    offsetof(struct hone_record_info, cluster[0]),
    offsetof(struct hone_record_info, cluster[1]),
    offsetof(struct hone_record_info, cluster[2]),
    offsetof(struct hone_record_info, shared),
    offsetof(struct hone_record_info, flops),
    offsetof(struct hone_record_info, bytes),
};

static void random_waivers(struct hone_record_info *info, struct hone_arena *arena,
                           struct hone_rng *rng)
{
    struct hone_waiver *list = hone_arena_array(arena, HONE_WAIVER_MAX, sizeof *list);
    info->waiver_count = (size_t)hone_rng_below(rng, HONE_WAIVER_MAX + 1);
    for (size_t i = 0; i < info->waiver_count; i++) {
        list[i].finding = (enum hone_finding)hone_rng_below(rng, HONE_FINDING_COUNT);
        list[i].reason = random_of(arena, rng, OF_REMARKS);
        if (hone_rng_below(rng, 2)) {
            list[i].file = hone_arena_printf(arena, "a:%s", random_text(arena, rng));
            list[i].line = 1 + (uint32_t)hone_rng_below(rng, INT32_MAX);
        } else {
            list[i].buffer = random_text(arena, rng);
        }
    }
    info->waivers = list;
}

static struct hone_record_info random_info(struct hone_arena *arena, struct hone_rng *rng)
{
    struct hone_record_info info = {.kernel = random_name(arena, rng)};
    info.param_count = 1 + (size_t)hone_rng_below(rng, 5);
    info.params = random_params(arena, rng, info.param_count);
    random_lists(&info, arena, rng);
    random_waivers(&info, arena, rng);
    for (size_t i = 0; i < sizeof text_offsets / sizeof *text_offsets; i++) {
        const char *text = maybe_text(arena, rng);
        memcpy((char *)&info + text_offsets[i], &text, sizeof text);
    }
    info.complete = hone_rng_below(rng, 2);
    info.launch_flags = (uint32_t)hone_rng_below(rng, 4);
    info.seed = hone_rng_next(rng) >> hone_rng_below(rng, 64);
    info.space_count = hone_rng_next(rng) >> hone_rng_below(rng, 64);
    if (hone_rng_below(rng, 2)) return info;
    struct hone_limits *limits = hone_arena_alloc(arena, sizeof *limits);
    snprintf(limits->name, sizeof limits->name, "GPU \"%d\"",
             (int)hone_rng_below(rng, 9));
    snprintf(limits->arch, sizeof limits->arch, "sm_90a");
#define RANDOM_LIMIT(field) limits->field = (int64_t)hone_rng_next(rng);
    HONE_LIMITS_LIST(RANDOM_LIMIT)
#undef RANDOM_LIMIT
    limits->cc_major = (int64_t)hone_rng_below(rng, 100);
    limits->cc_minor = (int64_t)hone_rng_below(rng, 10);
    info.limits = limits;
    return info;
}

static void assert_same_text(const char *a, const char *b)
{
    if (a && b)
        assert_string_equal(a, b);
    else
        assert_ptr_equal(a, b);
}

static void assert_same_map(const struct hone_map_def *a, const struct hone_map_def *b)
{
    assert_int_equal(!a, !b);
    if (!a) return;
    assert_int_equal(a->rank, b->rank);
    for (size_t i = 0; i < a->rank; i++) {
        assert_string_equal(a->axes[i].size, b->axes[i].size);
        assert_string_equal(a->axes[i].box, b->axes[i].box);
        assert_same_text(a->axes[i].stride, b->axes[i].stride);
    }
    assert_memory_equal(&a->modes, &b->modes, sizeof a->modes);
}

static void assert_same_lists(const struct hone_record_info *a,
                              const struct hone_record_info *b)
{
    assert_int_equal(a->param_count, b->param_count);
    for (size_t i = 0; i < a->param_count; i++) {
        assert_string_equal(a->params[i].name, b->params[i].name);
        assert_int_equal(a->params[i].count, b->params[i].count);
        for (size_t v = 0; v < a->params[i].count; v++)
            assert_true(hone_value_same(a->params[i].values[v], b->params[i].values[v]));
        if (a->defaults) assert_int_equal(a->defaults[i], b->defaults[i]);
    }
    assert_int_equal(!a->defaults, !b->defaults);
    assert_int_equal(a->problem_count, b->problem_count);
    for (size_t i = 0; i < a->problem_count; i++) {
        assert_string_equal(a->problem[i].name, b->problem[i].name);
        assert_true(hone_value_same(a->problem[i].value, b->problem[i].value));
    }
    assert_int_equal(a->derived_count, b->derived_count);
    for (size_t i = 0; i < a->derived_count; i++) {
        assert_string_equal(a->derived[i].name, b->derived[i].name);
        assert_string_equal(a->derived[i].text, b->derived[i].text);
        assert_int_equal(a->derived[i].line, b->derived[i].line);
    }
    assert_int_equal(a->arg_count, b->arg_count);
    for (size_t i = 0; i < a->arg_count; i++) {
        assert_same_text(a->args[i].kind, b->args[i].kind);
        assert_same_text(a->args[i].name, b->args[i].name);
        assert_same_text(a->args[i].dtype, b->args[i].dtype);
        assert_same_text(a->args[i].size, b->args[i].size);
        assert_same_text(a->args[i].pointers, b->args[i].pointers);
        assert_same_text(a->args[i].fill, b->args[i].fill);
        assert_same_map(a->args[i].map, b->args[i].map);
    }
}

static void assert_same_defines(const struct hone_record_info *a,
                                const struct hone_record_info *b)
{
    assert_int_equal(!a->defines, !b->defines);
    assert_int_equal(a->define_count, b->define_count);
    for (size_t i = 0; i < a->define_count; i++)
        assert_string_equal(a->defines[i], b->defines[i]);
}

static void assert_same_waivers(const struct hone_record_info *a,
                                const struct hone_record_info *b)
{
    assert_int_equal(a->waiver_count, b->waiver_count);
    for (size_t i = 0; i < a->waiver_count; i++) {
        const struct hone_waiver *x = &a->waivers[i], *y = &b->waivers[i];
        assert_int_equal(x->finding, y->finding);
        assert_int_equal(x->line, y->line);
        assert_same_text(x->file, y->file);
        assert_same_text(x->buffer, y->buffer);
        assert_string_equal(x->reason, y->reason);
    }
}

static void assert_same_info(const struct hone_record_info *a,
                             const struct hone_record_info *b)
{
    assert_string_equal(a->kernel, b->kernel);
    assert_same_lists(a, b);
    assert_same_defines(a, b);
    assert_same_waivers(a, b);
    for (size_t i = 0; i < sizeof text_offsets / sizeof *text_offsets; i++) {
        const char *x, *y;
        memcpy(&x, (const char *)a + text_offsets[i], sizeof x);
        memcpy(&y, (const char *)b + text_offsets[i], sizeof y);
        assert_same_text(x, y);
    }
    assert_int_equal(a->complete, b->complete);
    assert_int_equal(a->launch_flags, b->launch_flags);
    assert_true(a->seed == b->seed);
    assert_true(a->space_count == b->space_count);
    assert_int_equal(!a->limits, !b->limits);
    if (a->limits) assert_memory_equal(a->limits, b->limits, sizeof *a->limits);
}

static void every_info_roundtrips(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 7);
    for (int round = 0; round < 300; round++) {
        struct hone_arena arena = {0};
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_record_info info = random_info(&arena, &rng);
        assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
        assert_ok(hone_journal_close(journal, &err), err);
        struct hone_recording *recording = load();
        assert_same_info(&info, hone_recording_info(recording));
        hone_recording_free(recording);
        hone_arena_fini(&arena);
        unlink(path);
    }
}

static double random_figure(struct hone_rng *rng)
{
    if (hone_rng_below(rng, 2)) return (double)NAN;
    return ldexp(1 + hone_rng_double(rng), (int)hone_rng_below(rng, 40) - 10);
}

static void random_found(struct hone_found *found, struct hone_rng *rng)
{
    found->finding = (enum hone_finding)hone_rng_below(rng, HONE_FINDING_COUNT);
    if (found->finding == HONE_FINDING_NONE) return;
    found->line = (uint32_t)hone_rng_below(rng, 3) * 1000;
    if (found->line) strcpy(found->file, "a:7 \"b\".cuh");
    if (hone_rng_below(rng, 2)) strcpy(found->buffer, "y");
}

static struct hone_trial random_trial(struct hone_rng *rng,
                                      struct hone_trial_notes *notes)
{
    *notes = (struct hone_trial_notes){.reason = ""};
    static const char *const metric_names[] = {"ipc", "dram_bytes", "l2 hits"};
    enum hone_outcome outcome =
        (enum hone_outcome)hone_rng_below(rng, HONE_OUTCOME_COUNT);
    struct hone_trial trial = hone_trial_make(0, outcome);
    trial.time_us = random_figure(rng);
    trial.predicted_us = random_figure(rng);
    trial.energy_j = random_figure(rng);
    trial.cost = random_figure(rng);
    if (isnan(trial.predicted_us) && isnan(trial.time_us)) trial.time_us = 1.5;
    trial.kind = isnan(trial.time_us)
                     ? HONE_TIME_PREDICTED
                     : (enum hone_time_kind)hone_rng_below(rng, HONE_TIME_PREDICTED);
    trial.rel_std = random_figure(rng);
    trial.build_ms = random_figure(rng);
    trial.evaluate_ms = random_figure(rng);
    trial.drift = random_figure(rng);
    trial.samples = (uint32_t)hone_rng_below(rng, 100);
    if (hone_rng_below(rng, 2))
        trial.final = (struct hone_final){.rank = 1 + (uint32_t)hone_rng_below(rng, 16),
                                          .rounds = (uint32_t)hone_rng_below(rng, 96),
                                          .ratio = 0.75,
                                          .low = 0.5,
                                          .high = (double)INFINITY};
    if (trial.final.rank > 8) trial.final.high = 1.25;
    if (trial.final.rank % 3 == 1) trial.final.sustained_us = 812.25;
    trial.resources.registers = (int32_t)hone_rng_below(rng, 256) - 1;
    trial.resources.blocks_per_sm = (int32_t)hone_rng_below(rng, 33) - 1;
    trial.resources.estimated = hone_rng_below(rng, 2);
    trial.resources.stack_bytes = (int32_t)hone_rng_below(rng, 2) - 1;
    if (hone_rng_below(rng, 2)) trial.outputs = hone_rng_next(rng);
    trial.metric_count = (uint32_t)hone_rng_below(rng, 4);
    for (size_t i = 0; i < trial.metric_count; i++)
        notes->metrics[i] = (struct hone_metric){metric_names[i], random_double(rng)};
    const size_t counted = (size_t)hone_rng_below(rng, 3);
    for (size_t i = 0; i < counted; i++)
        notes->counters[i] =
            (struct hone_counted){i ? "l2 hits" : "cycles", "%", random_double(rng)};
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        notes->waived[i] = hone_rng_below(rng, 4) ? 0 : (uint32_t)hone_rng_next(rng);
    static const struct hone_trial_place places[] = {{"n7", "12_3", "GPU-0"},
                                                     {"n8", "", ""}};
    if (hone_rng_below(rng, 2)) trial.place = &places[hone_rng_below(rng, 2)];
    hone_trial_refer(&trial, notes);
    if (outcome == HONE_VALID) return trial;
    strcpy(notes->reason, "why: \t3");
    random_found(&notes->found, rng);
    return trial;
}

static void assert_close(double a, double b, double tolerance)
{
    assert_int_equal(isnan(a), isnan(b));
    if (!isnan(a)) assert_true(fabs(a - b) <= tolerance * fabs(a));
}

static void assert_same_trial(const struct hone_trial *a, const struct hone_trial *b)
{
    assert_int_equal(a->outcome, b->outcome);
    assert_int_equal(a->samples, b->samples);
    assert_int_equal(a->kind, b->kind);
    assert_close(a->time_us, b->time_us, 5e-9);
    assert_close(a->predicted_us, b->predicted_us, 5e-9);
    assert_close(a->energy_j, b->energy_j, 5e-9);
    assert_close(a->cost, b->cost, 5e-9);
    assert_close(a->rel_std, b->rel_std, 6e-4);
    assert_close(a->build_ms, b->build_ms, 6e-4);
    assert_close(a->evaluate_ms, b->evaluate_ms, 6e-4);
    assert_int_equal(a->kind, b->kind);
    assert_true(a->outputs == b->outputs);
    assert_int_equal(a->found->finding, b->found->finding);
    assert_int_equal(a->found->line, b->found->line);
    assert_string_equal(a->found->file, b->found->file);
    assert_string_equal(a->found->buffer, b->found->buffer);
    assert_memory_equal(a->waived, b->waived, HONE_WAIVER_MAX * sizeof *a->waived);
    assert_int_equal(a->final.rank, b->final.rank);
    assert_int_equal(a->final.rounds, b->final.rounds);
    assert_true(a->final.sustained_us == b->final.sustained_us);
    assert_true(a->final.ratio == b->final.ratio && a->final.high == b->final.high);
    assert_true(isinf(a->final.high) || a->final.low == b->final.low);
    assert_memory_equal(&a->resources, &b->resources,
                        offsetof(struct hone_resources, estimated));
    assert_int_equal(a->resources.estimated, b->resources.estimated);
    assert_int_equal(a->metric_count, b->metric_count);
    for (size_t i = 0; i < a->metric_count; i++) {
        assert_string_equal(a->metrics[i].name, b->metrics[i].name);
        assert_close(a->metrics[i].value, b->metrics[i].value, 5e-9);
    }
    assert_int_equal(hone_trial_counter_count(a), hone_trial_counter_count(b));
    for (size_t i = 0; a->counters[i].name; i++) {
        assert_string_equal(a->counters[i].name, b->counters[i].name);
        assert_string_equal(a->counters[i].unit, b->counters[i].unit);
        assert_close(a->counters[i].value, b->counters[i].value, 5e-9);
    }
    assert_memory_equal(a->place, b->place, sizeof *a->place);
    assert_string_equal(a->reason, b->reason);
}

static void append_all(struct hone_journal *journal,
                       const struct hone_recording *recording)
{
    struct hone_error err = {0};
    for (size_t i = 0; i < hone_recording_count(recording); i++) {
        uint16_t choices[32];
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        hone_space_choices(hone_recording_space(recording), trial->index, choices);
        assert_ok(hone_journal_append(journal, trial, choices, &err), err);
    }
}

static void trials_roundtrip_and_rewrite_the_same(void **state)
{
    (void)state;
    struct hone_rng rng;
    hone_rng_seed(&rng, 11);
    struct hone_record_info info = small_info();
    for (int round = 0; round < 200; round++) {
        struct hone_error err = {0};
        struct hone_journal *journal = NULL;
        struct hone_trial_notes notes[4];
        struct hone_trial trials[4];
        assert_ok(hone_journal_create(&journal, path, &info, 0, &err), err);
        for (size_t i = 0; i < 4; i++) {
            trials[i] = random_trial(&rng, &notes[i]);
            assert_ok(hone_journal_append(journal, &trials[i], choices_of[i], &err), err);
        }
        assert_ok(hone_journal_close(journal, &err), err);
        struct hone_recording *recording = load();
        char *first = contents();
        unlink(path);
        for (size_t i = 0; i < 4; i++)
            assert_same_trial(&trials[i], hone_recording_trial(recording, i));
        assert_ok(
            hone_journal_create(&journal, path, hone_recording_info(recording), 0, &err),
            err);
        append_all(journal, recording);
        assert_ok(hone_journal_close(journal, &err), err);
        char *second = contents();
        assert_string_equal(first, second);
        hone_recording_free(recording);
        unlink(path);
        free(first);
        free(second);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test_teardown(every_info_roundtrips, clean),
    cmocka_unit_test_teardown(trials_roundtrip_and_rewrite_the_same, clean),
};
HONE_TEST_MAIN_WITH(tests, setup, teardown)
