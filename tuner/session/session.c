// The loop: ask, submit, wait, record, tell, until something says stop. Work in flight
// when a run stops early is abandoned to hone_evaluator_close; nothing that was measured
// is.
#include "hone/session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/c_text.h"
#include "base/clock.h"
#include "base/grow.h"
#include "base/log.h"
#include "session_state.h"

// Finals leave this share of the wall time to the search.
static const double search_share = 0.9;

const char *hone_stop_text(enum hone_stop stop)
{
    static const char *const texts[] = {
        [HONE_STOP_BUDGET] = "the budget is spent",
        [HONE_STOP_TIME] = "the time is spent",
        [HONE_STOP_EXHAUSTED] = "every configuration was evaluated",
        [HONE_STOP_DONE] = "the strategy is done",
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
    for (size_t i = 0; i < HONE_WAIVER_MAX; i++)
        s->result->waived[i] += trial->waived[i] > 0;
    if (search->start_count && !s->options->no_default &&
        trial->index == search->start[0] && trial->outcome == HONE_VALID) {
        s->result->first = *trial;
        s->result->has_first = true;
    }
    hone_shortlist_add(&s->shortlist, trial);
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

bool hone_session_holds_finals(const struct session *s)
{
    return s->options->finals && s->evaluator->fns->contest;
}

double hone_session_elapsed(const struct session *s)
{
    const struct hone_evaluator_fns *fns = s->evaluator->fns;
    const double absent_s = fns->absent_s ? fns->absent_s(s->evaluator) : 0;
    return fmax(hone_clock_seconds() - s->start - absent_s, 0);
}

static bool is_stopped(const struct session *s, enum hone_stop *stop)
{
    const double share = hone_session_holds_finals(s) ? search_share : 1;
    if (s->refused || (s->options->cancel && *s->options->cancel))
        *stop = HONE_STOP_CANCELLED;
    else if (hone_session_elapsed(s) >= share * s->options->seconds)
        *stop = HONE_STOP_TIME;
    else
        return false;
    return true;
}

// The evaluator is about to launch a configuration: on record before it can do harm.
static enum hone_status begin(void *context, uint64_t index, struct hone_error *err)
{
    struct session *s = context;
    if (!HONE_GROW(&s->begun, &s->begun_cap, s->begun_count + 1, 8))
        return hone_no_memory(err, "for the session");
    s->begun[s->begun_count++] = index;
    hone_space_choices(s->space, index, s->choices);
    return hone_journal_begin(s->options->journal, s->choices, false, err);
}

void hone_session_forget_begun(struct session *s, uint64_t index)
{
    for (size_t i = 0; i < s->begun_count; i++)
        if (s->begun[i] == index) s->begun[i--] = s->begun[--s->begun_count];
}

// The run ends in order: what it leaves unfinished is not to blame.
static enum hone_status leave(struct session *s, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < s->begun_count; i++) {
        hone_space_choices(s->space, s->begun[i], s->choices);
        status = hone_journal_begin(s->options->journal, s->choices, true, err);
    }
    return status;
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

enum hone_status hone_session_record(struct session *s, const struct hone_trial *trial,
                                     struct hone_error *err)
{
    if (!s->options->journal) return HONE_OK;
    hone_space_choices(s->space, trial->index, s->choices);
    return hone_journal_append(s->options->journal, trial, s->choices, err);
}

static void session_report(struct session *s, const struct hone_trial *trial)
{
    if (!s->options->progress) return;
    struct hone_progress progress = {
        .done = s->result->done,
        .budget = s->options->search.budget,
        .seconds = hone_session_elapsed(s),
        .seconds_budget = s->options->seconds,
        .trial = trial,
        .best = hone_search_best(s->search),
    };
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        progress.outcomes[i] = s->result->outcomes[i];
    if (!s->options->progress(s->options->context, &progress)) s->refused = true;
}

// Wait for trials and put each on record before anyone is told.
static enum hone_status session_collect(struct session *s, struct hone_error *err)
{
    size_t count = 0;
    enum hone_status waited =
        s->evaluator->fns->wait(s->evaluator, s->trials, BATCH, &count, err);
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = &s->trials[i];
        s->in_flight--;
        hone_session_forget_begun(s, trial->index);
        enum hone_status status = hone_session_record(s, trial, err);
        if (status == HONE_OK) status = hone_search_tell(s->search, trial, 1, err);
        if (status != HONE_OK) return status;
        count_trial(s, trial);
        if (!s->result->has_first || trial->index != s->result->first.index)
            status = hone_drift_add(&s->drift, trial, err);
        if (status != HONE_OK) return status;
        session_report(s, trial);
    }
    if (waited == HONE_OK && !count)
        return hone_fail(err, HONE_EDEVICE, "evaluator '%s' lost %zu configurations",
                         s->evaluator->fns->name, s->in_flight);
    return waited;
}

static enum hone_status drain(struct session *s, struct hone_error *err)
{
    enum hone_status status = HONE_OK;
    while (status == HONE_OK && s->in_flight)
        status = session_collect(s, err);
    return status;
}

// What the window has now takes the place of what it had.
static enum hone_status keep_repeated(struct session *s, double ratio,
                                      struct hone_error *err)
{
    char note[160];
    enum hone_status status = HONE_OK;
    hone_snprintf(
        note, sizeof note,
        "the default takes %.4f times its first time: the %zu trials since it was last "
        "looked at are measured again, against it",
        ratio, s->drift.count);
    hone_log(HONE_LOG_WARNING, "%s", note);
    if (s->options->journal) status = hone_journal_note(s->options->journal, note, err);
    s->shortlist = s->sound;
    for (size_t i = 0; status == HONE_OK && i < s->drift.count; i++) {
        const struct hone_trial *trial = &s->drift.window[i];
        hone_shortlist_add(&s->shortlist, trial);
        if (!(trial->drift > 0)) continue;
        s->result->repeated++;
        hone_search_correct(s->search, trial);
        status = hone_session_record(s, trial, err);
    }
    return status;
}

// Look whether the machine is still what it was, while what is in flight is built.
// Whatever breaks here does not undo the search: it goes on without the watch.
static enum hone_status look_for_drift(struct session *s, struct hone_error *err)
{
    struct hone_error why = {0};
    double ratio = (double)NAN;
    if (!s->result->has_first || !s->drift.count) return HONE_OK;
    const struct hone_trial first = s->result->first;
    enum hone_status status = hone_drift_measure(s->evaluator, &first, &ratio, &why);
    const bool beyond = status == HONE_OK && hone_drift_is_beyond(&s->drift, ratio);
    if (beyond) status = hone_drift_repeat(&s->drift, s->evaluator, &first, &why);
    if (status != HONE_OK || isnan(ratio)) {
        hone_log(HONE_LOG_WARNING, "no more watch over drift: %s",
                 why.text[0] ? why.text : "the default could not be measured again");
        hone_drift_fini(&s->drift);
        return HONE_OK;
    }
    status = beyond ? keep_repeated(s, ratio, err) : HONE_OK;
    s->sound = s->shortlist;
    hone_drift_clear(&s->drift);
    return status;
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
            const bool done = hone_search_is_done(s->search);
            *stop = all ? HONE_STOP_EXHAUSTED : done ? HONE_STOP_DONE : HONE_STOP_BUDGET;
            break;
        }
        status = session_collect(s, err);
        if (status == HONE_OK && hone_drift_is_due(&s->drift))
            status = look_for_drift(s, err);
    }
    return status;
}

