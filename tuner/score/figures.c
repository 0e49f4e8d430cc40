#include "score/figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

const size_t hone_marks[HONE_MARK_COUNT] = {25, 50, 100, HONE_MARK_LAST};

static void add_marks(struct hone_figures *f, const double *best, size_t budget,
                      double optimum)
{
    const double share = 1 / (double)f->repeats;
    for (size_t k = 0; k < HONE_MARK_COUNT; k++) {
        const bool reached = hone_marks[k] <= budget;
        const double cost = reached ? best[hone_marks[k] - 1] : (double)NAN;
        f->ratio[k] += share * optimum / cost;
        f->log_slowdown[k] += share * log(cost / optimum);
        f->near[k] += reached ? share * (cost <= HONE_NEAR * optimum) : (double)NAN;
    }
}

static void add_near(struct hone_figures *f, const double *best, size_t budget,
                     double optimum)
{
    size_t m = 0;
    while (m < budget && best[m] > HONE_NEAR * optimum)
        m++;
    f->spent += (double)(m < budget ? m + 1 : budget);
    f->nears += m < budget;
}

static double median_ratio(const struct hone_runs *runs, size_t strategy, size_t m,
                           double optimum, double *ratios)
{
    const size_t n = runs->repeats;
    for (size_t r = 0; r < n; r++)
        ratios[r] = optimum / hone_runs_best(runs, strategy, r)[m];
    hone_sort_doubles(ratios, n);
    return hone_sorted_median(ratios, n);
}

static enum hone_status make_curve(struct hone_figures *f, const struct hone_runs *runs,
                                   size_t strategy, double optimum,
                                   struct hone_error *err)
{
    double *ratios = calloc(runs->repeats, sizeof *ratios);
    if (!ratios) return hone_no_memory(err, "for a curve");
    for (size_t m = 0; m < HONE_MARK_LAST; m++)
        f->curve[m] = m < runs->budget ? median_ratio(runs, strategy, m, optimum, ratios)
                                       : (double)NAN;
    free(ratios);
    return HONE_OK;
}

enum hone_status hone_figures_init(struct hone_figures *f,
                                   const struct hone_landscape *landscape,
                                   const struct hone_runs *runs, size_t strategy,
                                   struct hone_error *err)
{
    const double optimum = landscape->cost[0], n = (double)runs->repeats;
    *f = (struct hone_figures){.repeats = runs->repeats};
    f->scores = calloc(runs->repeats, sizeof *f->scores);
    f->curve = calloc(HONE_MARK_LAST, sizeof *f->curve);
    enum hone_status status = f->scores && f->curve
                                  ? make_curve(f, runs, strategy, optimum, err)
                                  : hone_no_memory(err, "for %zu scores", runs->repeats);
    if (status != HONE_OK) {
        hone_figures_fini(f);
        return status;
    }
    for (size_t r = 0; r < runs->repeats; r++) {
        const double *best = hone_runs_best(runs, strategy, r);
        f->scores[r] = hone_baseline_score(&landscape->exact, optimum, best);
        f->score += f->scores[r] / n;
        f->compatible += hone_baseline_score(&landscape->compatible, optimum, best) / n;
        f->cpu_us += runs->cpu_us[strategy * runs->repeats + r] / n;
        add_marks(f, best, runs->budget, optimum);
        add_near(f, best, runs->budget, optimum);
    }
    return HONE_OK;
}

void hone_figures_fini(struct hone_figures *figures)
{
    free(figures->scores);
    free(figures->curve);
    memset(figures, 0, sizeof *figures);
}
