/* Builds that end with PTX, and whether ptxas has to be asked all the same. */
#ifndef HONE_EVALUATE_ESTIMATED_H
#define HONE_EVALUATE_ESTIMATED_H

#include "evaluate/candidate.h"

/* As hone_job_queue, but where arch is virtual ("compute_90a") and the job's text names
 * inline PTX, which ptxas has to see, for the real one ("sm_90a"). */
enum hone_status hone_estimate_queue(const struct hone_job *job,
                                     struct hone_builder *builder, const char *arch,
                                     uint64_t *ticket, struct hone_error *err);

/* Estimate what a variant needs whose valid build has PTX only, and make the build anew,
 * whole, where the estimate does not do. first is variants[0], whose estimate
 * is that of those that share its build. Adds to *build_ms what was compiled. A build
 * that is whole is left alone. */
enum hone_status hone_estimate_variant(struct hone_variant *variant,
                                       const struct hone_variant *first,
                                       struct hone_builder *builder,
                                       struct hone_device *device, double *build_ms,
                                       struct hone_error *err);

/* Put the estimate, where there is one, into a copy of the variant's build. */
void hone_estimate_fill(struct hone_build *copy, const struct hone_variant *variant);

#endif
