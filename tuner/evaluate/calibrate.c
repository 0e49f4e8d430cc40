// The model's own rates, fitted to measured times: the logarithm of measured over
// predicted time by Gauss-Newton steps, with a penalty on each rate's distance from what
// was counted (Hoerl and Kennard, "Ridge Regression", Technometrics 1970). Without
// evidence the correction is one factor, which changes no order. The penalty is chosen by
// cross-validation.
#include "calibrate.h"

#include <math.h>
#include <string.h>

#include "queue.h"

enum { N = HONE_CALIBRATION_RATES, PATH = N - 1, STEPS = 6, FOLDS = 5 };

static double metric_of(const struct hone_trial *trial, const char *name)
{
    for (uint32_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, name) == 0) return trial->metrics[i].value;
    return 0.0;
}

static bool is_positive(double x)
{
    return isfinite(x) && x > 0;
}

static double join(double a, double b)
{
    return cbrt(a * a * a + b * b * b);
}

bool hone_calibration_point(struct hone_calibration_point *out,
                            const struct hone_trial *trial)
{
    *out = (struct hone_calibration_point){
        .cycles = {metric_of(trial, "issue_cycles"), metric_of(trial, "alu_cycles"),
                   metric_of(trial, "memory_cycles"), metric_of(trial, "path_cycles")},
        .blocks = metric_of(trial, "blocks_per_sm"),
        .sm_us = metric_of(trial, "sm_us"),
        .memory_us = join(metric_of(trial, "l2_us"), metric_of(trial, "dram_us")),
        .predicted_us = trial->predicted_us,
        .measured_us = trial->time_us};
    return is_positive(out->predicted_us) && is_positive(out->cycles[0]) &&
           is_positive(out->cycles[PATH]) && is_positive(out->sm_us) && out->blocks >= 1;
}

// ---- the model with other rates ----

// The busiest pipe, smoothly, so that every rate has a slope: 12 is close to the maximum.
static double pipe_of(const struct hone_calibration_point *point, const double *rate)
{
    double largest = 0.0, sum = 0.0;
    for (int k = 0; k < PATH; k++)
        largest = fmax(largest, point->cycles[k] * exp(rate[k]));
    for (int k = 0; k < PATH; k++)
        sum += pow(point->cycles[k] * exp(rate[k]) / largest, 12);
    return largest * pow(sum, 1.0 / 12);
}

static double block_cycles(const struct hone_calibration_point *point, const double *rate)
{
    return hone_emu_resident_cycles(floor(point->blocks), pipe_of(point, rate),
                                    point->cycles[PATH] * exp(rate[PATH]));
}

static double log_time(const struct hone_calibration_point *point, const double *rate)
{
    static const double counted[N] = {0};
    const double longer = block_cycles(point, rate) / block_cycles(point, counted);
    return log(point->predicted_us * join(point->sm_us * longer, point->memory_us) /
               join(point->sm_us, point->memory_us));
}

// ---- the fit ----

// Gauss-Jordan without pivots: a is positive definite, thanks to the penalty.
static void solve(double a[N][N], double b[N])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++) {
            if (k == i) continue;
            const double factor = a[k][i] / a[i][i];
            for (int m = 0; m < N; m++)
                a[k][m] -= factor * a[i][m];
            b[k] -= factor * b[i];
        }
    for (int i = 0; i < N; i++)
        b[i] /= a[i][i];
}

// Residual and slopes of a point.
static double linearise(const struct hone_calibration_point *point, const double *rate,
                        double slope[N])
{
    const double step = 1e-3, now = log_time(point, rate);
    for (int k = 0; k < N; k++) {
        double moved[N];
        memcpy(moved, rate, sizeof moved);
        moved[k] += step;
        slope[k] = (log_time(point, moved) - now) / step;
    }
    return log(point->measured_us) - now;
}

// What is fitted to: all points but every FOLDS-th.
struct fold {
    const struct hone_calibration_point *points;
    size_t count, left_out; /* left_out: FOLDS for none */
};

static bool is_in(const struct fold *fold, size_t i)
{
    return i % FOLDS != fold->left_out;
}

