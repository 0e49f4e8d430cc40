/* What a campaign found, as files that a library ships: of each kernel and
 * device a header, a report, and the journals, one a problem. Runs that are not
 * done are left out, so there is something as soon as one run is. */
#ifndef HONE_CAMPAIGN_MERGE_H
#define HONE_CAMPAIGN_MERGE_H

#include "campaign/state.h"
#include "emit/coverage.h"

struct hone_merge_options {
    const struct hone_campaign *campaign;
    const bool *chosen;    /* one for each run */
    bool accept_predicted; /* headers of predictions are made, too */
    /* Shipped journals keep so many of the fastest trials besides the default,
   * and no wall times, so that the same seeds give the same bytes; 0: all, as
   * they are. */
    size_t rows;
};

struct hone_merged {
    char *kernel, *device; /* of the results; device as a folder's name */
    char *header, *report; /* paths, or NULL: none was made */
    char *why;             /* there is no header, or NULL */
    size_t problems, runs; /* that it is made from; runs: of all votes */
    size_t agreed;         /* problems whose votes all named one winner */
    bool predicted;
};
struct hone_merge {
    struct hone_merged *items;
    size_t count, cap;
    size_t missing; /* chosen runs that are not done */
};

/* Write OUTPUT/GPU/KERNEL.h, KERNEL.html and KERNEL-PROBLEM.jsonl; with
 * ".predicted" before the ending where they are predictions. Release out after
 * a failure too. EIO. */
enum hone_status hone_campaign_merge(struct hone_merge *out,
                                     const struct hone_merge_options *options,
                                     struct hone_error *err);
void hone_merge_fini(struct hone_merge *merge);

struct json_t *hone_merge_json(const struct hone_campaign *campaign,
                               const struct hone_merge *merge);

#endif
