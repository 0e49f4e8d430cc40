/* What is missing of a campaign, done: each run by the engine that its device names. */
#ifndef HONE_CAMPAIGN_WORK_H
#define HONE_CAMPAIGN_WORK_H

#include "campaign/engine.h"
#include "campaign/slurm.h"

/* What the engines did, one after the other; begins as HONE_CAMPAIGN_WORK_INIT. */
struct hone_campaign_work {
    struct hone_engine_result here;
    struct hone_slurm_submitted submitted;
    struct hone_strbuf commands; /* of the engine print, a line each */
    size_t listed_failed;        /* runs of that engine that are not tried again */
};
#define HONE_CAMPAIGN_WORK_INIT                                                          \
    {                                                                                    \
        .commands = HONE_STRBUF_INIT                                                     \
    }

/* Let this engine do those of the chosen runs that it starts: by the campaign's file, or
 * all where it is the forced one, and none where another is; forced may be NULL. Statuses
 * of hone_slurm_submit, hone_engine_local and hone_overview_make. */
enum hone_status hone_campaign_do(struct hone_campaign_work *work,
                                  const struct hone_engine_options *options,
                                  enum hone_engine engine, const enum hone_engine *forced,
                                  struct hone_error *err);
void hone_campaign_work_fini(struct hone_campaign_work *work);

/* Chosen runs that have failed, now or before, whatever engine they are of. */
size_t hone_campaign_failed(const struct hone_campaign_work *work);

/* OK where all that was done here is done. ECANCELLED where it was interrupted, EDEVICE
 * where runs failed or are left without a process; file: as the user calls the campaign.
 */
enum hone_status hone_campaign_verdict(const struct hone_campaign_work *work,
                                       const char *file, struct hone_error *err);

/* The document for --json. */
struct json_t *hone_campaign_work_json(const struct hone_campaign *campaign,
                                       const struct hone_campaign_work *work);

#endif
