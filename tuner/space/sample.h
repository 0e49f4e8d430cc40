/* A component that is too large to list, represented by a sample of its tuples. */
#ifndef HONE_SPACE_SAMPLE_H
#define HONE_SPACE_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "hone/status.h"

struct hone_space;
struct hone_walk;

struct hone_estimate {
    double tuples; /* that pass */
    double error;  /* standard error of tuples */
    double steps;  /* of a walk */
};

/* Whether a walk for job, over cartesian combinations, is likely to find more tuples or
 * take more steps than it may. */
enum hone_status hone_sample_is_needed(const struct hone_space *space,
                                       const struct hone_walk *job, double cartesian,
                                       bool *needed, struct hone_error *err);

/* Push a sample to the keys of job, some of it repeatedly: the anchor (value numbers by
 * parameter of the space, or NULL) where it passes, nearly uniform draws, and neighbours
 * of these. The same for the same space. Nothing is pushed where no draw passes. */
enum hone_status hone_sample_fill(const struct hone_space *space,
                                  const struct hone_walk *job, const uint16_t *anchor,
                                  struct hone_estimate *found, struct hone_error *err);

#endif
