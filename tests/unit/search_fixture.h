/* Small spaces, landscapes over them, and a run of a strategy with results that come late
 * and in any order. */
#ifndef HONE_SEARCH_FIXTURE_H
#define HONE_SEARCH_FIXTURE_H

#include <math.h>
#include <string.h>

#include "hone/rng.h"
#include "hone/search.h"
#include "hone_test.h"

// --- spaces and landscapes ---

enum { PARAMS_MAX = 8, VALUES_MAX = 8 };

// params parameters of values values each, p0 + p1 odd only when odd is set.
static inline struct hone_space *make_space(size_t params, size_t values, bool odd)
{
    static const char *const names[PARAMS_MAX] = {"p0", "p1", "p2", "p3",
                                                  "p4", "p5", "p6", "p7"};
    struct hone_value numbers[VALUES_MAX];
    struct hone_param list[PARAMS_MAX];
    for (size_t i = 0; i < values; i++)
        numbers[i] = (struct hone_value){.type = HONE_INT, .i = (int64_t)i};
    for (size_t i = 0; i < params; i++)
        list[i] =
            (struct hone_param){.name = names[i], .values = numbers, .count = values};
    const struct hone_constraint constraint = {.text = "(p0 + p1) % 2 == 1"};
    const struct hone_space_def def = {.params = list,
                                       .param_count = params,
                                       .constraints = &constraint,
                                       .constraint_count = odd};
    struct hone_space *space = NULL;
    struct hone_error err = {0};
    assert_ok(hone_space_new(&space, &def, &err), err);
    return space;
}

typedef struct hone_trial landscape(const struct hone_space *space, uint64_t index);

static inline struct hone_trial measured(uint64_t index, double time_us)
{
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = time_us;
    return trial;
}

// Each parameter has its own best value: 1 + sum of (choice - best)^2.
static inline struct hone_trial bowl(const struct hone_space *space, uint64_t index)
{
    uint16_t choices[PARAMS_MAX];
    hone_space_choices(space, index, choices);
    double cost = 1;
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        double best = (double)((i * 5 + 2) % hone_space_param(space, i)->count);
        cost += (choices[i] - best) * (choices[i] - best);
    }
    return measured(index, cost);
}

static inline struct hone_trial rough_bowl(const struct hone_space *space, uint64_t index)
{
    if (index % 3 == 1) return hone_trial_make(index, HONE_LAUNCH_FAILED);
    return bowl(space, index);
}

static inline struct hone_trial desert(const struct hone_space *space, uint64_t index)
{
    (void)space;
    return hone_trial_make(index, HONE_BUILD_FAILED);
}

static inline struct hone_trial plain(const struct hone_space *space, uint64_t index)
{
    (void)space;
    return measured(index, 1);
}

static landscape *const landscapes[] = {bowl, rough_bowl, desert, plain};
enum { LANDSCAPES = sizeof landscapes / sizeof *landscapes };

// --- a run ---

struct run {
    const struct hone_strategy_fns *strategy;
    struct hone_search_options options;
    landscape *land;
    size_t width;       // evaluations in flight
    uint64_t late_seed; // 0: results in the order asked; else in a random order
    uint64_t *asked;    // out, room for the whole space
    size_t count;       // out
    double best;        // out; INFINITY when nothing is valid
};

static inline void run_search(struct run *run, const struct hone_space *space)
{
    struct hone_search *search = NULL;
    struct hone_error err = {0};
    assert_ok(hone_search_new(&search, run->strategy, space, &run->options, &err), err);
    struct hone_rng late;
    hone_rng_seed(&late, run->late_seed);
    uint64_t flying[16];
    size_t in_flight = 0;
    for (;;) {
        size_t n = 0;
        assert_ok(
            hone_search_ask(search, flying + in_flight, run->width - in_flight, &n, &err),
            err);
        for (size_t i = 0; i < n; i++) {
            assert_in_range(run->count, 0, hone_space_count(space) - 1);
            run->asked[run->count++] = flying[in_flight++];
        }
        if (!in_flight) break;
        size_t which = run->late_seed ? (size_t)hone_rng_below(&late, in_flight) : 0;
        struct hone_trial trial = run->land(space, flying[which]);
        memmove(flying + which, flying + which + 1,
                (--in_flight - which) * sizeof *flying);
        assert_true(hone_search_pending(search, trial.index));
        assert_ok(hone_search_tell(search, &trial, 1, &err), err);
        assert_false(hone_search_pending(search, trial.index));
    }
    assert_int_equal(hone_search_told(search), run->count);
    const struct hone_trial *best = hone_search_best(search);
    run->best = best ? best->time_us : (double)INFINITY;
    hone_search_free(search);
}

static inline struct run new_run(const char *strategy, const struct hone_space *space,
                                 uint64_t seed, uint64_t budget)
{
    struct run run = {.strategy = hone_strategy_find(strategy),
                      .options = {.seed = seed, .budget = budget},
                      .land = bowl,
                      .width = 1};
    assert_non_null(run.strategy);
    run.asked = calloc(hone_space_count(space), sizeof *run.asked);
    assert_non_null(run.asked);
    return run;
}

static inline void assert_all_distinct(const struct run *run, uint64_t space_count)
{
    bool *seen = calloc(space_count, sizeof *seen);
    assert_non_null(seen);
    for (size_t i = 0; i < run->count; i++) {
        assert_true(run->asked[i] < space_count);
        assert_false(seen[run->asked[i]]);
        seen[run->asked[i]] = true;
    }
    free(seen);
}

#endif
