/* First lines and trials of journals as chance has them. */
#ifndef RECORD_RANDOM_H
#define RECORD_RANDOM_H

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "header.h"
#include "hone/rng.h"

/* What is drawn lives in the arena. */
struct draw {
    struct hone_arena arena;
    struct hone_rng rng;
};

static inline uint64_t below(struct draw *d, uint64_t count)
{
    return hone_rng_below(&d->rng, count);
}

// The first of these pieces may stand in names, more in expressions, all in remarks.
enum { OF_NAMES = 10, OF_TEXTS = 11, OF_REMARKS = 13 };

static inline char *random_of(struct draw *d, uint64_t count)
{
    static const char *const pieces[] = {
        "a",           "Z",        "\"",           "\\",
        " ",           "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x8e\x89",
        "/",           "0",        "\n",           "\x01",
        "\xe2\x80\xae"};
    char *text = hone_arena_strdup(&d->arena, "");
    for (uint64_t n = below(d, 9); n; n--)
        text = hone_arena_printf(&d->arena, "%s%s", text, pieces[below(d, count)]);
    return text;
}

static inline char *random_text(struct draw *d)
{
    return random_of(d, OF_TEXTS);
}

static inline char *random_name(struct draw *d)
{
    return random_of(d, OF_NAMES);
}

static inline char *maybe_text(struct draw *d)
{
    return below(d, 3) ? random_text(d) : NULL;
}

static inline double random_double(struct hone_rng *rng)
{
    double x = NAN;
    while (!isfinite(x)) {
        uint64_t bits = hone_rng_next(rng);
        memcpy(&x, &bits, sizeof x);
    }
    return hone_rng_below(rng, 2) ? x : (double)hone_rng_below(rng, 100) / 8;
}

static inline struct hone_value random_value(struct draw *d)
{
    switch (below(d, 4)) {
    case 0:
        return (struct hone_value){
            .type = HONE_INT, .i = (int64_t)(hone_rng_next(&d->rng) >> below(d, 64))};
    case 1:
        return (struct hone_value){.type = HONE_FLOAT, .f = random_double(&d->rng)};
    case 2:
        return (struct hone_value){.type = HONE_BOOL, .b = below(d, 2)};
    default:
        return (struct hone_value){.type = HONE_STRING, .s = random_name(d)};
    }
}

static inline bool equal_numbers(struct hone_value a, struct hone_value b)
{
    double x, y;
    bool numbers = a.type <= HONE_FLOAT && b.type <= HONE_FLOAT;
    return numbers && hone_value_to_double(a, &x) && hone_value_to_double(b, &y) &&
           x == y;
}

static inline void add_value(struct hone_value *values, size_t *count,
                             struct hone_value value)
{
    for (size_t i = 0; i < *count; i++)
        if (hone_value_same(values[i], value) || equal_numbers(values[i], value)) return;
    values[(*count)++] = value;
}

static inline struct hone_param *random_params(struct draw *d, size_t count)
{
    struct hone_param *list = hone_arena_array(&d->arena, count, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        struct hone_value *values = hone_arena_array(&d->arena, 6, sizeof *values);
        list[i].name = hone_arena_printf(&d->arena, "P%zu", i);
        list[i].values = values;
        for (uint64_t n = 1 + below(d, 6); n; n--)
            add_value(values, &list[i].count, random_value(d));
    }
    return list;
}

static inline const struct hone_map_def *maybe_map(struct draw *d)
{
    static const uint32_t promotions[] = {0, 64, 128, 256};
    if (below(d, 2)) return NULL;
    struct hone_map_def *map = hone_arena_alloc(&d->arena, sizeof *map);
    *map = (struct hone_map_def){.rank = 1 + (size_t)below(d, HONE_MAP_RANK_MAX),
                                 .modes = {.promotion = promotions[below(d, 4)],
                                           .nan_fill = (uint32_t)below(d, 2)}};
    for (size_t i = 0; i < map->rank; i++) {
        map->axes[i].size = random_text(d);
        map->axes[i].box = random_text(d);
        map->axes[i].stride = maybe_text(d);
    }
    return map;
}

