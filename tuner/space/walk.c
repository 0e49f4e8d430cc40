// Depth-first search over the parameters, in an order of its own: each check is tested at
// the first depth at which its scope has values, for all choices of that depth at once,
// so a wrong start is never completed. After "Efficient Construction of Large Search
// Spaces for Auto-Tuning" (Willemsen et al., arXiv 2509.26253), with memos and bits.
#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"
#include "levels.h"
#include "space_internal.h"

enum { FIRST_TUPLES = 4096 }; // room for keys to begin with

struct search {
    const struct hone_space *space;
    const struct hone_walk *job;
    struct hone_tester tester;
    struct hone_levels levels;
    uint16_t *choices;   // values of the parameters that have a depth of their own
    uint64_t moment;     // goes on by one with each choice
    uint64_t *chosen_at; // by depth: the moment of its last choice
    uint64_t key[HONE_KEY_WORDS_MAX];
    uint64_t steps;
    double count;
    enum hone_status status;
    struct hone_error *err;
};

// --- choices that pass ---

// Hacker's Delight 5-1: in place of a call, where the processor's instruction may not be
// used.
static size_t count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    return ((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101 >> 56;
}

static void aim(const struct search *s, const struct hone_level *level,
                struct hone_test *test)
{
    const struct hone_check *check = test->check;
    test->cells = test->memo ? test->memo : test->row;
    if (!test->memo) memset(test->row, HONE_UNTESTED, level->choices);
    for (size_t k = 0; test->memo && k < check->scope_count; k++)
        if (check->scope[k] != level->params[0])
            test->cells += s->choices[check->scope[k]] * check->memo->strides[k];
}

static bool holds(struct search *s, const struct hone_level *level,
                  const struct hone_test *test, size_t value)
{
    uint8_t *cell = test->cells + value * test->stride;
    const size_t param = level->params[0];
    if (*cell == HONE_UNTESTED && s->status == HONE_OK) {
        enum hone_space_verdict verdict = HONE_REJECTS;
        s->tester.slots[param] = s->space->params[param].values[value];
        s->status = hone_check_evaluate(&s->tester, test->check, &verdict, s->err);
        *cell = (uint8_t)verdict;
    }
    return *cell == HONE_HOLDS;
}

// Those of the choices in a word, which pass so far, that a test rejects.
static uint64_t find_rejected(struct search *s, const struct hone_level *level,
                              const struct hone_test *test, size_t word)
{
    uint64_t rejected = 0;
    if (test->truths) return level->passing[word] & ~test->truths[word];
    for (uint64_t bits = level->passing[word]; bits; bits &= bits - 1)
        if (!holds(s, level, test, 64 * word + (size_t)__builtin_ctzll(bits)))
            rejected |= bits & -bits;
    return rejected;
}

static void sieve(struct search *s, struct hone_level *level, struct hone_test *test)
{
    size_t count = 0;
    if (!test->truths) aim(s, level, test);
    for (size_t w = 0; w < level->words; w++) {
        const uint64_t rejected = find_rejected(s, level, test, w);
        if (!rejected) continue;
        level->passing[w] ^= rejected;
        count += count_bits(rejected);
    }
    level->passing_count -= count;
    test->rejected = (double)count;
}

static void walk_fill(struct search *s, size_t depth)
{
    struct hone_level *level = &s->levels.items[depth];
    hone_plan_fill(s->levels.plan, depth, s->chosen_at, level->filled_at);
    for (size_t w = 0; w < level->words; w++)
        level->passing[w] = UINT64_MAX;
    if (level->choices % 64)
        level->passing[level->words - 1] = ((uint64_t)1 << level->choices % 64) - 1;
    level->passing_count = level->choices;
    for (size_t i = 0; i < level->test_count; i++)
        sieve(s, level, &level->tests[i]);
    level->filled_at = s->moment;
}

static void count_rejected(struct hone_level *level)
{
    for (size_t i = 0; i < level->test_count; i++)
        level->tests[i].rejected_in_all += level->tests[i].rejected;
}

// Each choice that was rejected stands for all that could have come below it.
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

static bool spend(struct search *s, uint64_t steps)
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

// The choices that pass at depth, for what was chosen before. False: something failed.
static bool prepare(struct search *s, size_t depth)
{
    struct hone_level *level = &s->levels.items[depth];
    if (!spend(s, level->choices)) return false;
    bool valid = level->filled_at &&
                 !(level->reads && s->chosen_at[level->last] > level->filled_at);
    if (!valid && !spend(s, level->choices * level->effort)) return false;
    if (!valid) walk_fill(s, depth);
    count_rejected(level);
    return s->status == HONE_OK;
}

// The word that is to tell the choice at level, without it.
static uint64_t key_bits(const struct search *s, const struct hone_level *level)
{
    return s->key[level->key_word] & ~level->key_mask;
}

static void push_short(struct search *s, const struct hone_level *level,
                       struct hone_keys *keys)
{
    const uint64_t before = key_bits(s, level);
    uint64_t *out = keys->data + keys->count;
    for (size_t w = 0; w < level->words; w++) {
        const uint64_t *choices = level->key_bits + 64 * w;
        for (uint64_t bits = level->passing[w]; bits; bits &= bits - 1)
            *out++ = before | choices[__builtin_ctzll(bits)];
    }
    keys->count += level->passing_count;
}

static void push_long(struct search *s, const struct hone_level *level,
                      struct hone_keys *keys)
{
    const uint64_t before = key_bits(s, level);
    for (size_t w = 0; w < level->words; w++) {
        const uint64_t *choices = level->key_bits + 64 * w;
        for (uint64_t bits = level->passing[w]; bits; bits &= bits - 1) {
            s->key[level->key_word] = before | choices[__builtin_ctzll(bits)];
            hone_keys_push(keys, s->key);
        }
    }
}

// What passes at the last depth, all of it at once.
static void walk_keep(struct search *s, const struct hone_level *level)
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
        s->status = hone_no_memory(s->err, "after %zu configurations", keys->count);
        return;
    }
    if (keys->words == 1)
        push_short(s, level, keys);
    else
        push_long(s, level, keys);
    s->count += (double)n;
}

