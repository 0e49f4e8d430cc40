// Depth-first search over the parameters, in an order of its own: each check is tested at
// the first depth at which its scope has values, so a wrong start is never completed.
// After "Efficient Construction of Large Search Spaces for Auto-Tuning" (Willemsen et
// al., arXiv 2509.26253), with memos.
#include <stdlib.h>
#include <string.h>

#include "internal.h"

// A check at the depth where it becomes testable.
struct test {
    const struct hone_check *check;
    bool sweeps;    // worth a try for several values at once
    size_t stride;  // of the cells
    uint8_t *row;   // room for the verdicts, where there is no memo
    uint8_t *cells; // verdicts by value of this depth, as the other parameters are now
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
    uint8_t *rows;       // of all tests
    size_t tested_depth; // no tests from this depth on
    uint16_t *choices;
    uint64_t key[HONE_KEY_WORDS_MAX];
    uint64_t steps;
    double cartesian;
    double count;
    enum hone_status status;
    struct hone_error *err;
};

// --- levels ---

static void add_test(struct level *level, const struct hone_check *check)
{
    struct test *test = &level->tests[level->test_count++];
    *test = (struct test){
        .check = check, .sweeps = check->expr && check->need_count == 0, .stride = 1};
    for (size_t i = 0; check->memo && i < check->scope_count; i++)
        if (check->scope[i] == level->param) test->stride = check->strides[i];
}

static size_t place_of(const struct hone_walk *job, size_t param)
{
    size_t place = 0;
    while (job->params[place] != param)
        place++;
    return place;
}

// The depth at which the last parameter of its scope gets a value.
static size_t depth_of(const struct hone_check *check, const size_t *depths)
{
    size_t depth = 0;
    for (size_t i = 0; i < check->scope_count; i++)
        if (depths[check->scope[i]] > depth) depth = depths[check->scope[i]];
    return depth;
}

// Tests of a level stay in the order of the constraints: a guard may stand before what it
// guards.
static void fill_levels(struct search *s, const size_t *order, const size_t *depths)
{
    const struct hone_walk *job = s->job;
    struct test *tests = s->tests;
    for (size_t depth = 0; depth < job->param_count; depth++) {
        size_t param = order[depth];
        struct level *level = &s->levels[depth];
        *level = (struct level){
            .param = param, .values = s->space->params[param].count, .tests = tests};
        if (job->keys) level->field = job->keys->fields[place_of(job, param)];
        for (size_t i = 0; i < job->check_count; i++) {
            const struct hone_check *check = job->checks[i];
            if (depth_of(check, depths) == depth) add_test(level, check);
        }
        if (level->test_count > 0) s->tested_depth = depth + 1;
        tests += level->test_count;
    }
    s->cartesian = 1;
    for (size_t depth = job->param_count; depth-- > 0;) {
        s->levels[depth].below = s->cartesian;
        s->cartesian *= (double)s->levels[depth].values;
    }
}

// Room for a row of verdicts where there is no memo.
static bool give_rows(struct search *s)
{
    size_t total = 0;
    for (int give = 0; give < 2; give++) {
        if (give && !(s->rows = malloc(total + 1))) return false;
        total = 0;
        for (size_t depth = 0; depth < s->job->param_count; depth++) {
            struct level *level = &s->levels[depth];
            for (size_t i = 0; i < level->test_count; i++) {
                if (level->tests[i].check->memo) continue;
                if (give) level->tests[i].row = s->rows + total;
                total += level->values;
            }
        }
    }
    return true;
}

static enum hone_status make_levels(struct search *s)
{
    size_t params = s->job->param_count;
    size_t *order = calloc(params, sizeof *order);
    size_t *depths = calloc(s->space->param_count, sizeof *depths); // by parameter
    bool ok = order && depths && hone_walk_order(s->space, s->job, order);
    if (ok) {
        for (size_t depth = 0; depth < params; depth++)
            depths[order[depth]] = depth;
        fill_levels(s, order, depths);
        ok = give_rows(s);
    }
    free(order);
    free(depths);
    return ok ? HONE_OK : hone_fail(s->err, HONE_ENOMEM, "out of memory");
}

// --- search ---

static void aim_tests(const struct search *s, const struct level *level)
{
    for (size_t i = 0; i < level->test_count; i++) {
        struct test *test = &level->tests[i];
        const struct hone_check *check = test->check;
        test->cells = check->memo ? check->memo : test->row;
        if (!check->memo) memset(test->row, HONE_UNTESTED, level->values);
        for (size_t k = 0; check->memo && k < check->scope_count; k++)
            if (check->scope[k] != level->param)
                test->cells += s->choices[check->scope[k]] * check->strides[k];
    }
}

