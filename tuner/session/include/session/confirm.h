/* Who may win and the author's default, compared at the tuned size before the finals:
 * what a search measured there nobody looked at (docs/verification.md). Who is wrong
 * leaves, and the next best takes its place. */
#ifndef HONE_SESSION_CONFIRM_H
#define HONE_SESSION_CONFIRM_H

#include "hone/evaluate.h"
#include "session/finals.h"

enum { HONE_CONFIRM_MOST = 64 };

/* What was found so far in a run. {0} to begin with. */
struct hone_confirm {
    uint64_t judged[HONE_CONFIRM_MOST]; /* indices */
    size_t count;
    double spent_s;
};

bool hone_confirm_knows(const struct hone_confirm *confirm, uint64_t index);

/* One comparison. */
struct hone_confirm_round {
    struct hone_trial *trials; /* the most important ones first */
    size_t count;              /* at most HONE_CONTENDERS_MOST */
    /* What comes of it: which trials no round before compared; whether they differ and
     * there is no telling who is right. */
    bool fresh[HONE_CONTENDERS_MOST];
    bool undecided;
};

/* Whether more contenders may tell who is right: the round could not, and there is time
 * left for it. */
bool hone_confirm_may_ask_more(const struct hone_confirm *confirm,
                               const struct hone_confirm_round *round);

/* Compare the trials of a round, but for those that were. A comparison that breaks is
 * said in their compared, and logged. EINPUT where the reference is wrong at the tuned
 * size, ECANCELLED where the run is to end: nobody is judged then. */
enum hone_status hone_confirm_trials(struct hone_confirm *confirm,
                                     struct hone_confirm_round *round,
                                     struct hone_evaluator *evaluator,
                                     struct hone_error *err);

#endif
