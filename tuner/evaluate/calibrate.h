/* Calibration: what a few measured times of a kernel say about the predictions of all its
 * configurations. Pure numbers: points in, coefficients out. Docs: docs/emulator.md. */
#ifndef HONE_CALIBRATE_H
#define HONE_CALIBRATE_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/trial.h"

/* What is fitted: how much longer than counted a block takes for its issue slots, its
 * arithmetic, its loads and stores, and its path, as natural logarithms. */
enum { HONE_CALIBRATION_RATES = 4, HONE_CALIBRATION_MIN_POINTS = 4 };

struct hone_calibration_point {
    double cycles[HONE_CALIBRATION_RATES]; /* of a block, as counted */
    double blocks;                         /* resident on a multiprocessor */
    double sm_us, memory_us;               /* multiprocessors; L2 and DRAM together */
    double predicted_us;
    double measured_us; /* not read where a time is only predicted */
};

/* time = exp(shift) * the model's, with each kind of cycles times exp(rate) */
struct hone_calibration {
    size_t points; /* it was fitted to */
    double penalty;
    double shift;
    double rate[HONE_CALIBRATION_RATES];
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
