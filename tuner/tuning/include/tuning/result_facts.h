/* What a result says of the best, for who tells people. */
#ifndef HONE_TUNING_RESULT_FACTS_H
#define HONE_TUNING_RESULT_FACTS_H

#include <stdbool.h>

#include "hone/record.h"
#include "hone/session.h"
#include "hone/strbuf.h"
#include "hone/tuning.h"

/* Best over default, by the finals where both met there, else by their costs; ratio is
 * NAN where one is missing, low and high where there is no interval. */
struct hone_gain hone_result_gain(const struct hone_session_result *result);

/* Nothing that was tried is better than the configuration that it was compared with. */
bool hone_default_is_best(const struct hone_session_result *result);

/* "M=512 N=64": the sizes of a problem of several that are not the same in all. */
void hone_problem_apart_text(struct hone_strbuf *out, const struct hone_record_info *info,
                             size_t number);

/* How much of a run is over: of its evaluations or of its time, whichever is more. */
double hone_progress_fraction(const struct hone_progress *progress);

/* How many trials failed; neither over a limit of the device nor beyond the emulator:
 * these are no failures. */
size_t hone_progress_failed(const struct hone_progress *progress);

/* A configuration is valid, of one of the problems at least, and the reference is not
 * known to be wrong; result is the run's. */
bool hone_tuning_found_any(const struct hone_tuning *tuning,
                           const struct hone_session_result *result);

/* Configurations that were not run at a size of verify: their constraints do not allow
 * it. */
struct hone_skips {
    size_t count; /* of the recording */
    bool best;    /* that of the result is one */
};

/* At the size that verify names as its number size, from 0. recording is the tuning's
 * own, of one problem; nothing where a recording answered. */
struct hone_skips hone_tuning_skips(const struct hone_tuning *tuning,
                                    const struct hone_session_result *result,
                                    const struct hone_recording *recording, size_t size);

/* What no search could find. Both trials are the recording's. */
struct hone_losses {
    size_t formulas;                  /* configurations lost to a formula of the script */
    const struct hone_trial *formula; /* the first of them, or NULL */
    /* The author's default, where it was measured and is not valid; else NULL. */
    const struct hone_trial *failed_default;
    /* The first that failed of itself, by no formula and over no limit, or NULL; its
     * index in the tuning's space. */
    const struct hone_trial *failure;
    uint64_t failure_index;
};

/* recording is the tuning's own, of one problem. */
struct hone_losses hone_tuning_losses(const struct hone_tuning *tuning,
                                      const struct hone_recording *recording);

#endif
