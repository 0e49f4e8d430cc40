// A component that is too large to list is represented by some of its tuples: random
// descents, each weighted by the number of tuples it stands for (Knuth, Estimating the
// efficiency of backtrack programs, 1975), drawn again by weight without replacement
// (Efraimidis, Spirakis 2006), and all their neighbours, so that a search can walk.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hone/rng.h"
#include "sample.h"
#include "space_internal.h"

enum {
    PILOT = 2000,              // descents that tell whether a walk would end in time
    DRAWS = 1 << 18,           // descents of a sample
    SEEDS = 1 << 16,           // tuples kept of them
    TUPLES_MOST = 2000000,     // with neighbours: 16 MB where a key is one word
    NEIGHBOUR_TESTS = 5000000, // about a second
    DRAWS_LEAST = 256,         // of a sample whose descents are long
};
static const uint64_t draw_steps = 500000000; // of all descents of a sample

// --- estimates ---

static void estimate(const struct hone_draws *draws, struct hone_estimate *out)
{
    double sum = 0, squares = 0, steps = 0;
    for (size_t i = 0; i < draws->count; i++) {
        sum += draws->weights[i];
        steps += draws->steps[i];
    }
    const double n = (double)draws->count, mean = sum / n;
    for (size_t i = 0; i < draws->count; i++)
        squares += (draws->weights[i] - mean) * (draws->weights[i] - mean);
    out->tuples = mean;
    out->error = sqrt(squares / (n - 1) / n);
    out->steps = steps / n;
}

static bool draws_init(struct hone_draws *draws, size_t count, size_t words)
{
    *draws = (struct hone_draws){
        .count = count,
        .keys = calloc(count * words, sizeof *draws->keys),
        .weights = calloc(count, sizeof *draws->weights),
        .steps = calloc(count, sizeof *draws->steps),
    };
    return draws->keys && draws->weights && draws->steps;
}

static void draws_fini(struct hone_draws *draws)
{
    free(draws->keys);
    free(draws->weights);
    free(draws->steps);
}

static enum hone_status make_draws(const struct hone_space *space,
                                   const struct hone_walk *job, size_t count,
                                   struct hone_draws *draws, struct hone_error *err)
{
    struct hone_rng rng;
    hone_rng_seed(&rng, count);
    if (!draws_init(draws, count, job->keys->words))
        return hone_no_memory(err, "for %zu draws", count);
    return hone_walk_draw(space, job, draws, &rng, err);
}

enum hone_status hone_sample_is_needed(const struct hone_space *space,
                                       const struct hone_walk *job, double cartesian,
                                       bool *needed, struct hone_error *err)
{
    struct hone_draws draws = {0};
    struct hone_estimate found = {0};
    *needed = false;
    if (cartesian <= (double)job->max_count) return HONE_OK;
    enum hone_status status = make_draws(space, job, PILOT, &draws, err);
    if (status == HONE_OK) {
        estimate(&draws, &found);
        *needed = found.tuples - 2 * found.error > (double)job->max_count ||
                  found.steps > (double)job->max_steps;
    }
    draws_fini(&draws);
    return status;
}

// --- choosing seeds ---

struct ticket {
    double key; // log(u) / weight: the largest win
    size_t draw;
};

static int compare_tickets(const void *a, const void *b)
{
    const struct ticket *x = a, *y = b;
    if (x->key != y->key) return x->key > y->key ? -1 : 1;
    return (x->draw > y->draw) - (x->draw < y->draw);
}

// Numbers of the draws chosen, in *tickets; returns how many.
static size_t sample_choose(const struct hone_draws *draws, struct ticket *tickets)
{
    struct hone_rng rng;
    size_t count = 0;
    hone_rng_seed(&rng, 1);
    for (size_t i = 0; i < draws->count; i++) {
        if (!(draws->weights[i] > 0)) continue;
        // Scaled, as weights may be near 2^63.
        const double u = 1 - hone_rng_double(&rng);
        tickets[count++] = (struct ticket){.key = log(u) / draws->weights[i], .draw = i};
    }
    qsort(tickets, count, sizeof *tickets, compare_tickets);
    return count < SEEDS ? count : SEEDS;
}

// --- neighbours ---

struct sampler {
    const struct hone_space *space;
    const struct hone_walk *job;
    struct hone_tester tester;
    uint64_t tests;
    enum hone_status status;
    struct hone_error *err;
};

static bool reads(const struct hone_check *check, size_t param)
{
    for (size_t i = 0; i < check->scope_count; i++)
        if (check->scope[i] == param) return true;
    return false;
}

