// From journals to rows: which trial stands for each device and problem. Everything that
// decides is in the journals, so that neither their order nor their paths show in the
// header.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "emit_plan.h"
#include "expr/value_text.h"

enum hone_status hone_emit_no_memory(const struct emit_plan *plan)
{
    return hone_no_memory(plan->err, "emitting a header");
}

bool hone_emit_is_untuned(const struct hone_record_info *info)
{
    return info->objective && strcmp(info->objective, EMIT_UNTUNED) == 0;
}

const char *hone_emit_journal(const struct emit_plan *plan)
{
    return hone_emit_is_untuned(plan->info)
               ? NULL
               : hone_recording_path(plan->rows[0].recording);
}

double hone_emit_cost(const struct emit_plan *plan, const struct hone_trial *trial)
{
    const bool predicted = plan->times == HONE_TIME_PREDICTED;
    // in a journal of both kinds, times of the other one compare with nothing
    if (trial->outcome != HONE_VALID || (trial->kind == HONE_TIME_PREDICTED) != predicted)
        return (double)NAN;
    return predicted ? trial->predicted_us : hone_trial_cost(trial);
}

double hone_emit_time(const struct emit_plan *plan, const struct hone_trial *trial)
{
    return plan->times == HONE_TIME_PREDICTED ? trial->predicted_us : trial->time_us;
}

/* --- a candidate of each journal --- */

static const struct hone_trial *find_default(const struct emit_plan *plan,
                                             const struct hone_recording *recording)
{
    const struct hone_trial *trial = hone_recording_default(recording);
    return trial && isfinite(hone_emit_cost(plan, trial)) ? trial : NULL;
}

static double weight_of(const struct hone_recording *recording)
{
    const double weight = hone_recording_info(recording)->weight;
    return weight > 0 ? weight : 1;
}

static enum hone_status add_candidate(struct emit_plan *plan,
                                      const struct hone_recording *recording)
{
    struct emit_row row = {.recording = recording,
                           .weight = weight_of(recording),
                           .info = hone_recording_info(recording),
                           .journals = 1,
                           .evaluated = hone_recording_count(recording)};
    for (size_t i = 0; i < row.evaluated; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, i);
        double cost = hone_emit_cost(plan, trial);
        if (!isfinite(cost)) continue;
        row.valid++;
        double best = row.best ? hone_emit_cost(plan, row.best) : (double)INFINITY;
        if (cost < best || (cost == best && hone_trial_break_tie(trial, row.best) < 0))
            row.best = trial;
    }
    if (row.info->evaluated > row.evaluated) { // the journal keeps the fastest alone
        const uint64_t all = row.info->evaluated, valid = row.info->evaluated_valid;
        row.evaluated = (size_t)all;
        row.valid = (size_t)(valid < all ? valid : all);
    }
    if (!row.best) return HONE_OK;
    const struct hone_trial *winner = hone_recording_winner(recording);
    if (winner && isfinite(hone_emit_cost(plan, winner))) row.best = winner;
    row.baseline = find_default(plan, recording);
    row.choices =
        hone_arena_array(&plan->arena, row.info->param_count, sizeof *row.choices);
    if (!row.choices) return hone_emit_no_memory(plan);
    hone_space_choices(hone_recording_space(recording), row.best->index, row.choices);
    plan->rows[plan->row_count++] = row;
    return HONE_OK;
}

/* --- the order of rows --- */

static int compare_texts(const char *a, const char *b)
{
    if (!a || !b) return (a != NULL) - (b != NULL);
    return strcmp(a, b);
}

int hone_emit_compare_values(struct hone_value a, struct hone_value b)
{
    double x = 0, y = 0;
    if (a.type == HONE_INT && b.type == HONE_INT) return (a.i > b.i) - (a.i < b.i);
    if (hone_value_to_double(a, &x) && hone_value_to_double(b, &y) && x != y)
        return x < y ? -1 : 1;
    if (a.type != b.type) return a.type < b.type ? -1 : 1;
    if (a.type == HONE_STRING) return strcmp(a.s, b.s);
    return a.type == HONE_BOOL ? a.b - b.b : 0;
}

int hone_emit_compare_devices(const struct hone_record_info *a,
                              const struct hone_record_info *b)
{
    static const struct hone_limits unknown;
    const struct hone_limits *x = a->limits ? a->limits : &unknown;
    const struct hone_limits *y = b->limits ? b->limits : &unknown;
    if (x->cc_major != y->cc_major) return x->cc_major < y->cc_major ? -1 : 1;
    if (x->cc_minor != y->cc_minor) return x->cc_minor < y->cc_minor ? -1 : 1;
    if (x->sm_count != y->sm_count) return x->sm_count < y->sm_count ? -1 : 1;
    return compare_texts(a->device_name, b->device_name);
}

static bool is_number(struct hone_value value)
{
    return value.type == HONE_INT || value.type == HONE_FLOAT;
}

// Device, then problem, its texts and booleans first: rows that are equal here are one
// row.
static int compare_keys(const struct emit_row *a, const struct emit_row *b)
{
    int order = hone_emit_compare_devices(a->info, b->info);
    for (int numbers = 0; numbers < 2; numbers++)
        for (size_t i = 0; i < a->info->problem_count && !order; i++) {
            const struct hone_value x = a->problem[i].value;
            if (is_number(x) != numbers) continue;
            order = hone_emit_compare_values(x, b->problem[i].value);
        }
    return order;
}

