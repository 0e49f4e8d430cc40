/* What PTX needs of a GPU, as far as it tells. */
#ifndef HONE_DEVICE_EMU_ESTIMATE_H
#define HONE_DEVICE_EMU_ESTIMATE_H

#include "decode/emu_code.h"
#include "hone/device.h"

/* The estimate of struct hone_device_fns. */
enum hone_status hone_emu_estimate(struct hone_device *dev,
                                   const struct hone_build *build, const char *entry,
                                   struct hone_ptx_estimate *out, struct hone_error *err);
/* Does it ask memory anew, in a loop, that other blocks may write meanwhile? */
bool hone_emu_may_wait(const struct hone_emu_code *code);

#endif
