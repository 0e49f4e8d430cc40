/* The emulated devices, for the registry. */
#ifndef HONE_EMU_H
#define HONE_EMU_H

#include "hone/device.h"

/* emu:GPU for each GPU of gpu_table.h; runs the PTX of a build on the host and predicts
 * times. */
extern const struct hone_device_fns hone_device_emu;

/* Limits of emu:SPEC without opening it; EUSAGE with the known names for another one. */
enum hone_status hone_emu_limits(struct hone_limits *out, const char *spec,
                                 struct hone_error *err);
/* The i-th GPU's name, NULL past the last. */
const char *hone_emu_name(size_t i);

/* For tests: let "base" or "x86-64-v3" run what is loaded from now on; false when this
 * machine has no such executor. */
bool hone_emu_set_executor(struct hone_device *dev, const char *name);

#endif
