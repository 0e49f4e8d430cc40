// mbarrier objects in a report of a wait that cannot end.
#include <stdio.h>

#include "emu_exec.h"

static bool is_awaited(const struct hone_emu_block *block, uint32_t object)
{
    for (uint32_t k = 0; k < block->warp_count; k++) {
        const struct hone_emu_warp *warp = &block->warps[k];
        if (warp->split_count && warp->polled && warp->polled_at == object) return true;
    }
    return false;
}

// A phase has ended that nobody has waited for: who waits now asks for the one after it.
static bool has_been_missed(const struct hone_emu_object *object)
{
    return object->known < object->phases;
}

bool hone_emu_has_missed_phase(const struct hone_emu_block *block)
{
    const struct hone_emu_arrivals *all = &block->arrivals;
    for (size_t k = 0; k < all->object_count; k++)
        if (is_awaited(block, all->objects[k].at) && has_been_missed(&all->objects[k]))
            return true;
    return false;
}

// Those that warps wait for:
// "; mbarrier at shared+0 (k.cu:9, PTX line 40): 1 of 2 arrivals and 512 bytes pending"
// What is wrong with the bytes of an object that all arrivals have come to, where some
// have landed and none are on their way any more: 0 where nothing is.
static int32_t bytes_amiss(const struct hone_emu_block *block,
                           const struct hone_emu_object *which)
{
    uint64_t word;
    memcpy(&word, block->shared + which->at, sizeof word);
    const struct hone_emu_mbarrier object = hone_emu_mbarrier_read(word);
    const bool still = hone_emu_bulks_pending(&block->bulks, which->at) > 0;
    return object.lives && object.pending == 0 && which->landed && !still ? object.bytes
                                                                          : 0;
}

bool hone_emu_has_bytes_amiss(const struct hone_emu_block *block)
{
    const struct hone_emu_arrivals *all = &block->arrivals;
    for (size_t k = 0; k < all->object_count; k++)
        if (is_awaited(block, all->objects[k].at) && bytes_amiss(block, &all->objects[k]))
            return true;
    return false;
}

// ", 512 landed: 16 bytes more have landed than were expected"
static void describe_bytes(const struct hone_emu_block *block,
                           const struct hone_emu_object *object, char *out, size_t size)
{
    const unsigned long long flying = hone_emu_bulks_pending(&block->bulks, object->at);
    const unsigned long long landed = object->landed;
    const int32_t amiss = bytes_amiss(block, object);
    out[0] = '\0';
    if (flying)
        snprintf(out, size, ", %llu landed, %llu in flight", landed, flying);
    else if (amiss)
        snprintf(out, size, ", %llu landed: %d bytes more %s", landed,
                 amiss < 0 ? -amiss : amiss,
                 amiss < 0 ? "have landed than were expected"
                           : "are expected than copies bring");
    else if (landed)
        snprintf(out, size, ", %llu landed", landed);
}

void hone_emu_describe_objects(const struct hone_emu_block *block, char *out, size_t size)
{
    const struct hone_emu_arrivals *all = &block->arrivals;
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < all->object_count && used < size - 1; k++) {
        char place[HONE_EMU_PLACE_TEXT], bytes[96];
        uint64_t word;
        if (!is_awaited(block, all->objects[k].at)) continue;
        memcpy(&word, block->shared + all->objects[k].at, sizeof word);
        const struct hone_emu_mbarrier object = hone_emu_mbarrier_read(word);
        hone_emu_print_place(place, block->launch->code, all->objects[k].site);
        describe_bytes(block, &all->objects[k], bytes, sizeof bytes);
        int n = snprintf(
            out + used, size - used,
            "; mbarrier at shared+%u (%s): phase %llu%s, %u of %u arrivals "
            "and %d bytes pending%s",
            all->objects[k].at, place, (unsigned long long)all->objects[k].phases,
            has_been_missed(&all->objects[k]) ? " (nobody has waited for the one before)"
                                              : "",
            object.pending, object.expected, object.bytes, bytes);
        if (n > 0) used += (size_t)n;
    }
}
