/* How the configurations of a journal stand: by cost, by time and energy, in the finals.
 */
#ifndef HONE_REPORT_STANDINGS_H
#define HONE_REPORT_STANDINGS_H

#include "hone/record.h"

struct json_t;

/* Trials are borrowed from the recording. */
struct hone_standings {
    const struct hone_trial **trials; /* valid ones, best first */
    size_t count;
    const struct hone_trial **pareto; /* least time first, then less and less energy */
    size_t pareto_count;
    const struct hone_trial **finals; /* those the journal ends with, by rank */
    size_t final_count;
    size_t outcomes[HONE_OUTCOME_COUNT];
};

/* Release it also after a failure. */
enum hone_status hone_standings_make(struct hone_standings *out,
                                     const struct hone_recording *recording,
                                     struct hone_error *err);
void hone_standings_fini(struct hone_standings *standings);

/* " (burst, L2 cold)": what the time of the best is, cut to size bytes; "" where that is
 * not told. */
void hone_best_kind_text(char *buf, size_t size, const struct hone_standings *r,
                         const struct hone_record_info *info);

/* What the journal holds, with its top best. */
struct json_t *hone_standings_json(const struct hone_standings *r,
                                   const struct hone_recording *recording, size_t top);

#endif
