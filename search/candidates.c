#include "candidates.h"

#include "hone/rng.h"

enum {
    RING_MOST = 64, // neighbours of one of the elite
    RANDOM = 40,
    CROSSED = 40,
    WALKED = 40
};

enum hone_status hone_candidates_init(struct hone_candidates *pool,
                                      const struct hone_space *space,
                                      struct hone_error *err)
{
    return hone_moves_init(&pool->moves, space, err);
}

void hone_candidates_fini(struct hone_candidates *pool)
{
    hone_moves_fini(&pool->moves);
}

static bool comes_before(const struct hone_samples *samples, size_t a, size_t b)
{
    const double x = samples->y[a], y = samples->y[b];
    return x < y || (x == y && samples->index[a] < samples->index[b]);
}

void hone_candidates_find_elite(struct hone_candidates *pool,
                                const struct hone_samples *samples)
{
    size_t n = 0, *elite = pool->elite;
    for (size_t i = 0; i < samples->count; i++) {
        if (!hone_samples_is_valid(samples, i)) continue;
        size_t place = n;
        while (place > 0 && comes_before(samples, i, elite[place - 1]))
            place--;
        if (place == HONE_CANDIDATES_ELITE) continue;
        if (n < HONE_CANDIDATES_ELITE) n++;
        for (size_t j = n - 1; j > place; j--)
            elite[j] = elite[j - 1];
        elite[place] = i;
    }
    pool->elite_count = n;
}

static void candidates_add(struct hone_candidates *pool, uint64_t index)
{
    if (pool->count < HONE_CANDIDATES_MOST) pool->items[pool->count++] = index;
}

// All neighbours of the configuration; of very many some, from a random one on.
static void add_ring(struct hone_candidates *pool, uint64_t index, struct hone_rng *rng)
{
    hone_moves_look(&pool->moves, index, HONE_HAMMING);
    const size_t count = pool->moves.ring_count;
    const bool all = count <= RING_MOST;
    const size_t first = all ? 0 : (size_t)hone_rng_below(rng, count);
    for (size_t i = 0; i < (all ? count : RING_MOST); i++)
        candidates_add(pool, pool->moves.ring[(first + i) % count]);
}

static size_t candidates_draw(const struct hone_candidates *pool, struct hone_rng *rng)
{
    return pool->elite[hone_rng_below(rng, pool->elite_count)];
}

// Each value from one of two of the elite.
static void add_crossed(struct hone_candidates *pool, const struct hone_samples *samples,
                        struct hone_rng *rng)
{
    const size_t a = candidates_draw(pool, rng), b = candidates_draw(pool, rng);
    const uint64_t coins = hone_rng_next(rng);
    for (size_t p = 0; p < samples->params; p++)
        pool->moves.target[p] = hone_samples_row(samples, coins >> p % 64 & 1 ? a : b)[p];
    candidates_add(pool, hone_moves_towards(&pool->moves, rng, samples->index[a]));
}

// Two or three random steps from one of the elite.
static void add_walked(struct hone_candidates *pool, const struct hone_samples *samples,
                       struct hone_rng *rng)
{
    uint64_t index = samples->index[candidates_draw(pool, rng)];
    for (uint64_t steps = 2 + hone_rng_below(rng, 2); steps; steps--)
        index = hone_moves_wander(&pool->moves, rng, index);
    candidates_add(pool, index);
}

void hone_candidates_fill(struct hone_candidates *pool,
                          const struct hone_samples *samples, struct hone_rng *rng)
{
    const uint64_t all = hone_space_count(samples->space);
    pool->count = 0;
    hone_candidates_find_elite(pool, samples);
    for (size_t i = 0; i < RANDOM; i++)
        candidates_add(pool, hone_rng_below(rng, all));
    for (size_t i = 0; i < CROSSED && pool->elite_count > 1; i++)
        add_crossed(pool, samples, rng);
    for (size_t i = 0; i < WALKED && pool->elite_count; i++)
        add_walked(pool, samples, rng);
    for (size_t i = 0; i < pool->elite_count; i++)
        add_ring(pool, samples->index[pool->elite[i]], rng);
}
