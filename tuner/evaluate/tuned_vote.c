// Results at the tuned size without a reference: those that most agree on are right.
#include "tuned_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Those whose results agree; the first one's stand for all.
struct party {
    struct hone_outputs outputs;
    size_t votes;
};

struct vote {
    struct party *parties;
    size_t count, voters;
    size_t *of; // of each candidate; SIZE_MAX: it has no vote
};

static void join_party(struct tuned_run *run, struct vote *vote, size_t i,
                       struct hone_outputs *outputs)
{
    const struct hone_job *job = &run->request->candidates[i].variants[0].job;
    struct hone_fault fault = {.outcome = HONE_VALID};
    size_t p = 0;
    while (p < vote->count && !hone_stage_agree(&run->stage, job, outputs,
                                                &vote->parties[p].outputs, "", &fault))
        p++;
    if (p == vote->count)
        vote->parties[vote->count++].outputs = *outputs;
    else
        hone_outputs_fini(outputs);
    vote->parties[p].votes++;
    vote->voters++;
    vote->of[i] = p;
}

// Equal programs have one vote.
static enum hone_status hold_vote(struct tuned_run *run, struct vote *vote,
                                  struct hone_error *err)
{
    const struct hone_tuned_request *request = run->request;
    struct hone_verdict *verdicts = run->result->verdicts;
    enum hone_status status = HONE_OK;
    for (size_t i = 0; status == HONE_OK && i < request->count; i++) {
        const size_t twin = hone_tuned_twin(request->candidates, i);
        struct hone_outputs outputs = {0};
        vote->of[i] = twin < i ? vote->of[twin] : SIZE_MAX;
        if (twin < i) verdicts[i] = verdicts[twin];
        if (twin < i || !hone_tuned_is_open(&verdicts[i]) || run->runner->lost[0])
            continue;
        status =
            hone_tuned_try(run, &request->candidates[i], &outputs, &verdicts[i], err);
        if (outputs.data) join_party(run, vote, i, &outputs);
    }
    return status;
}

static size_t largest_party(const struct vote *vote)
{
    size_t largest = 0;
    for (size_t p = 1; p < vote->count; p++)
        if (vote->parties[p].votes > vote->parties[largest].votes) largest = p;
    return largest;
}

static void announce(struct tuned_run *run, const struct vote *vote)
{
    const struct hone_tuned_request *request = run->request;
    const size_t largest = largest_party(vote);
    const bool decided = vote->count && 2 * vote->parties[largest].votes > vote->voters;
    char why[HONE_COMPARED_MAX];
    run->result->undecided = vote->voters < 2 || !decided;
    // Who is alone has nobody to be compared with.
    const char *text = vote->voters < 2 ? "nothing to compare with" : "no majority";
    snprintf(why, sizeof why, "%s (reference: %.*s)", text, HONE_COMPARED_MAX - 48,
             run->result->no_reference);
    for (size_t i = 0; i < request->count; i++) {
        struct hone_verdict *verdict = &run->result->verdicts[i];
        struct hone_fault fault = {.outcome = HONE_VALID};
        if (vote->of[i] == SIZE_MAX || !hone_tuned_is_open(verdict)) continue;
        if (vote->voters < 2 || !decided)
            hone_tuned_say_no(verdict->compared, why);
        else if (vote->of[i] == largest ||
                 hone_stage_agree(&run->stage, &request->candidates[i].variants[0].job,
                                  &vote->parties[vote->of[i]].outputs,
                                  &vote->parties[largest].outputs, "the majority's",
                                  &fault))
            strcpy(verdict->compared, "majority");
        else
            hone_tuned_refuse(run, &fault, "majority", verdict);
    }
}

enum hone_status hone_tuned_vote(struct tuned_run *run, struct hone_error *err)
{
    const size_t count = run->request->count;
    struct vote vote = {.parties = calloc(count + 1, sizeof *vote.parties),
                        .of = calloc(count + 1, sizeof *vote.of)};
    enum hone_status status = HONE_OK;
    if (!vote.parties || !vote.of)
        status = hone_no_memory(err, "to compare results");
    else
        status = hold_vote(run, &vote, err);
    // Who is left when a device is lost votes once more elsewhere.
    if (status == HONE_OK && !run->runner->lost[0]) announce(run, &vote);
    for (size_t p = 0; p < vote.count; p++)
        hone_outputs_fini(&vote.parties[p].outputs);
    free(vote.parties);
    free(vote.of);
    return status;
}