static void walk_choose(struct search *s, size_t depth, size_t choice)
{
    const struct hone_level *level = &s->levels.items[depth];
    if (level->param_count == 1) {
        const size_t param = level->params[0];
        s->choices[param] = (uint16_t)choice;
        s->tester.slots[param] = s->space->params[param].values[choice];
    }
    s->chosen_at[depth] = ++s->moment;
    hone_plan_choose(s->levels.plan, depth, choice);
    s->key[level->key_word] = key_bits(s, level) | level->key_bits[choice];
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
        walk_keep(s, level);
        return;
    }
    if (depth + 1 == s->levels.tested && !s->job->keys) {
        s->count += (double)level->passing_count * level->below;
        return;
    }
    for (size_t w = 0; w < level->words; w++) {
        for (uint64_t bits = level->passing[w]; bits; bits &= bits - 1) {
            walk_choose(s, depth, 64 * w + (size_t)__builtin_ctzll(bits));
            descend(s, depth + 1);
            if (s->status != HONE_OK || (s->job->first_only && s->count > 0)) return;
        }
    }
}

static size_t nth_passing(const struct hone_level *level, size_t n)
{
    size_t w = 0;
    for (; n >= count_bits(level->passing[w]); w++)
        n -= count_bits(level->passing[w]);
    uint64_t bits = level->passing[w];
    for (; n > 0; n--)
        bits &= bits - 1;
    return 64 * w + (size_t)__builtin_ctzll(bits);
}

// One of the choices that pass at each depth, at random.
static void walk_draw(struct search *s, struct hone_rng *rng, double *weight,
                      double *steps)
{
    *weight = 1;
    *steps = 0;
    for (size_t depth = 0; depth < s->levels.count; depth++) {
        const struct hone_level *level = &s->levels.items[depth];
        if (!(*weight > 0) || !prepare(s, depth)) return;
        *steps += *weight * (double)(level->choices * (1 + level->effort));
        *weight *= (double)level->passing_count;
        if (level->passing_count)
            walk_choose(
                s, depth,
                nth_passing(level, (size_t)hone_rng_below(rng, level->passing_count)));
    }
}

static enum hone_status walk_start(struct search *s)
{
    s->moment = 1;
    s->choices = calloc(s->space->param_count, sizeof *s->choices);
    s->chosen_at = calloc(s->job->param_count, sizeof *s->chosen_at);
    if (!s->choices || !s->chosen_at) return hone_no_memory(s->err, "for a space");
    enum hone_status status =
        hone_tester_init(&s->tester, s->space, s->job->tally, s->err);
    if (status == HONE_OK)
        status = hone_levels_init(&s->levels, s->space, s->job, s->err);
    if (status != HONE_OK || !s->job->keys) return status;
    const double most = s->levels.cartesian;
    const size_t room = most < FIRST_TUPLES ? (size_t)most : FIRST_TUPLES;
    return hone_keys_reserve(s->job->keys, room) ? HONE_OK
                                                 : hone_no_memory(s->err, "for a space");
}

static void walk_finish(struct search *s)
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
    s.status = walk_start(&s);
    if (s.status == HONE_OK) descend(&s, 0);
    if (s.status == HONE_OK && job->tally) tally(&s);
    if (s.status == HONE_OK && job->keys)
        job->keys->ascending_bits = hone_levels_ascending_bits(&s.levels, job);
    *count = s.count;
    walk_finish(&s);
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
    s.status = walk_start(&s);
    for (size_t i = 0; i < draws->count && s.status == HONE_OK; i++) {
        walk_draw(&s, rng, &draws->weights[i], &draws->steps[i]);
        memcpy(draws->keys + i * words, s.key, words * sizeof *s.key);
    }
    walk_finish(&s);
    return s.status;
}
