// The engine: everything strategies share. Indices go out in the order start list, start
// design, the strategy's proposals; where it has none, the next unseen ones of one random
// order fill in. Design and order depend on seed and space alone, so strategies share
// them, a resumed random search goes on where it stopped, and filling costs O(1)
// amortised to the last one.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/sort.h"
#include "design.h"
#include "flight.h"
#include "history.h"
#include "hone/rng.h"
#include "hone/search.h"
#include "shuffle.h"

struct hone_search {
    const struct hone_strategy_fns *fns;
    void *priv;
    bool started; // init has succeeded
    const struct hone_space *space;
    uint64_t count; // of the space
    uint64_t budget;
    uint64_t *start; // the start list, then the start design
    size_t start_count, start_next;
    struct hone_shuffle order;
    uint64_t order_next;
    struct hone_rng rng; // the strategy's
    struct hone_history history;
    size_t told;
    bool has_best;
    struct hone_trial best;
    struct hone_flight flight;
    const struct hone_expectation *expectation;
    enum hone_on_error on_error;
    bool asked;              // the strategy was
    bool done;               // it said so
    struct hone_error fault; // the first complaint, where it stops the search
};

static enum hone_status check_start(const struct hone_search_options *options,
                                    uint64_t count, struct hone_error *err)
{
    for (size_t i = 0; i < options->start_count; i++)
        if (options->start[i] >= count)
            return hone_fail(
                err, HONE_EINPUT, "start configuration %llu is not in a space of %llu",
                (unsigned long long)options->start[i], (unsigned long long)count);
    return HONE_OK;
}

static size_t design_size(const struct hone_search *search,
                          const struct hone_search_options *options)
{
    if (search->fns->ignores_results) return 0;
    uint64_t size = options->design;
    if (size == HONE_DESIGN_AUTO) size = hone_design_size(search->budget);
    if (size > search->budget) size = search->budget;
    if (size > search->count) size = search->count;
    return size < HONE_DESIGN_MOST ? (size_t)size : HONE_DESIGN_MOST;
}

static enum hone_status prepare(struct hone_search *search,
                                const struct hone_search_options *options,
                                struct hone_error *err)
{
    search->priv = calloc(1, search->fns->priv_size + 1);
    const size_t design = design_size(search, options);
    search->start_count = options->start_count;
    search->start = calloc(options->start_count + design + 1, sizeof *search->start);
    if (!search->priv || !search->start)
        return hone_no_memory(err, "for strategy '%s'", search->fns->name);
    if (options->start_count)
        memcpy(search->start, options->start,
               options->start_count * sizeof *search->start);
    hone_shuffle_init(&search->order, search->count, options->seed);
    hone_rng_seed(&search->rng, options->seed);
    enum hone_status status = hone_design_make(
        search->space, &search->order, search->start, &search->start_count, design, err);
    if (status == HONE_OK && search->fns->init)
        status = search->fns->init(search, search->priv, err);
    search->started = status == HONE_OK;
    return status;
}

enum hone_status hone_search_new(struct hone_search **out,
                                 const struct hone_strategy_fns *fns,
                                 const struct hone_space *space,
                                 const struct hone_search_options *options,
                                 struct hone_error *err)
{
    *out = NULL;
    enum hone_status status = check_start(options, hone_space_count(space), err);
    if (status != HONE_OK) return status;
    struct hone_search *search = calloc(1, sizeof *search);
    if (!search) return hone_no_memory(err, "for the search");
    search->fns = fns;
    search->space = space;
    search->count = hone_space_count(space);
    search->budget = options->budget;
    search->expectation = options->expectation;
    search->on_error = options->on_error;
    status = prepare(search, options, err);
    if (status == HONE_OK)
        *out = search;
    else
        hone_search_free(search);
    return status;
}

// The strategy hears of what came back, in an order that timing does not change.
static void deliver(struct hone_search *search)
{
    struct hone_flight *flight = &search->flight;
    const size_t count = flight->back_count;
    if (!count) return;
    hone_flight_sort(flight);
    search->fns->tell(search, search->priv, flight->back, count);
    flight->back_count = 0;
}

void hone_search_free(struct hone_search *search)
{
    if (!search) return;
    if (search->started) deliver(search);
    if (search->started && search->fns->fini) search->fns->fini(search, search->priv);
    hone_flight_fini(&search->flight);
    hone_history_fini(&search->history);
    free(search->start);
    free(search->priv);
    free(search);
}

// --- asking ---

// Hand out index unless it was seen before.
static bool propose(struct hone_search *search, uint64_t index)
{
    if (index >= search->count || hone_search_seen(search, index)) return false;
    hone_history_set(&search->history, index, HONE_KNOWN_PENDING, 0);
    hone_flight_depart(&search->flight, index);
    return true;
}

static size_t ask_start(struct hone_search *search, uint64_t *out, size_t cap)
{
    size_t n = 0;
    while (n < cap && search->start_next < search->start_count) {
        out[n] = search->start[search->start_next++];
        n += propose(search, out[n]);
    }
    return n;
}

