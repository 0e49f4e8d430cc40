// Asynchronous copies that are made as late as PTX allows: at the wait that needs them.
// Until then their destination holds a pattern that no kernel should meet, so a missing
// wait is seen.
#include <stdlib.h>
#include <string.h>

#include "emu_exec.h"

// All ones: NaN in every float type, -1 in integers.
enum { POISON = 0xff };

// Copies of a warp that are put off, at most: more than shared memory has room for in
// stages of a pipeline, few enough to be looked through at each wait.
enum { MOST_COPIES = 1 << 14 };

struct hone_emu_copy {
    uint8_t *to;
    uint64_t from;
    uint32_t bytes, readable;
    uint32_t group; // of its lane
    int lane;
};

static void make_copy(const struct hone_emu_warp *warp, const struct hone_emu_copy *copy)
{
    const struct hone_emu_memory *memory = warp->launch->memory;
    if (copy->readable)
        memcpy(copy->to, hone_emu_memory_host(memory, copy->from), copy->readable);
    memset(copy->to + copy->readable, 0, copy->bytes - copy->readable);
}

// The older half is made now, which is as legal as later.
static void make_old_copies(struct hone_emu_warp *warp)
{
    struct hone_emu_copies *copies = &warp->copies;
    const size_t half = copies->count / 2;
    for (size_t k = 0; k < half; k++)
        make_copy(warp, &copies->items[k]);
    copies->count -= half;
    memmove(copies->items, copies->items + half, copies->count * sizeof *copies->items);
}

static bool make_room(struct hone_emu_copies *copies)
{
    if (copies->count < copies->cap) return true;
    size_t cap = copies->cap ? copies->cap * 2 : 256;
    void *grown = realloc(copies->items, cap * sizeof *copies->items);
    if (!grown) return false;
    copies->items = grown;
    copies->cap = cap;
    return true;
}

bool hone_emu_copy_later(struct hone_emu_warp *warp, int lane, uint8_t *to, uint64_t from,
                         uint32_t bytes, uint32_t readable)
{
    struct hone_emu_copies *copies = &warp->copies;
    if (copies->count == MOST_COPIES) make_old_copies(warp);
    if (!make_room(copies)) return false;
    copies->items[copies->count++] =
        (struct hone_emu_copy){.to = to,
                               .from = from,
                               .bytes = bytes,
                               .readable = readable,
                               .group = copies->committed[lane],
                               .lane = lane};
    memset(to, POISON, bytes);
    return true;
}

void hone_emu_commit_copies(struct hone_emu_warp *warp)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        warp->copies.committed[l] += warp->mask >> l & 1;
}

void hone_emu_wait_copies(struct hone_emu_warp *warp, bool all, uint64_t in_flight)
{
    struct hone_emu_copies *copies = &warp->copies;
    size_t kept = 0;
    for (size_t k = 0; k < copies->count; k++) {
        const struct hone_emu_copy *copy = &copies->items[k];
        bool waits = warp->mask >> copy->lane & 1;
        bool due = copy->group + in_flight < copies->committed[copy->lane];
        if (waits && (all || due))
            make_copy(warp, copy);
        else
            copies->items[kept++] = *copy;
    }
    copies->count = kept;
}

void hone_emu_forget_copies(struct hone_emu_warp *warp)
{
    warp->copies.count = 0;
    memset(warp->copies.committed, 0, sizeof warp->copies.committed);
}
