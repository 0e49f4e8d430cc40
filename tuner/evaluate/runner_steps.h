/* The steps that a runner takes a candidate through, between its files: runner.c has
 * their order, runner_verify.c and runner_time.c one each. */
#ifndef HONE_EVALUATE_RUNNER_STEPS_H
#define HONE_EVALUATE_RUNNER_STEPS_H

#include "evaluate/runner.h"

/* Runs the references of the plan, one verifier each, and chooses which of them run
 * kernels in which orders. Those that were opened stay the runner's, also on failure. */
enum hone_status hone_runner_open_verifiers(struct hone_runner *runner,
                                            struct hone_error *err);

/* Time a candidate that was right, or read its counters where that is asked for; its
 * trial and notes get what came out. fault is VALID before. */
enum hone_status hone_runner_time(struct hone_runner *runner,
                                  struct hone_candidate *candidate,
                                  struct hone_fault *fault, struct hone_error *err);

#endif
