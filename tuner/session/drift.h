/* The watch over drift: a machine whose clock, temperature or neighbours change between
 * two configurations ranks them wrongly. Every so many trials the author's default is
 * measured again; where it is not what it was, the trials since the last time are
 * measured again too, in rounds with the default (docs/measurement.md). */
#ifndef HONE_SESSION_DRIFT_H
#define HONE_SESSION_DRIFT_H

#include "hone/evaluate.h"

struct hone_drift {            /* {0} watches nothing */
    size_t every;              /* trials from one check to the next; 0: never */
    double limit;              /* of the default's cost to its first, to each side of 1 */
    struct hone_trial *window; /* valid ones since the last check; owned */
    size_t count, cap;
    size_t since; /* trials of any outcome */
    bool was_off; /* the last check was beyond the limit: so the window began */
};

void hone_drift_fini(struct hone_drift *drift);

/* A trial has come. */
enum hone_status hone_drift_add(struct hone_drift *drift, const struct hone_trial *trial,
                                struct hone_error *err);
bool hone_drift_is_due(const struct hone_drift *drift);

/* Measure the default, whose trial is first, while nothing is in flight. *ratio: its cost
 * to the one of its trial, NAN where it could not be measured. */
enum hone_status hone_drift_measure(struct hone_evaluator *evaluator,
                                    const struct hone_trial *first, double *ratio,
                                    struct hone_error *err);
/* The check says ratio: is the window to be repeated, since it began or ends so? */
bool hone_drift_is_beyond(struct hone_drift *drift, double ratio);

/* Measure the window again. A trial that could be has its cost as the ratio to the
 * default in the same rounds times the default's first cost, and says so (trial.drift).
 */
enum hone_status hone_drift_repeat(struct hone_drift *drift,
                                   struct hone_evaluator *evaluator,
                                   const struct hone_trial *first,
                                   struct hone_error *err);

/* The window begins anew. */
void hone_drift_clear(struct hone_drift *drift);

#endif
