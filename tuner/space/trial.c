// Names of outcomes and objectives, what a fresh trial knows, what finals say of two.
#include "space/trial_keep.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
#define OUTCOME_NAME(name, text) [HONE_##name] = (text),
    HONE_OUTCOME_LIST(OUTCOME_NAME)
#undef OUTCOME_NAME
};

const char *hone_outcome_name(enum hone_outcome outcome)
{
    return (unsigned)outcome < HONE_OUTCOME_COUNT ? names[outcome] : "unknown";
}

enum hone_status hone_outcome_parse(enum hone_outcome *out, const char *name)
{
    for (size_t i = 0; i < HONE_OUTCOME_COUNT; i++) {
        if (strcmp(name, names[i]) != 0) continue;
        *out = (enum hone_outcome)i;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}

static const char *const kinds[] = {
#define KIND_NAME(name, text) [HONE_TIME_##name] = (text),
    HONE_TIME_KIND_LIST(KIND_NAME)
#undef KIND_NAME
};

const char *hone_time_kind_name(enum hone_time_kind kind)
{
    return kinds[kind];
}

const char *hone_time_kind_measured(enum hone_time_kind kind)
{
    return kind == HONE_TIME_PREDICTED ? "" : hone_time_kind_name(kind);
}

enum hone_status hone_time_kind_parse(enum hone_time_kind *out, const char *name)
{
    for (size_t i = 0; i < HONE_TIME_KIND_COUNT; i++) {
        const char *kind = hone_time_kind_measured((enum hone_time_kind)i);
        if (!*kind || strcmp(name, kind) != 0) continue;
        *out = (enum hone_time_kind)i;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}

static const struct {
    const char *name, *record;
} objectives[] = {
#define OBJECTIVE_NAMES(name, text, record) [HONE_OBJECTIVE_##name] = {text, record},
    HONE_OBJECTIVE_LIST(OBJECTIVE_NAMES)
#undef OBJECTIVE_NAMES
};

const char *hone_objective_name(enum hone_objective objective)
{
    return objectives[objective].name;
}

static const char predicted_record[] = "predicted_us";

const char *hone_objective_record(enum hone_objective objective,
                                  enum hone_time_kind times)
{
    return times == HONE_TIME_PREDICTED ? predicted_record : objectives[objective].record;
}

enum hone_time_kind hone_objective_times(const char *record)
{
    return record && strcmp(record, predicted_record) == 0 ? HONE_TIME_PREDICTED
                                                           : HONE_TIME_NONE;
}

enum hone_status hone_objective_parse(enum hone_objective *out, const char *name)
{
    for (size_t i = 0; i < HONE_OBJECTIVE_COUNT; i++) {
        if (strcmp(name, objectives[i].name) != 0) continue;
        *out = (enum hone_objective)i;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}

double hone_objective_cost(enum hone_objective objective, double time_us, double energy_j,
                           double flops)
{
    switch (objective) {
    case HONE_OBJECTIVE_ENERGY:
        return energy_j;
    case HONE_OBJECTIVE_EDP:
        return energy_j * time_us * 1e-6;
    case HONE_OBJECTIVE_FLOPS_PER_WATT:
        return energy_j / flops;
    case HONE_OBJECTIVE_TIME:
    case HONE_OBJECTIVE_COUNT:
        break;
    }
    return time_us;
}

static const struct hone_found nothing_found;
static const uint32_t nothing_waived[HONE_WAIVER_MAX];
static const struct hone_metric no_metrics[1];
static const struct hone_counted no_counters[1];

const struct hone_trial_place hone_nowhere;

struct hone_trial hone_trial_make(uint64_t index, enum hone_outcome outcome)
{
    double unknown = (double)NAN;
    return (struct hone_trial){
        .index = index,
        .outcome = outcome,
        .time_us = unknown,
        .predicted_us = unknown,
        .energy_j = unknown,
        .cost = unknown,
        .rel_std = unknown,
        .build_ms = unknown,
        .evaluate_ms = unknown,
        .drift = unknown,
        .resources = HONE_RESOURCES_UNKNOWN,
        .metrics = no_metrics,
        .counters = no_counters,
        .place = &hone_nowhere,
        .found = &nothing_found,
        .waived = nothing_waived,
        .fidelity = "",
        .reason = "",
        .compared = "",
    };
}

void hone_trial_refer(struct hone_trial *trial, const struct hone_trial_notes *notes)
{
    trial->metrics = notes->metrics;
    trial->counters = notes->counters;
    trial->found = &notes->found;
    trial->waived = notes->waived;
    trial->fidelity = notes->fidelity;
    trial->reason = notes->reason;
    trial->compared = notes->compared;
}

void hone_trial_note(const struct hone_trial *trial, struct hone_trial_notes *notes)
{
    assert(trial->metric_count <= HONE_METRIC_MAX);
    for (size_t i = 0; i < trial->metric_count; i++)
        notes->metrics[i] = trial->metrics[i];
    memcpy(notes->counters, trial->counters,
           (hone_trial_counter_count(trial) + 1) * sizeof *trial->counters);
    notes->found = *trial->found;
    memcpy(notes->waived, trial->waived, sizeof notes->waived);
    snprintf(notes->fidelity, sizeof notes->fidelity, "%s", trial->fidelity);
    snprintf(notes->reason, sizeof notes->reason, "%s", trial->reason);
    snprintf(notes->compared, sizeof notes->compared, "%s", trial->compared);
}

/* --- keeping --- */

// Most say nothing: that needs no memory.
static const char *keep_text(struct hone_arena *arena, const char *text)
{
    return *text ? hone_arena_strdup(arena, text) : "";
}

static const uint32_t *keep_waived(struct hone_arena *arena, const uint32_t *waived)
{
    const size_t size = sizeof nothing_waived;
    if (memcmp(waived, nothing_waived, size) == 0) return nothing_waived;
    return hone_arena_dup(arena, waived, size);
}

static const struct hone_found *keep_found(struct hone_arena *arena,
                                           const struct hone_found *found)
{
    const bool nothing = found->finding == HONE_FINDING_NONE && !found->line &&
                         !found->file[0] && !found->buffer[0];
    return nothing ? &nothing_found : hone_arena_dup(arena, found, sizeof *found);
}

enum hone_status hone_trial_keep(struct hone_trial *trial, struct hone_arena *arena,
                                 struct hone_error *err)
{
    struct hone_trial kept = *trial;
    const size_t size = trial->metric_count * sizeof *trial->metrics;
    const size_t counters = hone_trial_counter_count(trial);
    assert(trial->metric_count <= HONE_METRIC_MAX);
    kept.metrics = size ? hone_arena_dup(arena, trial->metrics, size) : no_metrics;
    kept.counters = counters ? hone_arena_dup(arena, trial->counters,
                                              (counters + 1) * sizeof *trial->counters)
                             : no_counters;
    kept.found = keep_found(arena, trial->found);
    kept.waived = keep_waived(arena, trial->waived);
    kept.fidelity = keep_text(arena, trial->fidelity);
    kept.reason = keep_text(arena, trial->reason);
    kept.compared = keep_text(arena, trial->compared);
    if (!kept.metrics || !kept.counters || !kept.found || !kept.waived ||
        !kept.fidelity || !kept.reason || !kept.compared)
        return hone_no_memory(err, "for what a trial says");
    *trial = kept;
    return HONE_OK;
}

double hone_trial_metric(const struct hone_trial *trial, const char *name, double absent)
{
    for (size_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, name) == 0) return trial->metrics[i].value;
    return absent;
}

size_t hone_trial_counter_count(const struct hone_trial *trial)
{
    size_t count = 0;
    while (trial->counters[count].name)
        count++;
    assert(count <= HONE_COUNTED_MAX);
    return count;
}

double hone_trial_counter(const struct hone_trial *trial, const char *name, double absent)
{
    for (const struct hone_counted *at = trial->counters; at->name; at++)
        if (strcmp(at->name, name) == 0) return at->value;
    return absent;
}

static bool is_equal_to_reference(const struct hone_trial *trial)
{
    return strcmp(trial->compared, "reference") == 0;
}

bool hone_trial_is_compared(const char **why, const struct hone_trial *trial)
{
    static const char no[] = "no: ";
    const bool says_no = strncmp(trial->compared, no, sizeof no - 1) == 0;
    *why = says_no ? trial->compared + sizeof no - 1 : NULL;
    return is_equal_to_reference(trial) || strcmp(trial->compared, "majority") == 0;
}

int hone_trial_break_tie(const struct hone_trial *a, const struct hone_trial *b)
{
    const char *why;
    const int more =
        (int)hone_trial_is_compared(&why, b) - (int)hone_trial_is_compared(&why, a);
    return more ? more : (a->index > b->index) - (a->index < b->index);
}

const char *hone_compared_text(char buf[HONE_COMPARED_MAX + 16],
                               const struct hone_trial *trial)
{
    const char *why;
    buf[0] = '\0';
    if (hone_trial_is_compared(&why, trial))
        strcpy(buf, is_equal_to_reference(trial) ? "equal to the reference's"
                                                 : "as the majority has them");
    else if (why)
        snprintf(buf, HONE_COMPARED_MAX + 16, "not compared: %s", why);
    return buf;
}

double hone_trial_cost(const struct hone_trial *trial)
{
    if (trial->outcome != HONE_VALID) return (double)INFINITY;
    if (trial->cost > 0) return trial->cost;
    double cost = isnan(trial->time_us) ? trial->predicted_us : trial->time_us;
    return isnan(cost) ? (double)INFINITY : cost;
}

// The base's ratio to itself is a median of exact ones, in memory and in a journal.
bool hone_finals_gain(struct hone_gain *out, const struct hone_trial *best,
                      const struct hone_trial *base)
{
    const struct hone_final *final = &best->final;
    if (!final->rank || !base->final.rank || base->final.ratio != 1) return false;
    *out =
        (struct hone_gain){.ratio = 1 / final->ratio,
                           .low = isfinite(final->high) ? 1 / final->high : (double)NAN,
                           .high = final->low > 0 ? 1 / final->low : (double)NAN,
                           .rounds = final->rounds};
    return true;
}
