// Differential evolution, best/1/bin (Storn, Price: Differential evolution, 1997), on the
// positions of values in their lists. A vector that the constraints forbid becomes the
// nearest configuration met on the way there from the member it competes with.
#include <math.h>
#include <stdlib.h>

#include "hone/rng.h"
#include "moves.h"
#include "strategies.h"

enum {
    POPULATION_MOST = 200,
    POPULATION_MIN = 4, // best/1 needs a target and two others
    TRIES_MAX = 24      // vectors that are known already, in one ask
};
// The fallbacks were set once before any run on the recordings, not tuned
// (docs/strategies.md).
enum { POPULATION, WEIGHT, CROSSOVER };
static const struct hone_setting settings[] = {
    {"population", "members", POPULATION_MIN, POPULATION_MOST, 16, true},
    {"weight", "of the difference of two members", 0, 2, 0.7, false},
    {"crossover", "chance of a parameter to come from the vector", 0, 1, 0.6, false},
    {0},
};

struct member {
    uint64_t index;
    double cost;
    uint64_t rival; // the last vector made for this place
};

struct de {
    struct hone_moves moves;
    uint16_t *vectors; // [3][param_count], for mutate
    struct member members[POPULATION_MOST];
    size_t count, most;
    size_t next; // whose turn it is
};

static enum hone_status de_init(struct hone_search *search, void *priv,
                                struct hone_error *err)
{
    struct de *de = priv;
    const struct hone_space *space = hone_search_space(search);
    de->most = (size_t)hone_search_setting(search, settings, POPULATION);
    enum hone_status status = hone_moves_init(&de->moves, space, err);
    if (status != HONE_OK) return status;
    de->vectors = calloc(3 * hone_space_param_count(space), sizeof *de->vectors);
    if (de->vectors) return HONE_OK;
    hone_moves_fini(&de->moves);
    return hone_no_memory(err, "for strategy 'de'");
}

static uint16_t clamp(double position, size_t count)
{
    double last = (double)count - 1;
    return (uint16_t)lround(fmin(fmax(position, 0), last));
}

// moves->target = best + weight (a - b), in some parameters; the rest is the member's.
static void mutate(struct hone_search *search, struct de *de, const struct member *member)
{
    const struct hone_space *space = hone_search_space(search);
    const size_t count = hone_space_param_count(space);
    struct hone_rng *rng = hone_search_rng(search);
    uint16_t *const best = de->vectors, *const a = best + count, *const b = a + count;
    const double weight = hone_search_setting(search, settings, WEIGHT),
                 crossover = hone_search_setting(search, settings, CROSSOVER);
    const size_t sure = (size_t)hone_rng_below(rng, count);
    hone_space_choices(space, hone_search_best(search)->index, best);
    hone_space_choices(space, de->members[hone_rng_below(rng, de->count)].index, a);
    hone_space_choices(space, de->members[hone_rng_below(rng, de->count)].index, b);
    hone_space_choices(space, member->index, de->moves.target);
    for (size_t i = 0; i < count; i++) {
        if (i != sure && hone_rng_double(rng) >= crossover) continue;
        // Rounding by chance keeps short steps alive in short lists.
        double position = best[i] + weight * (a[i] - b[i]) + hone_rng_double(rng) - 0.5;
        de->moves.target[i] = clamp(position, hone_space_param(space, i)->count);
    }
}

static void compete(struct member *member, uint64_t index, double cost)
{
    if (cost > member->cost) return;
    member->index = index;
    member->cost = cost;
}

static bool evolve(struct hone_search *search, struct de *de, uint64_t *out)
{
    for (int i = 0; i < TRIES_MAX; i++) {
        struct member *member = &de->members[de->next++ % de->count];
        double cost;
        mutate(search, de, member);
        *out = member->rival =
            hone_moves_towards(&de->moves, hone_search_rng(search), member->index);
        if (!hone_search_seen(search, *out)) return true;
        if (hone_search_cost(search, *out, &cost)) compete(member, *out, cost);
    }
    // Converged: look around one of the members.
    struct member *member = &de->members[de->next++ % de->count];
    bool found =
        hone_moves_step(&de->moves, search, member->index, HONE_HAMMING, true, out);
    if (found) member->rival = *out;
    return found;
}

static size_t de_ask(struct hone_search *search, void *priv, uint64_t *out, size_t cap)
{
    struct de *de = priv;
    size_t n = 0;
    if (de->count < POPULATION_MIN) return 0;
    while (n < cap && evolve(search, de, out + n))
        n++;
    return n;
}

// A vector meets the member it was made for; a stranger fills a free place, or meets the
// worst.
static void de_place(struct de *de, uint64_t index, double cost)
{
    size_t worst = 0;
    for (size_t i = 0; i < de->count; i++) {
        if (de->members[i].rival == index) {
            compete(&de->members[i], index, cost);
            return;
        }
        if (de->members[i].cost > de->members[worst].cost) worst = i;
    }
    if (de->count < de->most)
        de->members[de->count++] =
            (struct member){.index = index, .cost = cost, .rival = index};
    else
        compete(&de->members[worst], index, cost);
}

static void de_tell(struct hone_search *search, void *priv,
                    const struct hone_trial *trials, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double cost;
        if (hone_search_cost(search, trials[i].index, &cost))
            de_place(priv, trials[i].index, cost);
    }
}

static void de_fini(struct hone_search *search, void *priv)
{
    (void)search;
    struct de *de = priv;
    hone_moves_fini(&de->moves);
    free(de->vectors);
}

const struct hone_strategy_fns hone_strategy_de = {
    .name = "de",
    .description = "differential evolution on value positions, best/1/bin",
    .settings = settings,
    .priv_size = sizeof(struct de),
    .init = de_init,
    .ask = de_ask,
    .tell = de_tell,
    .fini = de_fini,
};
