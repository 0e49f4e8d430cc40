// Depth-first search over the parameters, in an order of its own: each check is tested at
// the first depth at which its scope has values, for all values of that depth at once, so
// a wrong start is never completed. After "Efficient Construction of Large Search Spaces
// for Auto-Tuning" (Willemsen et al., arXiv 2509.26253), with memos and rows.
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "levels.h"
#include "rng.h"

struct search {
    const struct hone_space *space;
    const struct hone_walk *job;
    struct hone_tester tester;
    struct hone_levels levels;
    uint16_t *choices;
    uint64_t *chosen_at; // by depth: the number of choices made when it made its last
    uint64_t choices_made;
    uint64_t key[HONE_KEY_WORDS_MAX];
    uint64_t steps;
    double count;
    enum hone_status status;
    struct hone_error *err;
};

// --- values that pass ---

static void aim(const struct search *s, const struct hone_level *level,
                struct hone_test *test)
{
    const struct hone_check *check = test->check;
    test->cells = check->memo ? check->memo : test->row;
    if (!check->memo) memset(test->row, HONE_UNTESTED, level->values);
    for (size_t k = 0; check->memo && k < check->scope_count; k++)
        if (check->scope[k] != level->param)
            test->cells += s->choices[check->scope[k]] * check->strides[k];
}

static bool holds(struct search *s, const struct hone_level *level,
                  const struct hone_test *test, size_t value)
{
    uint8_t *cell = test->cells + value * test->stride;
    if (*cell == HONE_UNTESTED && !s->status) {
        enum hone_verdict verdict = HONE_REJECTS;
        s->tester.slots[level->param] = s->space->params[level->param].values[value];
        s->status = hone_check_evaluate(&s->tester, test->check, &verdict, s->err);
        *cell = (uint8_t)verdict;
    }
    return *cell == HONE_HOLDS;
}

// Keeps those of the passing values that pass this test too.
static void sieve(struct search *s, struct hone_level *level, struct hone_test *test)
{
    uint16_t *const passing = level->passing;
    const size_t before = level->passing_count;
    size_t kept = 0;
    if (test->truths) {
        for (size_t i = 0; i < before; i++) {
            passing[kept] = passing[i];
            kept += test->truths[passing[i]] != 0;
        }
    } else {
        aim(s, level, test);
        for (size_t i = 0; i < before; i++) {
            passing[kept] = passing[i];
            kept += holds(s, level, test, passing[i]);
        }
    }
    level->passing_count = kept;
    test->rejected = (double)(before - kept);
}

// All values, or those that pass the first test where it is computed already. Returns how
// many tests were made.
static size_t start_sieve(struct hone_level *level)
{
    struct hone_test *test = level->tests;
    const double *truths = level->test_count ? test->truths : NULL;
    size_t kept = 0;
    for (size_t value = 0; value < level->values; value++) {
        level->passing[kept] = (uint16_t)value;
        kept += !truths || truths[value] != 0;
    }
    level->passing_count = kept;
    if (truths) test->rejected = (double)(level->values - kept);
    return truths ? 1 : 0;
}

static void fill(struct search *s, size_t depth)
{
    struct hone_level *level = &s->levels.items[depth];
    hone_plan_fill(s->levels.plan, depth);
    size_t tested = start_sieve(level);
    for (size_t i = tested; i < level->test_count; i++)
        sieve(s, level, &level->tests[i]);
    level->is_filled = true;
    level->filled_at = s->choices_made;
}

static void count_rejected(struct hone_level *level)
{
    for (size_t i = 0; i < level->test_count; i++)
        level->tests[i].rejected_in_all += level->tests[i].rejected;
}

// Each value that was rejected stands for all that could have come below it.
static void tally(const struct search *s)
{
    for (size_t depth = 0; depth < s->levels.count; depth++) {
        const struct hone_level *level = &s->levels.items[depth];
        for (size_t i = 0; i < level->test_count; i++) {
            const struct hone_test *test = &level->tests[i];
            s->job->tally[test->check->rule].info.removed +=
                test->rejected_in_all * level->below * s->job->weight;
        }
    }
}

// --- search ---

static bool spend(struct search *s, size_t steps)
{
    s->steps += steps;
    if (s->steps <= s->job->max_steps) return true;
    if (s->job->gave_up) *s->job->gave_up = true;
    s->status = hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                             "gave up the search of %.4g combinations after %llu steps: "
                             "constraints over fewer parameters prune earlier",
                             s->levels.cartesian, (unsigned long long)s->job->max_steps);
    return false;
}

