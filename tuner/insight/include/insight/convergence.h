/* How a search went: its trials in the order in which they were first measured. Finals
 * and trials measured again have a later line in the journal, which counts for their
 * time, but they were found before. */
#ifndef HONE_INSIGHT_CONVERGENCE_H
#define HONE_INSIGHT_CONVERGENCE_H

#include "record/following.h"

struct hone_convergence_point {
    const struct hone_trial *trial; /* borrowed */
    double cost;                    /* when first measured; INFINITY: not valid */
    double best;                    /* the least cost so far; INFINITY: none yet */
    bool is_best;                   /* a step: the cost is less than all before it */
    double seconds; /* of building and measuring up to here, added up; of trials that do
                       not tell it, 0 */
};

struct hone_convergence {
    struct hone_convergence_point *points;
    size_t count;
    struct hone_following_step *steps; /* the points that are best */
    size_t step_count;
};

/* ENOMEM; release it also then. */
enum hone_status hone_convergence_make(struct hone_convergence *out,
                                       const struct hone_recording *recording,
                                       struct hone_error *err);
void hone_convergence_fini(struct hone_convergence *progress);

#endif
