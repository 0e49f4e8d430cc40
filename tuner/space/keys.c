// Packing is by bit fields rather than mixed radix: a few more bits, but no division to
// decode. Looking up narrows to the keys that share a prefix (the directory has an entry
// for about four keys), then halves: few steps, near each other in memory.
#include "keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

enum { WORD_BITS = 64 };

// Smallest b with n <= 2^b.
static unsigned bits_for(size_t n)
{
    unsigned bits = 0;
    while (bits < WORD_BITS - 1 && ((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

// Fills each word from its highest bit down; a field never straddles two.
static void keys_lay_out(struct hone_keys *keys, const size_t *counts)
{
    uint32_t word = 0;
    unsigned used = 0;
    for (size_t i = 0; i < keys->field_count; i++) {
        unsigned width = bits_for(counts[i]);
        if (used + width > WORD_BITS) {
            word++;
            used = 0;
        }
        used += width;
        keys->fields[i] = (struct hone_key_field){
            .mask = ((uint64_t)1 << width) - 1,
            .word = word,
            .shift = width ? WORD_BITS - used : 0,
        };
    }
    keys->words = word + 1;
}

enum hone_status hone_keys_init(struct hone_keys *keys, const size_t *counts,
                                size_t field_count, struct hone_error *err)
{
    *keys = (struct hone_keys){.field_count = field_count};
    keys->fields = calloc(field_count + 1, sizeof *keys->fields);
    if (!keys->fields) return hone_no_memory(err, "for a space");
    keys_lay_out(keys, counts);
    if (keys->words > HONE_KEY_WORDS_MAX)
        return hone_fail(
            err, HONE_ELIMIT,
            "the values of %zu parameters need %zu bits, at most %d are supported",
            field_count, keys->words * WORD_BITS, HONE_KEY_WORDS_MAX * WORD_BITS);
    return HONE_OK;
}

void hone_keys_fini(struct hone_keys *keys)
{
    free(keys->fields);
    free(keys->data);
    free(keys->starts);
    *keys = (struct hone_keys){0};
}

bool hone_keys_reserve(struct hone_keys *keys, size_t more)
{
    if (keys->cap - keys->count >= more) return true;
    if (more > SIZE_MAX - keys->count) return false;
    return hone_grow(&keys->data, &keys->cap, keys->count + more, 256,
                     keys->words * sizeof *keys->data);
}

// Each key leaves its rank behind its prefix, the last one stays; then a prefix without
// keys begins where the one before ends.
static void fill_starts(struct hone_keys *keys, size_t prefixes)
{
    const uint64_t *key = keys->data;
    const size_t words = keys->words, shift = keys->shift;
    uint32_t *const starts = keys->starts, count = (uint32_t)keys->count, end = 0;
    memset(starts, 0, (prefixes + 1) * sizeof *starts);
    for (uint32_t i = 1; i <= count; i++, key += words)
        starts[(*key >> shift) + 1] = i;
    for (size_t p = 0; p <= prefixes; p++) {
        if (starts[p] > end) end = starts[p];
        starts[p] = end;
    }
}

static bool index_prefixes(struct hone_keys *keys)
{
    assert(keys->count < UINT32_MAX);
    unsigned prefix_bits = bits_for(keys->count / 4);
    if (prefix_bits == 0) prefix_bits = 1; // a shift by a whole word is undefined
    keys->shift = WORD_BITS - prefix_bits;
    size_t buckets = (size_t)1 << prefix_bits;
    keys->starts = malloc((buckets + 1) * sizeof *keys->starts);
    if (!keys->starts) return false;
    fill_starts(keys, buckets);
    return true;
}

enum hone_status hone_keys_sort(struct hone_keys *keys, struct hone_error *err)
{
    if (!hone_keys_order(keys) || !index_prefixes(keys))
        return hone_no_memory(err, "for %zu configurations", keys->count);
    return HONE_OK;
}

enum hone_status hone_keys_sort_distinct(struct hone_keys *keys, struct hone_error *err)
{
    const size_t words = keys->words;
    if (!hone_keys_order(keys))
        return hone_no_memory(err, "for %zu configurations", keys->count);
    size_t kept = 0;
    for (size_t i = 0; i < keys->count; i++) {
        const uint64_t *key = hone_keys_at(keys, i);
        if (kept && !hone_keys_compare(keys, hone_keys_at(keys, kept - 1), key)) continue;
        memmove(keys->data + kept++ * words, key, words * sizeof *key);
    }
    keys->count = kept;
    return hone_keys_sort(keys, err);
}

int hone_keys_compare(const struct hone_keys *keys, const uint64_t *a, const uint64_t *b)
{
    for (size_t w = 0; w < keys->words; w++)
        if (a[w] != b[w]) return a[w] < b[w] ? -1 : 1;
    return 0;
}

bool hone_keys_find(const struct hone_keys *keys, const uint64_t *key, uint64_t *rank)
{
    size_t prefix = (size_t)(key[0] >> keys->shift);
    size_t low = keys->starts[prefix], high = keys->starts[prefix + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = hone_keys_compare(keys, key, hone_keys_at(keys, middle));
        if (order == 0) {
            *rank = middle;
            return true;
        }
        if (order > 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
