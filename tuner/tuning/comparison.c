// A row measured again: what hone tune would do with its configuration, its neighbours in
// the space and the author's default, then the finals between them.
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "comparison_judge.h"
#include "expr/value_text.h"
#include "hone/strbuf.h"
#include "session/confirm.h"
#include "session/finals.h"
#include "target_script.h"
#include "tuning/target.h"

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

// "1000" and "1e3" are one size.
static bool is_same_size(const char *a, const char *b)
{
    struct hone_value value;
    if (hone_value_parse(&value, HONE_FLOAT, a) && hone_value_is(value, b)) return true;
    return strcmp(a, b) == 0;
}

// The value numbers of the shipped configuration; false with the reason where the space
// has not all of its values.
static bool find_choices(uint16_t *choices, struct hone_compared_row *row,
                         const struct hone_space *space)
{
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const struct hone_param *param = hone_space_param(space, i);
        const char *text = text_of(row->shipped->config, param->name);
        size_t v = 0;
        while (text && v < param->count && !hone_value_is(param->values[v], text))
            v++;
        if (!text || v == param->count) {
            snprintf(row->reason, sizeof row->reason,
                     "%s=%s is not in the space any more", param->name,
                     text ? text : "?");
            return false;
        }
        choices[i] = (uint16_t)v;
    }
    return true;
}

