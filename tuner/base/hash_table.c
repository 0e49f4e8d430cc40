#include "base/hash_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 16 };

static void table_put(struct hone_hash_table *table, struct hone_hash_table_slot slot)
{
    size_t at = slot.tag & (table->cap - 1);
    while (table->slots[at].number != HONE_HASH_TABLE_FREE)
        at = (at + 1) & (table->cap - 1);
    table->slots[at] = slot;
}

static bool table_grow(struct hone_hash_table *table)
{
    struct hone_hash_table grown = {.cap = table->cap ? 2 * table->cap : SMALLEST,
                                    .count = table->count};
    if (grown.cap > SIZE_MAX / sizeof *grown.slots) return false;
    grown.slots = malloc(grown.cap * sizeof *grown.slots);
    if (!grown.slots) return false;
    memset(grown.slots, 0xff, grown.cap * sizeof *grown.slots); // all are free
    for (size_t i = 0; i < table->cap; i++)
        if (table->slots[i].number != HONE_HASH_TABLE_FREE)
            table_put(&grown, table->slots[i]);
    free(table->slots);
    *table = grown;
    return true;
}

bool hone_hash_table_add(struct hone_hash_table *table, uint64_t hash, uint32_t number)
{
    assert(number != HONE_HASH_TABLE_FREE);
    if (table->count >= table->cap / 2 && !table_grow(table)) return false;
    table->count++;
    table_put(table, (struct hone_hash_table_slot){(uint32_t)(hash >> 32), number});
    return true;
}

void hone_hash_table_fini(struct hone_hash_table *table)
{
    free(table->slots);
    *table = (struct hone_hash_table){0};
}
