/* What is known of a launch's device memory: by race_global.c of its cells, by
 * race_blocks.c of what its blocks have told each other. */
#ifndef HONE_DEVICE_RACE_GLOBAL_H
#define HONE_DEVICE_RACE_GLOBAL_H

#include "race.h"
#include "race_log.h"
#include "race_pages.h"

/* The last signals of a block that told of fences between the proxies, and up to which
 * clocks (of its warps, and of the world) those were known. */
enum { HONE_EMU_FENCE_SIGNALS = 16 };
struct hone_emu_fence_signals {
    uint32_t count; /* so far */
    uint32_t signals[HONE_EMU_FENCE_SIGNALS];
    uint32_t fenced[HONE_EMU_FENCE_SIGNALS][HONE_EMU_CLOCKS];
};

/* One of a block's signals, by its number among those of all: what it and those before it
 * have told. */
enum { HONE_EMU_BLOCK_SIGNALS = 32 };
struct hone_emu_block_signal {
    uint32_t number;
    struct hone_emu_vector told;
};

/* Places in device memory, 4 bytes each, and how many signals there had been at the last
 * strong store there. */
struct hone_emu_place_signal {
    uint64_t place; /* + 1; 0: none */
    uint32_t signals;
};
struct hone_emu_place_signals {
    struct hone_emu_place_signal *slots; /* open addressing */
    size_t count, cap;
    bool full; /* nothing is known of places, or no more */
};

/* What a block has told one of its audiences. */
struct hone_emu_tidings {
    struct hone_emu_vector all;            /* by all signals so far */
    struct hone_emu_fence_signals *fences; /* NULL: there was none yet */
    struct hone_emu_block_signal *signals; /* the last ones, of which there is room */
    uint32_t signal_count;                 /* so far */
    size_t signal_cap;
    bool any;
    bool forgets; /* there was no room for signals: each is taken to be known */
};

struct hone_emu_race_block {
    uint32_t id[3];
    uint32_t first; /* block of its cluster */
    struct hone_emu_tidings told[HONE_EMU_AUDIENCES];
    /* The first one has this for all: what blocks of the cluster know of others. */
    struct hone_emu_heard heard;
    /* How much of what the others of its cluster told each audience this one has handed
     * on to all blocks, or to near ones. */
    uint32_t passed[HONE_EMU_AUDIENCES], passed_near[HONE_EMU_AUDIENCES];
};

/* Traces, and what signals told, take no more: both count in pages.bytes. */
static const size_t hone_emu_most_race_bytes = (size_t)192 << 20;

struct hone_emu_global_races {
    struct hone_emu_race_pages pages;
    uint32_t signals; /* of all blocks so far */
    uint32_t counted; /* those of them when somebody last took their number */
    uint32_t fenced;  /* accesses at the last fence between the proxies */
    bool told;        /* by some block */
    struct hone_emu_place_signals places;
    struct hone_emu_log log;
    struct hone_emu_race_block *blocks;
    size_t count, cap;
};

void hone_emu_race_blocks_free(struct hone_emu_global_races *races);
/* Are both in one cluster? */
static inline bool hone_emu_are_near(const struct hone_emu_global_races *races,
                                     uint32_t a, uint32_t b)
{
    return races->blocks[a].first == races->blocks[b].first;
}

#endif