static int compare_configs(const struct emit_row *a, const struct emit_row *b)
{
    int order = 0;
    for (size_t i = 0; i < a->info->param_count && !order; i++)
        order = hone_emit_compare_values(a->info->params[i].values[a->choices[i]],
                                         b->info->params[i].values[b->choices[i]]);
    return order;
}

// Last resort between equal results: anything that would show in the header.
static int compare_origins(const struct hone_record_info *a,
                           const struct hone_record_info *b)
{
    int order = compare_texts(a->strategy, b->strategy);
    if (!order) order = (a->seed > b->seed) - (a->seed < b->seed);
    if (!order) order = compare_texts(a->driver, b->driver);
    if (!order) order = compare_texts(a->nvrtc_version, b->nvrtc_version);
    if (!order) order = compare_texts(a->space_hash, b->space_hash);
    if (!order) order = compare_texts(a->options_hash, b->options_hash);
    if (!order) order = compare_texts(a->hone_version, b->hone_version);
    if (!order) order = compare_texts(a->template_name, b->template_name);
    if (!order && a->limits && b->limits)
        order = memcmp(a->limits, b->limits, sizeof *a->limits);
    return order;
}

// One size has several spellings: 2, 2.0, and 0.0, -0.0.
static int compare_spellings(const struct hone_record_info *a,
                             const struct hone_record_info *b)
{
    int order = 0;
    for (size_t i = 0; i < a->problem_count && !order; i++) {
        char x[HONE_NUMBER_TEXT], y[HONE_NUMBER_TEXT];
        order = strcmp(hone_value_in_full(x, a->problem[i].value),
                       hone_value_in_full(y, b->problem[i].value));
    }
    return order;
}

static int compare_figures(double a, double b)
{
    if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
    return (a > b) - (a < b);
}

static double cost_of(const struct hone_trial *trial)
{
    return trial ? hone_trial_cost(trial) : (double)INFINITY;
}

static int compare_rows(const void *left, const void *right)
{
    const struct emit_row *a = left, *b = right;
    int order = compare_keys(a, b);
    if (!order)
        order = compare_figures(hone_trial_cost(a->best), hone_trial_cost(b->best));
    if (!order) order = compare_configs(a, b);
    if (!order) order = compare_figures(a->best->rel_std, b->best->rel_std);
    if (!order)
        order =
            (a->best->samples > b->best->samples) - (a->best->samples < b->best->samples);
    if (!order) order = compare_figures(cost_of(a->baseline), cost_of(b->baseline));
    if (!order) order = compare_spellings(a->info, b->info);
    if (!order) order = compare_origins(a->info, b->info);
    return order;
}

// Sorted rows with equal keys: the first is the best, the others add to its counts.
static enum hone_status merge_rows(struct emit_plan *plan)
{
    const size_t count = plan->row_count;
    const struct emit_row *members = plan->rows;
    struct emit_row *rows = hone_arena_dup(&plan->arena, members, count * sizeof *rows);
    size_t kept = 0;
    if (!rows) return hone_emit_no_memory(plan);
    for (size_t i = 0; i < count; i++) {
        const struct emit_row *row = &members[i];
        if (!i || compare_keys(&rows[kept - 1], row) != 0) {
            rows[kept] = *row;
            rows[kept++].members = row;
            continue;
        }
        struct emit_row *last = &rows[kept - 1];
        last->journals++;
        last->evaluated += row->evaluated;
        last->valid += row->valid;
    }
    plan->rows = rows;
    plan->row_count = kept;
    return HONE_OK;
}

static enum hone_status nothing_valid(const struct emit_plan *plan,
                                      const struct hone_recording *const *recordings,
                                      size_t count)
{
    size_t trials = 0;
    const struct hone_recording *of = recordings[0];
    const struct hone_trial *last = NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t here = hone_recording_count(recordings[i]);
        if (!here) continue;
        trials += here;
        of = recordings[i];
        last = hone_recording_trial(of, here - 1);
    }
    if (!last)
        return hone_fail_at(plan->err, HONE_EINPUT, hone_recording_path(of), 1,
                            "this journal has no trial: there is nothing to emit");
    return hone_fail_at(plan->err, HONE_EINPUT, hone_recording_path(of), (int)last->line,
                        "none of %zu trials is valid, so that there is nothing to emit; "
                        "the last: %s%s%.200s",
                        trials, hone_outcome_name(last->outcome),
                        *last->reason ? ": " : "", last->reason);
}

enum hone_status hone_emit_make_rows(struct emit_plan *plan,
                                     const struct hone_recording *const *recordings,
                                     size_t count, bool accept_predicted)
{
    if (!count) return hone_fail(plan->err, HONE_EUSAGE, "no journal to emit from");
    enum hone_status status =
        hone_emit_check_journals(plan, recordings, count, accept_predicted);
    plan->rows = hone_arena_array(&plan->arena, count, sizeof *plan->rows);
    if (status == HONE_OK && !plan->rows) status = hone_emit_no_memory(plan);
    for (size_t i = 0; i < count && status == HONE_OK; i++)
        status = add_candidate(plan, recordings[i]);
    if (status != HONE_OK) return status;
    if (!plan->row_count) return nothing_valid(plan, recordings, count);
    status = hone_emit_type_problems(plan, recordings, count);
    if (status != HONE_OK) return status;
    qsort(plan->rows, plan->row_count, sizeof *plan->rows, compare_rows);
    plan->info = plan->rows[0].info;
    return merge_rows(plan);
}
