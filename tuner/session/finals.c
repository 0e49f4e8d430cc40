#include "session/finals.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "standings.h"

// Rounds come in series, after each of which those who are clearly slower leave. 96
// rounds bring the interval of a ratio to 0.5 % at a noise of 1.5 % of each time.
enum { SERIES = 12, ROUNDS_MAX = 96 };

// A sustained time is of a quarter of a second, in which noise is gone: so fewer.
enum { SUSTAINED_SERIES = 6, SUSTAINED_ROUNDS_MAX = 24 };

// The shortest turn sees five windows of 50 ms. In later series the clock is known to
// stay: contenders are loaded anew, which does not tell the device.
static const double shortest_turn_s = 0.25, later_turn_s = 1;

// Half the width of the interval at which more rounds would not matter.
static const double narrow = 0.0025;

// The least margin of the shortlist, and how many spreads of the best it is.
static const double least_margin = 0.01, margin_per_noise = 2;

void hone_shortlist_add(struct hone_shortlist *list, const struct hone_trial *trial)
{
    const double cost = hone_trial_cost(trial);
    if (!isfinite(cost)) return;
    size_t at = list->count;
    while (at && cost < hone_trial_cost(&list->trials[at - 1]))
        at--;
    if (at == HONE_FINALS_MOST) return;
    if (list->count < HONE_FINALS_MOST) list->count++;
    memmove(&list->trials[at + 1], &list->trials[at],
            (list->count - 1 - at) * sizeof *list->trials);
    list->trials[at] = *trial;
}

struct hone_trial *hone_shortlist_find(struct hone_shortlist *list, uint64_t index)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->trials[i].index == index) return &list->trials[i];
    return NULL;
}

void hone_shortlist_remove(struct hone_shortlist *list, uint64_t index)
{
    struct hone_trial *trial = hone_shortlist_find(list, index);
    if (!trial) return;
    const size_t behind = list->count - 1 - (size_t)(trial - list->trials);
    memmove(trial, trial + 1, behind * sizeof *trial);
    list->count--;
}

void hone_shortlist_cut(struct hone_shortlist *list)
{
    if (!list->count) return;
    const struct hone_trial *best = &list->trials[0];
    const double noise = isfinite(best->rel_std) ? best->rel_std : 0;
    const double margin = fmax(least_margin, margin_per_noise * noise);
    const double limit = hone_trial_cost(best) * (1 + margin);
    while (list->count > HONE_FINALS_LEAST &&
           hone_trial_cost(&list->trials[list->count - 1]) > limit)
        list->count--;
}

struct finals {
    struct hone_evaluator *evaluator;
    struct hone_trial *trials;
    size_t count, base, rounds;
    uint64_t seed;
    bool sustained;
    double end_s;                   // when its time is over
    bool out[HONE_CONTENDERS_MOST]; // who does not take part any more
    struct hone_standing standings[HONE_CONTENDERS_MOST];
    double samples[ROUNDS_MAX * HONE_CONTENDERS_MOST];
    double scratch[ROUNDS_MAX];
};

static size_t turns_of_series(const struct finals *f)
{
    size_t count = 0;
    for (size_t i = 0; i < f->count; i++)
        count += !f->out[i];
    return count * SUSTAINED_SERIES;
}

// Seconds for each turn of the next series; 0: as the device likes.
static double turn_of_series(const struct finals *f)
{
    const double left_s = f->end_s - hone_clock_seconds();
    const double share_s = left_s / (double)turns_of_series(f);
    if (!f->sustained) return 0;
    if (f->rounds) return fmax(shortest_turn_s, fmin(share_s, later_turn_s));
    return isfinite(share_s) ? fmax(shortest_turn_s, share_s) : 0;
}

static bool is_over(const struct finals *f)
{
    const double least_s =
        f->sustained ? shortest_turn_s * (double)turns_of_series(f) : 0;
    return hone_clock_seconds() + least_s >= f->end_s;
}

// One more series for those who still take part.
static enum hone_status run_series(struct finals *f, struct hone_error *err)
{
    uint64_t indices[HONE_CONTENDERS_MOST];
    double series[SERIES * HONE_CONTENDERS_MOST];
    struct hone_contest contest = {.indices = indices,
                                   .rounds = f->sustained ? SUSTAINED_SERIES : SERIES,
                                   .seed = f->seed + f->rounds,
                                   .verify = f->rounds == 0,
                                   .sustained = f->sustained,
                                   .turn_s = turn_of_series(f)};
    for (size_t i = 0; i < f->count; i++)
        if (!f->out[i]) indices[contest.count++] = f->trials[i].index;
    enum hone_status status =
        f->evaluator->fns->contest(f->evaluator, &contest, series, err);
    if (status != HONE_OK) return status;
    for (size_t r = 0; r < contest.rounds; r++) {
        const double *from = &series[r * contest.count];
        double *to = &f->samples[(f->rounds + r) * f->count];
        for (size_t i = 0; i < f->count; i++)
            to[i] = f->out[i] ? (double)NAN : *from++;
    }
    f->rounds += contest.rounds;
    return HONE_OK;
}