// Whether the slots pass all checks that read param.
static bool passes(struct sampler *s, size_t param)
{
    for (size_t i = 0; i < s->job->check_count && s->status == HONE_OK; i++) {
        enum hone_space_verdict verdict = HONE_REJECTS;
        if (!reads(s->job->checks[i], param)) continue;
        s->tests +=
            1 + hone_check_length(s->job->checks[i], s->space) / HONE_STEP_CHARACTERS;
        s->status = hone_check_evaluate(&s->tester, s->job->checks[i], &verdict, s->err);
        if (verdict != HONE_HOLDS) return false;
    }
    return s->status == HONE_OK;
}

static void push(struct sampler *s, const uint64_t *key)
{
    if (!hone_keys_reserve(s->job->keys, 1))
        s->status = hone_no_memory(s->err, "for a sample");
    else
        hone_keys_push(s->job->keys, key);
}

static void set_slot(struct sampler *s, size_t param, size_t value)
{
    s->tester.slots[param] = s->space->params[param].values[value];
}

// The tuple itself and those that differ in one parameter.
static void push_around(struct sampler *s, uint64_t *key)
{
    const struct hone_walk *job = s->job;
    push(s, key);
    for (size_t k = 0; k < job->param_count; k++)
        set_slot(s, job->params[k], hone_key_get(key, job->keys->fields[k]));
    for (size_t k = 0; k < job->param_count && s->status == HONE_OK; k++) {
        const size_t param = job->params[k];
        const struct hone_key_field field = job->keys->fields[k];
        const size_t own = hone_key_get(key, field);
        for (size_t v = 0; v < s->space->params[param].count && s->status == HONE_OK;
             v++) {
            set_slot(s, param, v);
            if (v == own || !passes(s, param)) continue;
            hone_key_set(key, field, v);
            push(s, key);
        }
        hone_key_set(key, field, own);
        set_slot(s, param, own);
    }
}

// The configuration to have in any case, where it is valid.
static void push_anchor(struct sampler *s, const uint16_t *anchor)
{
    uint64_t key[HONE_KEY_WORDS_MAX] = {0};
    for (size_t k = 0; k < s->job->param_count; k++) {
        const size_t param = s->job->params[k];
        hone_key_set(key, s->job->keys->fields[k], anchor[param]);
        set_slot(s, param, anchor[param]);
    }
    for (size_t k = 0; k < s->job->param_count; k++)
        if (!passes(s, s->job->params[k])) return;
    push_around(s, key);
}

static enum hone_status push_all(struct sampler *s, const struct hone_draws *draws,
                                 const struct ticket *tickets, size_t count)
{
    struct hone_keys *keys = s->job->keys;
    for (size_t i = 0; i < count && s->status == HONE_OK; i++) {
        uint64_t *key = draws->keys + tickets[i].draw * keys->words;
        if (keys->count < TUPLES_MOST && s->tests < NEIGHBOUR_TESTS)
            push_around(s, key);
        else
            push(s, key);
    }
    return s->status;
}

// How many descents a sample is made of: fewer where parameters have many values or
// constraints are long.
static size_t draws_of(const struct hone_space *space, const struct hone_walk *job)
{
    uint64_t values = 0, characters = 0, most = 1;
    for (size_t i = 0; i < job->param_count; i++) {
        const uint64_t count = space->params[job->params[i]].count;
        values += count;
        if (count > most) most = count;
    }
    for (size_t i = 0; i < job->check_count; i++)
        characters += hone_check_length(job->checks[i], space);
    const uint64_t draws =
        draw_steps / (values + most * (characters / HONE_STEP_CHARACTERS));
    return draws < DRAWS_LEAST ? DRAWS_LEAST : draws < DRAWS ? (size_t)draws : DRAWS;
}

enum hone_status hone_sample_fill(const struct hone_space *space,
                                  const struct hone_walk *job, const uint16_t *anchor,
                                  struct hone_estimate *found, struct hone_error *err)
{
    struct sampler s = {.space = space, .job = job, .err = err};
    struct hone_draws draws = {0};
    struct ticket *tickets = calloc(DRAWS, sizeof *tickets);
    enum hone_status status = HONE_OK;
    if (!tickets) status = hone_no_memory(err, "for a sample");
    if (status == HONE_OK)
        status = make_draws(space, job, draws_of(space, job), &draws, err);
    if (status == HONE_OK) status = hone_tester_init(&s.tester, space, NULL, err);
    if (status == HONE_OK) {
        estimate(&draws, found);
        if (anchor) push_anchor(&s, anchor);
        status = push_all(&s, &draws, tickets, sample_choose(&draws, tickets));
    }
    hone_tester_fini(&s.tester);
    draws_fini(&draws);
    free(tickets);
    return status;
}
