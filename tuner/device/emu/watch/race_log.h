/* Who touched device memory: an entry for all accesses of a warp that are alike, so that
 * a cell of memory holds the number of one and a lane. */
#ifndef HONE_DEVICE_RACE_LOG_H
#define HONE_DEVICE_RACE_LOG_H

#include <stddef.h>

#include "order.h"

enum { HONE_EMU_MOST_BLOCKS = (1 << 28) - 1 }; /* numbers of them */
struct hone_emu_accesses {
    uint32_t block : 28;               /* number */
    uint32_t reach : 2, read_only : 1; /* as in struct hone_emu_touch */
    uint32_t copied : 1;               /* by an asynchronous operation */
    uint32_t world;                    /* signals so far */
    hone_emu_stamp stamp;              /* lane 0 */
    uint32_t site;
};

struct hone_emu_log {
    struct hone_emu_accesses *items; /* from 1 on */
    size_t count, cap;
    uint32_t *latest; /* of each instruction: its last entry, 0: none */
    size_t sites;
};

/* A cell's word: entry << 6 | lane, or SEVERAL for the lane; 0: nobody. */
typedef uint32_t hone_emu_trace;
enum { HONE_EMU_TRACE_SHIFT = 6, HONE_EMU_TRACE_LANES = 63 };

/* sites: instructions of the kernel. False when memory runs out. */
bool hone_emu_log_init(struct hone_emu_log *log, size_t sites);
void hone_emu_log_fini(struct hone_emu_log *log);

/* The entry for an access, the instruction's latest if that is alike; 0 when there is no
 * room: 4 M entries, 64 MiB. */
uint32_t hone_emu_log_note(struct hone_emu_log *log,
                           const struct hone_emu_accesses *access);

static inline const struct hone_emu_accesses *
hone_emu_log_at(const struct hone_emu_log *log, hone_emu_trace trace)
{
    return &log->items[trace >> HONE_EMU_TRACE_SHIFT];
}
/* The stamp of the one that left the trace. */
static inline hone_emu_stamp hone_emu_log_stamp(const struct hone_emu_log *log,
                                                hone_emu_trace trace)
{
    return hone_emu_log_at(log, trace)->stamp | (trace & HONE_EMU_TRACE_LANES) << 1;
}

#endif
