/* Candidates for a model that cannot look at the whole space: neighbours of the best
 * samples, crossings and short walks from them, and chance. */
#ifndef HONE_POOL_H
#define HONE_POOL_H

#include "moves.h"
#include "samples.h"

enum { HONE_POOL_MOST = 512, HONE_POOL_ELITE = 6 };

struct hone_pool {
    struct hone_moves moves;
    uint64_t items[HONE_POOL_MOST];
    size_t count;
    size_t elite[HONE_POOL_ELITE]; /* the best samples, ascending */
    size_t elite_count;
};

enum hone_status hone_pool_init(struct hone_pool *pool, const struct hone_space *space,
                                struct hone_error *err);
void hone_pool_fini(struct hone_pool *pool);

/* The elite alone. */
void hone_pool_find_elite(struct hone_pool *pool, const struct hone_samples *samples);

/* Candidates anew; some may be samples themselves, or stand in the pool twice. */
void hone_pool_fill(struct hone_pool *pool, const struct hone_samples *samples,
                    struct hone_rng *rng);

#endif