static void mean_of(const struct fold *fold, const struct hone_calibration *c,
                    double mean[N + 1])
{
    double slope[N], n = 0;
    memset(mean, 0, (N + 1) * sizeof *mean);
    for (size_t i = 0; i < fold->count; i++) {
        if (!is_in(fold, i)) continue;
        mean[N] += linearise(&fold->points[i], c->rate, slope);
        for (int k = 0; k < N; k++)
            mean[k] += slope[k];
        n++;
    }
    for (int k = 0; k <= N; k++)
        mean[k] /= n;
}

// One step of Gauss and Newton; the factor common to all points is left free.
static void improve(const struct fold *fold, struct hone_calibration *c)
{
    double a[N][N] = {{0}}, b[N], mean[N + 1];
    mean_of(fold, c, mean);
    for (int k = 0; k < N; k++) {
        a[k][k] = c->penalty;
        b[k] = -c->penalty * c->rate[k];
    }
    for (size_t i = 0; i < fold->count; i++) {
        double slope[N];
        if (!is_in(fold, i)) continue;
        const double residual = linearise(&fold->points[i], c->rate, slope) - mean[N];
        for (int k = 0; k < N; k++) {
            b[k] += (slope[k] - mean[k]) * residual;
            for (int m = 0; m < N; m++)
                a[k][m] += (slope[k] - mean[k]) * (slope[m] - mean[m]);
        }
    }
    solve(a, b);
    for (int k = 0; k < N; k++)
        c->rate[k] += fmin(0.5, fmax(-0.5, b[k]));
}

static void fit(const struct fold *fold, struct hone_calibration *c)
{
    double mean[N + 1];
    memset(c->rate, 0, sizeof c->rate);
    for (int step = 0; step < STEPS; step++)
        improve(fold, c);
    mean_of(fold, c, mean);
    c->shift = mean[N];
}

// Squared error of points that the fit has not seen.
static double held_out_error(const struct hone_calibration_point *points, size_t count,
                             double penalty)
{
    double sum = 0.0;
    for (size_t left_out = 0; left_out < FOLDS; left_out++) {
        const struct fold fold = {points, count, left_out};
        struct hone_calibration c = {.penalty = penalty};
        fit(&fold, &c);
        for (size_t i = left_out; i < count; i += FOLDS)
            sum += pow(
                log(points[i].measured_us / hone_calibration_apply(&c, &points[i])), 2);
    }
    return sum;
}

static double choose_penalty(const struct hone_calibration_point *points, size_t count)
{
    static const double penalties[] = {10.0, 3.0, 1.0, 0.3};
    double best = penalties[0], least = HUGE_VAL;
    if (count < 2 * FOLDS) return best; // too few to tell
    for (size_t i = 0; i < sizeof penalties / sizeof *penalties; i++) {
        const double error = held_out_error(points, count, penalties[i]);
        if (!(error < 0.98 * least)) continue; // a weaker one must show its worth
        least = error;
        best = penalties[i];
    }
    return best;
}

static bool are_usable(const struct hone_calibration_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct hone_calibration_point *p = &points[i];
        if (!is_positive(p->measured_us) || !is_positive(p->predicted_us) ||
            !is_positive(p->sm_us) || !isfinite(p->memory_us) || !(p->blocks >= 1))
            return false;
        for (int k = 0; k < N; k++)
            if (!isfinite(p->cycles[k])) return false;
    }
    return count >= HONE_CALIBRATION_MIN_POINTS;
}

bool hone_calibration_fit(struct hone_calibration *out,
                          const struct hone_calibration_point *points, size_t count)
{
    const struct fold all = {points, count, FOLDS};
    *out = (struct hone_calibration){.points = count};
    if (!are_usable(points, count)) return false;
    out->penalty = choose_penalty(points, count);
    fit(&all, out);
    return true;
}

double hone_calibration_apply(const struct hone_calibration *calibration,
                              const struct hone_calibration_point *point)
{
    return exp(calibration->shift + log_time(point, calibration->rate));
}
