// One configuration is tried at a time, its calls mixed with calls of the best one, so
// that a machine that slows down slows both. It is judged by medians; one that is clearly
// slower leaves early, one that looks faster has to show it in three times as many calls:
// among many, the luckiest looks fastest.
#include "hone/online.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/sample_stats.h"
#include "hone/space.h"

enum {
    DEFAULT_BUDGET = 200,
    DEFAULT_SAMPLES = 5,
    SAMPLES_MOST = 64,
    CONFIRM = 3, // times the samples, of a new best
    WINDOW = CONFIRM * SAMPLES_MOST
};

// The fastest of two calls this much slower than the best's median: no better in truth.
static const double hopeless = 1.25;

// The last times of a configuration.
struct window {
    uint64_t index;
    size_t count; // all that came; the last WINDOW of them are kept
    double times[WINDOW];
};

struct hone_online {
    struct hone_search *search;
    double share, credit;
    size_t samples;
    bool trying;
    struct hone_online_state state;
    struct window best, candidate;
};

// The median of the times that came last: most of them, and WINDOW at most.
static double median_of(const struct window *window, size_t most)
{
    double sorted[WINDOW];
    const size_t n = window->count < most ? window->count : most;
    for (size_t i = 0; i < n; i++)
        sorted[i] = window->times[(window->count - 1 - i) % WINDOW];
    return hone_sample_stats_of(sorted, n).median;
}

static double least_of(const struct window *window)
{
    double least = window->times[0];
    for (size_t i = 1; i < window->count && i < WINDOW; i++)
        least = fmin(least, window->times[i]);
    return least;
}

static void add_time(struct window *window, double time_us)
{
    window->times[window->count++ % WINDOW] = time_us;
}

static enum hone_status check(const struct hone_space *space,
                              const struct hone_online_options *options,
                              struct hone_error *err)
{
    if (!(options->share >= 0 && options->share <= 1))
        return hone_fail(err, HONE_EUSAGE,
                         "a share of %g of the calls: it is between 0 and 1",
                         options->share);
    if (options->samples > SAMPLES_MOST)
        return hone_fail(err, HONE_EUSAGE, "%u samples: at most %d",
                         (unsigned)options->samples, SAMPLES_MOST);
    if (options->start && *options->start >= hone_space_count(space))
        return hone_fail(err, HONE_EINPUT, "configuration %llu is not in a space of %llu",
                         (unsigned long long)*options->start,
                         (unsigned long long)hone_space_count(space));
    return HONE_OK;
}

enum hone_status hone_online_new(struct hone_online **out, const struct hone_space *space,
                                 const struct hone_online_options *options,
                                 struct hone_error *err)
{
    enum hone_status status = check(space, options, err);
    if (status != HONE_OK) return status;
    struct hone_online *online = calloc(1, sizeof *online);
    if (!online) return hone_no_memory(err, "for a tuning");
    online->share = options->share > 0 ? options->share : 0.5;
    online->samples = options->samples ? options->samples : DEFAULT_SAMPLES;
    const struct hone_search_options search = {.seed = options->seed,
                                               .budget = options->budget ? options->budget
                                                                         : DEFAULT_BUDGET,
                                               .start = options->start,
                                               .start_count = options->start ? 1 : 0,
                                               .design = HONE_DESIGN_AUTO};
    const struct hone_strategy_fns *strategy =
        options->strategy ? options->strategy : hone_strategy_find("portfolio");
    status = hone_search_new(&online->search, strategy, space, &search, err);
    if (status == HONE_OK)
        *out = online;
    else
        free(online);
    return status;
}

void hone_online_free(struct hone_online *online)
{
    if (!online) return;
    hone_search_free(online->search);
    free(online);
}

static enum hone_status next_candidate(struct hone_online *online, struct hone_error *err)
{
    size_t count = 0;
    online->candidate.count = 0;
    enum hone_status status =
        hone_search_ask(online->search, &online->candidate.index, 1, &count, err);
    online->trying = status == HONE_OK && count == 1;
    online->state.converged = status == HONE_OK && count == 0;
    return status;
}

