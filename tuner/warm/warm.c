// What each run knows of a configuration is its ratio best / time there. Runs vote on a
// configuration by the weighted geometric mean of these, weighted by similarity; one that
// a run has not measured has its median. Proposed are in turns the best by that vote and
// the best of the run most alike, if they differ from each other in two parameters:
// neighbours of one that disappoints disappoint too.
#include "warm/warm.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "similar.h"

enum { LEAST = 3, SHARE = 10, MOST = 10, APART = 2 };

// Slower than this share of the best is as bad as failing, so that no run has a veto.
static const double least_ratio = 0.05;

struct found {
    uint64_t index;
    size_t run;
    double ratio; // log(best / time)
};

struct candidate {
    uint64_t index;
    double vote;
};

struct run {
    double weight, median; // of the logs
};

struct pool {
    const struct hone_warm *warm;
    size_t limit;
    struct run *runs;
    struct found *found;
    size_t found_count;
    struct candidate *voted, *alike; // by vote; of the run most alike, by its ratio
    size_t voted_count, alike_count;
    uint16_t *choices; // of the space that is searched
};

size_t hone_warm_limit(uint64_t budget)
{
    const uint64_t share = budget / SHARE;
    return share < LEAST ? LEAST : share < MOST ? (size_t)share : MOST;
}

// --- a run's configurations in the space ---

// One recording, and where its values stand in the space.
struct mapping {
    const struct hone_space *from, *to;
    size_t *param;     // [to] number of the parameter of that name in from, or SIZE_MAX
    uint16_t *choices; // of from
    const struct hone_trial **order; // [count] by cost
};

static double warm_number(struct hone_value value)
{
    return value.type == HONE_INT     ? (double)value.i
           : value.type == HONE_FLOAT ? value.f
                                      : (double)NAN;
}

// The value of the parameter that equals value, or else the nearest number; any value
// where there is no order. False unless it equals.
static bool find_choice(const struct hone_space *space, size_t i, struct hone_value value,
                        uint16_t *choice)
{
    if (hone_space_choice_of(space, i, value, choice) == HONE_OK) return true;
    const struct hone_param *param = hone_space_param(space, i);
    double least = HUGE_VAL;
    *choice = HONE_ANY_CHOICE;
    for (size_t v = 0; v < param->count; v++) {
        const double gap = fabs(warm_number(param->values[v]) - warm_number(value));
        if (!(gap < least)) continue;
        least = gap;
        *choice = (uint16_t)v;
    }
    return false;
}

// Whether the trial's configuration is one of the space, as choices then say.
static bool map_trial(const struct mapping *m, const struct hone_trial *trial,
                      uint16_t *choices, uint64_t *index)
{
    bool exact = true;
    hone_space_choices(m->from, trial->index, m->choices);
    for (size_t i = 0; i < hone_space_param_count(m->to); i++) {
        const size_t p = m->param[i];
        choices[i] = HONE_ANY_CHOICE;
        if (p == SIZE_MAX)
            exact = hone_space_param(m->to, i)->count == 1 && exact;
        else
            exact =
                find_choice(m->to, i, hone_space_param(m->from, p)->values[m->choices[p]],
                            &choices[i]) &&
                exact;
        if (p == SIZE_MAX && hone_space_param(m->to, i)->count == 1) choices[i] = 0;
    }
    return exact && hone_space_index(m->to, choices, index) == HONE_OK;
}

