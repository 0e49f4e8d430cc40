/* A block that is counted alone may wait for others of its launch: then some of these
 * begin before it, and wait in their places for what it does. */
#ifndef HONE_DEVICE_COMPANY_H
#define HONE_DEVICE_COMPANY_H

#include "emu_model.h"
#include "launch/emu_device.h"

enum { HONE_EMU_COMPANY_MAX = 64 };

/* counter: keeps device memory as it was before the company; its counts mean nothing. */
struct hone_emu_company {
    struct hone_emu_run *run;
    const struct hone_emu_isa *isa;
    struct hone_emu_counter *counter;
    struct hone_emu_workspace *blocks[HONE_EMU_COMPANY_MAX];
    uint32_t count;
};

/* Another block, the next of the grid behind those of the company and behind block id,
 * runs until it ends or waits too. Nothing happens where the launch has no further one,
 * or the company is full: false in added. */
enum hone_status hone_emu_company_add(struct hone_emu_company *company,
                                      const uint32_t id[3], bool *added,
                                      struct hone_error *err);
/* Its blocks never were. */
void hone_emu_company_fini(struct hone_emu_company *company);

#endif
