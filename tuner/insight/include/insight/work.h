/* What a launch of a configuration has to do, as the script says: work of journals. */
#ifndef HONE_INSIGHT_WORK_H
#define HONE_INSIGHT_WORK_H

#include "hone/record.h"

struct hone_work {
    double flops, bytes; /* of a launch; NAN where the journal does not tell */
};

/* The work of a trial's configuration; space is the journal's (hone_journal_space), NULL
 * tells nothing. ENOMEM. */
enum hone_status hone_journal_work(struct hone_work *out,
                                   const struct hone_recording *recording,
                                   const struct hone_space *space,
                                   const struct hone_trial *trial,
                                   struct hone_error *err);

#endif
