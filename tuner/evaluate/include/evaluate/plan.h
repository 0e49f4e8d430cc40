/* What evaluating one kernel needs besides its configurations, all of it resolved: the
 * references to verify with, and the options. A plan can be sent to another process,
 * which then needs neither script nor space. */
#ifndef HONE_EVALUATE_PLAN_H
#define HONE_EVALUATE_PLAN_H

#include "evaluate/candidate.h"
#include "evaluate/sizes.h"
#include "hone/evaluate.h"

/* A problem size that kernels are verified at. */
struct hone_plan_size {
    struct hone_job reference; /* {0} of a kernel without one */
    char where[96];            /* "M=33 N=17", for messages */
};

struct hone_plan {
    const struct hone_kernel *kernel; /* borrowed; NULL where the plan was received */
    struct hone_evaluate_options options;
    struct hone_sizes sizes;          /* to verify at; none where the plan was received */
    struct hone_plan_size *verify_at; /* the same, or the tuned size; none: at nothing */
    size_t verify_count;
    size_t named;  /* of these: those after them are at drawn sizes */
    bool at_tuned; /* it is one, the tuned size */
    bool alone;    /* without a reference: run by itself, under the device's checks */
    const struct hone_waiver *waivers; /* of the kernel: borrowed, or the message's */
    size_t waiver_count;
    uint64_t l2_set_aside; /* bytes, of the kernel */
    /* The tuned size, where the reference is run at the end of a search only; where is
     * filled also without one. */
    struct hone_plan_size tuned;
    char no_tuned[HONE_COMPARED_MAX]; /* why there is none; "" where there is */
};

/* Resolve the references of kernel. A kernel without one gets a warning. */
enum hone_status hone_plan_init(struct hone_plan *plan, const struct hone_kernel *kernel,
                                const struct hone_evaluate_options *options,
                                struct hone_error *err);
void hone_plan_fini(struct hone_plan *plan); /* {0} is fine */

/* The candidate's job at number i of the sizes that it is verified at. */
const struct hone_variant *hone_plan_variant(const struct hone_plan *plan,
                                             const struct hone_candidate *candidate,
                                             size_t i);

/* Is the reference's result at the tuned size what each configuration is held to? */
bool hone_plan_judges_tuned(const struct hone_plan *plan);

/* Is number i of the sizes one that candidate is launched at without checks? Of the drawn
 * sizes that it is allowed at it has checks at two, others than its neighbours. */
bool hone_plan_is_plain(const struct hone_plan *plan,
                        const struct hone_candidate *candidate, size_t i);

/* As many launches as verifying and timing one configuration takes, at most: each may
 * take as long as a launch may. */
size_t hone_plan_launches(const struct hone_plan *plan);

/* What configurations are built for: the device's architecture, or its virtual one where
 * the device's estimates do. */
void hone_plan_arch(char out[HONE_ARCH_TEXT], const struct hone_plan *plan,
                    const struct hone_device *device);

/* Configuration index with a job for each problem size of the plan, which must have its
 * kernel. */
enum hone_status hone_plan_candidate(const struct hone_plan *plan, uint64_t index,
                                     struct hone_candidate *out, struct hone_error *err);

#endif
