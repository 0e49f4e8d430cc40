// The interval is a two-level percentile bootstrap: spaces are drawn with replacement,
// and in each the runs (Efron, Tibshirani: An introduction to the bootstrap, 1993).
#include "score/summary.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/sort.h"
#include "hone/rng.h"

enum { RESAMPLES = 2000 };

// Scores a, or how far a is ahead of b: run r of both had the same seed.
static double resampled_score(const struct hone_figures *a, const struct hone_figures *b,
                              struct hone_rng *rng)
{
    double sum = 0;
    for (size_t i = 0; i < a->repeats; i++) {
        const size_t r = (size_t)hone_rng_below(rng, a->repeats);
        sum += a->scores[r] - (b ? b->scores[r] : 0);
    }
    return sum / (double)a->repeats;
}

// b is NULL, or the figures to subtract.
static enum hone_status bootstrap(struct hone_interval *interval,
                                  const struct hone_figures *const *a,
                                  const struct hone_figures *const *b, size_t count,
                                  uint64_t seed, struct hone_error *err)
{
    double *means = calloc(RESAMPLES, sizeof *means);
    if (!means) return hone_no_memory(err, "for the bootstrap");
    struct hone_rng rng;
    hone_rng_seed(&rng, seed);
    for (size_t i = 0; i < RESAMPLES; i++)
        for (size_t k = 0; k < count; k++) {
            const size_t space = (size_t)hone_rng_below(&rng, count);
            means[i] += resampled_score(a[space], b ? b[space] : NULL, &rng);
        }
    hone_sort_doubles(means, RESAMPLES);
    interval->low = means[RESAMPLES / 40] / (double)count;
    interval->high = means[RESAMPLES - 1 - RESAMPLES / 40] / (double)count;
    free(means);
    return HONE_OK;
}

static void add_space(struct hone_summary *s, const struct hone_figures *f, double share)
{
    s->score += share * f->score;
    s->compatible += share * f->compatible;
    s->cpu_us += share * f->cpu_us;
    for (size_t k = 0; k < HONE_MARK_COUNT; k++) {
        s->ratio[k] += share * f->ratio[k];
        s->slowdown[k] += share * f->log_slowdown[k];
        s->near[k] += share * f->near[k];
    }
}

enum hone_status hone_summary_make(struct hone_summary *s,
                                   const struct hone_figures *const *figures,
                                   size_t count, uint64_t seed, struct hone_error *err)
{
    assert(count > 0);
    double spent = 0;
    size_t nears = 0;
    *s = (struct hone_summary){.worst = figures[0]->score};
    for (size_t i = 0; i < count; i++) {
        add_space(s, figures[i], 1 / (double)count);
        spent += figures[i]->spent;
        nears += figures[i]->nears;
        if (figures[i]->score < s->worst) {
            s->worst = figures[i]->score;
            s->worst_space = i;
        }
    }
    for (size_t k = 0; k < HONE_MARK_COUNT; k++)
        s->slowdown[k] = exp(s->slowdown[k]);
    s->evaluations_to_near = nears ? spent / (double)nears : (double)INFINITY;
    return bootstrap(&s->interval, figures, NULL, count, seed, err);
}

enum hone_status hone_difference_make(struct hone_difference *d,
                                      const struct hone_figures *const *a,
                                      const struct hone_figures *const *b, size_t count,
                                      uint64_t seed, struct hone_error *err)
{
    *d = (struct hone_difference){0};
    for (size_t i = 0; i < count; i++)
        d->score += (a[i]->score - b[i]->score) / (double)count;
    return bootstrap(&d->interval, a, b, count, seed, err);
}