static int by_cost(const void *a, const void *b)
{
    const struct hone_trial *x = *(const struct hone_trial *const *)a,
                            *y = *(const struct hone_trial *const *)b;
    const double cx = hone_trial_cost(x), cy = hone_trial_cost(y);
    if (cx != cy) return cx < cy ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void mapping_fini(struct mapping *m)
{
    free(m->param);
    free(m->choices);
    free(m->order);
}

static enum hone_status mapping_init(struct mapping *m, const struct hone_space *to,
                                     const struct hone_recording *recording,
                                     struct hone_error *err)
{
    const size_t count = hone_recording_count(recording);
    *m = (struct mapping){.from = hone_recording_space(recording), .to = to};
    m->param = calloc(hone_space_param_count(to) + 1, sizeof *m->param);
    m->choices = calloc(hone_space_param_count(m->from) + 1, sizeof *m->choices);
    m->order = calloc(count + 1, sizeof *m->order);
    if (!m->param || !m->choices || !m->order)
        return hone_no_memory(err, "for %zu earlier trials", count);
    size_t shared = 0;
    for (size_t i = 0; i < hone_space_param_count(to); i++) {
        m->param[i] = SIZE_MAX;
        for (size_t p = 0; p < hone_space_param_count(m->from); p++)
            if (strcmp(hone_space_param(to, i)->name,
                       hone_space_param(m->from, p)->name) == 0)
                m->param[i] = p;
        shared += m->param[i] != SIZE_MAX;
    }
    if (!shared)
        return hone_fail(err, HONE_EINPUT, "'%s' has no parameter of this kernel",
                         hone_recording_path(recording));
    for (size_t i = 0; i < count; i++)
        m->order[i] = hone_recording_trial(recording, i);
    qsort(m->order, count, sizeof *m->order, by_cost);
    return HONE_OK;
}

static double log_ratio(const struct hone_trial *best, const struct hone_trial *trial)
{
    const double ratio = hone_trial_cost(best) / hone_trial_cost(trial); // 0 of a failure
    return log(ratio > least_ratio ? ratio : least_ratio);
}

// The trials of run r, best first: those that the space has, and what comes nearest to
// the best that it has not.
static enum hone_status add_trials(struct pool *pool, size_t r, const struct mapping *m,
                                   size_t count, struct hone_error *err)
{
    size_t valid = 0, near = 0;
    enum hone_status status = HONE_OK;
    while (valid < count && isfinite(hone_trial_cost(m->order[valid])))
        valid++;
    if (!valid) return HONE_OK;
    pool->runs[r].median = log_ratio(m->order[0], m->order[valid / 2]);
    for (size_t i = 0; i < count && status == HONE_OK; i++) {
        struct found found = {.run = r, .ratio = log_ratio(m->order[0], m->order[i])};
        if (!map_trial(m, m->order[i], pool->choices, &found.index)) {
            if (i >= valid || near++ >= pool->limit) continue;
            status = hone_nearest(&found.index, m->to, pool->choices, err);
        }
        pool->found[pool->found_count++] = found;
    }
    return status;
}

static enum hone_status add_run(struct pool *pool, size_t r, struct hone_error *err)
{
    const struct hone_warm *warm = pool->warm;
    const struct hone_recording *recording = warm->recordings[r];
    struct mapping m;
    pool->runs[r].weight = hone_similarity(warm->info, hone_recording_info(recording));
    enum hone_status status = mapping_init(&m, warm->space, recording, err);
    if (status == HONE_OK)
        status = add_trials(pool, r, &m, hone_recording_count(recording), err);
    mapping_fini(&m);
    return status;
}

// --- the vote ---

// The best ratio of a run comes first where several of its configurations are near one.
static int by_index(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->index != y->index) return x->index < y->index ? -1 : 1;
    if (x->run != y->run) return x->run < y->run ? -1 : 1;
    return (x->ratio < y->ratio) - (x->ratio > y->ratio);
}

static int by_vote(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->vote != y->vote) return x->vote > y->vote ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

static void vote(struct pool *pool)
{
    double absent = 0; // the vote on what nobody has measured
    size_t most_alike = 0;
    for (size_t r = 0; r < pool->warm->recording_count; r++) {
        absent += pool->runs[r].weight * pool->runs[r].median;
        if (pool->runs[r].weight > pool->runs[most_alike].weight) most_alike = r;
    }
    qsort(pool->found, pool->found_count, sizeof *pool->found, by_index);
    for (size_t i = 0; i < pool->found_count; i++) {
        const struct found *f = &pool->found[i];
        const bool same_index = i && f[-1].index == f->index;
        if (same_index && f[-1].run == f->run) continue;
        if (!same_index)
            pool->voted[pool->voted_count++] =
                (struct candidate){.index = f->index, .vote = absent};
        struct candidate *candidate = &pool->voted[pool->voted_count - 1];
        const struct run *run = &pool->runs[f->run];
        candidate->vote += run->weight * (f->ratio - run->median);
        if (f->run == most_alike)
            pool->alike[pool->alike_count++] =
                (struct candidate){.index = f->index, .vote = f->ratio};
    }
    qsort(pool->voted, pool->voted_count, sizeof *pool->voted, by_vote);
    qsort(pool->alike, pool->alike_count, sizeof *pool->alike, by_vote);
}

// --- the choice ---

struct chosen {
    uint64_t *out;
    size_t count, gap;
};

// A parameter with one value tells nothing apart.
static size_t wanted_gap(const struct hone_space *space)
{
    size_t free_params = 0;
    for (size_t i = 0; i < hone_space_param_count(space); i++)
        free_params += hone_space_param(space, i)->count > 1;
    return free_params < APART ? free_params : APART;
}

