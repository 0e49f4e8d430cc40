/* How long the first warp of a block would take alone: results are ready some cycles
 * after their instruction starts, and an instruction starts when its sources are ready.
 */
#ifndef HONE_DEVICE_TIMELINE_H
#define HONE_DEVICE_TIMELINE_H

#include "cost.h"

enum { HONE_EMU_ASYNC_GROUPS = 64, HONE_EMU_FLIGHTS = 64 };

/* Within a basic block instructions start as soon as their sources are ready, in any
 * order, for ptxas moves them about; blocks follow one another. A short way round a few
 * instructions does not end a block: ptxas makes predicates of it. */
struct hone_emu_timeline {
    const struct hone_emu_insn *insns;
    uint32_t *ready; /* by byte offset in the register file / 4 */
    size_t ready_bytes;
    uint32_t block_start, block_last, block_issued;
    uint32_t start;       /* of the last instruction */
    uint32_t copies_done; /* of asynchronous copies so far */
    uint32_t groups[HONE_EMU_ASYNC_GROUPS];
    uint32_t group_count;
    struct {
        uint32_t done, bytes;
    } flights[HONE_EMU_FLIGHTS]; /* loads of global memory, a ring */
    uint32_t flight_count;
    uint32_t most_in_flight; /* bytes */
};

/* False when memory runs out. */
bool hone_emu_timeline_init(struct hone_emu_timeline *time,
                            const struct hone_emu_code *code);
void hone_emu_timeline_fini(struct hone_emu_timeline *time);
void hone_emu_timeline_reset(struct hone_emu_timeline *time);

/* The warp's next instruction. */
void hone_emu_timeline_step(struct hone_emu_timeline *time,
                            const struct hone_emu_insn *insn, struct hone_emu_cost cost);
/* That instruction loads bytes from global memory or copies them from there, and gets
 * them after latency cycles. */
void hone_emu_timeline_load(struct hone_emu_timeline *time,
                            const struct hone_emu_insn *insn, uint32_t bytes,
                            uint32_t latency);
/* Cycles from the first instruction to the end of the last. */
uint32_t hone_emu_timeline_end(struct hone_emu_timeline *time);

#endif