enum hone_status hone_comparison_find(bool *found, uint64_t *index,
                                      struct hone_compared_row *row,
                                      const struct hone_space *space,
                                      struct hone_error *err)
{
    uint16_t *choices = calloc(hone_space_param_count(space) + 1, sizeof *choices);
    *found = false;
    if (!choices) return hone_no_memory(err, "for a configuration");
    if (find_choices(choices, row, space)) {
        *found = hone_space_index(space, choices, index) == HONE_OK;
        if (!*found)
            snprintf(row->reason, sizeof row->reason, "a constraint now forbids it");
    }
    free(choices);
    return HONE_OK;
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

// At the tuned size, before they are timed against each other; the row comes first.
static enum hone_status compare_results(struct hone_evaluator *evaluator,
                                        struct hone_trial *trials, size_t count,
                                        struct hone_error *err)
{
    struct hone_confirm confirm = {0};
    if (!evaluator->fns->confirm) return HONE_OK;
    struct hone_confirm_round round = {.trials = trials, .count = count};
    return hone_confirm_trials(&confirm, &round, evaluator, err);
}

static void fail_row(struct hone_compared_row *row, const struct hone_trial *trial)
{
    row->verdict = HONE_VERDICT_FAILED;
    snprintf(row->reason, sizeof row->reason, "%s: %.400s",
             hone_outcome_name(trial->outcome), trial->reason);
}

static enum hone_status contend(struct hone_comparison *c, struct hone_target *target,
                                struct hone_compared_row *row, uint64_t shipped,
                                struct hone_error *err)
{
    uint64_t indices[HONE_CONTENDERS_MOST];
    struct hone_trial trials[HONE_CONTENDERS_MOST];
    const size_t count = choose(target, shipped, c->options->neighbours, indices);
    enum hone_status status = evaluate(target->evaluator, indices, count, trials, err);
    if (status != HONE_OK) return status;
    const struct hone_trial *self = hone_comparison_trial(trials, count, shipped);
    if (self->outcome != HONE_VALID) {
        fail_row(row, self);
        return HONE_OK;
    }
    size_t valid = sort_out(trials, indices, count);
    status = compare_results(target->evaluator, trials, valid, err);
    if (status != HONE_OK) return status;
    self = hone_comparison_trial(trials, valid, shipped);
    if (self->outcome != HONE_VALID) {
        fail_row(row, self);
        return HONE_OK;
    }
    memcpy(row->compared, self->compared, sizeof row->compared);
    valid = sort_out(trials, indices, valid);
    row->neighbours = valid - 1;
    if (!target->predicts && target->evaluator->fns->contest && valid > 1) {
        const struct hone_finals_options finals = {.seed = c->options->tuning.seed,
                                                   .seconds = SECONDS_OF_FINALS};
        status = hone_finals_hold(target->evaluator, &finals, trials, valid, err);
        if (status != HONE_OK) return status;
    }
    self = hone_comparison_trial(trials, valid, shipped);
    row->time_us = c->shipped.predicted ? self->predicted_us : self->time_us;
    row->ratio = hone_comparison_ratio(&c->shipped, row->shipped, self);
    row->verdict = hone_verdict_of(row->ratio, c->options->tolerance);
    return hone_comparison_find_rival(row, target->space, trials, valid, shipped, err);
}

/* --- what has changed --- */

static void note(struct hone_comparison *c, const char *what, const char *then,
                 const char *now)
{
    const size_t len = strlen(c->changes);
    if (!then || !now || strcmp(then, now) == 0 || strstr(c->changes, what)) return;
    snprintf(c->changes + len, sizeof c->changes - len, "%s%s %s -> %s", len ? "; " : "",
             what, then, now);
}

static enum hone_status fail_kernel(const struct hone_comparison *c, const char *now,
                                    struct hone_error *err)
{
    return hone_fail(err, HONE_EINPUT, "what was shipped is of kernel %s, %s is of %s",
                     c->shipped.kernel, c->options->tuning.script, now);
}

static enum hone_status note_changes(struct hone_comparison *c,
                                     const struct hone_target *target,
                                     struct hone_error *err)
{
    const struct hone_shipped *s = &c->shipped;
    const struct hone_record_info *now = &target->info;
    c->device = hone_arena_strdup(&c->shipped.arena, now->device_name);
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

static enum hone_status measure_with(struct hone_comparison *c,
                                     struct hone_compared_row *row,
                                     struct hone_target *target,
                                     const struct hone_tuning_options *options,
                                     struct hone_error *err)
{
    uint64_t shipped;
    enum hone_status status = hone_target_open(target, options, NULL, NULL, err);
    if (status == HONE_OK) status = note_changes(c, target, err);
    if (status != HONE_OK) return status;
    if (row->shipped->device && strcmp(row->shipped->device, c->device) != 0) {
        row->verdict = HONE_VERDICT_SKIPPED;
        snprintf(row->reason, sizeof row->reason, "of %s", row->shipped->device);
        return HONE_OK;
    }
    bool found;
    status = hone_comparison_find(&found, &shipped, row, target->space, err);
    if (status != HONE_OK) return status;
    if (!found) {
        row->verdict = HONE_VERDICT_FAILED;
        return HONE_OK;
    }
    status = contend(c, target, row, shipped, err);
    if (status == HONE_OK && c->clock_differs && row->verdict != HONE_VERDICT_FAILED) {
        row->verdict = HONE_VERDICT_AMBIGUOUS;
        snprintf(row->reason, sizeof row->reason, "times of two clocks do not compare");
    }
    return status;
}

// The sizes of the row come after what the caller sets; the copies live in *text.
static enum hone_status join_sets(struct hone_tuning_options *options,
                                  struct hone_script_set **set, char **text,
                                  const char *const *problem, struct hone_error *err)
{
    size_t count = 0, bytes = 1;
    for (; problem[count]; count++)
        bytes += strlen(problem[count]) + 1;
    char *p = *text = calloc(bytes, 1);
    *set = calloc(options->set_count + count + 1, sizeof **set);
    if (!*text || !*set) return hone_no_memory(err, "for problem sizes");
    if (options->set_count) memcpy(*set, options->set, options->set_count * sizeof **set);
    for (size_t i = 0; i < count; i++) {
        const size_t size = strlen(problem[i]) + 1;
        memcpy(p, problem[i], size);
        char *equals = strchr(p, '=');
        if (!equals || equals == p) // a text may be empty
            return hone_fail(err, HONE_EUSAGE, "a problem wants NAME=VALUE, got '%s'", p);
        *equals = '\0';
        (*set)[options->set_count + i] = (struct hone_script_set){p, equals + 1};
        p += size;
    }
    options->set = *set;
    options->set_count += count;
    return HONE_OK;
}

static enum hone_status measure_row(struct hone_comparison *c,
                                    struct hone_compared_row *row, struct hone_error *err)
{
    struct hone_tuning_options options = c->options->tuning;
    struct hone_target target = {.gpu_lock = -1};
    struct hone_script_set *set = NULL;
    char *text = NULL;
    enum hone_status status =
        join_sets(&options, &set, &text, row->shipped->problem, err);
    if (status == HONE_OK) status = measure_with(c, row, &target, &options, err);
    hone_target_close(&target);
    free(set);
    free(text);
    return status;
}

static void name_problem(struct hone_compared_row *row)
{
    size_t len = 0;
    for (size_t i = 0; row->shipped->problem[i] && len < sizeof row->problem; i++) {
        const int n = snprintf(row->problem + len, sizeof row->problem - len, "%s%s",
                               i ? " " : "", row->shipped->problem[i]);
        len += n > 0 ? (size_t)n : 0;
    }
}

// A size that the caller sets chooses among rows; a row without it takes it.
static bool is_chosen(const struct hone_comparison *c, struct hone_compared_row *row)
{
    const struct hone_tuning_options *o = &c->options->tuning;
    for (size_t i = 0; i < o->set_count; i++) {
        const char *size = text_of(row->shipped->problem, o->set[i].name);
        if (!size || is_same_size(size, o->set[i].value)) continue;
        row->verdict = HONE_VERDICT_SKIPPED;
        snprintf(row->reason, sizeof row->reason, "not of %s=%s", o->set[i].name,
                 o->set[i].value);
        return false;
    }
    return true;
}

static enum hone_status fail_chosen(const struct hone_comparison *c, const char *path,
                                    struct hone_error *err)
{
    struct hone_strbuf rows = HONE_STRBUF_INIT;
    for (size_t i = 0; i < c->shipped.count; i++)
        hone_strbuf_printf(&rows, "%s%s", i ? ", " : "", c->rows[i].problem);
    const enum hone_status status = hone_fail(
        err, HONE_EINPUT, "no row of '%s' has the sizes given by --set: there are %s",
        path, rows.len ? rows.data : "none");
    hone_strbuf_fini(&rows);
    return status;
}

// Before a size of another kernel is said to be unknown.
static enum hone_status check_kernel(const struct hone_comparison *c,
                                     struct hone_error *err)
{
    struct hone_workbench bench = {0};
    const struct hone_tuning_options *o = &c->options->tuning;
    enum hone_status status = hone_target_load_script(&bench, o, "emu:h200", err);
    if (status == HONE_OK && strcmp(bench.def.name, c->shipped.kernel) != 0)
        status = fail_kernel(c, bench.def.name, err);
    hone_workbench_close(&bench);
    return status;
}

static enum hone_status measure_all(struct hone_comparison *c, const char *path,
                                    struct hone_error *err)
{
    size_t skipped = 0, chosen = 0;
    c->rows = calloc(c->shipped.count + 1, sizeof *c->rows);
    if (!c->rows) return hone_no_memory(err, "for rows");
    for (size_t i = 0; i < c->shipped.count; i++) {
        struct hone_compared_row *row = &c->rows[i];
        row->shipped = &c->shipped.rows[i];
        name_problem(row);
        if (is_chosen(c, row)) {
            const enum hone_status status = measure_row(c, row, err);
            if (status != HONE_OK) return status;
            chosen++;
        }
        skipped += row->verdict == HONE_VERDICT_SKIPPED;
    }
    if (skipped < c->shipped.count) return HONE_OK;
    if (!chosen && c->shipped.count) return fail_chosen(c, path, err);
    return hone_fail(err, HONE_EINPUT, "no row of '%s' is of %s", path, c->device);
}

enum hone_status hone_comparison_run(struct hone_comparison *out, const char *path,
                                     const struct hone_comparison_options *options,
                                     struct hone_error *err)
{
    assert(options->tuning.script);
    assert(options->tolerance >= 0 && options->tolerance < 1);
    *out = (struct hone_comparison){.options = options};
    if (hone_replay_path(&options->tuning))
        return hone_fail(err, HONE_EUSAGE,
                         "a recording measures nothing: compare on a device");
    enum hone_status status = hone_shipped_load(&out->shipped, path, err);
    if (status == HONE_OK) status = check_kernel(out, err);
    return status == HONE_OK ? measure_all(out, path, err) : status;
}

void hone_comparison_fini(struct hone_comparison *comparison)
{
    hone_shipped_fini(&comparison->shipped);
    free(comparison->rows);
}
