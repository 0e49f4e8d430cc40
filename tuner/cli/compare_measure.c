// A row measured again: what hone tune would do with its configuration, its neighbours in
// the space and the author's default, then the finals between them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "compare_command.h"
#include "session/confirm.h"
#include "session/finals.h"

// Two medians differ by more than this, or it is not worth a word (finals' own measure).
static const double equal = 0.005;

enum { SECONDS_OF_FINALS = 60 };

/* --- which configurations --- */

static const char *text_of(const char *const *pairs, const char *name)
{
    const size_t len = strlen(name);
    for (; *pairs; pairs++)
        if (strncmp(*pairs, name, len) == 0 && (*pairs)[len] == '=')
            return *pairs + len + 1;
    return NULL;
}

// Compiler options have 1 and 0 for true and false.
static bool says(const char *text, struct hone_value value)
{
    char printed[64];
    if (value.type == HONE_STRING) return strcmp(text, value.s) == 0;
    hone_value_print(printed, sizeof printed, value);
    return strcmp(text, printed) == 0 ||
           (value.type == HONE_BOOL && strcmp(text, value.b ? "1" : "0") == 0);
}

// The index of the shipped configuration; false with the reason where there is none now.
static bool find_config(const struct hone_space *space, struct compared_row *row,
                        uint64_t *index)
{
    uint16_t choices[256];
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        const char *text = text_of(row->shipped->config, param->name);
        size_t v = 0;
        while (text && v < param->count && !says(text, param->values[v]))
            v++;
        if (!text || v == param->count || i == 256) {
            snprintf(row->reason, sizeof row->reason,
                     "%s=%s is not in the space any more", param->name,
                     text ? text : "?");
            return false;
        }
        choices[i] = (uint16_t)v;
    }
    if (hone_space_index(space, choices, index) == HONE_OK) return true;
    snprintf(row->reason, sizeof row->reason, "a constraint now forbids it");
    return false;
}

// The row first, then the default, then neighbours: at most HONE_CONTENDERS_MOST.
static size_t choose(const struct hone_target *target, uint64_t shipped,
                     uint64_t neighbours, uint64_t *out)
{
    uint64_t around[HONE_CONTENDERS_MOST];
    size_t count = 0;
    out[count++] = shipped;
    if (target->bench.has_default && target->bench.default_index != shipped)
        out[count++] = target->bench.default_index;
    size_t found = hone_space_neighbours(target->space, shipped, HONE_ADJACENT, around,
                                         HONE_CONTENDERS_MOST);
    if (found > HONE_CONTENDERS_MOST) found = HONE_CONTENDERS_MOST;
    for (size_t i = 0; i < found && neighbours && count < HONE_CONTENDERS_MOST; i++) {
        if (around[i] == target->bench.default_index && target->bench.has_default)
            continue;
        out[count++] = around[i];
        neighbours--;
    }
    return count;
}

/* --- measuring --- */

static enum hone_status evaluate(struct hone_evaluator *evaluator,
                                 const uint64_t *indices, size_t count,
                                 struct hone_trial *trials, struct hone_error *err)
{
    const struct hone_evaluator_fns *fns = evaluator->fns;
    size_t sent = 0, done = 0;
    while (done < count) {
        enum hone_status status = HONE_OK;
        while (status == HONE_OK && sent < count &&
               sent - done < fns->capacity(evaluator))
            status = fns->submit(evaluator, indices[sent++], err);
        size_t got = 0;
        if (status == HONE_OK)
            status = fns->wait(evaluator, &trials[done], count - done, &got, err);
        if (status != HONE_OK) return status;
        done += got;
    }
    return HONE_OK;
}

// In the order of indices, whatever order they came in; the valid ones first.
static size_t sort_out(struct hone_trial *trials, const uint64_t *indices, size_t count)
{
    size_t valid = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t t = valid; t < count; t++) {
            if (trials[t].index != indices[i] || !isfinite(hone_trial_cost(&trials[t])))
                continue;
            const struct hone_trial swap = trials[valid];
            trials[valid++] = trials[t];
            trials[t] = swap;
            break;
        }
    return valid;
}

// It is among them.
static const struct hone_trial *find(const struct hone_trial *trials, size_t count,
                                     uint64_t index)
{
    size_t i = 0;
    while (i + 1 < count && trials[i].index != index)
        i++;
    return &trials[i];
}

/* --- judging --- */

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[] = {"SAME",      "FASTER", "SLOWER",
                                        "AMBIGUOUS", "FAILED", "SKIPPED"};
    return names[verdict];
}

enum verdict verdict_of(struct compared_ratio ratio, double tolerance)
{
    if (ratio.low > 1 + tolerance) return VERDICT_SLOWER;
    if (ratio.high < 1 - tolerance) return VERDICT_FASTER;
    if (ratio.low >= 1 - tolerance && ratio.high <= 1 + tolerance) return VERDICT_SAME;
    return VERDICT_AMBIGUOUS;
}

