// What the model misses, learnt from measured times: a Gaussian process over the
// logarithm of measured over predicted time (Rasmussen, Williams: Gaussian processes for
// machine learning, 2006, algorithm 2.1), whose inputs are what the emulator counted, so
// that kernels that load a GPU alike are corrected alike. Far from all points the
// correction is one factor, which changes no order.
#include "calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

enum { F = HONE_CALIBRATION_FEATURES, POINTS = HONE_CALIBRATION_MAX_POINTS };

// Relative to the variance of what is to be learnt: of measuring, and of what no count
// shows. Of a factor common to all kernels of a GPU hardly anything is known before.
static const double noise_variance = 0.1, factor_variance = 100;
// Matern's covariance falls over about this root mean square difference of the features.
static const double length = 2;
// A residual this many deviations off the median is taken as that far off.
static const double outlier = 3;

static double metric_of(const struct hone_trial *trial, const char *name)
{
    return hone_trial_metric(trial, name, 0);
}

static bool is_positive(double x)
{
    return isfinite(x) && x > 0;
}

static double largest(double a, double b)
{
    return a > b ? a : b;
}

bool hone_calibration_point(struct hone_calibration_point *out,
                            const struct hone_trial *trial)
{
    const double pipe = metric_of(trial, "pipe_cycles");
    const double blocks = metric_of(trial, "blocks_per_sm");
    const double warps = blocks * metric_of(trial, "warps_per_block");
    const double path = metric_of(trial, "path_cycles");
    const double issued = metric_of(trial, "issued_per_block");
    const double sm_us = metric_of(trial, "sm_us");
    const double memory_us = metric_of(trial, "l2_us") + metric_of(trial, "dram_us");
    const double wavefronts = metric_of(trial, "shared_wavefronts");
    *out = (struct hone_calibration_point){
        .feature = {log(warps) / 0.4, log(largest(trial->resources.registers, 1)) / 0.4,
                    metric_of(trial, "issue_cycles") / pipe / 0.2,
                    metric_of(trial, "alu_cycles") / pipe / 0.2,
                    metric_of(trial, "memory_cycles") / pipe / 0.2,
                    log(path / (pipe * blocks)) / 0.6,
                    metric_of(trial, "shared_per_block") / issued / 0.1,
                    metric_of(trial, "bank_conflicts") / largest(wavefronts, 1) / 0.15,
                    metric_of(trial, "active_lanes") / 32 / 0.15,
                    metric_of(trial, "divergent_share") / 0.02,
                    log(largest(memory_us / sm_us, 1e-3)) / 0.4},
        .predicted_us = trial->predicted_us,
        .measured_us = trial->time_us};
    return is_positive(out->predicted_us) && is_positive(pipe) && is_positive(path) &&
           is_positive(warps) && is_positive(issued) && is_positive(sm_us);
}

static double covariance(const double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < F; k++)
        sum += (a[k] - b[k]) * (a[k] - b[k]);
    const double gap = sqrt(3.0 * sum / F) / length;
    return (1 + gap) * exp(-gap) + factor_variance;
}

// ---- outliers ----

static double calibrate_median_of(const double *values, size_t count)
{
    double sorted[POINTS];
    memcpy(sorted, values, count * sizeof *values);
    hone_sort_doubles(sorted, count);
    return hone_sorted_median(sorted, count);
}

// Values become their distances from the median, which is returned. One time taken in
// another state of the GPU must not bend all predictions near it: what is far off is cut.
static double centre(double *values, size_t count)
{
    double apart[POINTS] = {0};
    const double median = calibrate_median_of(values, count);
    for (size_t i = 0; i < count; i++)
        apart[i] = fabs(values[i] -= median);
    const double most =
        outlier * 1.4826 * calibrate_median_of(apart, count); // of a normal variable
    for (size_t i = 0; i < count; i++)
        values[i] = fmin(fmax(values[i], -most), most);
    return median;
}

// ---- the fit ----

// a: lower triangle of a positive definite matrix, overwritten by its Cholesky factor;
// b: overwritten by the solution.
static void solve(double a[POINTS][POINTS], double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            for (size_t k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(a[i][i]) : a[i][j] / a[j][j];
        }
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

static bool are_usable(const struct hone_calibration_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_positive(points[i].measured_us) || !is_positive(points[i].predicted_us))
            return false;
        for (int k = 0; k < F; k++)
            if (!isfinite(points[i].feature[k])) return false;
    }
    return count >= HONE_CALIBRATION_MIN_POINTS && count <= POINTS;
}

bool hone_calibration_fit(struct hone_calibration *out,
                          const struct hone_calibration_point *points, size_t count)
{
    double a[POINTS][POINTS];
    *out = (struct hone_calibration){.points = count};
    if (!are_usable(points, count)) return false;
    for (size_t i = 0; i < count; i++) {
        memcpy(out->feature[i], points[i].feature, sizeof out->feature[i]);
        out->weight[i] = log(points[i].measured_us / points[i].predicted_us);
        for (size_t k = 0; k <= i; k++)
            a[i][k] = covariance(points[i].feature, points[k].feature);
        a[i][i] += noise_variance;
    }
    out->shift = centre(out->weight, count);
    solve(a, out->weight, count);
    return true;
}

double hone_calibration_apply(const struct hone_calibration *calibration,
                              const struct hone_calibration_point *point)
{
    double correction = calibration->shift;
    for (size_t i = 0; i < calibration->points; i++)
        correction +=
            calibration->weight[i] * covariance(calibration->feature[i], point->feature);
    return point->predicted_us * exp(correction);
}
