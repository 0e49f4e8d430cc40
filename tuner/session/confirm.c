#include "session/confirm.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/log.h"
#include "evaluate/evaluator.h"

// One run spends so much on all its comparisons; an emulator as much again on a
// reference, a minute in all.
static const double limit_s = 40;

bool hone_confirm_knows(const struct hone_confirm *confirm, uint64_t index)
{
    for (size_t i = 0; i < confirm->count; i++)
        if (confirm->judged[i] == index) return true;
    return false;
}

bool hone_confirm_may_ask_more(const struct hone_confirm *confirm,
                               const struct hone_confirm_round *round)
{
    return round->undecided && confirm->spent_s < limit_s;
}

static void note_result(struct hone_confirm *confirm, const struct hone_trial *trial)
{
    if (confirm->count < HONE_CONFIRM_MOST)
        confirm->judged[confirm->count++] = trial->index;
    if (trial->outcome == HONE_VALID) return;
    hone_log(HONE_LOG_WARNING, "a finalist is out, %s at the tuned size: %s",
             hone_outcome_name(trial->outcome), trial->reason);
}

// The comparison is lost, not the run: trials for which there is no memory say nothing.
static void say_broken(struct hone_evaluator *evaluator, struct hone_trial *trials,
                       size_t count, const struct hone_error *why)
{
    char text[HONE_COMPARED_MAX];
    snprintf(text, sizeof text, "no: %.*s", HONE_COMPARED_MAX - 5, why->text);
    hone_log(HONE_LOG_WARNING, "results at the tuned size were not compared: %s",
             why->text);
    for (size_t i = 0; i < count; i++) {
        struct hone_trial said = trials[i];
        said.compared = text;
        if (said.outcome == HONE_VALID &&
            hone_evaluator_keep(evaluator, &said, NULL) == HONE_OK)
            trials[i] = said;
    }
}

enum hone_status hone_confirm_trials(struct hone_confirm *confirm,
                                     struct hone_confirm_round *round,
                                     struct hone_evaluator *evaluator,
                                     struct hone_error *err)
{
    struct hone_trial asked[HONE_CONTENDERS_MOST];
    size_t numbers[HONE_CONTENDERS_MOST], n = 0;
    struct hone_error why = {0};
    assert(round->count <= HONE_CONTENDERS_MOST);
    for (size_t i = 0; i < round->count; i++) {
        round->fresh[i] = !hone_confirm_knows(confirm, round->trials[i].index);
        if (!round->fresh[i]) continue;
        asked[n] = round->trials[i];
        numbers[n++] = i;
    }
    struct hone_confirmation confirmation = {
        .trials = asked, .count = n, .seconds = fmax(limit_s - confirm->spent_s, 0)};
    round->undecided = false;
    if (!n) return HONE_OK;
    const enum hone_status status =
        evaluator->fns->confirm(evaluator, &confirmation, &why);
    confirm->spent_s += confirmation.spent_s;
    if (confirmation.reference_wrong || status == HONE_ECANCELLED)
        return hone_error_pass(err, status, &why);
    if (status != HONE_OK) say_broken(evaluator, asked, n, &why);
    round->undecided = confirmation.undecided;
    for (size_t i = 0; i < n; i++) {
        round->trials[numbers[i]] = asked[i];
        note_result(confirm, &asked[i]);
    }
    return HONE_OK;
}
