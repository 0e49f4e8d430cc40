/* Calibration: what a few measured times of a kernel say about the predictions of all its
 * configurations. Pure numbers: points in, weights out. Docs: docs/emulator.md. */
#ifndef HONE_EVALUATE_CALIBRATE_H
#define HONE_EVALUATE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/trial.h"

/* More points cost builds and hardly better predictions. */
enum {
    HONE_CALIBRATION_FEATURES = 11,
    HONE_CALIBRATION_MIN_POINTS = 4,
    HONE_CALIBRATION_MAX_POINTS = 64
};

/* A configuration as the correction sees it. A difference of 1 in one feature is one that
 * tells kernels apart; which they are: calibrate.c. */
struct hone_calibration_point {
    double feature[HONE_CALIBRATION_FEATURES];
    double predicted_us;
    double measured_us; /* not read where a time is only predicted */
};

/* A correction of ln(time): shift + the sum of weight * covariance with each point. */
struct hone_calibration {
    size_t points; /* it was fitted to; with 0 it changes nothing */
    double shift;
    double feature[HONE_CALIBRATION_MAX_POINTS][HONE_CALIBRATION_FEATURES];
    double weight[HONE_CALIBRATION_MAX_POINTS];
};

/* The point of a trial that an emulated device predicted; false when it lacks a figure or
 * one is not positive. measured_us becomes the trial's time_us. */
bool hone_calibration_point(struct hone_calibration_point *out,
                            const struct hone_trial *trial);

/* False when there are fewer than HONE_CALIBRATION_MIN_POINTS, more than
 * HONE_CALIBRATION_MAX_POINTS, or a figure is not finite or a time not positive. */
bool hone_calibration_fit(struct hone_calibration *out,
                          const struct hone_calibration_point *points, size_t count);

/* The time of a point, in microseconds. */
double hone_calibration_apply(const struct hone_calibration *calibration,
                              const struct hone_calibration_point *point);

#endif
