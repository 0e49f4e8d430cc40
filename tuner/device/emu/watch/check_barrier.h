/* Barriers of a block, as check_barrier.c follows them. */
#ifndef HONE_DEVICE_CHECK_BARRIER_H
#define HONE_DEVICE_CHECK_BARRIER_H

#include "exec/emu_exec.h"
#include "order.h"

/* Who came to a barrier, a bit each: when, by its own clock, and where. */
struct hone_emu_comers {
    uint32_t warps;
    uint32_t clocks[HONE_EMU_MAX_WARPS], sites[HONE_EMU_MAX_WARPS];
};

/* Clocks of warps up to which they are known to be. */
struct hone_emu_seen_at {
    uint32_t clocks[HONE_EMU_MAX_WARPS];
};

struct hone_emu_barriers {
    struct {
        struct hone_emu_comers now, last; /* since its last opening, and for that */
    } each[HONE_EMU_BARRIERS];
    const struct hone_emu_insn *at; /* the instruction that a warp came to last */
    /* What flags tell without a fence, all of them together, and each warp has seen: they
     * order no memory, but a warp that stores one has passed the barriers before it. */
    struct hone_emu_seen_at told, seen[HONE_EMU_MAX_WARPS];
};

/* The barrier of struct hone_emu_observer; context is a checker. */
void hone_emu_check_barrier(void *context, const struct hone_emu_warp *warp, uint32_t id,
                            bool flag);

/* The warp makes a strong store, or load, or what is as good as one. */
void hone_emu_check_barrier_tell(struct hone_emu_barriers *barriers,
                                 const struct hone_emu_order *order, uint32_t warp);
void hone_emu_check_barrier_see(struct hone_emu_barriers *barriers, uint32_t warp);

#endif
