/* Times that cannot be: a clock that lies, or a kernel that did not do its work. */
#ifndef HONE_EVALUATE_PLAUSIBLE_H
#define HONE_EVALUATE_PLAUSIBLE_H

#include "hone/device.h"
#include "hone/kernel.h"

/* VALID, or WRONG_RESULT with a reason when job's work in time_us is beyond what a
 * device of these limits can do: its bytes at the nominal bandwidth, less what L2 may
 * hold back (all that it has room for, and with a cold L2 no more than what is written),
 * its operations at the highest rate of any tensor core of its generation. Work that the
 * script does not tell is not judged. */
enum hone_outcome hone_time_plausible(const struct hone_job *job,
                                      const struct hone_limits *limits, bool cold,
                                      double time_us, char reason[HONE_REASON_MAX]);

/* Is a launch of job held up by arithmetic rather than by memory, as far as its script
 * tells its work? More operations a byte than plain multiply-adds at full rate need. */
bool hone_job_is_compute_bound(const struct hone_job *job,
                               const struct hone_limits *limits);

#endif
