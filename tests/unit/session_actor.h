/* An evaluator that plays a part in tests of sessions: what it measures, in which order it
 * gives it back, what breaks, who wins finals and who is wrong at the tuned size. */
#ifndef SESSION_ACTOR_H
#define SESSION_ACTOR_H

#include <math.h>
#include <signal.h>
#include <string.h>

#include "base/log.h"
#include "hone/rng.h"
#include "hone/session.h"
#include "hone_test.h"

enum { ACTOR_COUNT = 36 }; // configurations of the space

struct script {
    size_t capacity, batch;  // trials given back by one wait, at most
    uint64_t late_seed;      // not 0: they come back in a random order
    size_t wait_fails_after; // trials; 0: never
    size_t submit_fails_after;
    bool contest_fails;
    size_t contest_ends; // that one is cancelled, and those before tell little; 0: none
    uint64_t wrong[32];  // at the tuned size
    size_t wrong_count;
    enum hone_status confirm_fails; // OK: it does not
    bool reference_wrong, ties;
    double confirm_spends; // seconds, each time
};

struct actor {
    struct script script;
    uint64_t flying[16];
    size_t in_flight, submitted, given, contests, confirmations;
    size_t most_confirmed; // in one confirmation
    double left_s;         // to the last one
    volatile sig_atomic_t cancel;
    struct hone_rng rng;
    unsigned times[ACTOR_COUNT]; // that each index was submitted
};

static size_t actor_capacity(struct hone_evaluator *evaluator)
{
    const struct actor *actor = evaluator->priv;
    return actor->script.capacity;
}

static enum hone_status actor_submit(struct hone_evaluator *evaluator, uint64_t index,
                                     struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    assert_true(actor->in_flight < actor->script.capacity);
    assert_true(index < ACTOR_COUNT);
    if (actor->script.submit_fails_after &&
        actor->submitted >= actor->script.submit_fails_after)
        return hone_fail(err, HONE_EDEVICE, "no more");
    actor->times[index]++;
    actor->submitted++;
    actor->flying[actor->in_flight++] = index;
    return HONE_OK;
}

// Every fifth fails; the least time is at index 23.
static struct hone_trial figure(uint64_t index)
{
    if (index % 5 == 0) return hone_trial_make(index, HONE_CRASHED);
    struct hone_trial trial = hone_trial_make(index, HONE_VALID);
    trial.time_us = 1 + fabs((double)index - 23);
    return trial;
}

static enum hone_status actor_wait(struct hone_evaluator *evaluator,
                                   struct hone_trial *out, size_t cap, size_t *count,
                                   struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    *count = 0;
    while (actor->in_flight && *count < cap && *count < actor->script.batch) {
        if (actor->script.wait_fails_after &&
            actor->given >= actor->script.wait_fails_after)
            return hone_fail(err, HONE_EDEVICE, "the power is gone");
        size_t i =
            actor->script.late_seed ? hone_rng_below(&actor->rng, actor->in_flight) : 0;
        out[(*count)++] = figure(actor->flying[i]);
        actor->given++;
        actor->in_flight--;
        memmove(actor->flying + i, actor->flying + i + 1,
                (actor->in_flight - i) * sizeof *actor->flying);
    }
    return HONE_OK;
}

static const struct hone_evaluator_fns actor_fns = {.name = "actor",
                                                    .capacity = actor_capacity,
                                                    .submit = actor_submit,
                                                    .wait = actor_wait};

// In the finals 24 is the fastest: the search saw 23 by luck.
static enum hone_status actor_contest(struct hone_evaluator *evaluator,
                                      const struct hone_contest *contest, double *costs,
                                      struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    assert_int_equal(actor->in_flight, 0);
    actor->contests++;
    if (actor->script.contest_fails) return hone_fail(err, HONE_EDEVICE, "the power");
    if (actor->script.contest_ends == actor->contests) {
        actor->cancel = 1;
        return hone_fail(err, HONE_ECANCELLED, "interrupted");
    }
    const double noise = actor->script.contest_ends ? 0.2 : 0;
    for (size_t r = 0; r < contest->rounds; r++)
        for (size_t i = 0; i < contest->count; i++)
            costs[r * contest->count + i] =
                (1 + fabs((double)contest->indices[i] - 24) + (double)r) *
                (1 + noise * (double)((r + i) % 3));
    return HONE_OK;
}

static const struct hone_evaluator_fns final_fns = {.name = "actor with finals",
                                                    .capacity = actor_capacity,
                                                    .submit = actor_submit,
                                                    .wait = actor_wait,
                                                    .contest = actor_contest};

static bool is_wrong(const struct actor *actor, uint64_t index)
{
    for (size_t i = 0; i < actor->script.wrong_count; i++)
        if (actor->script.wrong[i] == index) return true;
    return false;
}

static enum hone_status actor_confirm(struct hone_evaluator *evaluator,
                                      struct hone_confirmation *confirmation,
                                      struct hone_error *err)
{
    struct actor *actor = evaluator->priv;
    assert_int_equal(actor->in_flight, 0);
    actor->confirmations++;
    actor->left_s = confirmation->seconds;
    confirmation->spent_s = actor->script.confirm_spends;
    if (confirmation->count > actor->most_confirmed)
        actor->most_confirmed = confirmation->count;
    actor->cancel |= actor->script.confirm_fails == HONE_ECANCELLED;
    if (actor->script.confirm_fails)
        return hone_fail(err, actor->script.confirm_fails, "the power");
    confirmation->reference_wrong = actor->script.reference_wrong;
    if (confirmation->reference_wrong)
        return hone_fail(err, HONE_EINPUT, "the reference fails");
    // With few of them there is no telling.
    confirmation->undecided = actor->script.ties && confirmation->count < 3;
    for (size_t i = 0; i < confirmation->count; i++) {
        struct hone_trial *trial = &confirmation->trials[i];
        assert_int_equal(trial->outcome, HONE_VALID);
        trial->compared = confirmation->undecided ? "no: no majority" : "reference";
        if (confirmation->undecided || !is_wrong(actor, trial->index)) continue;
        trial->outcome = HONE_WRONG_RESULT;
        trial->reason = "y[65536] is 1, reference 2";
    }
    return HONE_OK;
}

static const struct hone_evaluator_fns sure_fns = {.name = "actor that compares",
                                                   .capacity = actor_capacity,
                                                   .submit = actor_submit,
                                                   .wait = actor_wait,
                                                   .contest = actor_contest,
                                                   .confirm = actor_confirm};

static inline void ignore_log(void *context, enum hone_log_level level, const char *line)
{
    (void)context;
    (void)level;
    (void)line;
}

#endif
