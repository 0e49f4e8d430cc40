// An open-addressing table over the items (linear probing, at most half full). What is
// over stays in its slot until the same row is begun anew.
#include "begun.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/hash.h"

static size_t hash_of(const struct hone_begun_list *list, uint32_t problem,
                      const uint16_t *row)
{
    return (size_t)(hone_hash64(row, list->row_bytes) + problem * 0x9e3779b97f4a7c15u);
}

// The slot of this row, or the free one where it would stand.
static size_t find_slot(const struct hone_begun_list *list, uint32_t problem,
                        const uint16_t *row)
{
    const size_t mask = list->slot_count - 1;
    size_t slot = hash_of(list, problem, row) & mask;
    for (; list->slots[slot]; slot = (slot + 1) & mask) {
        const struct hone_begun *item = &list->items[list->slots[slot] - 1];
        if (item->problem == problem && memcmp(item->choices, row, list->row_bytes) == 0)
            break;
    }
    return slot;
}

struct hone_begun *hone_begun_find(const struct hone_begun_list *list, uint32_t problem,
                                   const uint16_t *row)
{
    if (!list->slot_count) return NULL;
    const uint32_t number = list->slots[find_slot(list, problem, row)];
    struct hone_begun *item = number ? &list->items[number - 1] : NULL;
    return item && item->times ? item : NULL;
}

// Room for one more item, and slots for twice as many.
static bool make_room(struct hone_begun_list *list)
{
    if (list->count < list->cap) return true;
    size_t cap = list->cap;
    if (!HONE_GROW(&list->items, &cap, list->count + 1, 8)) return false;
    uint32_t *slots = calloc(2 * cap, sizeof *slots);
    if (!slots) return false;
    free(list->slots);
    list->slots = slots;
    list->slot_count = 2 * cap;
    list->cap = cap;
    for (size_t i = 0; i < list->count; i++)
        slots[find_slot(list, list->items[i].problem, list->items[i].choices)] =
            (uint32_t)i + 1;
    return true;
}

bool hone_begun_add(struct hone_begun_list *list, uint32_t problem, const uint16_t *row)
{
    struct hone_begun *before = hone_begun_find(list, problem, row);
    if (before) {
        before->times++;
        return true;
    }
    const uint16_t *copy = hone_arena_dup(list->arena, row, list->row_bytes);
    if (!copy || !make_room(list)) return false;
    list->items[list->count++] = (struct hone_begun){copy, 1, problem};
    list->slots[find_slot(list, problem, row)] = (uint32_t)list->count;
    return true;
}

void hone_begun_settle(struct hone_begun_list *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].times) list->items[kept++] = list->items[i];
    list->count = kept;
    free(list->slots);
    list->slots = NULL;
    list->slot_count = 0;
}
