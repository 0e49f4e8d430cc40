/* Candidates for a model that cannot look at the whole space: neighbours of the best
 * samples, crossings and short walks from them, and chance. */
#ifndef HONE_SEARCH_CANDIDATES_H
#define HONE_SEARCH_CANDIDATES_H

#include "moves.h"
#include "samples.h"

enum { HONE_CANDIDATES_MOST = 512, HONE_CANDIDATES_ELITE = 6 };

struct hone_candidates {
    struct hone_moves moves;
    uint64_t items[HONE_CANDIDATES_MOST];
    size_t count;
    size_t elite[HONE_CANDIDATES_ELITE]; /* the best samples, ascending */
    size_t elite_count;
};

enum hone_status hone_candidates_init(struct hone_candidates *pool,
                                      const struct hone_space *space,
                                      struct hone_error *err);
void hone_candidates_fini(struct hone_candidates *pool);

/* The elite alone. */
void hone_candidates_find_elite(struct hone_candidates *pool,
                                const struct hone_samples *samples);

/* Candidates anew; some may be samples themselves, or stand in the pool twice. */
void hone_candidates_fill(struct hone_candidates *pool,
                          const struct hone_samples *samples, struct hone_rng *rng);

#endif