static bool is_apart(const struct hone_space *space, uint64_t a, uint64_t b,
                     uint16_t *choices, size_t gap)
{
    const size_t count = hone_space_param_count(space);
    size_t differ = 0;
    hone_space_choices(space, a, choices);
    hone_space_choices(space, b, choices + count);
    for (size_t i = 0; i < count; i++)
        differ += choices[i] != choices[count + i];
    return differ >= gap;
}

// Adds the first candidate from *next on that is apart from all that were chosen.
static bool choose_next(const struct pool *pool, const struct candidate *candidates,
                        size_t candidate_count, size_t *next, struct chosen *chosen)
{
    while (*next < candidate_count) {
        const uint64_t index = candidates[(*next)++].index;
        bool apart = true;
        for (size_t k = 0; k < chosen->count && apart; k++)
            apart = is_apart(pool->warm->space, chosen->out[k], index, pool->choices,
                             chosen->gap);
        if (!apart) continue;
        chosen->out[chosen->count++] = index;
        return true;
    }
    return false;
}

static size_t warm_choose(const struct pool *pool, uint64_t *out)
{
    struct chosen chosen = {.out = out, .gap = wanted_gap(pool->warm->space)};
    size_t next_voted = 0, next_alike = 0;
    bool found = true;
    while (found && chosen.count < pool->limit) {
        found = choose_next(pool, pool->voted, pool->voted_count, &next_voted, &chosen);
        if (chosen.count < pool->limit)
            found |=
                choose_next(pool, pool->alike, pool->alike_count, &next_alike, &chosen);
    }
    return chosen.count;
}

// --- from the runs to the vote ---

static void pool_fini(struct pool *pool)
{
    free(pool->runs);
    free(pool->found);
    free(pool->voted);
    free(pool->alike);
    free(pool->choices);
}

static enum hone_status pool_init(struct pool *pool, size_t limit,
                                  const struct hone_warm *warm, struct hone_error *err)
{
    size_t trials = 0;
    for (size_t r = 0; r < warm->recording_count; r++)
        trials += hone_recording_count(warm->recordings[r]);
    *pool = (struct pool){
        .warm = warm,
        .limit = limit,
        .runs = calloc(warm->recording_count + 1, sizeof *pool->runs),
        .found = calloc(trials + 1, sizeof *pool->found),
        .voted = calloc(trials + 1, sizeof *pool->voted),
        .alike = calloc(trials + 1, sizeof *pool->alike),
        .choices =
            calloc(2 * hone_space_param_count(warm->space) + 1, sizeof *pool->choices),
    };
    enum hone_status status = HONE_OK;
    if (!pool->runs || !pool->found || !pool->voted || !pool->alike || !pool->choices)
        status = hone_no_memory(err, "for %zu earlier trials", trials);
    for (size_t r = 0; r < warm->recording_count && status == HONE_OK; r++)
        status = add_run(pool, r, err);
    if (status == HONE_OK) vote(pool);
    return status;
}

enum hone_status hone_warm_start(uint64_t *out, size_t *count, size_t limit,
                                 const struct hone_warm *warm, struct hone_error *err)
{
    struct pool pool;
    enum hone_status status = pool_init(&pool, limit, warm, err);
    *count = status == HONE_OK ? warm_choose(&pool, out) : 0;
    pool_fini(&pool);
    return status;
}

static enum hone_status expect(struct hone_expectation **out, const struct pool *pool,
                               struct hone_error *err)
{
    const struct hone_warm *warm = pool->warm;
    double weights = 0;
    for (size_t r = 0; r < warm->recording_count; r++)
        weights += pool->runs[r].weight;
    struct hone_hint *hints = calloc(pool->voted_count + 1, sizeof *hints);
    if (!hints) return hone_no_memory(err, "for hints");
    for (size_t i = 0; i < pool->voted_count; i++)
        hints[i] = (struct hone_hint){.index = pool->voted[i].index,
                                      .slower = -pool->voted[i].vote / weights};
    enum hone_status status =
        hone_expectation_new(out, warm->space, hints, pool->voted_count, err);
    free(hints);
    return status;
}

enum hone_status hone_warm_expect(struct hone_expectation **out,
                                  const struct hone_warm *warm, struct hone_error *err)
{
    struct pool pool;
    *out = NULL;
    enum hone_status status = pool_init(&pool, MOST, warm, err);
    if (status == HONE_OK) status = expect(out, &pool, err);
    pool_fini(&pool);
    return status;
}
