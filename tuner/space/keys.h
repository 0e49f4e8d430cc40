/* A set of tuples of small numbers: each tuple is packed into a key of a few words, first
 * number in the highest bits, so that the order of the keys is the lexicographic order of
 * the tuples. Keys are pushed in any order; once sorted, a tuple is found by its rank
 * and a rank by its tuple. */
#ifndef HONE_SPACE_KEYS_H
#define HONE_SPACE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/status.h"

enum { HONE_KEY_WORDS_MAX = 32 }; /* 2048 bits: lets a key live on the stack */

struct hone_key_field {
    uint64_t mask; /* of the number, not shifted; 0 for a number that is always 0 */
    uint32_t word, shift;
};

struct hone_keys {
    struct hone_key_field *fields;
    size_t field_count;
    size_t words;   /* a key */
    uint64_t *data; /* [count][words] */
    size_t count, cap;
    /* Who pushes may promise that keys of one word which agree in all but these lowest
     * bits come in ascending order. */
    unsigned ascending_bits;
    /* Directory: keys whose first word shifted right by shift is p have the ranks
     * starts[p] .. starts[p + 1] - 1. */
    uint32_t *starts;
    unsigned shift;
};

/* For tuples of field_count numbers, number i below counts[i]. ELIMIT when too wide. */
enum hone_status hone_keys_init(struct hone_keys *keys, const size_t *counts,
                                size_t field_count, struct hone_error *err);
void hone_keys_fini(struct hone_keys *keys);

/* Room for more keys to push. False: out of memory. */
bool hone_keys_reserve(struct hone_keys *keys, size_t more);

static inline void hone_keys_push(struct hone_keys *keys, const uint64_t *key)
{
    uint64_t *to = keys->data + keys->count++ * keys->words;
    for (size_t w = 0; w < keys->words; w++)
        to[w] = key[w];
}

/* keys_sort.c: bring data into ascending order. False: out of memory. */
bool hone_keys_order(struct hone_keys *keys);

/* To be called once after the last push. */
enum hone_status hone_keys_sort(struct hone_keys *keys, struct hone_error *err);

/* The same, each key once. */
enum hone_status hone_keys_sort_distinct(struct hone_keys *keys, struct hone_error *err);

static inline const uint64_t *hone_keys_at(const struct hone_keys *keys, uint64_t rank)
{
    return keys->data + rank * keys->words;
}

static inline uint16_t hone_key_get(const uint64_t *key, struct hone_key_field field)
{
    return (uint16_t)(key[field.word] >> field.shift & field.mask);
}

static inline void hone_key_set(uint64_t *key, struct hone_key_field field, size_t number)
{
    key[field.word] &= ~(field.mask << field.shift);
    key[field.word] |= (uint64_t)number << field.shift;
}

/* -1, 0, 1 */
int hone_keys_compare(const struct hone_keys *keys, const uint64_t *a, const uint64_t *b);

/* Needs sorted keys. */
bool hone_keys_find(const struct hone_keys *keys, const uint64_t *key, uint64_t *rank);

#endif