// Returns the number of the author's default among the contenders, which it joins where
// it is not among them.
static size_t add_default(const struct session *s, struct hone_trial *contenders,
                          size_t *count)
{
    size_t i = 0;
    if (!s->result->has_first) return 0;
    while (i < *count && contenders[i].index != s->result->first.index)
        i++;
    if (i == *count) contenders[(*count)++] = s->result->first;
    return i;
}

static enum hone_status keep_finals(struct session *s,
                                    const struct hone_trial *contenders, size_t count,
                                    struct hone_error *err)
{
    if (!contenders[0].final.rank) return HONE_OK; // nobody could be measured
    for (size_t i = 0; i < count; i++) {
        const struct hone_trial *trial = &contenders[i];
        if (!trial->final.rank) continue;
        enum hone_status status = hone_session_record(s, trial, err);
        if (status != HONE_OK) return status;
        if (s->result->has_first && trial->index == s->result->first.index)
            s->result->first = *trial;
    }
    s->result->best = contenders[0];
    s->result->finalists = count;
    return HONE_OK;
}

// What breaks in the finals does not undo the search: the rounds until then decide, and
// where there are none its best stands.
static enum hone_status finals(struct session *s, struct hone_error *err)
{
    struct hone_trial contenders[HONE_CONTENDERS_MOST];
    hone_shortlist_cut(&s->shortlist);
    size_t count = s->shortlist.count;
    for (size_t i = 0; i < count; i++)
        contenders[i] = s->shortlist.trials[i];
    const struct hone_finals_options options = {
        .base = add_default(s, contenders, &count),
        .seed = s->options->search.seed,
        .seconds = s->options->seconds - hone_session_elapsed(s),
        .sustained = s->options->sustained,
    };
    if (count < 2) return HONE_OK;
    struct hone_error why = {0};
    const enum hone_status status =
        hone_finals_hold(s->evaluator, &options, contenders, count, &why);
    const enum hone_status kept = keep_finals(s, contenders, count, err);
    if (kept != HONE_OK || status == HONE_OK) return kept;
    if (status == HONE_ECANCELLED) return hone_error_pass(err, status, &why);
    hone_log(HONE_LOG_WARNING,
             contenders[0].final.rank ? "finals end early: %s" : "no finals: %s",
             why.text);
    return HONE_OK;
}

