// A bandit over ways to change the best configurations (Thompson 1933; as in the adaptive
// operator selection of Fialho, Da Costa, Schoenauer, Sebag 2010): each way has a Beta
// distribution of paying off, one is drawn from each, and the highest goes. A proposal
// has paid when it enters the best so far. What paid long ago is forgotten.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"
#include "moves.h"
#include "strategies.h"

enum {
    ELITE_MOST = 100,
    TRIES_MAX = 16, // changes that lead to what is known, in one ask
    FLYING_MOST = 64
};

enum { ELITE, DECAY };
static const struct hone_setting settings[] = {
    {"elite", "the best that are changed, and that a change must join to have paid", 2,
     ELITE_MOST, 10, true},
    {"decay", "of what a way of change has paid, each trial", 0, 1, 0.98, false},
    {0},
};

enum way {
    NEIGHBOUR_OF_BEST, // another value of one parameter
    STEP_OF_BEST,      // the next value of one parameter
    NEIGHBOUR,         // of one of the elite
    WALK,              // two or three steps from one of the elite
    CROSS,             // each value from one of two
    LEAP,              // the difference of two added to the best
    ANYWHERE,
    WAYS
};

struct member {
    uint64_t index;
    double cost;
};

struct flight {
    uint64_t index;
    enum way way;
};

struct bandit {
    struct hone_moves moves;
    struct member elite[ELITE_MOST]; // ascending by cost, then index
    size_t count, most;
    double decay;
    double paid[WAYS], lost[WAYS];
    struct flight flights[FLYING_MOST];
    size_t flying;
    uint16_t *others; // [2][param_count], for a leap
};

static enum hone_status bandit_init(struct hone_search *search, void *priv,
                                    struct hone_error *err)
{
    struct bandit *bandit = priv;
    const struct hone_space *space = hone_search_space(search);
    bandit->most = (size_t)hone_search_setting(search, settings, ELITE);
    bandit->decay = hone_search_setting(search, settings, DECAY);
    enum hone_status status = hone_moves_init(&bandit->moves, space, err);
    if (status != HONE_OK) return status;
    bandit->others = calloc(2 * hone_space_param_count(space), sizeof *bandit->others);
    if (bandit->others) return HONE_OK;
    hone_moves_fini(&bandit->moves);
    return hone_no_memory(err, "for strategy 'bandit'");
}

// --- which way ---

static double draw_normal(struct hone_rng *rng)
{
    const double radius = sqrt(-2 * log(1 - hone_rng_double(rng)));
    return radius * cos(2 * acos(-1.0) * hone_rng_double(rng));
}

// Marsaglia, Tsang: A simple method for generating gamma variables (2000); shape >= 1.
static double draw_gamma(struct hone_rng *rng, double shape)
{
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = draw_normal(rng), v = pow(1 + c * x, 3);
        if (v <= 0) continue;
        const double u = 1 - hone_rng_double(rng);
        if (log(u) < 0.5 * x * x + d - d * v + d * log(v)) return d * v;
    }
}

static double draw_beta(struct hone_rng *rng, double a, double b)
{
    const double x = draw_gamma(rng, a), y = draw_gamma(rng, b);
    return x / (x + y);
}

static enum way choose_way(const struct bandit *bandit, struct hone_rng *rng)
{
    enum way best = ANYWHERE;
    double most = -1;
    for (int way = 0; way < WAYS; way++) {
        const double luck = draw_beta(rng, 1 + bandit->paid[way], 1 + bandit->lost[way]);
        if (luck <= most) continue;
        most = luck;
        best = (enum way)way;
    }
    return best;
}

// --- the ways ---

static uint64_t bandit_draw(const struct bandit *bandit, struct hone_rng *rng)
{
    return bandit->elite[hone_rng_below(rng, bandit->count)].index;
}

static uint64_t cross(struct bandit *bandit, const struct hone_space *space,
                      struct hone_rng *rng)
{
    const uint64_t mother = bandit_draw(bandit, rng), father = bandit_draw(bandit, rng);
    const uint64_t coins = hone_rng_next(rng);
    hone_space_choices(space, mother, bandit->others);
    hone_space_choices(space, father, bandit->moves.target);
    for (size_t p = 0; p < hone_space_param_count(space); p++)
        if (coins >> p % 64 & 1) bandit->moves.target[p] = bandit->others[p];
    return hone_moves_towards(&bandit->moves, rng, mother);
}