// The next unseen configurations of the random order.
static size_t ask_order(struct hone_search *search, uint64_t *out, size_t cap)
{
    size_t n = 0;
    while (n < cap && search->order_next < search->count) {
        out[n] = hone_shuffle_at(&search->order, search->order_next++);
        n += propose(search, out[n]);
    }
    return n;
}

static size_t ask_strategy(struct hone_search *search, uint64_t *out, size_t cap)
{
    search->asked = true;
    size_t proposed = search->fns->ask(search, search->priv, out, cap), n = 0;
    if (proposed == HONE_ASK_WAIT)
        return search->history.count > search->told ? HONE_ASK_WAIT : 0;
    search->done = proposed == HONE_ASK_DONE;
    if (search->done) return 0;
    for (size_t i = 0; i < proposed && i < cap; i++) {
        uint64_t index = out[i];
        if (propose(search, index)) out[n++] = index;
    }
    return n;
}

static enum hone_status check_fault(const struct hone_search *search,
                                    struct hone_error *err)
{
    return hone_error_pass(err, search->fault.code, &search->fault);
}

enum hone_status hone_search_ask(struct hone_search *search, uint64_t *out, size_t cap,
                                 size_t *count, struct hone_error *err)
{
    assert(out || cap == 0);
    *count = 0;
    uint64_t spent = search->history.count;
    uint64_t left = search->budget > spent ? search->budget - spent : 0;
    if (left > search->count - spent) left = search->count - spent;
    if (cap > left) cap = (size_t)left;
    if (!cap || search->done) return HONE_OK;
    enum hone_status status = check_fault(search, err);
    if (status == HONE_OK) status = hone_history_reserve(&search->history, cap, err);
    if (status == HONE_OK) status = hone_flight_reserve(&search->flight, cap, 0, err);
    if (status != HONE_OK) return status;
    deliver(search);
    size_t n = ask_start(search, out, cap);
    // A strategy may answer with fewer than cap to see results first; only silence is
    // filled.
    if (!n) n = ask_strategy(search, out, cap);
    if (!n) status = check_fault(search, err);
    if (status != HONE_OK || search->done || n == HONE_ASK_WAIT) return status;
    if (!n) n = ask_order(search, out, cap);
    *count = n;
    return HONE_OK;
}

// --- telling ---

// Ties go to the lower index, so that the best does not depend on the order of telling.
static bool better(const struct hone_trial *a, double cost, const struct hone_trial *best)
{
    double least = hone_trial_cost(best);
    return cost < least || (cost == least && a->index < best->index);
}

static bool is_told(const struct hone_search *search, uint64_t index)
{
    const struct hone_history_entry *entry = hone_history_find(&search->history, index);
    return entry && entry->known != HONE_KNOWN_PENDING;
}

static void tell_one(struct hone_search *search, const struct hone_trial *trial)
{
    if (is_told(search, trial->index)) return;
    double cost = hone_trial_cost(trial);
    bool counts = trial->outcome == HONE_VALID && isfinite(cost);
    hone_history_set(&search->history, trial->index,
                     counts ? HONE_KNOWN_COST : HONE_KNOWN_FAILED, cost);
    search->told++;
    if (counts && (!search->has_best || better(trial, cost, &search->best))) {
        search->best = *trial;
        search->has_best = true;
    }
    hone_flight_return(&search->flight, trial, search->fns->tell != NULL);
}

enum hone_status hone_search_tell(struct hone_search *search,
                                  const struct hone_trial *trials, size_t count,
                                  struct hone_error *err)
{
    assert(trials || count == 0);
    enum hone_status status = hone_history_reserve(&search->history, count, err);
    if (status == HONE_OK) status = hone_flight_reserve(&search->flight, 0, count, err);
    if (status != HONE_OK) return status;
    for (size_t i = 0; i < count; i++) {
        if (trials[i].index >= search->count)
            return hone_fail(
                err, HONE_EINPUT, "trial of configuration %llu, the space has %llu",
                (unsigned long long)trials[i].index, (unsigned long long)search->count);
        tell_one(search, &trials[i]);
    }
    return HONE_OK;
}

// The best was found to be worse, or to be none: is it still the best?
static void find_best(struct hone_search *search)
{
    for (size_t i = 0; i < search->history.cap; i++) {
        const struct hone_history_entry *entry = &search->history.entries[i];
        if (entry->known != HONE_KNOWN_COST) continue;
        const struct hone_trial trial = hone_search_recall(search, entry->index);
        if (search->has_best && !better(&trial, entry->cost, &search->best)) continue;
        search->best = trial;
        search->has_best = true;
    }
}

// It was taken for valid and is not.
static void withdraw(struct hone_search *search, uint64_t index)
{
    hone_history_set(&search->history, index, HONE_KNOWN_FAILED, (double)INFINITY);
    if (!search->has_best || search->best.index != index) return;
    search->has_best = false;
    find_best(search);
}

