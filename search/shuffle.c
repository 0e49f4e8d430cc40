// A Feistel network over just enough bits, cycle-walked into range (Black, Rogaway:
// Ciphers with arbitrary finite domains, 2002). In all but tiny spaces fewer than half of
// its outputs fall outside, so a step costs two passes at most on average.
#include "shuffle.h"

#include <assert.h>

#include "hone/rng.h"

enum {
    BITS_MIN = 12
}; // below, so few functions fit a round that some orders become frequent

void hone_shuffle_init(struct hone_shuffle *shuffle, uint64_t count, uint64_t seed)
{
    unsigned bits = BITS_MIN;
    while (bits < 64 && (count - 1) >> bits)
        bits++;
    *shuffle = (struct hone_shuffle){
        .count = count, .left_bits = bits / 2, .right_bits = bits - bits / 2};
    struct hone_rng rng;
    hone_rng_seed(&rng, seed);
    for (int i = 0; i < HONE_SHUFFLE_ROUNDS; i++)
        shuffle->keys[i] = hone_rng_next(&rng);
}

// The finaliser of splitmix64 (Steele, Lea, Flood 2014): every input bit reaches every
// output bit.
static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static uint64_t permute(const struct hone_shuffle *shuffle, uint64_t x)
{
    const unsigned right_bits = shuffle->right_bits;
    const uint64_t right_mask = (UINT64_C(1) << right_bits) - 1;
    const uint64_t left_mask = (UINT64_C(1) << shuffle->left_bits) - 1;
    uint64_t left = x >> right_bits, right = x & right_mask;
    for (int i = 0; i < HONE_SHUFFLE_ROUNDS; i += 2) {
        left ^= mix(right + shuffle->keys[i]) & left_mask;
        right ^= mix(left + shuffle->keys[i + 1]) & right_mask;
    }
    return left << right_bits | right;
}

uint64_t hone_shuffle_at(const struct hone_shuffle *shuffle, uint64_t position)
{
    assert(position < shuffle->count);
    uint64_t x = position;
    do
        x = permute(shuffle, x);
    while (x >= shuffle->count);
    return x;
}
