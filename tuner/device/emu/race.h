/* Data races on a block's shared memory, by vector clocks a warp (Flanagan and Freund,
 * FastTrack, PLDI 2009): two accesses to one cell, at least one a write, not ordered by a
 * barrier, a fence or, among lanes of one warp, a bar.warp.sync. Order is sometimes
 * assumed where there is none (a fence counts for all memory, a barrier for the whole
 * warp), so races can be missed, but those reported are races. */
#ifndef HONE_EMU_RACE_H
#define HONE_EMU_RACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu_exec.h"

struct hone_emu_cell;

struct hone_emu_races {
    uint32_t clocks[HONE_EMU_MAX_WARPS]
                   [HONE_EMU_MAX_WARPS];                   /* [w][v]: what w knows of v */
    uint32_t gates[HONE_EMU_BARRIERS][HONE_EMU_MAX_WARPS]; /* what those arrived know */
    uint32_t waiting[HONE_EMU_BARRIERS];                   /* warps, a bit each */
    uint32_t fenced[HONE_EMU_MAX_WARPS]; /* what those that fenced know */
    uint32_t exited[HONE_EMU_MAX_WARPS]; /* what those that exited knew */
    uint32_t epoch;                      /* barriers of the whole block so far */
    bool partial;                        /* order came about in another way too */
    struct hone_emu_cell *cells;
    size_t cell_count;
    uint32_t granule; /* bytes of a cell: the smallest access of the kernel, 4 at most */
};

/* One instruction's access by the lanes of mask. */
struct hone_emu_touch {
    uint32_t warp, mask, bytes, line;
    const uint64_t *addresses; /* inside of the cells */
    bool writes, strong;       /* strong: atomic, volatile or ordered */
};
struct hone_emu_conflict {
    int lane, other_lane; /* other_lane: 32 when several */
    uint32_t other_warp, other_line;
    bool other_writes;
    uint64_t address;
};

/* False when memory runs out. */
bool hone_emu_races_init(struct hone_emu_races *races, uint64_t shared_bytes,
                         uint32_t granule);
void hone_emu_races_fini(struct hone_emu_races *races);
/* A new block: nothing has been touched. */
void hone_emu_races_begin(struct hone_emu_races *races);

void hone_emu_races_arrive(struct hone_emu_races *races, uint32_t warp, uint32_t barrier,
                           bool waits);
/* whole: of all threads of the block. */
void hone_emu_races_open(struct hone_emu_races *races, uint32_t barrier, bool whole);
void hone_emu_races_sync_warp(struct hone_emu_races *races, uint32_t warp);
void hone_emu_races_fence(struct hone_emu_races *races, uint32_t warp);
void hone_emu_races_exit(struct hone_emu_races *races, uint32_t warp);

/* Note an access; true with the first lane that conflicts. The rest is noted by calling
 * again with those lanes, should the conflict not count. */
bool hone_emu_races_touch(struct hone_emu_races *races,
                          const struct hone_emu_touch *touch,
                          struct hone_emu_conflict *out);

#endif
