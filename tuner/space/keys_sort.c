// Sorting keys by their least significant digit first (Knuth, The Art of Computer
// Programming 5.2.5), and only the bits that need it: a search pushes keys that are
// nearly in order.
#include <stdlib.h>
#include <string.h>

#include "keys.h"

enum { WORD_BITS = 64, DIGIT_BITS_MAX = 11, DIGITS_MAX = 1 << DIGIT_BITS_MAX };
// Shorter runs have narrower digits: clearing the counters costs more than a pass.
enum { SHORT_RUN = 4096, SHORT_DIGIT_BITS = 8, TINY_RUN = 24 };

struct digit {
    size_t word;
    unsigned shift, bits;
};

static inline size_t digit_of(const uint64_t *key, struct digit digit)
{
    return key[digit.word] >> digit.shift & (((uint64_t)1 << digit.bits) - 1);
}

// Stable sort of n keys of some words by one digit, from -> to.
static inline void sort_digit(const uint64_t *restrict from, uint64_t *restrict to,
                              size_t n, size_t words, struct digit digit)
{
    size_t begin[DIGITS_MAX];
    memset(begin, 0, sizeof *begin << digit.bits);
    for (size_t i = 0; i < n; i++)
        begin[digit_of(from + i * words, digit)]++;
    for (size_t d = 0, sum = 0; d < (size_t)1 << digit.bits; d++) {
        size_t count = begin[d];
        begin[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) {
        const uint64_t *key = from + i * words;
        uint64_t *place = to + words * begin[digit_of(key, digit)]++;
        for (size_t w = 0; w < words; w++)
            place[w] = key[w];
    }
}

// Digits of about the same width for the bits low .. high - 1 of word; returns how many.
static unsigned cut(struct digit digits[WORD_BITS], size_t word, unsigned low,
                    unsigned high, unsigned bits_max)
{
    const unsigned span = high - low, count = (span + bits_max - 1) / bits_max;
    const unsigned bits = (span + count - 1) / count;
    for (unsigned d = 0; d < count; d++)
        digits[d] = (struct digit){.word = word,
                                   .shift = low + d * bits,
                                   .bits = d + 1 < count ? bits : span - d * bits};
    return count;
}

// --- keys of one word ---

static void sort_tiny(uint64_t *keys, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const uint64_t key = keys[i];
        size_t at = i;
        for (; at > 0 && keys[at - 1] > key; at--)
            keys[at] = keys[at - 1];
        keys[at] = key;
    }
}

// Keys that differ in the bits low .. high - 1 and below, there in ascending order.
static void sort_run(uint64_t *keys, uint64_t *spare, size_t n, unsigned low,
                     unsigned high)
{
    struct digit digits[WORD_BITS];
    uint64_t *from = keys, *to = spare;
    unsigned count =
        cut(digits, 0, low, high, n < SHORT_RUN ? SHORT_DIGIT_BITS : DIGIT_BITS_MAX);
    for (unsigned d = 0; d < count; d++) {
        uint64_t *sorted = to;
        sort_digit(from, to, n, 1, digits[d]);
        to = from;
        from = sorted;
    }
    if (from != keys) memcpy(keys, from, n * sizeof *keys);
}

// The bits low .. high - 1 hold all that is out of order; high is 0 where nothing is.
static void find_disorder(const struct hone_keys *keys, unsigned *low, unsigned *high)
{
    const uint64_t *data = keys->data;
    uint64_t descents = 0, varying = 0;
    for (size_t i = 1; i < keys->count; i++) {
        const uint64_t change = data[i] ^ data[i - 1];
        descents |= data[i] < data[i - 1] ? change : 0;
        varying |= change;
    }
    *high = descents ? WORD_BITS - (unsigned)__builtin_clzll(descents) : 0;
    *low = varying ? (unsigned)__builtin_ctzll(varying) : 0;
    if (*low < keys->ascending_bits) *low = keys->ascending_bits;
}

static size_t run_length(const uint64_t *keys, size_t n, unsigned high)
{
    size_t length = 1;
    while (length < n && (keys[0] ^ keys[length]) >> (high - 1) < 2)
        length++;
    return length;
}

// Runs of keys that agree in the bits from high on are in order, and short.
static bool order_short(struct hone_keys *keys)
{
    uint64_t *spare = NULL;
    size_t room = 0, length;
    unsigned low, high;
    find_disorder(keys, &low, &high);
    for (size_t at = 0; high && at < keys->count; at += length) {
        uint64_t *run = keys->data + at;
        length = run_length(run, keys->count - at, high);
        if (length <= TINY_RUN) {
            sort_tiny(run, length);
            continue;
        }
        if (length > room) {
            free(spare);
            room = length;
            spare = malloc(room * sizeof *spare);
            if (!spare) return false;
        }
        sort_run(run, spare, length, low, high);
    }
    free(spare);
    return true;
}

// --- of several ---

// Bits of a word in which not all keys agree; the others need no sorting.
static uint64_t varying_bits(const struct hone_keys *keys, size_t word)
{
    uint64_t varying = 0;
    for (size_t i = 0; i < keys->count; i++)
        varying |= keys->data[i * keys->words + word] ^ keys->data[word];
    return varying;
}

static void sort_word(struct hone_keys *keys, uint64_t **spare, size_t word)
{
    struct digit digits[WORD_BITS];
    uint64_t varying = varying_bits(keys, word);
    if (!varying) return;
    unsigned low = (unsigned)__builtin_ctzll(varying);
    unsigned high = WORD_BITS - (unsigned)__builtin_clzll(varying);
    unsigned count = cut(digits, word, low, high, DIGIT_BITS_MAX);
    for (unsigned d = 0; d < count; d++) {
        uint64_t *sorted = *spare;
        sort_digit(keys->data, sorted, keys->count, keys->words, digits[d]);
        *spare = keys->data;
        keys->data = sorted;
    }
}

static bool order_long(struct hone_keys *keys)
{
    uint64_t *spare = malloc(keys->count * keys->words * sizeof *spare);
    if (!spare) return false;
    for (size_t word = keys->words; word-- > 0;)
        sort_word(keys, &spare, word);
    free(spare);
    keys->cap = keys->count;
    return true;
}

static bool is_sorted(const struct hone_keys *keys)
{
    for (size_t i = 1; i < keys->count; i++)
        if (hone_keys_compare(keys, hone_keys_at(keys, i - 1), hone_keys_at(keys, i)) > 0)
            return false;
    return true;
}

bool hone_keys_order(struct hone_keys *keys)
{
    if (keys->words == 1) return keys->ascending_bits == WORD_BITS || order_short(keys);
    return is_sorted(keys) || order_long(keys);
}
