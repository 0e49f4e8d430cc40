/* Co-resident blocks. A block that is counted alone may wait for others of its launch:
 * then some of these run beside it, each until it ends or waits too. */
#ifndef HONE_DEVICE_CORESIDENT_H
#define HONE_DEVICE_CORESIDENT_H

#include "emu_model.h"
#include "hone/geometry.h"
#include "launch/emu_device.h"

enum { HONE_EMU_CORESIDENT_MAX = 64 };

/* counter keeps device memory as it was before these blocks ran; its counts mean
 * nothing. */
struct hone_emu_coresident {
    struct hone_emu_run *run;
    const struct hone_emu_isa *isa;
    struct hone_emu_counter *counter;
    struct hone_emu_workspace *blocks[HONE_EMU_CORESIDENT_MAX];
    uint32_t count;
    struct hone_emu_cluster cluster; /* the counted block's, where it has others */
    struct hone_emu_workspace *members[HONE_CLUSTER_MOST];
};

/* The other blocks of block id's cluster begin, to run beside it: so it is to begin next,
 * under the counter, which undoes what they store, too.
 * Nothing happens where it has none. */
enum hone_status hone_emu_coresident_join(struct hone_emu_coresident *coresident,
                                          struct hone_emu_counter *counter,
                                          const uint32_t id[3], struct hone_error *err);

/* Another block, the next of the grid behind those that run and behind block id,
 * runs until it ends or waits too. Nothing happens where the launch has no further one,
 * or as many run as are allowed: false in added. */
enum hone_status hone_emu_coresident_add(struct hone_emu_coresident *coresident,
                                         const uint32_t id[3], bool *added,
                                         struct hone_error *err);
/* What the blocks stored is undone. */
void hone_emu_coresident_fini(struct hone_emu_coresident *coresident);

#endif
