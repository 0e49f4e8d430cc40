/* What is known of a launch's device memory: by race_global.c of its cells, by
 * race_blocks.c of what its blocks have told each other. */
#ifndef HONE_DEVICE_RACE_GLOBAL_H
#define HONE_DEVICE_RACE_GLOBAL_H

#include "race.h"
#include "race_log.h"

struct hone_emu_race_block {
    uint32_t id[3];
    struct hone_emu_vector fenced;    /* what had happened at its last fence */
    struct hone_emu_vector published; /* the same at its last signal */
    bool has_fenced, has_published;   /* since then; ever */
    uint32_t seen;                    /* signals of all at its last strong load */
};

struct hone_emu_race_page; /* traces of accesses */

struct hone_emu_global_races {
    uint32_t granule;
    uint32_t signals;
    uint32_t fenced;                  /* accesses at the last fence between the proxies */
    struct hone_emu_race_page *pages; /* SLOTS, open addressing */
    struct hone_emu_race_page *last;  /* the one met last, or NULL */
    size_t page_count, bytes;
    struct hone_emu_log log;
    struct hone_emu_race_block *blocks;
    size_t count, cap;
};

#endif
