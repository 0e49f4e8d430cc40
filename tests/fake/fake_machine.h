/* A builder and a device without NVRTC and GPU, for testing what stands on them. A
 * "kernel" is a C function of this file, chosen by entry name and by the parameter MODE
 * that the source defines:
 *
 *     scale(const float *x, float *y, float *sum, int *count, float a, int n):
 *
 *         y[i] = a * x[i]; sum[i] += x[i]; count[i] = i
 *
 * The builder stands in for the floor build at link time. */
#ifndef FAKE_MACHINE_H
#define FAKE_MACHINE_H

#include "hone/build.h"
#include "hone/device.h"

/* What the kernel does. The reference always does RIGHT. */
enum fake_mode {
    FAKE_RIGHT,
    FAKE_NEARLY_RIGHT, /* y within a relative 1e-6 */
    FAKE_WRONG,        /* y[3] off by 0.25 */
    FAKE_WRONG_COUNT,  /* count[2] off by one */
    FAKE_PAST_END,     /* writes y[n] */
    FAKE_BEFORE_START, /* writes y[-1] */
    FAKE_UNWRITTEN,    /* leaves y[5] and count[5] */
    FAKE_CHANGES_INPUT,
    FAKE_NOT_A_NUMBER,
    FAKE_RAGGED_WRONG, /* wrong where n is no multiple of 4 */
    FAKE_ENDLESS,      /* the device gives up */
    FAKE_BROKEN,       /* does not compile */
    FAKE_HEAVY,        /* over the shared memory limit */
    FAKE_UNKNOWN,      /* the device cannot load it */
    FAKE_STICKY,       /* takes the device with it */
    FAKE_UNPLUGGED,    /* the device reports a status, not a fault */
    FAKE_MODES
};

struct fake_counts {
    size_t builds, launches, timings;
    size_t tickets, builds_held, modules, blocks; /* not yet released */
};
extern struct fake_counts fake_counts;

extern struct hone_builder fake_builder_object;
extern const struct hone_device_fns fake_device_fns;

/* Limits of the fake GPU: 1000 bytes of shared memory a block. */
void fake_device_init(struct hone_device *device, enum hone_clock clock);

extern enum fake_mode
    fake_reference_mode; /* FAKE_RIGHT unless a test breaks the reference */

#endif
