/* From PTX to a module that runs, stage by stage. */
#ifndef HONE_DEVICE_EMU_PIPELINE_H
#define HONE_DEVICE_EMU_PIPELINE_H

#include "launch/emu_device.h"

/* All stages: module, which is zero, becomes one that runs. EINPUT with the PTX line for
 * text that is no PTX, EUNSUPPORTED for what the emulator lacks, ENOTFOUND without the
 * entry, ELIMIT where its variables do not fit. hone_emu_forget is due in every case. */
enum hone_status hone_emu_prepare(struct hone_emu_device *device,
                                  struct hone_module *module,
                                  const struct hone_build *build, const char *entry,
                                  struct hone_error *err);
/* The same as far as its instructions are known, whose registers are still numbers. */
enum hone_status hone_emu_decode_build(struct hone_emu_device *device,
                                       struct hone_module *module,
                                       const struct hone_build *build, const char *entry,
                                       struct hone_error *err);
/* The variable of device memory by that name, which has its place then; NULL: there is
 * none. */
enum hone_status hone_emu_place_variable(struct hone_emu_device *device,
                                         struct hone_module *module, const char *name,
                                         struct ptx_variable **out,
                                         struct hone_error *err);
/* Releases what the module holds, not the module. */
void hone_emu_forget(struct hone_emu_device *device, struct hone_module *module);

#endif
