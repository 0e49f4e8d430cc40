/* Running one block of a launch to count what it does. */
#ifndef HONE_DEVICE_EMU_COUNT_BLOCK_H
#define HONE_DEVICE_EMU_COUNT_BLOCK_H

#include "emu_model.h"
#include "launch/emu_device.h"

/* Run and count block id, without lasting effect; a fault of it is the launch's. Where it
 * waits it begins anew, with one more block beside it that began before. */
enum hone_status
hone_emu_count_block(struct hone_emu_run *run, struct hone_emu_counter *counter,
                     const uint32_t id[3], const struct hone_emu_isa *isa,
                     struct hone_emu_counts *out, struct hone_error *err);

#endif
