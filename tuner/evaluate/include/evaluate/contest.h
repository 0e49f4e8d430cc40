/* A contest on one runner: configurations timed in turn, so that what changes with time
 * meets all of them alike. */
#ifndef HONE_EVALUATE_CONTEST_H
#define HONE_EVALUATE_CONTEST_H

#include "evaluate/runner.h"

/* candidates are resolved and their builds queued or taken. costs[round * count + i] is
 * the cost of candidate i by three launches in a row, NAN from where it failed. Rounds
 * that a lost device leaves are NAN. */
enum hone_status hone_runner_contest(struct hone_runner *runner,
                                     struct hone_candidate *candidates,
                                     const struct hone_contest *contest, double *costs,
                                     struct hone_error *err);

#endif
