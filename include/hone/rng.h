/* Random numbers that repeat by seed: xoshiro256** (Blackman, Vigna 2018) seeded by
 * splitmix64. */
#ifndef HONE_RNG_H
#define HONE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct hone_rng {
    uint64_t state[4];
};

void hone_rng_seed(struct hone_rng *rng, uint64_t seed);
uint64_t hone_rng_next(struct hone_rng *rng);
uint64_t hone_rng_below(struct hone_rng *rng,
                        uint64_t n);          /* uniform in 0 .. n-1; n > 0 */
double hone_rng_double(struct hone_rng *rng); /* uniform in [0, 1) */

/* All orders of items are equally likely: Fisher and Yates. */
void hone_rng_shuffle(struct hone_rng *rng, size_t *items, size_t count);

#endif
