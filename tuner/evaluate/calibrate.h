/* Calibration: what a few measured times of a kernel say about the predictions of all its
 * configurations. Pure numbers: points in, coefficients out. Docs: docs/emulator.md. */
#ifndef HONE_CALIBRATE_H
#define HONE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/trial.h"

/* What the correction may depend on, as natural logarithms: the prediction itself, how
 * far latency rules over the busiest pipe, and the warps of a block. */
enum { HONE_CALIBRATION_FEATURES = 3, HONE_CALIBRATION_MIN_POINTS = 4 };

struct hone_calibration_point {
    double feature[HONE_CALIBRATION_FEATURES];
    double predicted_us;
    double measured_us; /* not read where a time is only predicted */
};

/* ln(measured / predicted) = shift + sum of weight * (feature - mean) */
struct hone_calibration {
    size_t points; /* it was fitted to */
    double shift;
    double mean[HONE_CALIBRATION_FEATURES], weight[HONE_CALIBRATION_FEATURES];
};

/* The point of a trial that an emulated device predicted; false when it lacks a figure or
 * one is not positive. measured_us becomes the trial's time_us. */
bool hone_calibration_point(struct hone_calibration_point *out,
                            const struct hone_trial *trial);

/* False when there are fewer than HONE_CALIBRATION_MIN_POINTS or a figure is not positive
 * and finite. */
bool hone_calibration_fit(struct hone_calibration *out,
                          const struct hone_calibration_point *points, size_t count);

/* The time of a point, in microseconds. */
double hone_calibration_apply(const struct hone_calibration *calibration,
                              const struct hone_calibration_point *point);

#endif
