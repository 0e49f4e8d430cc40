/* What a launch of a configuration has to do, as the script says: work and launch of
 * journals. */
#ifndef HONE_INSIGHT_WORK_H
#define HONE_INSIGHT_WORK_H

#include "hone/record.h"

/* NAN where the journal does not tell. */
struct hone_work {
    double flops, bytes;    /* of a launch */
    double blocks, threads; /* of the grid, and of a block */
};

/* The work of a trial's configuration; space is the journal's (hone_journal_space), NULL
 * tells nothing. ENOMEM. */
enum hone_status hone_journal_work(struct hone_work *out,
                                   const struct hone_recording *recording,
                                   const struct hone_space *space,
                                   const struct hone_trial *trial,
                                   struct hone_error *err);

#endif
