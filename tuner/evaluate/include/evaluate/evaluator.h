/* For those who implement an evaluator. */
#ifndef HONE_EVALUATE_EVALUATOR_H
#define HONE_EVALUATE_EVALUATOR_H

#include <stdbool.h>

#include "hone/evaluate.h"

/* An evaluator with zeroed priv; released by hone_evaluator_close, which calls fns->close
 * first. */
enum hone_status hone_evaluator_make(struct hone_evaluator **out,
                                     const struct hone_evaluator_fns *fns,
                                     struct hone_error *err);

/* Evaluate one configuration while nothing else is in flight. What out says lives until
 * the evaluator is closed. The statuses of submit and wait. */
enum hone_status hone_evaluate_one(struct hone_trial *out,
                                   struct hone_evaluator *evaluator, uint64_t index,
                                   struct hone_error *err);

/* Copy what the trial says to where it lives until the evaluator is closed. ENOMEM. */
enum hone_status hone_evaluator_keep(struct hone_evaluator *evaluator,
                                     struct hone_trial *trial, struct hone_error *err);

/* How many configurations are in flight at once: wanted, or where that is 0 as many as
 * keep so many compile threads busy. They are measured in their order, so one that takes
 * long to build holds up those behind it; where time is measured the threads then go on
 * with further ones, or the device would wait for builds as soon as it is there. */
size_t hone_lookahead(size_t wanted, size_t threads, bool measures);

/* A configuration is about to be launched: tell who asked to know. */
enum hone_status hone_evaluator_begin(const struct hone_evaluator *evaluator,
                                      uint64_t index, struct hone_error *err);

#endif
