#include "insight/convergence.h"

#include <math.h>
#include <stdlib.h>

struct ordered {
    size_t trial;
    struct hone_first_line first;
};

static int by_line(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    return (x->first.line > y->first.line) - (x->first.line < y->first.line);
}

static double seconds_of(const struct hone_trial *trial)
{
    return ((isnan(trial->build_ms) ? 0 : trial->build_ms) +
            (isnan(trial->evaluate_ms) ? 0 : trial->evaluate_ms)) *
           1e-3;
}

enum hone_status hone_convergence_make(struct hone_convergence *out,
                                       const struct hone_recording *recording,
                                       struct hone_error *err)
{
    const size_t n = hone_recording_count(recording);
    double seconds = 0, best = INFINITY;
    struct ordered *order = calloc(n + 1, sizeof *order);
    *out = (struct hone_convergence){.points = calloc(n + 1, sizeof *out->points),
                                     .steps = calloc(n + 1, sizeof *out->steps)};
    if (!order || !out->points || !out->steps) {
        free(order);
        return hone_no_memory(err, "for %zu trials", n);
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (struct ordered){i, hone_recording_first(recording, i)};
    qsort(order, n, sizeof *order, by_line);
    for (size_t i = 0; i < n; i++) {
        const struct hone_trial *trial = hone_recording_trial(recording, order[i].trial);
        const double cost = order[i].first.cost;
        const bool is_best = cost < best;
        seconds += seconds_of(trial);
        if (is_best) {
            best = cost;
            out->steps[out->step_count++] = (struct hone_following_step){i + 1, cost};
        }
        out->points[out->count++] = (struct hone_convergence_point){.trial = trial,
                                                                    .cost = cost,
                                                                    .best = best,
                                                                    .is_best = is_best,
                                                                    .seconds = seconds};
    }
    free(order);
    return HONE_OK;
}

void hone_convergence_fini(struct hone_convergence *progress)
{
    free(progress->points);
    free(progress->steps);
    *progress = (struct hone_convergence){0};
}
