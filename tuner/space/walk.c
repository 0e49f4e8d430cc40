// Depth-first search over the parameters, in an order of its own: each check is tested at the first
// depth at which its scope has values, so a wrong start is never completed. After "Efficient Construction
// of Large Search Spaces for Auto-Tuning" (Willemsen et al., arXiv 2509.26253), with memos.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// A check at the depth where it becomes testable.
struct test {
    const struct hone_check *check;
    size_t stride;  // in the memo, of the parameter of this depth
    uint8_t *cells; // of the memo, for the values the other parameters have now
};

struct level {
    size_t param;
    size_t values;
    double below; // combinations of the parameters deeper down
    struct hone_key_field field;
    struct test *tests;
    size_t test_count;
};

struct search {
    const struct hone_space *space;
    const struct hone_walk *job;
    struct hone_tester tester;
    struct level *levels;
    struct test *tests;  // of all levels
    size_t tested_depth; // no tests from this depth on
    uint16_t *choices;
    uint64_t key[HONE_KEY_WORDS_MAX];
    uint64_t steps;
    double count;
    enum hone_status status;
    struct hone_error *err;
};

// --- order ---

struct ordering {
    const struct hone_space *space;
    const struct hone_walk *job;
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
    for (size_t i = 0; i < o->job->check_count; i++) {
        if (!is_in_scope(&o->job->checks[i], param)) continue;
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

// Greedy: the parameter that completes most checks, then the one that most checks wait for, then
// the one with the fewest values, then the first.
static size_t pick_param(const struct ordering *o)
{
    size_t best = 0;
    struct rank best_rank = {0};
    bool found = false;
    for (size_t p = 0; p < o->space->param_count; p++) {
        if (o->placed[p]) continue;
        struct rank rank = rank_param(o, p);
        if (found && !comes_before(rank, best_rank)) continue;
        best = p;
        best_rank = rank;
        found = true;
    }
    return best;
}

static void place_param(struct search *s, struct ordering *o, size_t depth,
                        size_t *test_count)
{
    size_t param = pick_param(o);
    struct level *level = &s->levels[depth];
    *level = (struct level){.param = param,
                            .values = s->space->params[param].count,
                            .tests = s->tests + *test_count};
    if (s->job->keys) level->field = s->job->keys->fields[param];
    o->placed[param] = true;
    for (size_t i = 0; i < s->job->check_count; i++) {
        const struct hone_check *check = &s->job->checks[i];
        if (!is_in_scope(check, param) || --o->unbound[i] > 0) continue;
        struct test *test = &level->tests[level->test_count++];
        *test = (struct test){.check = check};
        for (size_t k = 0; k < check->scope_count; k++)
            if (check->scope[k] == param) test->stride = check->strides[k];
        s->tested_depth = depth + 1;
    }
    *test_count += level->test_count;
}

static enum hone_status order_levels(struct search *s)
{
    size_t params = s->space->param_count, checks = s->job->check_count;
    struct ordering o = {.space = s->space,
                         .job = s->job,
                         .unbound = calloc(checks + 1, sizeof *o.unbound),
                         .placed = calloc(params, sizeof *o.placed)};
    enum hone_status status = HONE_OK;
    if (o.unbound && o.placed) {
        size_t test_count = 0;
        for (size_t i = 0; i < checks; i++)
            o.unbound[i] = s->job->checks[i].scope_count;
        for (size_t d = 0; d < params; d++)
            place_param(s, &o, d, &test_count);
        double below = 1;
        for (size_t d = params; d-- > 0; below *= (double)s->levels[d].values)
            s->levels[d].below = below;
    } else {
        status = hone_fail(s->err, HONE_ENOMEM, "out of memory");
    }
    free(o.unbound);
    free(o.placed);
    return status;
}

// --- search ---

static void aim_tests(const struct search *s, const struct level *level)
{
    for (size_t i = 0; i < level->test_count; i++) {
        struct test *test = &level->tests[i];
        const struct hone_check *check = test->check;
        if (!check->memo) continue;
        test->cells = check->memo;
        for (size_t k = 0; k < check->scope_count; k++)
            if (check->scope[k] != level->param)
                test->cells += s->choices[check->scope[k]] * check->strides[k];
    }
}

static enum hone_verdict judge(struct search *s, const struct test *test, size_t value)
{
    uint8_t *cell = test->cells ? test->cells + value * test->stride : NULL;
    if (cell && *cell != HONE_UNTESTED) return (enum hone_verdict) * cell;
    enum hone_verdict verdict = HONE_REJECTS;
    s->status =
        hone_check_evaluate(&s->tester, test->check, s->choices, &verdict, s->err);
    if (cell) *cell = (uint8_t)verdict;
    return verdict;
}

static bool passes(struct search *s, const struct level *level, size_t value)
{
    for (size_t i = 0; i < level->test_count; i++) {
        if (judge(s, &level->tests[i], value) == HONE_HOLDS) continue;
        if (s->job->tally)
            s->job->tally[level->tests[i].check->rule].info.removed += level->below;
        return false;
    }
    return true;
}

static void keep(struct search *s)
{
    struct hone_keys *keys = s->job->keys;
    if (keys->count == s->job->max_count)
        s->status =
            hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                         "more than %llu of %.4g combinations are valid: "
                         "add constraints or take values away",
                         (unsigned long long)s->job->max_count, s->space->cartesian);
    else if (!hone_keys_append(keys, s->key))
        s->status = hone_fail(s->err, HONE_ENOMEM,
                              "out of memory after %zu configurations", keys->count);
}

static bool spend(struct search *s, size_t steps)
{
    s->steps += steps;
    if (s->steps <= s->job->max_steps) return true;
    s->status = hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                             "gave up after %llu steps, of %.4g combinations: "
                             "constraints over fewer parameters prune earlier",
                             (unsigned long long)s->job->max_steps, s->space->cartesian);
    return false;
}

