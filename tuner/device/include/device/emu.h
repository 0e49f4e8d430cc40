/* The emulated devices, for the registry. */
#ifndef HONE_DEVICE_EMU_H
#define HONE_DEVICE_EMU_H

#include "hone/device.h"

/* emu:GPU for each GPU of gpu_table.h; runs the PTX of a build on the host and predicts
 * times. */
extern const struct hone_device_fns hone_device_emu;

/* A checked launch in another order than the usual one has all blocks watched where
 * there are no more; of larger ones some are. */
enum { HONE_EMU_WATCHED_BLOCKS = 256 };

/* Limits of emu:SPEC without opening it; EUSAGE with the known names for another one. */
enum hone_status hone_emu_limits(struct hone_limits *out, const char *spec,
                                 struct hone_error *err);
/* The i-th GPU's name, NULL past the last. */
const char *hone_emu_name(size_t i);

/* What a stage of loading made of the kernel entry of a build, as text: stage is one of
 * hone_emu_stage_name, in their order. Fails as loading does. dev is an emulated one. */
struct hone_strbuf;
enum hone_status hone_emu_dump(struct hone_strbuf *out, struct hone_device *dev,
                               const struct hone_build *build, const char *entry,
                               const char *stage, struct hone_error *err);
const char *hone_emu_stage_name(size_t i); /* NULL past the last */

/* For tests: let "base" or "x86-64-v3" run what is loaded from now on; false when this
 * machine has no such executor. */
bool hone_emu_set_executor(struct hone_device *dev, const char *name);

/* When asynchronous work (cp.async, bulk copies) is made: as it is issued; at the wait
 * that needs it, with 0xff bytes in its place until then; or at a moment between that is
 * drawn, and then waits that may fail early do so often. All are legal, so a correct
 * kernel gives the same result. */
enum hone_emu_copy_time { HONE_EMU_COPY_EAGER, HONE_EMU_COPY_LAZY, HONE_EMU_COPY_RANDOM };

/* For tests, from now on: warps of launches take their turns from the last to the
 * first; lanes of a warp run apart (HONE_ORDER_LANES); registers of modules that are
 * loaded share no places. */
void hone_emu_set_reversed(struct hone_device *dev, bool reversed);
void hone_emu_set_scattered(struct hone_device *dev, bool scattered);
void hone_emu_set_own_places(struct hone_device *dev, bool own);
/* For tests: blocks that do more than so many things which others wait for, or wait
 * themselves, are not simulated. */
void hone_emu_set_most_moments(struct hone_device *dev, uint64_t most);

/* For launches from now on; eager when never called. */
void hone_emu_set_copy_time(struct hone_device *dev, enum hone_emu_copy_time when);

#endif
