/* The problem sizes that a kernel is verified at: those that its script names, then those
 * that are drawn from its ranges by a seed. How they are drawn: docs/verification.md. */
#ifndef HONE_EVALUATE_SIZES_H
#define HONE_EVALUATE_SIZES_H

#include "hone/evaluate.h"

struct hone_sizes {
    struct hone_problem *problems;
    size_t count;
    size_t named; /* the first so many are the script's; the others were drawn */
    struct hone_value *values; /* of the drawn ones, one after another */
};

/* From options the seed of the data counts, or the sizes that are given instead. Equal
 * seeds draw equal sizes from equal spaces: a parameter that is pinned may allow others.
 * EINPUT with the script's line where its constraints leave nothing to draw. */
enum hone_status hone_sizes_init(struct hone_sizes *sizes,
                                 const struct hone_kernel *kernel,
                                 const struct hone_evaluate_options *options,
                                 struct hone_error *err);
/* "M=16 N=100"; problem NULL: the tuned one. Cut where out has no room. */
void hone_problem_describe(char *out, size_t size, const struct hone_kernel_def *def,
                           const struct hone_problem *problem);
void hone_sizes_fini(struct hone_sizes *sizes); /* {0} is fine */

#endif