// The relative standard error of a median of normal samples, sqrt(pi / 2) s / sqrt(n), as
// in headers; NAN where it is not known.
static double error_of(double rel_std, uint32_t samples)
{
    return samples ? sqrt(acos(-1.0) / 2) * rel_std / sqrt((double)samples) : (double)NAN;
}

static struct compared_ratio ratio_to_shipped(const struct compare *c,
                                              const struct hone_shipped_row *shipped,
                                              const struct hone_trial *now)
{
    const bool predicted = c->shipped.predicted;
    const double then = shipped->time_us;
    const double ratio = (predicted ? now->predicted_us : now->time_us) / then;
    // six digits are what a header's comment holds
    if (predicted) return (struct compared_ratio){ratio, ratio - 1e-6, ratio + 1e-6};
    const double half = 1.96 * hypot(error_of(shipped->rel_std, shipped->samples),
                                     error_of(now->rel_std, now->samples));
    if (isnan(half)) return (struct compared_ratio){ratio, 0, (double)INFINITY};
    return (struct compared_ratio){ratio, ratio * (1 - half), ratio * (1 + half)};
}

static void describe(char *buf, size_t size, const struct hone_space *space,
                     uint64_t index)
{
    uint16_t choices[256];
    size_t len = 0;
    hone_space_choices(space, index, choices);
    for (size_t i = 0; i < hone_space_param_count(space) && len < size; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        char text[64];
        hone_value_print(text, sizeof text, param->values[choices[i]]);
        const int n =
            snprintf(buf + len, size - len, "%s%s=%s", i ? " " : "", param->name, text);
        len += n > 0 ? (size_t)n : 0;
    }
}

// Is one of the others faster than the row, by the finals or by prediction?
static void find_rival(struct compared_row *row, const struct hone_space *space,
                       const struct hone_trial *trials, size_t count, uint64_t shipped)
{
    const struct hone_trial *self = find(trials, count, shipped), *best = NULL;
    row->rival_ratio = (struct compared_ratio){1, 1, 1};
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *t = &trials[i];
        struct compared_ratio r = {t->final.ratio, t->final.low, t->final.high};
        if (!t->final.rank) {
            const double exact = hone_trial_cost(t) / hone_trial_cost(self);
            r = (struct compared_ratio){exact, exact, exact};
        }
        if (t == self || !(r.ratio < row->rival_ratio.ratio)) continue;
        row->rival_ratio = r;
        best = t;
    }
    row->overtaken = best && row->rival_ratio.high < 1 - equal;
    if (row->overtaken) describe(row->rival, sizeof row->rival, space, best->index);
}

// At the tuned size, before they are timed against each other; the row comes first.
static void compare_results(struct hone_evaluator *evaluator, struct hone_trial *trials,
                            size_t count)
{
    struct hone_confirm confirm = {0};
    if (!evaluator->fns->confirm) return;
    bool fresh[HONE_CONTENDERS_MOST], undecided;
    hone_confirm_trials(&confirm, evaluator, trials, count, fresh, &undecided);
}

static void fail_row(struct compared_row *row, const struct hone_trial *trial)
{
    row->verdict = VERDICT_FAILED;
    snprintf(row->reason, sizeof row->reason, "%s: %.400s",
             hone_outcome_name(trial->outcome), trial->reason);
}

static enum hone_status contend(struct compare *c, struct hone_target *target,
                                struct compared_row *row, uint64_t shipped,
                                struct hone_error *err)
{
    uint64_t indices[HONE_CONTENDERS_MOST];
    struct hone_trial trials[HONE_CONTENDERS_MOST];
    const size_t count = choose(target, shipped, c->args->neighbours, indices);
    enum hone_status status = evaluate(target->evaluator, indices, count, trials, err);
    if (status != HONE_OK) return status;
    const struct hone_trial *self = find(trials, count, shipped);
    if (self->outcome != HONE_VALID) {
        fail_row(row, self);
        return HONE_OK;
    }
    size_t valid = sort_out(trials, indices, count);
    compare_results(target->evaluator, trials, valid);
    self = find(trials, valid, shipped);
    if (self->outcome != HONE_VALID) {
        fail_row(row, self);
        return HONE_OK;
    }
    memcpy(row->compared, self->compared, sizeof row->compared);
    valid = sort_out(trials, indices, valid);
    row->neighbours = valid - 1;
    if (!target->predicts && target->evaluator->fns->contest && valid > 1) {
        const struct hone_finals_options finals = {.seed = c->args->seed,
                                                   .seconds = SECONDS_OF_FINALS};
        status = hone_finals_hold(target->evaluator, &finals, trials, valid, err);
        if (status != HONE_OK) return status;
    }
    self = find(trials, valid, shipped);
    row->time_us = c->shipped.predicted ? self->predicted_us : self->time_us;
    row->ratio = ratio_to_shipped(c, row->shipped, self);
    row->verdict = verdict_of(row->ratio, c->tolerance);
    find_rival(row, target->space, trials, valid, shipped);
    return HONE_OK;
}

