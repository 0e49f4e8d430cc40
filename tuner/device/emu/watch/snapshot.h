/* What a kernel may write to, as it was: to run it again, and to compare two runs. */
#ifndef HONE_DEVICE_SNAPSHOT_H
#define HONE_DEVICE_SNAPSHOT_H

#include "hone/device.h"
#include "memory/emu_memory.h"

struct hone_emu_snapshot {
    const struct hone_emu_memory *memory;
    struct hone_emu_range *ranges;
    size_t count;
    uint8_t *bytes; /* of all ranges, one after another; NULL: none was taken */
    const struct hone_extent
        *extents; /* borrowed; those of workspaces are not compared */
    size_t extent_count;
};

/* Keep the ranges of memory that are not read-only, of those with a mark in wanted (one a
 * range; NULL: all). Without effect where they are larger than limit bytes; false when
 * memory runs out. hone_emu_snapshot_fini is due in every case. */
bool hone_emu_snapshot_take(struct hone_emu_snapshot *out,
                            const struct hone_emu_memory *memory, const bool *wanted,
                            uint64_t limit);
/* The same ranges, and extents, as they are now. */
bool hone_emu_snapshot_retake(struct hone_emu_snapshot *out,
                              const struct hone_emu_snapshot *before);
void hone_emu_snapshot_fini(struct hone_emu_snapshot *snapshot); /* {0} is fine */

/* Put the bytes back. */
void hone_emu_snapshot_restore(const struct hone_emu_snapshot *snapshot);
/* Does memory hold these bytes, outside of workspaces? */
bool hone_emu_snapshot_holds(const struct hone_emu_snapshot *snapshot);

#endif
