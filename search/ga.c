// Genetic algorithm (Holland: Adaptation in natural and artificial systems, 1975), in
// steady state (Whitley: GENITOR, 1989), so that results may come in any order: parents
// are drawn by rank from the best so far, a child takes the values of one up to a random
// parameter and those of the other from there, and mutates.
#include <string.h>

#include "hone/rng.h"
#include "moves.h"
#include "strategies.h"

enum {
    POPULATION_MOST = 200,
    TRIES_MAX = 16 // children that are known already, in one ask
};

// A population of 20 is the best of 108 settings in Kernel Tuner's hyperparameter study.
enum { POPULATION, MUTATION };
static const struct hone_setting settings[] = {
    {"population", "the best that are kept as parents", 2, POPULATION_MOST, 20, true},
    {"mutation", "one in so many children takes a further step", 1, 1e9, 2, true},
    {0},
};

struct member {
    uint64_t index;
    double cost;
};

struct ga {
    struct hone_moves moves;
    struct member members[POPULATION_MOST]; // ascending by cost, then index
    size_t count, most;
};

static enum hone_status ga_init(struct hone_search *search, void *priv,
                                struct hone_error *err)
{
    struct ga *ga = priv;
    ga->most = (size_t)hone_search_setting(search, settings, POPULATION);
    return hone_moves_init(&ga->moves, hone_search_space(search), err);
}

// Linear ranking: the best is drawn twice as often as the middle, the last hardly ever.
static uint64_t ga_draw(struct hone_search *search, const struct ga *ga)
{
    struct hone_rng *rng = hone_search_rng(search);
    uint64_t a = hone_rng_below(rng, ga->count), b = hone_rng_below(rng, ga->count);
    return ga->members[a < b ? a : b].index;
}

static uint64_t cross(struct hone_search *search, struct ga *ga, uint64_t mother,
                      uint64_t father)
{
    const struct hone_space *space = hone_search_space(search);
    const size_t count = hone_space_param_count(space);
    size_t point = (size_t)hone_rng_below(hone_search_rng(search), count);
    hone_space_choices(space, father, ga->moves.target);
    hone_space_choices(space, mother, ga->moves.at);
    memcpy(ga->moves.target, ga->moves.at, point * sizeof *ga->moves.at);
    return hone_moves_towards(&ga->moves, hone_search_rng(search), mother);
}

// A child not seen before. One that is known steps on, so that a population of equals
// still explores.
static bool breed(struct hone_search *search, struct ga *ga, uint64_t *out)
{
    struct hone_rng *rng = hone_search_rng(search);
    const uint64_t mutation = (uint64_t)hone_search_setting(search, settings, MUTATION);
    for (int i = 0; i < TRIES_MAX; i++) {
        uint64_t child = cross(search, ga, ga_draw(search, ga), ga_draw(search, ga));
        if (hone_rng_below(rng, mutation) == 0)
            hone_moves_step(&ga->moves, search, child, HONE_HAMMING, false, &child);
        *out = child;
        if (!hone_search_seen(search, child)) return true;
        if (hone_moves_step(&ga->moves, search, child, HONE_HAMMING, true, out))
            return true;
    }
    return false;
}

static size_t ga_ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    struct ga *ga = priv;
    size_t n = 0;
    if (ga->count < 2) return 0;
    while (n < cap && breed(search, ga, out + n))
        n++;
    return n;
}

static void ga_join(struct ga *ga, struct member newcomer)
{
    size_t i = ga->count;
    while (i > 0 && newcomer.cost < ga->members[i - 1].cost)
        i--;
    if (i == ga->most) return;
    if (ga->count < ga->most) ga->count++;
    memmove(ga->members + i + 1, ga->members + i,
            (ga->count - i - 1) * sizeof *ga->members);
    ga->members[i] = newcomer;
}

static void ga_tell(struct hone_search *search, void *priv,
                    const struct hone_trial *trials, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct member newcomer = {.index = trials[i].index};
        if (hone_search_cost(search, newcomer.index, &newcomer.cost))
            ga_join(priv, newcomer);
    }
}

static void ga_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct ga *ga = priv;
    hone_moves_fini(&ga->moves);
}

const struct hone_strategy_fns hone_strategy_ga = {
    .name = "ga",
    .description = "genetic algorithm: rank selection, single point crossover",
    .settings = settings,
    .priv_size = sizeof(struct ga),
    .init = ga_init,
    .ask = ga_ask,
    .tell = ga_tell,
    .fini = ga_fini,
};
