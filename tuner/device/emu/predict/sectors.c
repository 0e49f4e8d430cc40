// Open addressing, at most half full, Fibonacci hashing (Knuth, volume 3, 6.4).
#include "sectors.h"

#include <stdlib.h>

static size_t place(const struct hone_emu_set *set, uint64_t key)
{
    size_t at = (size_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 20) & (set->cap - 1);
    while (set->slots[at] && set->slots[at] != key + 1)
        at = (at + 1) & (set->cap - 1);
    return at;
}

static bool grow(struct hone_emu_set *set)
{
    struct hone_emu_set larger = {.cap = set->cap ? set->cap * 2 : 1024,
                                  .count = set->count};
    larger.slots = calloc(larger.cap, sizeof *larger.slots);
    if (!larger.slots) return false;
    for (size_t i = 0; i < set->cap; i++)
        if (set->slots[i])
            larger.slots[place(&larger, set->slots[i] - 1)] = set->slots[i];
    free(set->slots);
    *set = larger;
    return true;
}

int hone_emu_set_add(struct hone_emu_set *set, uint64_t key)
{
    if (set->count * 2 >= set->cap && !grow(set)) return -1;
    size_t at = place(set, key);
    if (set->slots[at]) return 0;
    set->slots[at] = key + 1;
    set->count++;
    return 1;
}

bool hone_emu_set_has(const struct hone_emu_set *set, uint64_t key)
{
    return set->cap && set->slots[place(set, key)];
}

void hone_emu_set_fini(struct hone_emu_set *set)
{
    free(set->slots);
    *set = (struct hone_emu_set){0};
}
