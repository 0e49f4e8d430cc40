/* The module that was unloaded last, for the next load of the same text. */
#ifndef HONE_DEVICE_EMU_KEPT_H
#define HONE_DEVICE_EMU_KEPT_H

#include "launch/emu_device.h"

/* The module of that text and entry, as if just loaded, the caller's again; NULL: another
 * one is kept, or none. */
struct hone_module *hone_emu_take_kept(struct hone_emu_device *device,
                                       const struct hone_build *build, const char *entry);
/* A new module, zero but for the text that it is to be read from; NULL: out of memory. */
struct hone_module *hone_emu_new_module(const struct hone_build *build);
/* The caller is done with it; NULL allowed. It is kept where it holds no device memory,
 * which would have its state. */
void hone_emu_leave_module(struct hone_emu_device *device, struct hone_module *module);
/* Release it; NULL allowed. */
void hone_emu_drop_module(struct hone_emu_device *device, struct hone_module *module);
void hone_emu_drop_kept(struct hone_emu_device *device);

#endif
