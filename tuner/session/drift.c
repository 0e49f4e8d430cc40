#include "drift.h"

#include <math.h>
#include <stdlib.h>

#include "base/grow.h"
#include "standings.h"

// Rounds of three launches each: an odd number, and the median of seven ratios is within
// a third of the noise of one.
enum { ROUNDS = 7, LAUNCHES = 3, TOGETHER = 24 };

void hone_drift_fini(struct hone_drift *drift)
{
    free(drift->window);
    *drift = (struct hone_drift){0};
}

enum hone_status hone_drift_add(struct hone_drift *drift, const struct hone_trial *trial,
                                struct hone_error *err)
{
    if (!drift->every) return HONE_OK;
    drift->since++;
    if (!isfinite(hone_trial_cost(trial))) return HONE_OK;
    if (!HONE_GROW(&drift->window, &drift->cap, drift->count + 1, 64))
        return hone_no_memory(err, "for the session");
    drift->window[drift->count++] = *trial;
    return HONE_OK;
}

bool hone_drift_is_due(const struct hone_drift *drift)
{
    return drift->every && drift->since >= drift->every;
}

bool hone_drift_is_beyond(struct hone_drift *drift, double ratio)
{
    const bool was_off = drift->was_off;
    drift->was_off = fabs(ratio - 1) > drift->limit;
    return was_off || drift->was_off;
}

// What a contest of the default, which comes last, and of count trials says of them.
struct series {
    double costs[ROUNDS * (TOGETHER + 1)];
    double scratch[ROUNDS];
    struct hone_standing standings[TOGETHER + 1];
};

static enum hone_status hold(struct series *series, struct hone_evaluator *evaluator,
                             const struct hone_trial *first,
                             const struct hone_trial *trials, size_t count,
                             struct hone_error *err)
{
    uint64_t indices[TOGETHER + 1];
    for (size_t i = 0; i < count; i++)
        indices[i] = trials[i].index;
    indices[count] = first->index;
    const struct hone_contest contest = {
        .indices = indices, .count = count + 1, .rounds = ROUNDS, .seed = first->index};
    enum hone_status status =
        evaluator->fns->contest(evaluator, &contest, series->costs, err);
    const struct hone_rounds rounds = {
        .costs = series->costs, .rounds = ROUNDS, .count = count + 1, .base = count};
    if (status == HONE_OK) hone_standings(&rounds, series->standings, series->scratch);
    return status;
}

enum hone_status hone_drift_measure(struct hone_evaluator *evaluator,
                                    const struct hone_trial *first, double *ratio,
                                    struct hone_error *err)
{
    struct series series;
    *ratio = (double)NAN;
    enum hone_status status = hold(&series, evaluator, first, NULL, 0, err);
    if (status == HONE_OK) *ratio = series.standings[0].median / hone_trial_cost(first);
    return status;
}

enum hone_status hone_drift_repeat(struct hone_drift *drift,
                                   struct hone_evaluator *evaluator,
                                   const struct hone_trial *first, struct hone_error *err)
{
    struct series series;
    for (size_t at = 0; at < drift->count; at += TOGETHER) {
        struct hone_trial *trials = &drift->window[at];
        size_t n = drift->count - at;
        if (n > TOGETHER) n = TOGETHER;
        enum hone_status status = hold(&series, evaluator, first, trials, n, err);
        if (status != HONE_OK) return status;
        for (size_t i = 0; i < n; i++) {
            const struct hone_ratio *ratio = &series.standings[i].to_base;
            if (!ratio->rounds) continue;
            *(trials[i].cost > 0 ? &trials[i].cost : &trials[i].time_us) =
                ratio->median * hone_trial_cost(first);
            trials[i].samples = (uint32_t)ratio->rounds * LAUNCHES;
            trials[i].drift = series.standings[n].median / hone_trial_cost(first);
        }
    }
    return HONE_OK;
}

void hone_drift_clear(struct hone_drift *drift)
{
    drift->count = drift->since = 0;
}
