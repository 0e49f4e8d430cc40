// The order in which the search gives parameters their values. Greedy, after the same
// idea as the fail-first rule of constraint solvers (Haralick, Elliott 1980): test as
// much as possible as early as possible, and branch little before that.
#include <stdlib.h>

#include "internal.h"

struct ordering {
    const struct hone_space *space;
    const struct hone_walk *job;
    size_t *unbound; // by check: parameters of its scope that are not placed yet
    bool *placed;    // by parameter of the job
};

struct rank {
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

static struct rank rank_param(const struct ordering *o, size_t param)
{
    struct rank rank = {.values = o->space->params[param].count};
    for (size_t i = 0; i < o->job->check_count; i++) {
        if (!is_in_scope(o->job->checks[i], param)) continue;
        if (o->unbound[i] == 1)
            rank.completes++;
        else
            rank.advances++;
    }
    return rank;
}

static bool comes_before(struct rank a, struct rank b)
{
    if (a.completes != b.completes) return a.completes > b.completes;
    if (a.advances != b.advances) return a.advances > b.advances;
    return a.values < b.values;
}

// The first of those that no other comes before, as a place in the list of the job.
static size_t pick(const struct ordering *o)
{
    const size_t none = o->job->param_count;
    size_t best = none;
    struct rank best_rank = {0};
    for (size_t k = 0; k < none; k++) {
        if (o->placed[k]) continue;
        struct rank rank = rank_param(o, o->job->params[k]);
        if (best < none && !comes_before(rank, best_rank)) continue;
        best = k;
        best_rank = rank;
    }
    return best;
}

static size_t place(struct ordering *o, size_t k)
{
    size_t param = o->job->params[k];
    o->placed[k] = true;
    for (size_t i = 0; i < o->job->check_count; i++)
        if (is_in_scope(o->job->checks[i], param)) o->unbound[i]--;
    return param;
}

bool hone_walk_order(const struct hone_space *space, const struct hone_walk *job,
                     size_t *order)
{
    struct ordering o = {.space = space,
                         .job = job,
                         .unbound = calloc(job->check_count + 1, sizeof *o.unbound),
                         .placed = calloc(job->param_count, sizeof *o.placed)};
    bool ok = o.unbound && o.placed;
    for (size_t i = 0; i < job->check_count && ok; i++)
        o.unbound[i] = job->checks[i]->scope_count;
    for (size_t depth = 0; depth < job->param_count && ok; depth++)
        order[depth] = place(&o, pick(&o));
    free(o.unbound);
    free(o.placed);
    return ok;
}
