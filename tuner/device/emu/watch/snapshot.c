#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

static bool copy_bytes(struct hone_emu_snapshot *out, uint64_t total)
{
    out->bytes = malloc(total + 1);
    if (!out->bytes) return false;
    uint8_t *at = out->bytes;
    for (size_t i = 0; i < out->count; at += out->ranges[i].bytes, i++)
        memcpy(at, hone_emu_memory_host(out->memory, out->ranges[i].base),
               out->ranges[i].bytes);
    return true;
}

bool hone_emu_snapshot_take(struct hone_emu_snapshot *out,
                            const struct hone_emu_memory *memory, const bool *wanted,
                            uint64_t limit)
{
    uint64_t total = 0;
    *out = (struct hone_emu_snapshot){.memory = memory};
    out->ranges = calloc(memory->count + 1, sizeof *out->ranges);
    if (!out->ranges) return false;
    for (size_t i = 0; i < memory->count; i++) {
        const struct hone_emu_range *range = &memory->ranges[i];
        if (range->read_only || (wanted && !wanted[i])) continue;
        out->ranges[out->count++] = *range;
        total += range->bytes;
    }
    return total > limit || copy_bytes(out, total);
}

bool hone_emu_snapshot_retake(struct hone_emu_snapshot *out,
                              const struct hone_emu_snapshot *before)
{
    uint64_t total = 0;
    *out = *before;
    out->bytes = NULL;
    out->ranges = malloc((before->count + 1) * sizeof *out->ranges);
    if (!out->ranges) return false;
    memcpy(out->ranges, before->ranges, before->count * sizeof *out->ranges);
    for (size_t i = 0; i < before->count; i++)
        total += before->ranges[i].bytes;
    if (copy_bytes(out, total)) return true;
    hone_emu_snapshot_fini(out);
    return false;
}

void hone_emu_snapshot_fini(struct hone_emu_snapshot *snapshot)
{
    free(snapshot->ranges);
    free(snapshot->bytes);
    *snapshot = (struct hone_emu_snapshot){0};
}

void hone_emu_snapshot_restore(const struct hone_emu_snapshot *snapshot)
{
    const uint8_t *at = snapshot->bytes;
    for (size_t i = 0; i < snapshot->count; at += snapshot->ranges[i].bytes, i++)
        memcpy(hone_emu_memory_host(snapshot->memory, snapshot->ranges[i].base), at,
               snapshot->ranges[i].bytes);
}

// Where what is compared next of a range begins and ends: workspaces are left out.
static void next_compared(const struct hone_emu_snapshot *snapshot, uint64_t *from,
                          uint64_t *to, uint64_t end)
{
    *to = end;
    for (size_t i = 0; i < snapshot->extent_count; i++) {
        const struct hone_extent *extent = &snapshot->extents[i];
        if (!extent->scratch || extent->base >= *to) continue;
        if (extent->base + extent->bytes <= *from) continue;
        if (extent->base > *from) {
            *to = extent->base;
            continue;
        }
        *from = extent->base + extent->bytes;
        i = SIZE_MAX; // others may lie behind it
        *to = end;
    }
}

static bool holds_range(const struct hone_emu_snapshot *snapshot,
                        const struct hone_emu_range *range, const uint8_t *bytes)
{
    const uint64_t end = range->base + range->bytes;
    for (uint64_t from = range->base, to; from < end; from = to) {
        next_compared(snapshot, &from, &to, end);
        if (from >= end) return true;
        if (memcmp(hone_emu_memory_host(snapshot->memory, from),
                   bytes + (from - range->base), to - from) != 0)
            return false;
    }
    return true;
}

bool hone_emu_snapshot_holds(const struct hone_emu_snapshot *snapshot)
{
    const uint8_t *at = snapshot->bytes;
    for (size_t i = 0; i < snapshot->count; at += snapshot->ranges[i].bytes, i++)
        if (!holds_range(snapshot, &snapshot->ranges[i], at)) return false;
    return true;
}
