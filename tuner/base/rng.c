#include "hone/rng.h"

#include <assert.h>

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void hone_rng_seed(struct hone_rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) { // splitmix64
        uint64_t z = (seed += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        rng->state[i] = z ^ (z >> 31);
    }
}

uint64_t hone_rng_next(struct hone_rng *rng)
{
    uint64_t *s = rng->state;
    uint64_t result = rotl(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

// Rejection keeps it exactly uniform: the first 2^64 mod n values are thrown away.
uint64_t hone_rng_below(struct hone_rng *rng, uint64_t n)
{
    assert(n > 0);
    uint64_t skip = (0 - n) % n;
    uint64_t x;
    do
        x = hone_rng_next(rng);
    while (x < skip);
    return x % n;
}

double hone_rng_double(struct hone_rng *rng)
{
    return (double)(hone_rng_next(rng) >> 11) * 0x1p-53;
}

void hone_rng_shuffle(struct hone_rng *rng, size_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        const size_t other = (size_t)hone_rng_below(rng, i), kept = items[i - 1];
        items[i - 1] = items[other];
        items[other] = kept;
    }
}
