/* The energy of a launch by NVML's counter, which moves on a few times a second only: so
 * over many launches in a row. */
#ifndef HONE_DEVICE_ENERGY_H
#define HONE_DEVICE_ENERGY_H

#include "cuda_internal.h"

/* Joules of one launch of about each_us: launches without a pause, from a step of the
 * counter to the first one after energy_ms of kernel time; what the GPU draws anyway is
 * in it. Caches are as such a row leaves them. NAN where the counter does not move or a
 * launch fails, which *fault tells. */
double hone_cuda_count_energy(struct hone_device *dev, struct hone_module *module,
                              const struct hone_launch *launch, double each_us,
                              double energy_ms, struct hone_fault *fault);

#endif