static void summarise(struct session *s)
{
    const struct hone_trial *best = hone_search_best(s->search);
    if (best && s->result->repeated && s->shortlist.count)
        best = &s->shortlist.trials[0]; // knows all of it
    const struct hone_trial *whole =
        best ? hone_session_find_whole(s, best->index) : NULL;
    if (whole) best = whole;
    s->result->strategy_asked = hone_search_has_asked(s->search);
    s->result->has_best = best != NULL;
    if (best) s->result->best = *best;
}

// Comparing and finals want an evaluator with nothing in flight.
static enum hone_status session_conclude(struct session *s, enum hone_stop stop,
                                         struct hone_error *err)
{
    static const char interrupted[] = "no: interrupted";
    const bool on_time = stop != HONE_STOP_CANCELLED && stop != HONE_STOP_TIME;
    enum hone_status status = HONE_OK;
    if (stop == HONE_STOP_CANCELLED)
        return hone_session_leave_unconfirmed(s, interrupted, err);
    if (hone_session_holds_finals(s) || hone_session_confirms(s)) status = drain(s, err);
    if (status == HONE_OK && (on_time || hone_session_holds_finals(s)))
        status = look_for_drift(s, err);
    if (status == HONE_OK && hone_session_confirms(s))
        status = hone_session_confirm(s, err);
    if (status == HONE_ECANCELLED) {
        const enum hone_status said = hone_session_leave_unconfirmed(s, interrupted, err);
        return said == HONE_OK ? status : said;
    }
    if (status == HONE_OK) summarise(s);
    if (status == HONE_OK && hone_session_confirms(s))
        status = hone_session_leave_unconfirmed(s, "no: too many others were wrong", err);
    return status == HONE_OK && hone_session_holds_finals(s) ? finals(s, err) : status;
}

static enum hone_status prepare(struct session *s, struct hone_error *err)
{
    const struct hone_session_options *options = s->options;
    struct hone_search_options search = options->search;
    s->first = calloc(search.start_count + options->retried_count + 1, sizeof *s->first);
    s->choices = calloc(hone_space_param_count(s->space) + 1, sizeof *s->choices);
    if (!s->first || !s->choices) return hone_no_memory(err, "for the session");
    for (size_t i = 0; i < search.start_count; i++)
        s->first[i] = search.start[i];
    for (size_t i = 0; i < options->retried_count; i++)
        s->first[search.start_count++] = options->retried[i];
    search.start = s->first;
    if (s->evaluator->fns->contest)
        s->drift = (struct hone_drift){.every = options->drift_every,
                                       .limit = options->drift_limit};
    if (options->journal) {
        s->evaluator->begin = begin;
        s->evaluator->begin_context = s;
    }
    return hone_search_new(&s->search, options->strategy, s->space, &search, err);
}

// What was cut off by a cancel is no failure: the run ends in order.
static enum hone_status pardon(struct session *s, enum hone_status status,
                               struct hone_error *err)
{
    const volatile sig_atomic_t *cancel = s->options->cancel;
    if (status != HONE_ECANCELLED || !cancel || !*cancel) return status;
    if (err) *err = (struct hone_error){0};
    s->result->stop = HONE_STOP_CANCELLED;
    return HONE_OK;
}

enum hone_status hone_session_run(struct hone_session_result *result,
                                  const struct hone_space *space,
                                  struct hone_evaluator *evaluator,
                                  const struct hone_session_options *options,
                                  struct hone_error *err)
{
    *result = (struct hone_session_result){.stop = HONE_STOP_FAILED};
    struct session *s = calloc(1, sizeof *s);
    if (!s) return hone_no_memory(err, "for the session");
    s->options = options;
    s->space = space;
    s->evaluator = evaluator;
    s->result = result;
    s->start = hone_clock_seconds();
    enum hone_status status = prepare(s, err);
    if (status == HONE_OK) {
        status = loop(s, &result->stop, err);
        summarise(s);
        if (status == HONE_OK) status = session_conclude(s, result->stop, err);
        status = pardon(s, status, err);
        enum hone_status left = leave(s, status == HONE_OK ? err : NULL);
        if (status == HONE_OK) status = left;
    }
    result->seconds = hone_session_elapsed(s);
    evaluator->begin = NULL;
    hone_search_free(s->search);
    free(s->choices);
    free(s->first);
    free(s->begun);
    hone_drift_fini(&s->drift);
    free(s);
    return status;
}
