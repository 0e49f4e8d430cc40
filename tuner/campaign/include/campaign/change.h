/* Which runs of a campaign are meant, and what is changed of them. */
#ifndef HONE_CAMPAIGN_CHANGE_H
#define HONE_CAMPAIGN_CHANGE_H

#include "campaign/overview.h"

/* A flag for each run: those whose identities begin as ids say, all without ids. EUSAGE
 * as hone_campaign_find. Freed by the caller, after a failure too. */
enum hone_status hone_campaign_choose(bool **chosen, const struct hone_campaign *campaign,
                                      const char *const *ids, size_t count,
                                      struct hone_error *err);

/* Those of the chosen runs, and how many, that an engine starts: the one that the file
 * names for their device, or forced for all of them, unless that is NULL. Freed by the
 * caller. ENOMEM. */
enum hone_status hone_campaign_chosen_of(bool **some, size_t *count,
                                         const struct hone_campaign *campaign,
                                         const bool *chosen, enum hone_engine engine,
                                         const enum hone_engine *forced,
                                         struct hone_error *err);

/* Cancel the chosen runs that are open, also in the queue; changed: how many. */
enum hone_status hone_campaign_cancel(size_t *changed,
                                      const struct hone_campaign *campaign,
                                      const struct hone_overview *overview,
                                      const bool *chosen, struct hone_error *err);

/* Let the chosen runs that failed or were cancelled be tried again. */
enum hone_status hone_campaign_retry(size_t *changed,
                                     const struct hone_campaign *campaign,
                                     const struct hone_overview *overview,
                                     const bool *chosen, struct hone_error *err);

#endif
