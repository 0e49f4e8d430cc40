/* Handlers of exec_mbarrier.c, for the tables of every executor. */
#ifndef HONE_DEVICE_EXEC_MBARRIER_H
#define HONE_DEVICE_EXEC_MBARRIER_H

#include "emu_exec.h"

void hone_emu_mbarrier_begin(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);
void hone_emu_mbarrier_invalidate(struct hone_emu_warp *warp,
                                  const struct hone_emu_insn *insn);
/* arrive, arrive_drop, expect_tx, complete_tx. */
void hone_emu_mbarrier_count(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);
/* Bytes of an asynchronous operation, which the lane issued at insn, have landed: its
 * object, in the given block, counts them. False after a fault. */
bool hone_emu_mbarrier_landed(struct hone_emu_block *block, struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn, int lane, uint32_t at,
                              uint32_t bytes);
/* cp.async.mbarrier.arrive. */
void hone_emu_mbarrier_arrive_copied(struct hone_emu_warp *warp,
                                     const struct hone_emu_insn *insn);
/* test_wait, try_wait: one that has to be tried again ends the warp's turn. */
void hone_emu_mbarrier_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);
void hone_emu_mbarrier_pending(struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn);

/* clang-format off */
#define MBARRIER_TABLE                                                                   \
    [EMU_MBINIT][PTX_NONE] = hone_emu_mbarrier_begin,                                    \
    [EMU_MBINVAL][PTX_NONE] = hone_emu_mbarrier_invalidate,                              \
    [EMU_MBEXPECT][PTX_NONE] = hone_emu_mbarrier_count,                                  \
    [EMU_MBLAND][PTX_NONE] = hone_emu_mbarrier_count,                                    \
    [EMU_MBARRIVE][PTX_NONE] = hone_emu_mbarrier_count,                                  \
    [EMU_MBARRIVETX][PTX_NONE] = hone_emu_mbarrier_count,                                \
    [EMU_MBARRIVENC][PTX_NONE] = hone_emu_mbarrier_count,                                \
    [EMU_MBDROP][PTX_NONE] = hone_emu_mbarrier_count,                                    \
    [EMU_MBDROPTX][PTX_NONE] = hone_emu_mbarrier_count,                                  \
    [EMU_MBDROPNC][PTX_NONE] = hone_emu_mbarrier_count,                                  \
    [EMU_CPARRIVE][PTX_NONE] = hone_emu_mbarrier_arrive_copied,                          \
    [EMU_CPARRIVEINC][PTX_NONE] = hone_emu_mbarrier_arrive_copied,                       \
    [EMU_MBPARITY][PTX_NONE] = hone_emu_mbarrier_wait,                                   \
    [EMU_MBSTATE][PTX_NONE] = hone_emu_mbarrier_wait,                                    \
    [EMU_MBPENDING][PTX_NONE] = hone_emu_mbarrier_pending,
/* clang-format on */

#endif
