/* Warm start: where a search should begin because of what earlier runs on other GPUs and
 * other sizes found. Times of another GPU are never taken over: what is proposed here is
 * measured like everything else. */
#ifndef HONE_WARM_WARM_H
#define HONE_WARM_WARM_H

#include "hone/model.h"
#include "hone/record.h"

struct hone_warm {
    const struct hone_space *space;                 /* to be searched */
    const struct hone_record_info *info;            /* its problem and device */
    const struct hone_recording *const *recordings; /* earlier runs */
    size_t recording_count;
};

/* How many start configurations a budget can bear: a tenth of it, 3 at least and 10 at
 * most: by then what was measured here tells more. */
size_t hone_warm_limit(uint64_t budget);

/* Up to limit indices of the space, the most promising first. Configurations are found
 * again by the values of parameters of the same name; what has no valid counterpart
 * stands for the nearest one. EINPUT for a recording that shares no parameter. */
enum hone_status hone_warm_start(uint64_t *out, size_t *count, size_t limit,
                                 const struct hone_warm *warm, struct hone_error *err);

/* What the runs together let expect of the whole space; *out is NULL where they say
 * nothing. Freed by the caller. */
enum hone_status hone_warm_expect(struct hone_expectation **out,
                                  const struct hone_warm *warm, struct hone_error *err);

#endif