// The values that pass at depth, for what was chosen before. False: something failed.
static bool prepare(struct search *s, size_t depth)
{
    struct hone_level *level = &s->levels.items[depth];
    if (!spend(s, level->values)) return false;
    bool valid = level->is_filled &&
                 !(level->reads && s->chosen_at[level->last] > level->filled_at);
    if (!valid) fill(s, depth);
    count_rejected(level);
    return !s->status;
}

// What passes at the last depth, all of it at once.
static void keep(struct search *s, const struct hone_level *level)
{
    struct hone_keys *keys = s->job->keys;
    const size_t n = level->passing_count;
    if (s->job->max_count - keys->count < n) {
        if (s->job->gave_up) *s->job->gave_up = true;
        s->status =
            hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                         "more than %llu of %.4g combinations are valid: "
                         "add constraints or take values away",
                         (unsigned long long)s->job->max_count, s->levels.cartesian);
        return;
    }
    if (!hone_keys_reserve(keys, n)) {
        s->status = hone_fail(s->err, HONE_ENOMEM,
                              "out of memory after %zu configurations", keys->count);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        hone_key_set(s->key, level->field, level->passing[i]);
        hone_keys_push(keys, s->key);
    }
    s->count += (double)n;
}

static void choose(struct search *s, size_t depth, size_t value)
{
    const struct hone_level *level = &s->levels.items[depth];
    s->choices[level->param] = (uint16_t)value;
    s->tester.slots[level->param] = s->space->params[level->param].values[value];
    s->chosen_at[depth] = ++s->choices_made;
    hone_plan_choose(s->levels.plan, depth, value);
    hone_key_set(s->key, level->field, value);
}

// All that pass from depth on. Ends early when something failed or one is enough.
static void descend(struct search *s, size_t depth)
{
    const struct hone_level *level = &s->levels.items[depth];
    if (depth == s->levels.tested && !s->job->keys) {
        s->count += depth ? s->levels.items[depth - 1].below : s->levels.cartesian;
        return;
    }
    if (!prepare(s, depth)) return;
    bool is_last = depth + 1 == s->levels.count;
    if (is_last && s->job->keys) {
        keep(s, level);
        return;
    }
    if (depth + 1 == s->levels.tested && !s->job->keys) {
        s->count += (double)level->passing_count * level->below;
        return;
    }
    for (size_t i = 0; i < level->passing_count; i++) {
        choose(s, depth, level->passing[i]);
        descend(s, depth + 1);
        if (s->status || (s->job->first_only && s->count > 0)) return;
    }
}

// One of the values that pass at each depth, at random.
static void draw(struct search *s, struct hone_rng *rng, double *weight, double *steps)
{
    *weight = 1;
    *steps = 0;
    for (size_t depth = 0; depth<s->levels.count && * weight> 0; depth++) {
        const struct hone_level *level = &s->levels.items[depth];
        if (!prepare(s, depth)) return;
        *steps += *weight * (double)level->values;
        *weight *= (double)level->passing_count;
        if (level->passing_count)
            choose(s, depth, level->passing[hone_rng_below(rng, level->passing_count)]);
    }
}

static enum hone_status start(struct search *s)
{
    s->choices = calloc(s->space->param_count, sizeof *s->choices);
    s->chosen_at = calloc(s->job->param_count, sizeof *s->chosen_at);
    if (!s->choices || !s->chosen_at)
        return hone_fail(s->err, HONE_ENOMEM, "out of memory");
    enum hone_status status =
        hone_tester_init(&s->tester, s->space, s->job->tally, s->err);
    return status ? status : hone_levels_init(&s->levels, s->space, s->job, s->err);
}

static void finish(struct search *s)
{
    hone_levels_fini(&s->levels);
    hone_tester_fini(&s->tester);
    free(s->chosen_at);
    free(s->choices);
}

enum hone_status hone_walk(const struct hone_space *space, const struct hone_walk *job,
                           double *count, struct hone_error *err)
{
    struct search s = {.space = space, .job = job, .err = err};
    s.status = start(&s);
    if (!s.status) descend(&s, 0);
    if (!s.status && job->tally) tally(&s);
    *count = s.count;
    finish(&s);
    return s.status;
}

enum hone_status hone_walk_draw(const struct hone_space *space,
                                const struct hone_walk *job, struct hone_draws *draws,
                                struct hone_rng *rng, struct hone_error *err)
{
    const size_t words = job->keys->words;
    struct hone_walk unbound = *job;
    unbound.tally = NULL;
    unbound.max_steps = UINT64_MAX;
    struct search s = {.space = space, .job = &unbound, .err = err};
    s.status = start(&s);
    for (size_t i = 0; i < draws->count && !s.status; i++) {
        draw(&s, rng, &draws->weights[i], &draws->steps[i]);
        memcpy(draws->keys + i * words, s.key, words * sizeof *s.key);
    }
    finish(&s);
    return s.status;
}
