/* For those who implement an evaluator. */
#ifndef HONE_EVALUATOR_H
#define HONE_EVALUATOR_H

#include "hone/evaluate.h"

/* An evaluator with zeroed priv; released by hone_evaluator_close, which calls fns->close
 * first. */
enum hone_status hone_evaluator_make(struct hone_evaluator **out,
                                     const struct hone_evaluator_fns *fns,
                                     struct hone_error *err);

/* A configuration is about to be launched: tell who asked to know. */
enum hone_status hone_evaluator_begin(const struct hone_evaluator *evaluator,
                                      uint64_t index, struct hone_error *err);

#endif
