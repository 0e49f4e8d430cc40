/* Is the regret that a header announces for problems it was not tuned on the one that
 * they meet? A journal of many problems, in which every configuration was tried on every
 * problem, is split: a header is planned of some of them, and asked for the others. */
#ifndef HONE_HELDOUT_H
#define HONE_HELDOUT_H

#include "hone/record.h"

struct heldout {
    size_t fitted, asked;  /* problems of a split */
    size_t splits, inside; /* how often what was met lies in the announced interval */
    double announced, met; /* mean regret over all splits; 0.01 is 1 % */
    double low, high;      /* mean ends of the announced interval */
    double lone;           /* what the single best configuration on average costs */
};

/* EINPUT when the journal has less than fitted + 2 problems, or a header's configuration
 * was not tried on a problem. */
enum hone_status heldout_measure(struct heldout *out,
                                 const struct hone_recording *recording, size_t fitted,
                                 size_t splits, struct hone_error *err);

#endif
