/* A random order of 0 .. count-1 that needs no memory: position -> element, by a keyed
 * bijection. Any prefix of it is a uniform sample without replacement, whatever was taken
 * before. */
#ifndef HONE_SEARCH_SHUFFLE_H
#define HONE_SEARCH_SHUFFLE_H

#include <stdint.h>

enum { HONE_SHUFFLE_ROUNDS = 8 };

struct hone_shuffle {
    uint64_t count;
    unsigned left_bits, right_bits; /* of a position: 2^(left+right) >= count */
    uint64_t keys[HONE_SHUFFLE_ROUNDS];
};

void hone_shuffle_init(struct hone_shuffle *shuffle, uint64_t count, uint64_t seed);
uint64_t hone_shuffle_at(const struct hone_shuffle *shuffle, uint64_t position);

#endif
