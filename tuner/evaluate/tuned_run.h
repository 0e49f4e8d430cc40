/* One comparison at the tuned size, between its files: tuned.c has the steps,
 * tuned_reference.c what is expected, tuned_vote.c what is done without that, and
 * tuned_judge.c what evaluators make of it. */
#ifndef HONE_EVALUATE_TUNED_RUN_H
#define HONE_EVALUATE_TUNED_RUN_H

#include "evaluate/runner.h"
#include "evaluate/tuned.h"

struct tuned_run {
    struct hone_runner *runner;
    const struct hone_tuned_request *request;
    struct hone_tuned_result *result;
    struct hone_stage stage;
    bool open;  /* the stage */
    double end; /* hone_tuned_now */
};

static inline bool hone_tuned_is_emulated(const struct hone_runner *runner)
{
    return runner->device->clock == HONE_CLOCK_EMULATED;
}

/* Seconds of what a comparison is to save: processor time of this thread, which launches,
 * where launches are emulated, so that what a machine does beside it costs nothing. */
double hone_tuned_now(const struct hone_runner *runner);

/* What a shortage of memory means here: no comparison, not the end of the run. */
static inline bool hone_tuned_is_shortage(enum hone_status status)
{
    return status == HONE_ELIMIT || status == HONE_ENOMEM;
}

/* "would need over 40 s of emulation" */
struct hone_tuned_words {
    char text[HONE_COMPARED_MAX];
};
struct hone_tuned_words hone_tuned_would_need(double seconds);
/* ", at M=4096, the tuned size" behind the fault's reason. */
void hone_tuned_append_where(const struct hone_runner *runner, struct hone_fault *fault);
/* Make the run's stage, of the buffers of job. */
enum hone_status hone_tuned_open_stage(struct tuned_run *run, const struct hone_job *job,
                                       struct hone_error *err);
/* Run the reference unless that was done; result->no_reference tells why there is nothing
 * of it. */
enum hone_status hone_tuned_find_expected(struct tuned_run *run, struct hone_error *err);

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
