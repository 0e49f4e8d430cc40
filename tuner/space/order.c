// The order in which the search gives parameters their values. Greedy, after the same
// idea as the fail-first rule of constraint solvers (Haralick, Elliott 1980): test as
// much as possible as early as possible, and branch little before that.
#include <stdlib.h>

#include "internal.h"

struct ordering {
    const struct hone_space *space;
    const struct hone_check *checks;
    size_t check_count;
    size_t *unbound; // by check: parameters of its scope that are not placed yet
    bool *placed;    // by parameter
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
    for (size_t i = 0; i < o->check_count; i++) {
        if (!is_in_scope(&o->checks[i], param)) continue;
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

// The first of those that no other comes before.
static size_t pick(const struct ordering *o)
{
    size_t best = o->space->param_count;
    struct rank best_rank = {0};
    for (size_t p = 0; p < o->space->param_count; p++) {
        if (o->placed[p]) continue;
        struct rank rank = rank_param(o, p);
        if (best < o->space->param_count && !comes_before(rank, best_rank)) continue;
        best = p;
        best_rank = rank;
    }
    return best;
}

static void place(struct ordering *o, size_t param)
{
    o->placed[param] = true;
    for (size_t i = 0; i < o->check_count; i++)
        if (is_in_scope(&o->checks[i], param)) o->unbound[i]--;
}

bool hone_walk_order(const struct hone_space *space, const struct hone_check *checks,
                     size_t check_count, size_t *order)
{
    struct ordering o = {.space = space,
                         .checks = checks,
                         .check_count = check_count,
                         .unbound = calloc(check_count + 1, sizeof *o.unbound),
                         .placed = calloc(space->param_count, sizeof *o.placed)};
    bool ok = o.unbound && o.placed;
    for (size_t i = 0; i < check_count && ok; i++)
        o.unbound[i] = checks[i].scope_count;
    for (size_t depth = 0; depth < space->param_count && ok; depth++) {
        order[depth] = pick(&o);
        place(&o, order[depth]);
    }
    free(o.unbound);
    free(o.placed);
    return ok;
}
