/* What the trials of a recording say of the values of its parameters. */
#ifndef HONE_INSIGHT_BY_VALUE_H
#define HONE_INSIGHT_BY_VALUE_H

#include "hone/record.h"

/* The trials with one value of a parameter. Costs are INFINITY where none is valid. */
struct hone_value_figures {
    size_t valid, failed; /* failed: every other outcome */
    double best, median;
};

/* Find the figures of each value of parameter p, in its order; to be freed. ENOMEM. */
enum hone_status hone_by_value(struct hone_value_figures **out,
                               const struct hone_recording *recording, size_t p,
                               struct hone_error *err);

/* The least cost of each pair of values of parameters p and q: [values of p][values of
 * q], to be freed; INFINITY where no trial is valid. ENOMEM. */
enum hone_status hone_by_pair(double **out, const struct hone_recording *recording,
                              size_t p, size_t q, struct hone_error *err);

#endif
