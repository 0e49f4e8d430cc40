/* Where the runs on a space begin because of other recordings. */
#ifndef HONE_SCORE_RANKING_WARM_H
#define HONE_SCORE_RANKING_WARM_H

#include "score/ranking.h"

/* Fill the start and the expectation of a space from plan's warm recordings, for runs of
 * that many evaluations; without any, none. A space that none of them fits is apart. */
enum hone_status hone_ranking_warm(struct hone_ranking_space *space,
                                   const struct hone_ranking_plan *plan,
                                   const struct hone_recording *target, uint64_t budget,
                                   struct hone_error *err);

#endif
