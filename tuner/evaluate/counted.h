/* Counters of the hardware instead of a time. */
#ifndef HONE_EVALUATE_COUNTED_H
#define HONE_EVALUATE_COUNTED_H

#include "timed.h"

/* Read the counters that the runner's options ask for; counters has room for
 * HONE_COUNTED_MAX and an end. LAUNCH_FAILED where the device has none, or the GPU does
 * not let them be read. */
enum hone_status hone_count_launch(struct hone_timed_job *at,
                                   struct hone_counted *counters,
                                   struct hone_fault *fault, struct hone_error *err);

#endif
