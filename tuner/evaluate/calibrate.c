// Ridge regression of the logarithm of measured over predicted time. Features are
// standardised, so that the penalty draws all weights to zero alike: without evidence the
// correction is one factor, which changes no order. Hoerl and Kennard, "Ridge Regression"
// (Technometrics 1970).
#include "calibrate.h"

#include <math.h>
#include <string.h>

enum { N = HONE_CALIBRATION_FEATURES };

// Of the normal equations of standardised features: as if this many measured points had
// shown that no feature matters.
static const double penalty = 10.0;

static double metric_of(const struct hone_trial *trial, const char *name)
{
    for (uint32_t i = 0; i < trial->metric_count; i++)
        if (strcmp(trial->metrics[i].name, name) == 0) return trial->metrics[i].value;
    return 0.0;
}

static bool is_time(double us)
{
    return isfinite(us) && us > 0;
}

bool hone_calibration_point(struct hone_calibration_point *out,
                            const struct hone_trial *trial)
{
    const double path = metric_of(trial, "path_cycles");
    const double pipe = metric_of(trial, "pipe_cycles");
    const double blocks = metric_of(trial, "blocks_per_sm");
    const double warps = metric_of(trial, "warps_per_block");
    if (!is_time(trial->predicted_us) || path <= 0 || pipe <= 0 || blocks <= 0 ||
        warps <= 0)
        return false;
    *out = (struct hone_calibration_point){
        .feature = {log(trial->predicted_us), log(path / (blocks * pipe)), log(warps)},
        .predicted_us = trial->predicted_us,
        .measured_us = trial->time_us};
    return true;
}

static double target_of(const struct hone_calibration_point *point)
{
    return log(point->measured_us / point->predicted_us);
}

static bool are_usable(const struct hone_calibration_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!is_time(points[i].measured_us) || !is_time(points[i].predicted_us))
            return false;
        for (int k = 0; k < N; k++)
            if (!isfinite(points[i].feature[k])) return false;
    }
    return count >= HONE_CALIBRATION_MIN_POINTS;
}

// Means and standard deviations; a feature that does not vary gets deviation 0.
static void take_moments(struct hone_calibration *out, double deviation[N],
                         const struct hone_calibration_point *points, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out->shift += target_of(&points[i]) / (double)count;
        for (int k = 0; k < N; k++)
            out->mean[k] += points[i].feature[k] / (double)count;
    }
    for (int k = 0; k < N; k++) {
        double sum = 0.0;
        for (size_t i = 0; i < count; i++)
            sum += pow(points[i].feature[k] - out->mean[k], 2);
        deviation[k] = sqrt(sum / (double)count);
        if (deviation[k] <= 1e-9 * (1 + fabs(out->mean[k]))) deviation[k] = 0.0;
    }
}

static void normal_equations(double a[N][N], double b[N],
                             const struct hone_calibration *c, const double deviation[N],
                             const struct hone_calibration_point *points, size_t count)
{
    for (int k = 0; k < N; k++)
        a[k][k] = penalty;
    for (size_t i = 0; i < count; i++) {
        double z[N];
        for (int k = 0; k < N; k++)
            z[k] = deviation[k] > 0 ? (points[i].feature[k] - c->mean[k]) / deviation[k]
                                    : 0.0;
        for (int k = 0; k < N; k++) {
            b[k] += z[k] * (target_of(&points[i]) - c->shift);
            for (int m = 0; m < N; m++)
                a[k][m] += z[k] * z[m];
        }
    }
}

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

bool hone_calibration_fit(struct hone_calibration *out,
                          const struct hone_calibration_point *points, size_t count)
{
    double a[N][N] = {{0}}, b[N] = {0}, deviation[N];
    *out = (struct hone_calibration){.points = count};
    if (!are_usable(points, count)) return false;
    take_moments(out, deviation, points, count);
    normal_equations(a, b, out, deviation, points, count);
    solve(a, b);
    for (int k = 0; k < N; k++)
        out->weight[k] = deviation[k] > 0 ? b[k] / deviation[k] : 0.0;
    return true;
}

double hone_calibration_apply(const struct hone_calibration *calibration,
                              const struct hone_calibration_point *point)
{
    double correction = calibration->shift;
    for (int k = 0; k < N; k++)
        correction += calibration->weight[k] * (point->feature[k] - calibration->mean[k]);
    return point->predicted_us * exp(correction);
}
