// Greedy iterated local search (Lourenco, Martin, Stuetzle: Iterated local search, 2003;
// the classic reference among auto-tuning strategies). Hill climbing over Hamming
// neighbours in random order, moving to the first that is better; at a local optimum, a
// short random walk from the best so far starts the next climb, and after too many climbs
// in vain a random configuration. Failed configurations are no place to climb from, and
// have no cost.
#include <stdlib.h>

#include "hone/rng.h"
#include "strategies.h"

enum { KICKS_MAX = 16 }; // walks tried in one ask before leaving it to the engine

// The fallbacks are Kernel Tuner's.
enum { KICK, RESTART };
static const struct hone_setting settings[] = {
    {"kick", "share of the parameters that change in a kick", 0, 1, 0.3, false},
    {"restart", "climbs in vain before a random restart", 1, 1e9, 50, true},
    {0},
};

struct climb {
    bool has_base;
    uint64_t base; // where the climb stands
    double base_cost;
    uint64_t *ring; // neighbours of base in random order, where ring_fresh
    size_t ring_count, ring_next, ring_cap;
    bool ring_fresh;
    double best_at_end; // the best when the last climb ended
    unsigned fruitless; // climbs since the best improved
};

static void stand_at(struct climb *climb, uint64_t index, double cost)
{
    climb->has_base = true;
    climb->base = index;
    climb->base_cost = cost;
    climb->ring_fresh = false;
}

static void shuffle(struct hone_rng *rng, uint64_t *items, size_t count)
{
    for (size_t i = count; i > 1; i--) {
        size_t j = (size_t)hone_rng_below(rng, i);
        uint64_t item = items[i - 1];
        items[i - 1] = items[j];
        items[j] = item;
    }
}

// All neighbours of index in climb->ring; false when memory runs out.
static bool fill_ring(struct climb *climb, const struct hone_space *space, uint64_t index)
{
    size_t n =
        hone_space_neighbours(space, index, HONE_HAMMING, climb->ring, climb->ring_cap);
    if (n > climb->ring_cap) {
        uint64_t *ring = realloc(climb->ring, n * sizeof *ring);
        if (!ring) return false;
        climb->ring = ring;
        climb->ring_cap = n;
        hone_space_neighbours(space, index, HONE_HAMMING, ring, n);
    }
    climb->ring_count = n;
    climb->ring_next = 0;
    climb->ring_fresh = false;
    return true;
}

static bool improves(const struct hone_search *search, const struct climb *climb,
                     uint64_t index, double *cost)
{
    return hone_search_cost(search, index, cost) && *cost < climb->base_cost;
}

// Propose unseen neighbours of the base; before the first, move to any that is known to
// be better.
static size_t ask_ring(struct hone_search *search, struct climb *climb, uint64_t *out,
                       size_t cap)
{
    size_t n = 0;
    while (n < cap) {
        if (!climb->ring_fresh) {
            if (!fill_ring(climb, hone_search_space(search), climb->base)) break;
            shuffle(hone_search_rng(search), climb->ring, climb->ring_count);
            climb->ring_fresh = true;
        }
        if (climb->ring_next == climb->ring_count) break;
        uint64_t index = climb->ring[climb->ring_next];
        double cost;
        if (improves(search, climb, index, &cost)) {
            if (n) break;
            stand_at(climb, index, cost);
            continue;
        }
        if (!hone_search_seen(search, index)) out[n++] = index;
        climb->ring_next++;
    }
    return n;
}

static bool ring_is_pending(const struct hone_search *search, const struct climb *climb)
{
    for (size_t i = 0; i < climb->ring_count; i++)
        if (hone_search_pending(search, climb->ring[i])) return true;
    return false;
}

static bool in_ring(const struct climb *climb, uint64_t index)
{
    for (size_t i = 0; climb->ring_fresh && i < climb->ring_next; i++)
        if (climb->ring[i] == index) return true;
    return false;
}

static void end_climb(const struct hone_search *search, struct climb *climb)
{
    double best = hone_trial_cost(hone_search_best(search));
    climb->fruitless = best < climb->best_at_end ? 0 : climb->fruitless + 1;
    climb->best_at_end = best;
    climb->has_base = false;
}

// A walk of a few random Hamming steps from the best so far.
static uint64_t kick(struct hone_search *search, struct climb *climb)
{
    const struct hone_space *space = hone_search_space(search);
    uint64_t index = hone_search_best(search)->index;
    size_t steps = (size_t)(hone_search_setting(search, settings, KICK) *
                                (double)hone_space_param_count(space) +
                            0.5);
    for (size_t i = 0; i < (steps > 2 ? steps : 2); i++) {
        if (!fill_ring(climb, space, index) || !climb->ring_count) break;
        index = climb->ring[hone_rng_below(hone_search_rng(search), climb->ring_count)];
    }
    return index;
}

// Between climbs. A place to start from may be known already; else it is proposed, and
// its result makes it the base.
static size_t ask_kick(struct hone_search *search, struct climb *climb, uint64_t *out)
{
    uint64_t index = kick(search, climb);
    double cost;
    if (!hone_search_seen(search, index)) {
        *out = index;
        return 1;
    }
    if (hone_search_cost(search, index, &cost)) stand_at(climb, index, cost);
    return 0;
}

static size_t greedy_ils_ask(struct hone_search *search, void *priv, uint64_t *out,
                             size_t cap)
{
    struct climb *climb = priv;
    if (!hone_search_best(search)) return 0;
    for (int i = 0; i < KICKS_MAX; i++) {
        if (climb->has_base) {
            size_t n = ask_ring(search, climb, out, cap);
            if (n || ring_is_pending(search, climb)) return n;
            end_climb(search, climb);
        }
        if (climb->fruitless > hone_search_setting(search, settings, RESTART))
            return 0; // the engine's random one is the base
        if (ask_kick(search, climb, out)) return 1;
    }
    return 0;
}

static void greedy_ils_tell(struct hone_search *search, void *priv,
                            const struct hone_trial *trials, size_t count)
{
    struct climb *climb = priv;
    for (size_t i = 0; i < count; i++) {
        const uint64_t index = trials[i].index;
        double cost;
        if (!hone_search_cost(search, index, &cost)) continue;
        bool starts = !climb->has_base || hone_search_best(search)->index == index;
        if (!climb->has_base &&
            climb->fruitless > hone_search_setting(search, settings, RESTART))
            climb->fruitless = 0;
        if (starts || (cost < climb->base_cost && in_ring(climb, index)))
            stand_at(climb, index, cost);
    }
}

static void greedy_ils_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct climb *climb = priv;
    free(climb->ring);
}

const struct hone_strategy_fns hone_strategy_greedy_ils = {
    .name = "greedy_ils",
    .description = "greedy iterated local search: hill climbing with random kicks",
    .settings = settings,
    .priv_size = sizeof(struct climb),
    .ask = greedy_ils_ask,
    .tell = greedy_ils_tell,
    .fini = greedy_ils_fini,
};
