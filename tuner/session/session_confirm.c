// A session that compares results at the tuned size: who is wrong there is one that
// failed, in the journal and in the search, and the next best is looked at.
#include <string.h>

#include "evaluate/evaluator.h"
#include "session_state.h"

bool hone_session_confirms(const struct session *s)
{
    return s->options->confirm && s->evaluator->fns->confirm;
}

static bool is_first(const struct session *s, uint64_t index)
{
    return s->result->has_first && s->result->first.index == index;
}

static void withdraw(struct session *s, const struct hone_trial *trial)
{
    struct hone_session_result *result = s->result;
    const bool is_default = is_first(s, trial->index);
    result->outcomes[HONE_VALID]--;
    result->outcomes[trial->outcome]++;
    if (!result->refuted++ || is_default) result->refuted_first = *trial;
    if (is_default) {
        result->default_refuted = true;
        result->has_first = false;
    }
    hone_shortlist_remove(&s->shortlist, trial->index);
    s->withdrawn = true;
}

// A trial was looked at once more: on record, and known to whoever asks for the best.
static enum hone_status supersede(struct session *s, struct hone_trial *trial,
                                  struct hone_error *err)
{
    struct hone_trial *kept = hone_shortlist_find(&s->shortlist, trial->index);
    trial->final = (struct hone_final){0}; // of an earlier run's
    hone_search_correct(s->search, trial);
    if (trial->outcome != HONE_VALID)
        withdraw(s, trial);
    else if (kept)
        *kept = *trial;
    if (is_first(s, trial->index)) s->result->first = *trial;
    return hone_session_record(s, trial, err);
}

// An evaluator that has measured it knows it still; else it is measured once more.
static enum hone_status evaluate_again(struct session *s, uint64_t index,
                                       struct hone_trial *out, struct hone_error *err)
{
    const enum hone_status status = hone_evaluate_one(out, s->evaluator, index, err);
    hone_session_forget_begun(s, index);
    return status;
}

const struct hone_trial *hone_session_find_whole(struct session *s, uint64_t index)
{
    const struct hone_trial *whole = hone_shortlist_find(&s->shortlist, index);
    return !whole && is_first(s, index) ? &s->result->first : whole;
}

// The best that is left, with all that is known of it; false where there is none.
static enum hone_status find_best(struct session *s, struct hone_trial *best, bool *found,
                                  struct hone_error *err)
{
    for (;;) {
        const struct hone_trial *known = hone_search_best(s->search);
        if (known && s->result->repeated && s->shortlist.count)
            known = &s->shortlist.trials[0];
        *found = known != NULL;
        if (!known) return HONE_OK;
        const struct hone_trial *whole = hone_session_find_whole(s, known->index);
        *best = whole ? *whole : *known;
        if (whole || !s->withdrawn || hone_confirm_knows(&s->confirm, best->index))
            return HONE_OK;
        enum hone_status status = evaluate_again(s, best->index, best, err);
        if (status != HONE_OK || best->outcome == HONE_VALID) return status;
        status = supersede(s, best, err);
        if (status != HONE_OK) return status;
    }
}

// Where most of a shortlist was wrong, who comes after them takes part in the finals.
static enum hone_status refill(struct session *s, struct hone_error *err)
{
    uint64_t leaders[HONE_FINALS_LEAST];
    enum hone_status status = HONE_OK;
    if (!s->withdrawn || s->shortlist.count >= HONE_FINALS_LEAST) return HONE_OK;
    const size_t count = hone_search_leaders(s->search, leaders, HONE_FINALS_LEAST);
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        struct hone_trial trial;
        if (hone_session_find_whole(s, leaders[i])) continue;
        status = evaluate_again(s, leaders[i], &trial, err);
        if (status == HONE_OK && trial.outcome == HONE_VALID)
            hone_shortlist_add(&s->shortlist, &trial);
        else if (status == HONE_OK)
            status = supersede(s, &trial, err);
    }
    return status;
}

static bool holds(const struct hone_trial *trials, size_t count, uint64_t index)
{
    for (size_t i = 0; i < count; i++)
        if (trials[i].index == index) return true;
    return false;
}

// The best, the default and, where many are wanted, who may be the best, too.
static enum hone_status choose_finalists(struct session *s, bool many,
                                         struct hone_trial *out, size_t *count,
                                         struct hone_error *err)
{
    bool found = false;
    *count = 0;
    enum hone_status status = many ? refill(s, err) : HONE_OK;
    if (status == HONE_OK) status = find_best(s, out, &found, err);
    if (status != HONE_OK || !found) return status;
    *count = 1;
    if (s->result->has_first && !holds(out, *count, s->result->first.index))
        out[(*count)++] = s->result->first;
    struct hone_shortlist list = s->shortlist;
    hone_shortlist_cut(&list);
    for (size_t i = 0; many && i < list.count && *count < HONE_CONTENDERS_MOST; i++)
        if (!holds(out, *count, list.trials[i].index)) out[(*count)++] = list.trials[i];
    return HONE_OK;
}

// Nobody can be judged, and the journal has them as valid: it says so, for who makes a
// header of it. What ends the run is told already.
static void note_wrong_reference(struct session *s, struct hone_trial *trials,
                                 size_t count)
{
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < count; i++) {
        trials[i].compared = HONE_COMPARED_WRONG_REFERENCE;
        status = hone_session_record(s, &trials[i], NULL);
    }
}

// One round: *again where somebody was wrong, or more are needed to tell who is.
static enum hone_status confirm_some(struct session *s, bool *many, bool *again,
                                     struct hone_error *err)
{
    struct hone_trial trials[HONE_CONTENDERS_MOST], before[HONE_CONTENDERS_MOST];
    struct hone_confirm_round round = {.trials = trials};
    *again = false;
    enum hone_status status = choose_finalists(s, *many, trials, &round.count, err);
    if (status != HONE_OK || !round.count) return status;
    memcpy(before, trials, round.count * sizeof *before);
    status = hone_confirm_trials(&s->confirm, &round, s->evaluator, err);
    if (status == HONE_ECANCELLED) return status; // who resumes compares them
    s->result->reference_wrong = status != HONE_OK;
    if (status != HONE_OK) {
        note_wrong_reference(s, trials, round.count);
        return status;
    }
    if (hone_confirm_may_ask_more(&s->confirm, &round) && !*many &&
        s->shortlist.count > round.count) {
        s->confirm.count = 0;
        *many = *again = true;
        return HONE_OK;
    }
    for (size_t i = 0; status == HONE_OK && i < round.count; i++) {
        *again |= trials[i].outcome != HONE_VALID;
        // What a resumed run finds as it was needs no second line.
        if (round.fresh[i] && (trials[i].outcome != HONE_VALID ||
                               strcmp(trials[i].compared, before[i].compared) != 0))
            status = supersede(s, &trials[i], err);
    }
    return status;
}

enum hone_status hone_session_confirm(struct session *s, struct hone_error *err)
{
    bool many = hone_session_holds_finals(s), again = true;
    enum hone_status status = HONE_OK;
    while (status == HONE_OK && again &&
           s->confirm.count <= HONE_CONFIRM_MOST - HONE_CONTENDERS_MOST)
        status = confirm_some(s, &many, &again, err);
    return status;
}

// The best goes out without: said on its record.
enum hone_status hone_session_leave_unconfirmed(struct session *s, const char *why,
                                                struct hone_error *err)
{
    struct hone_trial *best = &s->result->best;
    if (!hone_session_confirms(s) || !s->result->has_best || best->compared[0])
        return HONE_OK;
    best->compared = why;
    return hone_session_record(s, best, err);
}