// All combinations below depth that pass. Ends early when status is not OK or one is enough.
static void descend(struct search *s, size_t depth)
{
    if (depth == s->tested_depth && !s->job->keys) {
        s->count += depth ? s->levels[depth - 1].below : s->space->cartesian;
        return;
    }
    if (depth == s->space->param_count) {
        s->count++;
        keep(s);
        return;
    }
    const struct level *level = &s->levels[depth];
    if (!spend(s, level->values)) return;
    aim_tests(s, level);
    for (size_t value = 0; value < level->values; value++) {
        s->choices[level->param] = (uint16_t)value;
        bool passed = passes(s, level, value);
        if (s->status) return;
        if (!passed) continue;
        hone_key_set(s->key, level->field, value);
        descend(s, depth + 1);
        if (s->status || (s->job->first_only && s->count > 0)) return;
    }
}

// Checks without parameters hold everywhere or nowhere. False: nowhere.
static bool test_constants(struct search *s)
{
    for (size_t i = 0; i < s->job->check_count && !s->status; i++) {
        const struct hone_check *check = &s->job->checks[i];
        if (check->scope_count > 0) continue;
        enum hone_verdict verdict = HONE_REJECTS;
        s->status = hone_check_evaluate(&s->tester, check, s->choices, &verdict, s->err);
        if (s->status || verdict == HONE_HOLDS) continue;
        if (s->job->tally) s->job->tally[check->rule].info.removed += s->space->cartesian;
        return false;
    }
    return !s->status;
}

enum hone_status hone_walk(const struct hone_space *space, const struct hone_walk *job,
                           double *count, struct hone_error *err)
{
    struct search s = {.space = space, .job = job, .err = err};
    s.levels = calloc(space->param_count, sizeof *s.levels);
    s.tests = calloc(job->check_count + 1, sizeof *s.tests);
    s.choices = calloc(space->param_count, sizeof *s.choices);
    if (!s.levels || !s.tests || !s.choices)
        s.status = hone_fail(err, HONE_ENOMEM, "out of memory");
    if (!s.status) s.status = hone_tester_init(&s.tester, space, job->tally, err);
    if (!s.status) s.status = order_levels(&s);
    if (!s.status && test_constants(&s)) descend(&s, 0);
    *count = s.count;
    hone_tester_fini(&s.tester);
    free(s.choices);
    free(s.tests);
    free(s.levels);
    return s.status;
}
