// The order in which the search gives parameters their values. Greedy, after the same
// idea as the fail-first rule of constraint solvers (Haralick, Elliott 1980): test as
// much as possible as early as possible, and branch little before that. What no other
// parameter waits for, and what multiplies rather than filters, comes last: the values
// that pass there are found once for many others.
#include <stdlib.h>

#include "hone/rng.h"
#include "space_internal.h"

// Draws to estimate how many values pass, and the product of value counts from which on
// they are worth their time.
enum { DRAWS = 64, DRAWS_FROM = 100000 };

struct ordering {
    const struct hone_space *space;
    const struct hone_walk *job;
    size_t *unbound; // by check: parameters of its scope that are not placed yet
    bool *placed;    // by parameter of the job
    double *passing; // values that pass on average, by parameter of the job; 0: unknown
    struct hone_tester tester;
};

struct rank {
    bool waits;       // until all others are placed
    size_t completes; // checks that become testable
    size_t advances;  // checks that come nearer to it
    size_t values;
};

static bool is_in_scope(const struct hone_check *check, size_t param)
{
    for (size_t i = 0; i < check->scope_count; i++)
        if (check->scope[i] == param) return true;
    return false;
}

// --- how many values pass ---

static bool draw_passes(struct ordering *o, size_t param, struct hone_rng *rng)
{
    for (size_t i = 0; i < o->job->check_count; i++) {
        const struct hone_check *check = o->job->checks[i];
        if (!is_in_scope(check, param)) continue;
        enum hone_space_verdict verdict = HONE_REJECTS;
        for (size_t k = 0; k < check->scope_count; k++) {
            const struct hone_param *p = &o->space->params[check->scope[k]];
            o->tester.slots[check->scope[k]] =
                p->values[(size_t)hone_rng_below(rng, p->count)];
        }
        hone_check_evaluate(&o->tester, check, &verdict, NULL);
        if (verdict != HONE_HOLDS) return false;
    }
    return true;
}

static double estimate_passing(struct ordering *o, size_t param)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, param);
    size_t passed = 0;
    for (size_t i = 0; i < DRAWS; i++)
        passed += draw_passes(o, param, &rng);
    return (double)o->space->params[param].count * ((double)passed + 0.5) / (DRAWS + 1);
}

// Functions are not called for a guess.
static bool may_wait(const struct ordering *o, size_t param)
{
    for (size_t i = 0; i < o->job->check_count; i++)
        if (is_in_scope(o->job->checks[i], param) && !o->job->checks[i]->expr)
            return false;
    return o->passing != NULL;
}

// --- ranks ---

static struct rank rank_param(struct ordering *o, size_t k)
{
    const size_t param = o->job->params[k];
    struct rank rank = {.values = o->space->params[param].count};
    for (size_t i = 0; i < o->job->check_count; i++) {
        if (!is_in_scope(o->job->checks[i], param)) continue;
        if (o->unbound[i] == 1)
            rank.completes++;
        else
            rank.advances++;
    }
    if (rank.advances > 0 || !may_wait(o, param)) return rank;
    if (o->passing[k] == 0) o->passing[k] = estimate_passing(o, param);
    rank.waits = o->passing[k] >= 1;
    return rank;
}

// A single value costs nothing once at the top, but a choice for each start further down.
static bool comes_before(struct rank a, struct rank b)
{
    if ((a.values == 1) != (b.values == 1)) return a.values == 1;
    if (a.waits != b.waits) return b.waits;
    if (a.completes != b.completes) return a.completes > b.completes;
    if (a.advances != b.advances) return a.advances > b.advances;
    return a.values < b.values;
}

// The first of those that no other comes before, as a place in the list of the job.
static size_t pick(struct ordering *o)
{
    const size_t none = o->job->param_count;
    size_t best = none;
    struct rank best_rank = {0};
    for (size_t k = 0; k < none; k++) {
        if (o->placed[k]) continue;
        struct rank rank = rank_param(o, k);
        if (best < none && !comes_before(rank, best_rank)) continue;
        best = k;
        best_rank = rank;
    }
    return best;
}

static size_t order_place(struct ordering *o, size_t k)
{
    size_t param = o->job->params[k];
    o->placed[k] = true;
    for (size_t i = 0; i < o->job->check_count; i++)
        if (is_in_scope(o->job->checks[i], param)) o->unbound[i]--;
    return param;
}

static bool is_large(const struct ordering *o)
{
    double combinations = 1;
    for (size_t k = 0; k < o->job->param_count; k++)
        combinations *= (double)o->space->params[o->job->params[k]].count;
    return combinations >= DRAWS_FROM;
}

bool hone_walk_order(const struct hone_space *space, const struct hone_walk *job,
                     size_t *order)
{
    struct ordering o = {.space = space,
                         .job = job,
                         .unbound = calloc(job->check_count + 1, sizeof *o.unbound),
                         .placed = calloc(job->param_count, sizeof *o.placed)};
    bool ok = o.unbound && o.placed;
    if (ok && is_large(&o)) {
        o.passing = calloc(job->param_count, sizeof *o.passing);
        ok = o.passing && hone_tester_init(&o.tester, space, NULL, NULL) == HONE_OK;
    }
    for (size_t i = 0; i < job->check_count && ok; i++)
        o.unbound[i] = job->checks[i]->scope_count;
    for (size_t depth = 0; depth < job->param_count && ok; depth++)
        order[depth] = order_place(&o, pick(&o));
    hone_tester_fini(&o.tester);
    free(o.passing);
    free(o.unbound);
    free(o.placed);
    return ok;
}