static uint64_t leap(struct bandit *bandit, const struct hone_space *space,
                     struct hone_rng *rng)
{
    const size_t count = hone_space_param_count(space);
    uint16_t *a = bandit->others, *b = a + count, *target = bandit->moves.target;
    hone_space_choices(space, bandit_draw(bandit, rng), a);
    hone_space_choices(space, bandit_draw(bandit, rng), b);
    hone_space_choices(space, bandit->elite[0].index, target);
    for (size_t p = 0; p < count; p++) {
        const int last = (int)hone_space_param(space, p)->count - 1;
        const int place = target[p] + a[p] - b[p];
        target[p] = (uint16_t)(place < 0 ? 0 : place > last ? last : place);
    }
    return hone_moves_towards(&bandit->moves, rng, bandit->elite[0].index);
}

static uint64_t go(struct hone_search *search, struct bandit *bandit, enum way way)
{
    const struct hone_space *space = hone_search_space(search);
    struct hone_rng *rng = hone_search_rng(search);
    uint64_t at = bandit->elite[0].index;
    switch (way) {
    case NEIGHBOUR:
        at = bandit_draw(bandit, rng);
        hone_moves_step(&bandit->moves, search, at, HONE_HAMMING, true, &at);
        return at;
    case STEP_OF_BEST:
        hone_moves_step(&bandit->moves, search, at, HONE_ADJACENT, true, &at);
        return at;
    case WALK:
        at = bandit_draw(bandit, rng);
        for (uint64_t steps = 2 + hone_rng_below(rng, 2); steps; steps--)
            at = hone_moves_wander(&bandit->moves, rng, at);
        return at;
    case CROSS:
        return cross(bandit, space, rng);
    case LEAP:
        return leap(bandit, space, rng);
    case ANYWHERE:
        return hone_rng_below(rng, hone_space_count(space));
    case NEIGHBOUR_OF_BEST:
    case WAYS:
        break;
    }
    hone_moves_step(&bandit->moves, search, at, HONE_HAMMING, true, &at);
    return at;
}

static bool is_flying(const struct bandit *bandit, uint64_t index)
{
    for (size_t i = 0; i < bandit->flying; i++)
        if (bandit->flights[i].index == index) return true;
    return false;
}

static bool propose(struct hone_search *search, struct bandit *bandit, uint64_t *out)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        const enum way way = choose_way(bandit, hone_search_rng(search));
        *out = go(search, bandit, way);
        if (hone_search_seen(search, *out) || is_flying(bandit, *out)) {
            bandit->lost[way] += 1.0 / TRIES_MAX; // a way that leads nowhere new
            continue;
        }
        if (bandit->flying < FLYING_MOST)
            bandit->flights[bandit->flying++] =
                (struct flight){.index = *out, .way = way};
        return true;
    }
    return false;
}

static size_t bandit_ask(struct hone_search *search, void *priv, uint64_t *out,
                         size_t cap)
{
    struct bandit *bandit = priv;
    size_t n = 0;
    while (n < cap && bandit->count && propose(search, bandit, out + n))
        n++;
    return n;
}

// --- what paid ---

static void learn(struct bandit *bandit, uint64_t index, bool paid)
{
    for (size_t i = 0; i < bandit->flying; i++) {
        if (bandit->flights[i].index != index) continue;
        const enum way way = bandit->flights[i].way;
        for (int w = 0; w < WAYS; w++) {
            bandit->paid[w] *= bandit->decay;
            bandit->lost[w] *= bandit->decay;
        }
        *(paid ? &bandit->paid[way] : &bandit->lost[way]) += 1;
        bandit->flights[i] = bandit->flights[--bandit->flying];
        return;
    }
}

// Whether it is among the best.
static bool bandit_join(struct bandit *bandit, struct member newcomer)
{
    size_t i = bandit->count;
    while (i > 0 && newcomer.cost < bandit->elite[i - 1].cost)
        i--;
    if (i == bandit->most) return false;
    if (bandit->count < bandit->most) bandit->count++;
    memmove(bandit->elite + i + 1, bandit->elite + i,
            (bandit->count - i - 1) * sizeof *bandit->elite);
    bandit->elite[i] = newcomer;
    return true;
}

static void bandit_tell(struct hone_search *search, void *priv,
                        const struct hone_trial *trials, size_t count)
{
    struct bandit *bandit = priv;
    for (size_t i = 0; i < count; i++) {
        struct member newcomer = {.index = trials[i].index};
        const bool valid = hone_search_cost(search, newcomer.index, &newcomer.cost);
        learn(bandit, newcomer.index, valid && bandit_join(bandit, newcomer));
    }
}

static void bandit_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct bandit *bandit = priv;
    hone_moves_fini(&bandit->moves);
    free(bandit->others);
}

const struct hone_strategy_fns hone_strategy_bandit = {
    .name = "bandit",
    .description = "Thompson sampling over seven ways to change the best",
    .settings = settings,
    .priv_size = sizeof(struct bandit),
    .init = bandit_init,
    .ask = bandit_ask,
    .tell = bandit_tell,
    .fini = bandit_fini,
};
