/* Numbers of the caller's items by the hash of their keys: open addressing with linear
 * probing, at most half full. The table holds no keys: it offers the numbers whose hash
 * may be the wanted one, and the caller looks which item has the key:
 *
 *     struct hone_probe probe = hone_hash_table_probe(&table, hash);
 *     for (uint32_t *number; (number = hone_hash_table_next(&table, &probe)) != NULL;)
 *         if (has_key(&items[*number], key)) return &items[*number];
 */
#ifndef HONE_BASE_HASH_TABLE_H
#define HONE_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HONE_HASH_TABLE_FREE UINT32_MAX

struct hone_hash_table_slot {
    uint32_t tag; /* the upper half of the hash, which also gives the place */
    uint32_t number;
};

/* {0} is empty. */
struct hone_hash_table {
    struct hone_hash_table_slot *slots;
    size_t cap, count; /* cap: a power of two, or 0 */
};

struct hone_probe {
    size_t at;
    uint32_t tag;
};

/* Begins to look for a hash whose upper bits are good ones, as those of hone_hash64. */
static inline struct hone_probe hone_hash_table_probe(const struct hone_hash_table *table,
                                                      uint64_t hash)
{
    const uint32_t tag = (uint32_t)(hash >> 32);
    return (struct hone_probe){.at = table->cap ? tag & (table->cap - 1) : 0, .tag = tag};
}

/* The number of the next item that may have the hash, NULL after the last. The caller may
 * write that of another item with the same key there. Valid until the next add. */
static inline uint32_t *hone_hash_table_next(const struct hone_hash_table *table,
                                             struct hone_probe *probe)
{
    while (table->cap && table->slots[probe->at].number != HONE_HASH_TABLE_FREE) {
        struct hone_hash_table_slot *slot = &table->slots[probe->at];
        probe->at = (probe->at + 1) & (table->cap - 1);
        if (slot->tag == probe->tag) return &slot->number;
    }
    return NULL;
}

/* Adds the number, below HONE_HASH_TABLE_FREE, of an item whose key is new. False when
 * memory runs out: then nothing has changed. */
bool hone_hash_table_add(struct hone_hash_table *table, uint64_t hash, uint32_t number);

/* Leaves it as {0}. */
void hone_hash_table_fini(struct hone_hash_table *table);

#endif