static struct hone_rounds rounds_of(const struct finals *f)
{
    return (struct hone_rounds){
        .costs = f->samples, .rounds = f->rounds, .count = f->count, .base = f->base};
}

// Those clearly behind the best leave, but for the base. True when nobody is in doubt any
// more.
static bool thin_out(struct finals *f)
{
    const struct hone_rounds rounds = rounds_of(f);
    const size_t best = hone_standings(&rounds, f->standings, f->scratch);
    bool decided = true;
    for (size_t i = 0; i < f->count; i++) {
        const struct hone_ratio *ratio = &f->standings[i].to_best;
        if (i == best || f->out[i]) continue;
        const bool gone = !isfinite(f->standings[i].median);
        const bool behind = gone || ratio->low > 1;
        if (behind && i != f->base) f->out[i] = true;
        if (!behind && (ratio->high - ratio->low) / 2 > narrow) decided = false;
    }
    const struct hone_ratio *gain = &f->standings[best].to_base;
    return decided && (gain->high - gain->low) / 2 <= narrow * gain->median;
}

static struct hone_final final_of(const struct finals *f, size_t rank,
                                  const struct hone_standing *standing)
{
    const struct hone_ratio *ratio = &standing->to_base;
    return (struct hone_final){.rank = (uint32_t)rank + 1,
                               .rounds = (uint32_t)ratio->rounds,
                               .ratio = ratio->median,
                               .low = ratio->low,
                               .high = ratio->high,
                               .sustained_us = f->sustained ? standing->median : 0};
}

// A sustained time stands beside those of the search, which are not to be compared with
// it.
static void put_in_order(struct finals *f)
{
    struct hone_trial before[HONE_CONTENDERS_MOST];
    size_t order[HONE_CONTENDERS_MOST];
    memcpy(before, f->trials, f->count * sizeof *before);
    hone_standings_order(f->standings, before, f->count, order);
    for (size_t rank = 0; rank < f->count; rank++) {
        const struct hone_standing *standing = &f->standings[order[rank]];
        struct hone_trial *trial = &f->trials[rank];
        *trial = before[order[rank]];
        trial->drift = (double)NAN;
        if (!isfinite(standing->median)) continue;
        trial->final = final_of(f, rank, standing);
        if (!f->sustained)
            *(trial->cost > 0 ? &trial->cost : &trial->time_us) = standing->median;
    }
}

// Whoever the others are compared with has to be there: the first that is.
static void replace_lost_base(struct finals *f)
{
    if (isfinite(f->samples[f->base])) return;
    for (size_t i = 0; i < f->count; i++) {
        if (!isfinite(f->samples[i])) continue;
        f->base = i;
        return;
    }
}

// What ends a series early leaves those before it.
static enum hone_status hold(struct finals *f, struct hone_error *err)
{
    const size_t most = f->sustained ? SUSTAINED_ROUNDS_MAX : ROUNDS_MAX;
    enum hone_status status = HONE_OK;
    bool decided = false;
    while (status == HONE_OK && !decided && f->rounds < most) {
        status = run_series(f, err);
        if (status != HONE_OK) break;
        replace_lost_base(f);
        decided = thin_out(f) || is_over(f);
    }
    if (f->rounds) put_in_order(f);
    return status;
}

enum hone_status hone_finals_hold(struct hone_evaluator *evaluator,
                                  const struct hone_finals_options *options,
                                  struct hone_trial *trials, size_t count,
                                  struct hone_error *err)
{
    assert(count && count <= HONE_CONTENDERS_MOST && options->base < count);
    struct finals *f = calloc(1, sizeof *f);
    if (!f) return hone_no_memory(err, "for finals of %zu", count);
    *f = (struct finals){.evaluator = evaluator,
                         .trials = trials,
                         .count = count,
                         .base = options->base,
                         .seed = options->seed,
                         .sustained = options->sustained,
                         .end_s = hone_clock_seconds() + options->seconds};
    for (size_t i = 0; i < count; i++)
        trials[i].final = (struct hone_final){0};
    enum hone_status status = hold(f, err);
    free(f);
    return status;
}
