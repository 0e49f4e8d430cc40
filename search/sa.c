// Simulated annealing (Kirkpatrick, Gelatt, Vecchi: Optimization by simulated annealing,
// 1983). Differences of cost are relative, so the temperature has no unit, and it falls
// with the budget. What is known already is walked over without evaluating it again.
#include <math.h>

#include "hone/rng.h"
#include "moves.h"
#include "strategies.h"

enum {
    STEPS_MAX = 64, // over known configurations in one ask
    KICK_STEPS = 3  // of a walk from the best, when the chain is stuck
};

// Temperatures of relative differences: a configuration 10 % slower is taken with
// probability 0.82 at first and never at the end.
enum { HOT, COLD };
static const struct hone_setting settings[] = {
    {"hot", "temperature at the start, of relative differences", 1e-6, 1e6, 0.5, false},
    {"cold", "temperature when the budget is spent", 1e-6, 1e6, 0.002, false},
    {0},
};

struct chain {
    struct hone_moves moves;
    bool has_base;
    uint64_t base;
    double base_cost;
};

static enum hone_status sa_init(struct hone_search *search, void *priv,
                                struct hone_error *err)
{
    struct chain *chain = priv;
    return hone_moves_init(&chain->moves, hone_search_space(search), err);
}

static double temperature(const struct hone_search *search)
{
    uint64_t budget = hone_search_budget(search);
    uint64_t count = hone_space_count(hone_search_space(search));
    double spent =
        (double)hone_search_told(search) / (double)(budget < count ? budget : count);
    const double hot = hone_search_setting(search, settings, HOT),
                 cold = hone_search_setting(search, settings, COLD);
    return hot * pow(cold / hot, spent < 1 ? spent : 1);
}

// The criterion of Metropolis, on the relative difference.
static void consider(struct hone_search *search, struct chain *chain, uint64_t index,
                     double cost)
{
    double rise = (cost - chain->base_cost) / chain->base_cost;
    if (chain->has_base && rise > 0 &&
        hone_rng_double(hone_search_rng(search)) >= exp(-rise / temperature(search)))
        return;
    chain->has_base = true;
    chain->base = index;
    chain->base_cost = cost;
}

// Walk until the step leads to something new; false when the neighbourhood is used up.
static bool walk(struct hone_search *search, struct chain *chain, uint64_t *out)
{
    for (int i = 0; i < STEPS_MAX; i++) {
        double cost;
        if (!hone_moves_step(&chain->moves, search, chain->base, HONE_HAMMING, false,
                             out))
            return false;
        if (!hone_search_seen(search, *out)) return true;
        if (hone_search_cost(search, *out, &cost)) consider(search, chain, *out, cost);
    }
    return hone_moves_step(&chain->moves, search, chain->base, HONE_HAMMING, true, out);
}

// The chain goes on from whatever is told next.
static bool kick(struct hone_search *search, struct chain *chain, uint64_t *out)
{
    *out = hone_search_best(search)->index;
    for (int i = 0; i < KICK_STEPS; i++)
        if (!hone_moves_step(&chain->moves, search, *out, HONE_HAMMING,
                             i == KICK_STEPS - 1, out))
            return false;
    chain->has_base = false;
    return true;
}

static size_t sa_ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    struct chain *chain = priv;
    size_t n = 0;
    if (!hone_search_best(search)) return 0;
    while (n < cap && chain->has_base && walk(search, chain, out + n))
        n++;
    if (!n) n = kick(search, chain, out);
    return n;
}

static void sa_tell(struct hone_search *search, void *priv,
                    const struct hone_trial *trials, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double cost;
        if (hone_search_cost(search, trials[i].index, &cost))
            consider(search, priv, trials[i].index, cost);
    }
}

static void sa_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct chain *chain = priv;
    hone_moves_fini(&chain->moves);
}

const struct hone_strategy_fns hone_strategy_sa = {
    .name = "sa",
    .description = "simulated annealing: relative differences, cooled by the budget",
    .settings = settings,
    .priv_size = sizeof(struct chain),
    .init = sa_init,
    .ask = sa_ask,
    .tell = sa_tell,
    .fini = sa_fini,
};