enum hone_status hone_online_next(struct hone_online *online, uint64_t *index,
                                  struct hone_error *err)
{
    if (!online->trying && !online->state.converged) {
        enum hone_status status = next_candidate(online, err);
        if (status != HONE_OK) return status;
    }
    if (!online->trying && !online->state.has_best)
        return hone_fail(err, HONE_ENOTFOUND,
                         "none of %llu configurations that were tried works",
                         (unsigned long long)online->state.tried);
    online->credit = fmin(online->credit + online->share, 1);
    const bool try = online->trying && (!online->state.has_best || online->credit >= 1);
    if (try) online->credit = 0;
    *index = try ? online->candidate.index : online->best.index;
    return HONE_OK;
}

// The trial of the candidate is over: a time, or NAN when it failed.
static enum hone_status online_judge(struct hone_online *online, double time_us,
                                     struct hone_error *err)
{
    struct hone_trial trial = hone_trial_make(
        online->candidate.index, isnan(time_us) ? HONE_LAUNCH_FAILED : HONE_VALID);
    trial.time_us = time_us;
    trial.samples = (uint32_t)online->candidate.count;
    online->trying = false;
    online->state.tried++;
    return hone_search_tell(online->search, &trial, 1, err);
}

static enum hone_status online_take_best(struct hone_online *online,
                                         struct hone_error *err)
{
    online->best = online->candidate;
    online->state.best = online->best.index;
    online->state.has_best = true;
    return online_judge(online, median_of(&online->best, WINDOW), err);
}

// Both are compared over as many calls, the latest ones.
static enum hone_status weigh(struct hone_online *online, struct hone_error *err)
{
    const struct window *candidate = &online->candidate;
    const size_t n = candidate->count;
    if (!online->state.has_best)
        return n < online->samples ? HONE_OK : online_take_best(online, err);
    const double best_us = median_of(&online->best, CONFIRM * online->samples);
    if (n >= 2 && least_of(candidate) > hopeless * best_us)
        return online_judge(online, median_of(candidate, WINDOW), err);
    if (n < online->samples) return HONE_OK;
    const double time_us = median_of(candidate, WINDOW);
    if (time_us >= best_us) return online_judge(online, time_us, err);
    return n < CONFIRM * online->samples ? HONE_OK : online_take_best(online, err);
}

// One that worked fails now: of the others that worked the fastest is the best, by the
// time that it was judged by.
static void drop_known(struct hone_online *online, uint64_t index)
{
    const struct hone_trial failure = hone_trial_make(index, HONE_LAUNCH_FAILED);
    hone_search_correct(online->search, &failure);
    if (!online->state.has_best || index != online->best.index) return;
    const struct hone_trial *next = hone_search_best(online->search);
    online->state.has_best = next != NULL;
    if (!next) return;
    online->best = (struct window){.index = next->index};
    online->state.best = next->index;
    add_time(&online->best, hone_trial_cost(next));
}

enum hone_status hone_online_report(struct hone_online *online, uint64_t index,
                                    double time_us, struct hone_error *err)
{
    const bool failed = isnan(time_us);
    if (!failed && !(time_us > 0 && isfinite(time_us)))
        return hone_fail(err, HONE_EUSAGE, "a time of %g us", time_us);
    online->state.calls++;
    if (online->trying && index == online->candidate.index) {
        online->state.new_calls++;
        if (failed) return online_judge(online, (double)NAN, err);
        add_time(&online->candidate, time_us);
        return weigh(online, err);
    }
    if (failed)
        drop_known(online, index);
    else if (online->state.has_best && index == online->best.index)
        add_time(&online->best, time_us);
    return HONE_OK;
}

struct hone_online_state hone_online_state(const struct hone_online *online)
{
    struct hone_online_state state = online->state;
    state.best_us = state.has_best ? median_of(&online->best, CONFIRM * online->samples)
                                   : (double)NAN;
    return state;
}
