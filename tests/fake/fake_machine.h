/* A builder and a device without NVRTC and GPU, for testing what stands on them. Its
 * "kernels" are C functions that do what scale_kernel.h says, by entry name and by the
 * MODE that the source defines. The builder stands in for the floor build at link time.
 */
#ifndef FAKE_MACHINE_H
#define FAKE_MACHINE_H

#include "fake/scale_kernel.h"

struct fake_counts {
    size_t builds, launches, timings;             /* equal builds in flight are one */
    size_t sustained;                             /* of the timings */
    double sustained_s;                           /* of the policy of the last one */
    const void *inputs[64];                       /* of each timing, a ring */
    size_t tickets, builds_held, modules, blocks; /* not yet released */
};
extern struct fake_counts fake_counts;

extern struct hone_builder fake_builder_object;
extern const struct hone_device_fns fake_device_fns;
/* What goes wrong with SCALE_LATE, by fake_counts.launches: y[3] from one launch to
 * another, and one takes the device with it; 0: never. */
struct fake_late {
    size_t wrong_from, wrong_to, lost_at;
};
extern struct fake_late fake_late;
/* Bit of each enum scale_mode whose kernel goes another way for other x. */
extern unsigned fake_steered_modes;

/* Limits of the fake GPU: 1000 bytes of shared memory a block. After a sticky fault all
 * that it does is EDEVICE. */
void fake_device_init(struct hone_device *device, enum hone_clock clock);

extern enum scale_mode fake_reference_mode; /* SCALE_RIGHT unless a test breaks it */

#endif
