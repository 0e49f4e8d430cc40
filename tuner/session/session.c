// The loop: ask, submit, wait, record, tell, until something says stop. Work in flight
// when a run stops early is abandoned to hone_evaluator_close; nothing that was measured
// is.
#include "hone/session.h"

#include <math.h>
#include <stdlib.h>

#include "clock.h"

enum { BATCH = 64 }; // most configurations asked for at once, and trials taken at once

struct session {
    const struct hone_session_options *options;
    const struct hone_space *space;
    struct hone_evaluator *evaluator;
    struct hone_search *search;
    struct hone_session_result *result;
    double start; // seconds, of hone_clock_seconds
    uint16_t *choices;
    size_t in_flight;
    bool refused; // the progress callback said stop
    struct hone_trial trials[BATCH];
};

const char *hone_stop_text(enum hone_stop stop)
{
    static const char *const texts[] = {
        [HONE_STOP_BUDGET] = "the budget is spent",
        [HONE_STOP_TIME] = "the time is spent",
        [HONE_STOP_EXHAUSTED] = "every configuration was evaluated",
        [HONE_STOP_CANCELLED] = "cancelled",
        [HONE_STOP_FAILED] = "failed",
    };
    return texts[stop];
}

static void count_trial(struct session *s, const struct hone_trial *trial)
{
    const struct hone_search_options *search = &s->options->search;
    s->result->done++;
    s->result->outcomes[trial->outcome]++;
    if (search->start_count && trial->index == search->start[0] &&
        trial->outcome == HONE_VALID) {
        s->result->first = *trial;
        s->result->has_first = true;
    }
}

static enum hone_status resume(struct session *s, struct hone_error *err)
{
    for (size_t i = 0; i < s->options->resumed_count; i++) {
        const struct hone_trial *trial = &s->options->resumed[i];
        size_t told = hone_search_told(s->search);
        enum hone_status status = hone_search_tell(s->search, trial, 1, err);
        if (status != HONE_OK) return status;
        if (hone_search_told(s->search) > told) count_trial(s, trial);
    }
    s->result->resumed = s->result->done;
    return HONE_OK;
}

static bool is_stopped(const struct session *s, enum hone_stop *stop)
{
    if (s->refused || (s->options->cancel && *s->options->cancel))
        *stop = HONE_STOP_CANCELLED;
    else if (hone_clock_seconds() - s->start >= s->options->seconds)
        *stop = HONE_STOP_TIME;
    else
        return false;
    return true;
}

// Fill the evaluator with what the strategy asks for.
static enum hone_status submit(struct session *s, struct hone_error *err)
{
    const size_t capacity = s->evaluator->fns->capacity(s->evaluator);
    while (s->in_flight < capacity) {
        uint64_t indices[BATCH];
        size_t room = capacity - s->in_flight, count = 0;
        enum hone_status status =
            hone_search_ask(s->search, indices, room < BATCH ? room : BATCH, &count, err);
        if (status != HONE_OK || !count) return status;
        for (size_t i = 0; i < count; i++) {
            status = s->evaluator->fns->submit(s->evaluator, indices[i], err);
            if (status != HONE_OK) return status;
            s->in_flight++;
        }
    }
    return HONE_OK;
}

static enum hone_status record(struct session *s, const struct hone_trial *trial,
                               struct hone_error *err)
{
    if (!s->options->journal) return HONE_OK;
    hone_space_choices(s->space, trial->index, s->choices);
    return hone_journal_append(s->options->journal, trial, s->choices, err);
}

static void report(struct session *s, const struct hone_trial *trial)
{
    if (!s->options->progress) return;
    struct hone_progress progress = {
        .done = s->result->done,
        .budget = s->options->search.budget,
        .seconds = hone_clock_seconds() - s->start,
        .seconds_budget = s->options->seconds,
        .trial = trial,
        .best = hone_search_best(s->search),
    };
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        progress.outcomes[i] = s->result->outcomes[i];
    if (!s->options->progress(s->options->context, &progress)) s->refused = true;
}

// Wait for trials and put each on record before anyone is told.
static enum hone_status collect(struct session *s, struct hone_error *err)
{
    size_t count = 0;
    enum hone_status waited =
        s->evaluator->fns->wait(s->evaluator, s->trials, BATCH, &count, err);
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = &s->trials[i];
        s->in_flight--;
        enum hone_status status = record(s, trial, err);
        if (status == HONE_OK) status = hone_search_tell(s->search, trial, 1, err);
        if (status != HONE_OK) return status;
        count_trial(s, trial);
        report(s, trial);
    }
    if (waited == HONE_OK && !count)
        return hone_fail(err, HONE_EDEVICE, "evaluator '%s' lost %zu configurations",
                         s->evaluator->fns->name, s->in_flight);
    return waited;
}

static enum hone_status loop(struct session *s, enum hone_stop *stop,
                             struct hone_error *err)
{
    *stop = HONE_STOP_FAILED;
    enum hone_status status = resume(s, err);
    while (status == HONE_OK && !is_stopped(s, stop)) {
        status = submit(s, err);
        if (status != HONE_OK) break;
        if (!s->in_flight) {
            bool all = hone_search_told(s->search) >= hone_space_count(s->space);
            *stop = all ? HONE_STOP_EXHAUSTED : HONE_STOP_BUDGET;
            break;
        }
        status = collect(s, err);
    }
    return status;
}

static void summarise(struct session *s)
{
    const struct hone_trial *best = hone_search_best(s->search);
    s->result->seconds = hone_clock_seconds() - s->start;
    s->result->has_best = best != NULL;
    if (best) s->result->best = *best;
}

enum hone_status hone_session_run(struct hone_session_result *result,
                                  const struct hone_space *space,
                                  struct hone_evaluator *evaluator,
                                  const struct hone_session_options *options,
                                  struct hone_error *err)
{
    *result = (struct hone_session_result){.stop = HONE_STOP_FAILED};
    struct session *s = calloc(1, sizeof *s);
    if (!s) return hone_fail(err, HONE_ENOMEM, "out of memory for the session");
    s->options = options;
    s->space = space;
    s->evaluator = evaluator;
    s->result = result;
    s->start = hone_clock_seconds();
    enum hone_status status =
        hone_search_new(&s->search, options->strategy, space, &options->search, err);
    if (status != HONE_OK) goto out;
    s->choices = calloc(hone_space_param_count(space) + 1, sizeof *s->choices);
    if (!s->choices) {
        status = hone_fail(err, HONE_ENOMEM, "out of memory for the session");
        goto out;
    }
    status = loop(s, &result->stop, err);
    summarise(s);
out:
    hone_search_free(s->search);
    free(s->choices);
    free(s);
    return status;
}
