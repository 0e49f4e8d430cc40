// Names of outcomes, and trials with nothing known yet.
#include "hone/trial.h"

#include <math.h>
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

struct hone_trial hone_trial_make(uint64_t index, enum hone_outcome outcome)
{
    double unknown = (double)NAN;
    return (struct hone_trial){
        .index = index,
        .outcome = outcome,
        .time_us = unknown,
        .predicted_us = unknown,
        .rel_std = unknown,
        .build_ms = unknown,
        .evaluate_ms = unknown,
        .resources = HONE_RESOURCES_UNKNOWN,
    };
}

double hone_trial_cost(const struct hone_trial *trial)
{
    if (trial->outcome != HONE_VALID) return (double)INFINITY;
    double cost = isnan(trial->time_us) ? trial->predicted_us : trial->time_us;
    return isnan(cost) ? (double)INFINITY : cost;
}
