/* Bulk copies (async/bulk.h): the handlers of exec_bulk.c, and what other units use to
 * start work that ends like a bulk copy. */
#ifndef HONE_DEVICE_EXEC_BULK_H
#define HONE_DEVICE_EXEC_BULK_H

#include "emu_exec.h"

/* Start the operation, which was checked: it is made now or put off, as the launch says.
 * owner is the block whose list it belongs to (async/bulk.h). The runs are borrowed for
 * the call. False after a fault. */
bool hone_emu_bulk_start(struct hone_emu_block *owner, const struct hone_emu_bulk *bulk);

/* Starts it for each block of the cluster that has a bit in mask: at the same offsets as
 * in the block named, its mbarrier too. False after a fault. */
bool hone_emu_bulk_cast(struct hone_emu_block *named, const struct hone_emu_bulk *bulk,
                        uint32_t mask);

/* Somebody waits for the object: make what it waits for, oldest first, until the phase
 * ends. False after a fault. */
bool hone_emu_bulk_land(struct hone_emu_block *block, uint32_t mbarrier);
/* An opportunity: work that is drawn is made. */
void hone_emu_bulk_between(struct hone_emu_block *block);
/* The block has ended: what is in flight still happens. */
void hone_emu_bulk_finish(struct hone_emu_block *block);

/* Where a lane's bytes of shared memory are: the block (of the cluster) and the offset
 * there. False after a fault: no such block, out of bounds, or not aligned. what: "copy",
 * as it is named. */
bool hone_emu_bulk_shared(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                          int lane, uint64_t address, uint32_t bytes, uint32_t alignment,
                          struct hone_emu_block **block, uint32_t *at);

void hone_emu_bulk_copy(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_bulk_prefetch(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_bulk_commit(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_bulk_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);

/* clang-format off */
#define BULK_TABLE                                                                       \
    [EMU_BULKLOAD][PTX_NONE] = hone_emu_bulk_copy,                                       \
    [EMU_BULKCAST][PTX_NONE] = hone_emu_bulk_copy,                                       \
    [EMU_BULKPEER][PTX_NONE] = hone_emu_bulk_copy,                                       \
    [EMU_BULKSTORE][PTX_NONE] = hone_emu_bulk_copy,                                      \
    [EMU_BULKPREFETCH][PTX_NONE] = hone_emu_bulk_prefetch,                               \
    [EMU_BULKCOMMIT][PTX_NONE] = hone_emu_bulk_commit,                                   \
    [EMU_BULKWAIT][PTX_NONE] = hone_emu_bulk_wait,                                       \
    [EMU_BULKWAITREAD][PTX_NONE] = hone_emu_bulk_wait,
/* clang-format on */

#endif
