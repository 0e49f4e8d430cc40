// Asynchronous copies that are made as late as PTX allows: at the wait that needs them.
// Until then their destination holds a pattern that no kernel should meet, so a missing
// wait is seen.
#include "copies.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

// All ones: NaN in every float type, -1 in integers.
enum { POISON = 0xff };

// Copies of a warp that are put off, at most: more than shared memory has room for in
// stages of a pipeline, few enough to be looked through at each wait.
enum { MOST_COPIES = 1 << 14 };

void hone_emu_copies_begin(struct hone_emu_copies *copies)
{
    copies->count = 0;
    memset(copies->committed, 0, sizeof copies->committed);
}

void hone_emu_copies_fini(struct hone_emu_copies *copies)
{
    free(copies->items);
}

// Most are of one of the sizes of cp.async, as a whole: known sizes are moved in place.
static bool copy_whole(const struct hone_emu_memory *memory,
                       const struct hone_emu_copy *copy)
{
    const uint8_t *from = hone_emu_memory_host(memory, copy->from);
    if (copy->bytes == 16)
        memcpy(copy->to, from, 16);
    else if (copy->bytes == 4)
        memcpy(copy->to, from, 4);
    else if (copy->bytes == 8)
        memcpy(copy->to, from, 8);
    else
        return false;
    return true;
}

void hone_emu_make_copy(const struct hone_emu_memory *memory,
                        const struct hone_emu_copy *copy)
{
    if (copy->readable == copy->bytes && copy_whole(memory, copy)) return;
    if (copy->readable)
        memcpy(copy->to, hone_emu_memory_host(memory, copy->from), copy->readable);
    memset(copy->to + copy->readable, 0, copy->bytes - copy->readable);
}

// The older half is made now, which is as legal as later.
static void make_old_copies(struct hone_emu_copies *copies,
                            const struct hone_emu_memory *memory)
{
    const size_t half = copies->count / 2;
    for (size_t k = 0; k < half; k++)
        hone_emu_make_copy(memory, &copies->items[k]);
    copies->count -= half;
    memmove(copies->items, copies->items + half, copies->count * sizeof *copies->items);
}

bool hone_emu_copies_put_off(struct hone_emu_copies *copies,
                             const struct hone_emu_memory *memory,
                             const struct hone_emu_copy *copy)
{
    if (copies->count == MOST_COPIES) make_old_copies(copies, memory);
    if (!HONE_GROW(&copies->items, &copies->cap, copies->count + 1, 256)) return false;
    copies->items[copies->count] = *copy;
    copies->items[copies->count++].group = copies->committed[copy->lane];
    memset(copy->to, POISON, copy->bytes);
    return true;
}

void hone_emu_copies_commit(struct hone_emu_copies *copies, uint32_t lanes)
{
    for (int l = 0; l < HONE_EMU_LANES; l++)
        copies->committed[l] += lanes >> l & 1;
}

void hone_emu_copies_wait(struct hone_emu_copies *copies,
                          const struct hone_emu_memory *memory, uint32_t lanes, bool all,
                          uint64_t in_flight)
{
    size_t kept = 0;
    for (size_t k = 0; k < copies->count; k++) {
        const struct hone_emu_copy *copy = &copies->items[k];
        bool waits = lanes >> copy->lane & 1;
        bool due = copy->group + in_flight < copies->committed[copy->lane];
        if (waits && (all || due))
            hone_emu_make_copy(memory, copy);
        else
            copies->items[kept++] = *copy;
    }
    copies->count = kept;
}
