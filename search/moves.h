/* Moves between valid configurations that several strategies share, with the memory they
 * need. Costs follow the parameters and their values, not the size of the space. */
#ifndef HONE_SEARCH_MOVES_H
#define HONE_SEARCH_MOVES_H

#include "hone/rng.h"
#include "hone/search.h"

struct hone_moves {
    const struct hone_space *space; /* borrowed */
    uint64_t *ring;                 /* neighbours of the last configuration asked about */
    size_t ring_count, ring_cap;
    uint16_t *at, *target; /* [param_count]; target is the caller's to fill */
};

/* ENOMEM. fini also after a failed init. */
enum hone_status hone_moves_init(struct hone_moves *moves, const struct hone_space *space,
                                 struct hone_error *err);
void hone_moves_fini(struct hone_moves *moves);

/* All neighbours of index, in moves->ring; none when memory runs out. */
void hone_moves_look(struct hone_moves *moves, uint64_t index,
                     enum hone_neighbourhood kind);

/* A random neighbour of index; with unseen, one that was never asked or told. False when
 * there is none, or no memory to find it. */
bool hone_moves_step(struct hone_moves *moves, struct hone_search *search, uint64_t index,
                     enum hone_neighbourhood kind, bool unseen, uint64_t *out);

/* A random Hamming neighbour: a parameter, then another of its values; index itself where
 * some tries find none that is valid. Costs no list of neighbours. */
uint64_t hone_moves_wander(struct hone_moves *moves, struct hone_rng *rng,
                           uint64_t index);

/* The valid configuration met when going from one towards moves->target: the target
 * itself where it is valid, else parameter by parameter in random order, each as near to
 * its target as the constraints allow, until none comes nearer. */
uint64_t hone_moves_towards(struct hone_moves *moves, struct hone_rng *rng,
                            uint64_t from);

#endif
