/* Tuning while an application runs: it asks which configuration to use for its next call,
 * does its work, and reports how long that took. Some calls try something new, the others
 * use the best known; at the end all do. One object for each problem size, since times of
 * different sizes do not compare; it is used from one thread at a time.
 *
 *     hone_online_next(online, &index, &err);
 *     ... call the kernel with configuration index, time it ...
 *     hone_online_report(online, index, time_us, &err);
 */
#ifndef HONE_ONLINE_H
#define HONE_ONLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/search.h"

struct hone_online;

/* {0} is fine. */
struct hone_online_options {
    const struct hone_strategy_fns *strategy; /* NULL: portfolio */
    uint64_t seed;
    uint64_t budget;  /* configurations to try; 0: 200 */
    double share;     /* of the calls that may try something new; 0: 0.5; at most 1 */
    uint32_t samples; /* of a configuration until it is judged; 0: 5; at most 64 */
    const uint64_t *start; /* known to work: used first and until there is a better one */
};

struct hone_online_state {
    bool converged; /* nothing new will be tried */
    bool has_best;
    uint64_t best;      /* index */
    double best_us;     /* median of its last times; NAN without a best */
    uint64_t tried;     /* configurations judged, the failed ones among them */
    uint64_t calls;     /* reports so far */
    uint64_t new_calls; /* of these, those that tried something new */
};

/* space is borrowed. EUSAGE for a share or samples out of range, EINPUT for a start that
 * the space does not have. */
enum hone_status hone_online_new(struct hone_online **out, const struct hone_space *space,
                                 const struct hone_online_options *options,
                                 struct hone_error *err);
void hone_online_free(struct hone_online *online); /* NULL is fine */

/* The configuration to use next. Never one that was reported to fail. ENOTFOUND when all
 * that was tried failed and nothing is left. */
enum hone_status hone_online_next(struct hone_online *online, uint64_t *index,
                                  struct hone_error *err);

/* What a call with index took, above 0; NAN when it failed. Calls that were not asked for
 * count too, for the best and for the one being tried, and failures of all that were
 * tried; others are ignored. Where the best fails, the best of those that worked takes
 * its place. */
enum hone_status hone_online_report(struct hone_online *online, uint64_t index,
                                    double time_us, struct hone_error *err);

struct hone_online_state hone_online_state(const struct hone_online *online);

#endif