// Fills the untested cells round value, if the check is plain there.
static bool sweep(struct search *s, const struct level *level, struct test *test,
                  size_t value)
{
    bool truths[HONE_SWEEP_MAX];
    size_t first = value - value % HONE_SWEEP_MAX, count = level->values - first;
    if (count > HONE_SWEEP_MAX) count = HONE_SWEEP_MAX;
    test->sweeps =
        hone_expr_sweep(test->check->expr, s->tester.slots, level->param,
                        s->space->params[level->param].values + first, count, truths);
    for (size_t i = 0; test->sweeps && i < count; i++) {
        uint8_t *cell = test->cells + (first + i) * test->stride;
        if (*cell == HONE_UNTESTED) *cell = truths[i] ? HONE_HOLDS : HONE_REJECTS;
    }
    return test->sweeps;
}

static enum hone_verdict judge(struct search *s, const struct level *level,
                               struct test *test, size_t value)
{
    uint8_t *cell = test->cells + value * test->stride;
    if (*cell != HONE_UNTESTED) return *cell;
    if (test->sweeps && sweep(s, level, test, value)) return *cell;
    enum hone_verdict verdict = HONE_REJECTS;
    s->status = hone_check_evaluate(&s->tester, test->check, &verdict, s->err);
    *cell = (uint8_t)verdict;
    return verdict;
}

static bool passes(struct search *s, const struct level *level, size_t value)
{
    for (size_t i = 0; i < level->test_count; i++) {
        if (judge(s, level, &level->tests[i], value) == HONE_HOLDS) continue;
        if (s->job->tally)
            s->job->tally[level->tests[i].check->rule].info.removed +=
                level->below * s->job->weight;
        return false;
    }
    return true;
}

static void keep(struct search *s)
{
    struct hone_keys *keys = s->job->keys;
    if (keys->count == s->job->max_count)
        s->status = hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                                 "more than %llu of %.4g combinations are valid: "
                                 "add constraints or take values away",
                                 (unsigned long long)s->job->max_count, s->cartesian);
    else if (!hone_keys_append(keys, s->key))
        s->status = hone_fail(s->err, HONE_ENOMEM,
                              "out of memory after %zu configurations", keys->count);
}

static bool spend(struct search *s, size_t steps)
{
    s->steps += steps;
    if (s->steps <= s->job->max_steps) return true;
    s->status = hone_fail_at(s->err, HONE_ELIMIT, s->space->source, s->space->line,
                             "gave up the search of %.4g combinations after %llu steps: "
                             "constraints over fewer parameters prune earlier",
                             s->cartesian, (unsigned long long)s->job->max_steps);
    return false;
}

// All that pass from depth on. Ends early when something failed or one is enough.
static void descend(struct search *s, size_t depth)
{
    if (depth == s->tested_depth && !s->job->keys) {
        s->count += depth ? s->levels[depth - 1].below : s->cartesian;
        return;
    }
    if (depth == s->job->param_count) {
        s->count++;
        keep(s);
        return;
    }
    const struct level *level = &s->levels[depth];
    if (!spend(s, level->values)) return;
    aim_tests(s, level);
    for (size_t value = 0; value < level->values; value++) {
        s->choices[level->param] = (uint16_t)value;
        s->tester.slots[level->param] = s->space->params[level->param].values[value];
        bool passed = passes(s, level, value);
        if (s->status) return;
        if (!passed) continue;
        hone_key_set(s->key, level->field, value);
        descend(s, depth + 1);
        if (s->status || (s->job->first_only && s->count > 0)) return;
    }
}

enum hone_status hone_walk(const struct hone_space *space, const struct hone_walk *job,
                           double *count, struct hone_error *err)
{
    struct search s = {.space = space, .job = job, .err = err};
    s.levels = calloc(job->param_count, sizeof *s.levels);
    s.tests = calloc(job->check_count + 1, sizeof *s.tests);
    s.choices = calloc(space->param_count, sizeof *s.choices);
    if (!s.levels || !s.tests || !s.choices)
        s.status = hone_fail(err, HONE_ENOMEM, "out of memory");
    if (!s.status) s.status = hone_tester_init(&s.tester, space, job->tally, err);
    if (!s.status) s.status = make_levels(&s);
    if (!s.status) descend(&s, 0);
    *count = s.count;
    hone_tester_fini(&s.tester);
    free(s.rows);
    free(s.choices);
    free(s.tests);
    free(s.levels);
    return s.status;
}