/* --- what has changed --- */

static void note(struct compare *c, const char *what, const char *then, const char *now)
{
    const size_t len = strlen(c->changes);
    if (!then || !now || strcmp(then, now) == 0 || strstr(c->changes, what)) return;
    snprintf(c->changes + len, sizeof c->changes - len, "%s%s %s -> %s", len ? "; " : "",
             what, then, now);
}

static enum hone_status note_changes(struct compare *c, const struct hone_target *target,
                                     struct hone_error *err)
{
    const struct hone_shipped *s = &c->shipped;
    const struct hone_record_info *now = &target->info;
    c->device = hone_arena_strdup(&c->shipped.arena, now->device_name);
    if (strcmp(s->kernel, now->kernel) != 0)
        return hone_fail(err, HONE_EINPUT,
                         "what was shipped is of kernel %s, %s is of %s", s->kernel,
                         c->args->kernel, now->kernel);
    if (s->predicted != target->predicts)
        return hone_fail(err, HONE_EUSAGE, "%s %s times, and what was shipped is %s",
                         now->device_id, target->predicts ? "predicts" : "measures",
                         s->predicted ? "predicted" : "measured");
    note(c, "driver", s->driver, now->driver);
    note(c, "NVRTC", s->nvrtc, now->nvrtc_version);
    note(c, "hone", s->hone_version, now->hone_version);
    note(c, "template hash", s->template_hash, now->template_hash);
    note(c, "clock", s->clock, now->clock);
    c->clock_differs = s->clock && now->clock && strcmp(s->clock, now->clock) != 0;
    return HONE_OK;
}

static enum hone_status measure_with(struct compare *c, struct compared_row *row,
                                     struct hone_target *target,
                                     const struct hone_tuning_options *options,
                                     struct hone_error *err)
{
    uint64_t shipped;
    enum hone_status status = hone_target_open(target, options, NULL, NULL, err);
    if (status == HONE_OK) status = note_changes(c, target, err);
    if (status != HONE_OK) return status;
    if (row->shipped->device && strcmp(row->shipped->device, c->device) != 0) {
        row->verdict = VERDICT_SKIPPED;
        snprintf(row->reason, sizeof row->reason, "of %s", row->shipped->device);
        return HONE_OK;
    }
    if (!find_config(target->space, row, &shipped)) {
        row->verdict = VERDICT_FAILED;
        return HONE_OK;
    }
    status = contend(c, target, row, shipped, err);
    if (status == HONE_OK && c->clock_differs && row->verdict != VERDICT_FAILED) {
        row->verdict = VERDICT_AMBIGUOUS;
        snprintf(row->reason, sizeof row->reason, "times of two clocks do not compare");
    }
    return status;
}

// The sizes of the row come after what the user sets.
static enum hone_status join_sets(struct cli_list *out, const struct cli_list *set,
                                  const char *const *problem, struct hone_error *err)
{
    size_t count = 0;
    while (problem[count])
        count++;
    *out = (struct cli_list){calloc(set->count + count + 1, sizeof *out->items),
                             set->count + count};
    if (!out->items) return hone_fail(err, HONE_ENOMEM, "out of memory");
    if (set->count) memcpy(out->items, set->items, set->count * sizeof *set->items);
    memcpy(out->items + set->count, problem, count * sizeof *problem);
    return cli_sets_check(out, err);
}

enum hone_status compare_measure(struct compare *compare, struct compared_row *row,
                                 struct hone_error *err)
{
    const struct compare_args *a = compare->args;
    struct hone_tuning_options options = {.script = a->kernel, .seed = a->seed};
    struct hone_target target = {.gpu_lock = -1};
    struct hone_script_set *set = NULL;
    char *text = NULL;
    struct cli_list sets;
    enum hone_status status =
        join_sets(&sets, &a->script.set, row->shipped->problem, err);
    if (status == HONE_OK) status = cli_sets_split(&set, &text, &sets, err);
    options.set = set;
    options.set_count = sets.count;
    if (status == HONE_OK) status = cli_parse_clock(&options.clock, a->clock, err);
    if (status == HONE_OK)
        status = cli_parse_wish(&options.isolate, "isolate", a->isolate, err);
    if (status == HONE_OK)
        status = cli_tuning_options(&options, &a->script, &a->build, err);
    if (status == HONE_OK) status = measure_with(compare, row, &target, &options, err);
    hone_target_close(&target);
    free(set);
    free(text);
    free(sets.items);
    return status;
}
