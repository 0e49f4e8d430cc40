/* Who measured the trials of a journal: by machine and GPU, so that a slow node or one
 * that fails can be found. */
#ifndef HONE_INSIGHT_PLACES_H
#define HONE_INSIGHT_PLACES_H

#include "hone/record.h"

struct hone_place_row {
    const struct hone_trial_place
        *place; /* borrowed; of its jobs this one has the last name by strcmp */
    size_t trials, failed; /* with a line of their own */
    size_t jobs;           /* that these ran in */
    double evaluate_ms;    /* the median of verifying and timing; NAN: unknown */
};

struct hone_places {
    struct hone_place_row *rows; /* most trials first; none where no trial tells */
    size_t count;
};

/* Release it also after a failure. ENOMEM. */
enum hone_status hone_places_make(struct hone_places *out,
                                  const struct hone_recording *recording,
                                  struct hone_error *err);
void hone_places_fini(struct hone_places *places);

#endif