static inline void random_lists(struct hone_record_info *info, struct draw *d)
{
    struct hone_constant *constants = hone_arena_array(&d->arena, 4, sizeof *constants);
    struct hone_derived *values = hone_arena_array(&d->arena, 4, sizeof *values);
    struct hone_record_arg *list = hone_arena_array(&d->arena, 4, sizeof *list);
    info->problem_count = (size_t)below(d, 5);
    info->derived_count = (size_t)below(d, 5);
    info->arg_count = (size_t)below(d, 5);
    for (size_t i = 0; i < 4; i++) {
        constants[i] = (struct hone_constant){hone_arena_printf(&d->arena, "c%zu", i),
                                              random_value(d)};
        values[i] = (struct hone_derived){hone_arena_printf(&d->arena, "d%zu", i),
                                          random_text(d), (int)below(d, 3)};
        list[i] = (struct hone_record_arg){random_name(d),
                                           random_name(d),
                                           random_name(d),
                                           random_text(d),
                                           maybe_text(d),
                                           maybe_map(d),
                                           below(d, 2) ? "zero" : NULL};
    }
    info->problem = constants;
    info->derived = values;
    info->args = list;
    uint16_t *choices = hone_arena_array(&d->arena, info->param_count, sizeof *choices);
    for (size_t i = 0; i < info->param_count; i++)
        choices[i] = (uint16_t)below(d, info->params[i].count);
    info->defaults = below(d, 2) ? choices : NULL;
    const char **names = hone_arena_array(&d->arena, 4, sizeof *names);
    info->define_count = (size_t)below(d, info->problem_count + 1);
    for (size_t i = 0; i < info->define_count; i++)
        names[i] = constants[info->define_count - 1 - i].name;
    info->defines = info->define_count || below(d, 2) ? names : NULL;
}

static inline void random_waivers(struct hone_record_info *info, struct draw *d)
{
    struct hone_waiver *list = hone_arena_array(&d->arena, HONE_WAIVER_MAX, sizeof *list);
    info->waiver_count = (size_t)below(d, HONE_WAIVER_MAX + 1);
    for (size_t i = 0; i < info->waiver_count; i++) {
        list[i].finding = (enum hone_finding)below(d, HONE_FINDING_COUNT);
        list[i].reason = random_of(d, OF_REMARKS);
        if (below(d, 2)) {
            list[i].file = hone_arena_printf(&d->arena, "a:%s", random_text(d));
            list[i].line = 1 + (uint32_t)below(d, INT32_MAX);
        } else {
            list[i].buffer = random_text(d);
        }
    }
    info->waivers = list;
}

static inline struct hone_record_info random_info(struct draw *d)
{
    struct hone_record_info info = {.kernel = random_name(d)};
    info.param_count = 1 + (size_t)below(d, 5);
    info.params = random_params(d, info.param_count);
    random_lists(&info, d);
    random_waivers(&info, d);
    for (size_t i = 0; i < hone_header_text_count; i++) {
        const char *text = maybe_text(d);
        memcpy((char *)&info + hone_header_texts[i].offset, &text, sizeof text);
    }
    for (size_t i = 0; i < 3; i++) {
        info.grid[i] = maybe_text(d);
        info.block[i] = maybe_text(d);
        info.cluster[i] = maybe_text(d);
    }
    info.complete = below(d, 2);
    info.launch_flags = (uint32_t)below(d, 4);
    info.seed = hone_rng_next(&d->rng) >> below(d, 64);
    info.space_count = hone_rng_next(&d->rng) >> below(d, 64);
    if (below(d, 2)) return info;
    struct hone_limits *limits = hone_arena_alloc(&d->arena, sizeof *limits);
    snprintf(limits->name, sizeof limits->name, "GPU \"%d\"", (int)below(d, 9));
    snprintf(limits->arch, sizeof limits->arch, "sm_90a");
#define RANDOM_LIMIT(field) limits->field = (int64_t)hone_rng_next(&d->rng);
    HONE_LIMITS_LIST(RANDOM_LIMIT)
#undef RANDOM_LIMIT
    limits->cc_major = (int64_t)below(d, 100);
    limits->cc_minor = (int64_t)below(d, 10);
    info.limits = limits;
    return info;
}

static inline double random_figure(struct hone_rng *rng)
{
    if (hone_rng_below(rng, 2)) return (double)NAN;
    return ldexp(1 + hone_rng_double(rng), (int)hone_rng_below(rng, 40) - 10);
}

static inline void random_found(struct hone_found *found, struct hone_rng *rng)
{
    found->finding = (enum hone_finding)hone_rng_below(rng, HONE_FINDING_COUNT);
    if (found->finding == HONE_FINDING_NONE) return;
    found->line = (uint32_t)hone_rng_below(rng, 3) * 1000;
    if (found->line) strcpy(found->file, "a:7 \"b\".cuh");
    if (hone_rng_below(rng, 2)) strcpy(found->buffer, "y");
}

static inline struct hone_trial random_trial(struct hone_rng *rng,
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

#endif