void hone_search_correct(struct hone_search *search, const struct hone_trial *trial)
{
    const double cost = hone_trial_cost(trial);
    if (!is_told(search, trial->index)) return;
    if (trial->outcome != HONE_VALID) {
        withdraw(search, trial->index);
        return;
    }
    if (!isfinite(cost)) return;
    const bool was_best = search->has_best && search->best.index == trial->index;
    hone_history_set(&search->history, trial->index, HONE_KNOWN_COST, cost);
    if (!search->has_best || was_best || better(trial, cost, &search->best))
        search->best = *trial;
    search->has_best = true;
    if (was_best) find_best(search);
}

// --- for strategies ---

const struct hone_strategy_fns *hone_search_strategy(const struct hone_search *search)
{
    return search->fns;
}

bool hone_search_has_asked(const struct hone_search *search)
{
    return search->asked;
}

bool hone_search_is_done(const struct hone_search *search)
{
    return search->done;
}

double hone_search_setting(const struct hone_search *search,
                           const struct hone_setting *settings, size_t i)
{
    const struct hone_strategy_fns *fns = search->fns;
    const bool given = fns->values && fns->settings == settings;
    return given ? fns->values[i] : settings[i].fallback;
}

const struct hone_space *hone_search_space(const struct hone_search *search)
{
    return search->space;
}

struct hone_rng *hone_search_rng(struct hone_search *search)
{
    return &search->rng;
}

const struct hone_expectation *hone_search_expectation(const struct hone_search *search)
{
    return search->expectation;
}

uint64_t hone_search_budget(const struct hone_search *search)
{
    return search->budget;
}

size_t hone_search_told(const struct hone_search *search)
{
    return search->told;
}

const struct hone_trial *hone_search_best(const struct hone_search *search)
{
    return search->has_best ? &search->best : NULL;
}

size_t hone_search_leaders(const struct hone_search *search, uint64_t *out, size_t cap)
{
    size_t count = 0;
    for (size_t i = 0; i < search->history.cap; i++) {
        const struct hone_history_entry *entry = &search->history.entries[i];
        if (entry->known != HONE_KNOWN_COST) continue;
        const struct hone_trial trial = hone_search_recall(search, entry->index);
        size_t at = count;
        for (; at; at--) {
            const struct hone_trial before = hone_search_recall(search, out[at - 1]);
            if (!better(&trial, entry->cost, &before)) break;
            if (at < cap) out[at] = out[at - 1];
        }
        if (at < cap) out[at] = entry->index;
        if (at < cap && count < cap) count++;
    }
    return count;
}

void hone_search_remark(const struct hone_search *search, const struct hone_error *err,
                        const char *outcome)
{
    if (err->line)
        hone_log(HONE_LOG_WARNING, "strategy %s:%d: %s; %s", err->source, err->line,
                 err->text, outcome);
    else
        hone_log(HONE_LOG_WARNING, "strategy %s: %s; %s",
                 *err->source ? err->source : search->fns->name, err->text, outcome);
}

void hone_search_complain(struct hone_search *search, const struct hone_error *err,
                          const char *outcome)
{
    struct hone_error *fault = &search->fault;
    if (search->on_error != HONE_ON_ERROR_STOP)
        hone_search_remark(search, err, outcome);
    else if (fault->code == HONE_OK)
        *fault = *err;
}

bool hone_search_seen(const struct hone_search *search, uint64_t index)
{
    return hone_history_find(&search->history, index) != NULL;
}

bool hone_search_pending(const struct hone_search *search, uint64_t index)
{
    const struct hone_history_entry *entry = hone_history_find(&search->history, index);
    return entry && entry->known == HONE_KNOWN_PENDING;
}

size_t hone_search_flying(const struct hone_search *search, uint64_t *out, size_t cap)
{
    const struct hone_flight *flight = &search->flight;
    const size_t n = flight->out_count < cap ? flight->out_count : cap;
    if (n) memcpy(out, flight->out, n * sizeof *out);
    hone_sort_indices(out, n);
    return n;
}

size_t hone_search_random(struct hone_search *search, uint64_t *out)
{
    while (search->order_next < search->count) {
        *out = hone_shuffle_at(&search->order, search->order_next++);
        if (!hone_search_seen(search, *out)) return 1;
    }
    return 0;
}

bool hone_search_cost(const struct hone_search *search, uint64_t index, double *cost)
{
    const struct hone_history_entry *entry = hone_history_find(&search->history, index);
    if (!entry || entry->known != HONE_KNOWN_COST) return false;
    *cost = entry->cost;
    return true;
}

struct hone_trial hone_search_recall(const struct hone_search *search, uint64_t index)
{
    double cost = 0;
    const bool valid = hone_search_cost(search, index, &cost);
    struct hone_trial trial =
        hone_trial_make(index, valid ? HONE_VALID : HONE_LAUNCH_FAILED);
    if (valid)
        trial.time_us = cost;
    else
        trial.reason = "measured before, not valid";
    return trial;
}
