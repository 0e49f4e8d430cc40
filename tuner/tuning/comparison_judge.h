/* What the times of a row say. */
#ifndef HONE_TUNING_COMPARISON_JUDGE_H
#define HONE_TUNING_COMPARISON_JUDGE_H

#include "tuning/comparison.h"

/* The trial of a configuration that is among them. */
const struct hone_trial *hone_comparison_trial(const struct hone_trial *trials,
                                               size_t count, uint64_t index);

/* How long a configuration takes now to what its row took. */
struct hone_compared_ratio hone_comparison_ratio(const struct hone_shipped *shipped,
                                                 const struct hone_shipped_row *row,
                                                 const struct hone_trial *now);

/* Is one of the others faster than the row's own, by the finals or by prediction?
 * ENOMEM. */
enum hone_status hone_comparison_find_rival(struct hone_compared_row *row,
                                            const struct hone_space *space,
                                            const struct hone_trial *trials, size_t count,
                                            uint64_t shipped, struct hone_error *err);

/* --- comparison.c --- */

/* The index of the shipped configuration; where there is none now, the row's reason says
 * why. ENOMEM. */
enum hone_status hone_comparison_find(bool *found, uint64_t *index,
                                      struct hone_compared_row *row,
                                      const struct hone_space *space,
                                      struct hone_error *err);

#endif
