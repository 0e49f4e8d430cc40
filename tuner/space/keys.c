// Packing is by bit fields rather than mixed radix: a few more bits, but no division to
// decode. Sorting is least-significant-digit radix sort. Looking up narrows to the keys
// that share a prefix (the directory has an entry for about four keys), then halves: few
// steps, near each other in memory.
#include "keys.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS_MAX = 11, DIGITS_MAX = 1 << DIGIT_BITS_MAX, WORD_BITS = 64 };

// Smallest b with n <= 2^b.
static unsigned bits_for(size_t n)
{
    unsigned bits = 0;
    while (bits < WORD_BITS - 1 && ((uint64_t)1 << bits) < n)
        bits++;
    return bits;
}

// Fills each word from its highest bit down; a field never straddles two.
static void lay_out(struct hone_keys *keys, const size_t *counts)
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
    if (!keys->fields) return hone_fail(err, HONE_ENOMEM, "out of memory");
    lay_out(keys, counts);
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
    size_t cap = 2 * keys->cap + more + 256;
    uint64_t *data = realloc(keys->data, cap * keys->words * sizeof *data);
    if (!data) return false;
    keys->data = data;
    keys->cap = cap;
    return true;
}

struct digit {
    size_t word;
    unsigned shift, bits;
};

static inline size_t digit_of(const uint64_t *key, struct digit digit)
{
    return key[digit.word] >> digit.shift & (((uint64_t)1 << digit.bits) - 1);
}

// Stable sort by one digit, from -> to.
static void sort_digit(const struct hone_keys *keys, const uint64_t *from, uint64_t *to,
                       struct digit digit)
{
    const size_t words = keys->words;
    size_t begin[DIGITS_MAX];
    memset(begin, 0, sizeof *begin << digit.bits);
    for (size_t i = 0; i < keys->count; i++)
        begin[digit_of(from + i * words, digit)]++;
    for (size_t d = 0, sum = 0; d < (size_t)1 << digit.bits; d++) {
        size_t n = begin[d];
        begin[d] = sum;
        sum += n;
    }
    for (size_t i = 0; i < keys->count; i++) {
        const uint64_t *key = from + i * words;
        uint64_t *place = to + words * begin[digit_of(key, digit)]++;
        for (size_t w = 0; w < words; w++)
            place[w] = key[w];
    }
}

// Bits of a word in which not all keys agree; the others need no sorting.
static uint64_t varying_bits(const struct hone_keys *keys, size_t word)
{
    uint64_t varying = 0;
    for (size_t i = 0; i < keys->count; i++)
        varying |= keys->data[i * keys->words + word] ^ keys->data[word];
    return varying;
}

// From the lowest bit that varies to the highest, in digits of about the same width.
static void sort_word(struct hone_keys *keys, uint64_t **spare, size_t word)
{
    uint64_t varying = varying_bits(keys, word);
    if (!varying) return;
    const unsigned low = (unsigned)__builtin_ctzll(varying);
    const unsigned span = WORD_BITS - (unsigned)__builtin_clzll(varying) - low;
    const unsigned digits = (span + DIGIT_BITS_MAX - 1) / DIGIT_BITS_MAX;
    const unsigned bits = (span + digits - 1) / digits;
    for (unsigned d = 0; d < digits; d++) {
        const struct digit digit = {.word = word,
                                    .shift = low + d * bits,
                                    .bits = d + 1 < digits ? bits : span - d * bits};
        sort_digit(keys, keys->data, *spare, digit);
        uint64_t *sorted = *spare;
        *spare = keys->data;
        keys->data = sorted;
    }
}

static bool is_sorted(const struct hone_keys *keys)
{
    for (size_t i = 1; i < keys->count; i++)
        if (hone_keys_compare(keys, hone_keys_at(keys, i - 1), hone_keys_at(keys, i)) > 0)
            return false;
    return true;
}

static bool sort(struct hone_keys *keys)
{
    if (is_sorted(keys)) return true;
    uint64_t *spare = malloc(keys->count * keys->words * sizeof *spare);
    if (!spare) return false;
    for (size_t word = keys->words; word-- > 0;)
        sort_word(keys, &spare, word);
    free(spare);
    return true;
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
    size_t i = 0;
    for (size_t b = 0; b <= buckets; b++) {
        while (i < keys->count && hone_keys_at(keys, i)[0] >> keys->shift < b)
            i++;
        keys->starts[b] = (uint32_t)i;
    }
    return true;
}

enum hone_status hone_keys_sort(struct hone_keys *keys, struct hone_error *err)
{
    if ((keys->count && !sort(keys)) || !index_prefixes(keys))
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu configurations",
                         keys->count);
    return HONE_OK;
}

enum hone_status hone_keys_sort_distinct(struct hone_keys *keys, struct hone_error *err)
{
    const size_t words = keys->words;
    if (keys->count && !sort(keys))
        return hone_fail(err, HONE_ENOMEM, "out of memory for %zu configurations",
                         keys->count);
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
