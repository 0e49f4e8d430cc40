/* All runs of a campaign as they stand now. */
#ifndef HONE_CAMPAIGN_OVERVIEW_H
#define HONE_CAMPAIGN_OVERVIEW_H

#include "campaign/state.h"

struct hone_overview {
    struct hone_run_state *states; /* one for each run */
    size_t counts[HONE_RUN_PHASES];
    size_t counted;    /* runs: the sum of counts */
    size_t superseded; /* folders of runs that the list has no more: something changed */
    double left_s; /* that what is not done may take, from what was; NAN: none was yet */
};

/* Read the states. Runs of a queue that does not know their job any more are waiting
 * again; where the queue cannot be asked, they stay queued. Those that run are read in
 * their journals, as far as these are few. Release it after a failure too. */
enum hone_status hone_overview_make(struct hone_overview *out,
                                    const struct hone_campaign *campaign,
                                    struct hone_error *err);

/* Count the chosen runs alone, and what of them is left; NULL: all, as they are at first.
 * What others took still tells how long these may take. */
void hone_overview_count(struct hone_overview *overview,
                         const struct hone_campaign *campaign, const bool *chosen);
void hone_overview_fini(struct hone_overview *overview);

/* Is there anything to do: neither done, nor failed for good, nor cancelled? */
bool hone_run_is_open(const struct hone_run_state *state);

/* The document for --json: the chosen runs, and the counts as they are. */
struct json_t *hone_overview_json(const struct hone_campaign *campaign,
                                  const struct hone_overview *overview,
                                  const bool *chosen);

#endif
