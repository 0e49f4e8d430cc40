/* One comparison at the tuned size, between its files: tuned.c has the steps,
 * tuned_vote.c what is done without a reference. */
#ifndef HONE_EVALUATE_TUNED_RUN_H
#define HONE_EVALUATE_TUNED_RUN_H

#include "evaluate/runner.h"
#include "evaluate/tuned.h"

struct tuned_run {
    struct hone_runner *runner;
    const struct hone_tuned_request *request;
    struct hone_tuned_result *result;
    struct hone_stage stage;
    bool open; /* the stage */
    double end;
};

/* The number of one before it that is the same program, launched in the same way; its own
 * where it is the first. */
size_t hone_tuned_twin(const struct hone_candidate *candidates, size_t i);
/* Nothing is known of it yet. */
bool hone_tuned_is_open(const struct hone_verdict *verdict);
/* Its outputs, or a verdict, or neither where there is no time left. */
enum hone_status hone_tuned_try(struct tuned_run *run,
                                const struct hone_candidate *candidate,
                                struct hone_outputs *outputs,
                                struct hone_verdict *verdict, struct hone_error *err);
/* It is wrong, by comparison with the reference or the majority. */
void hone_tuned_refuse(const struct tuned_run *run, struct hone_fault *fault,
                       const char *by, struct hone_verdict *verdict);
/* It was not compared, and why. */
void hone_tuned_say_no(char compared[HONE_COMPARED_MAX], const char *why);

/* Each program has a vote; more than half of them decide. */
enum hone_status hone_tuned_vote(struct tuned_run *run, struct hone_error *err);

#endif
