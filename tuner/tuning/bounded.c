#include "tuning/bounded.h"

#include <math.h>

#include "base/clock.h"

// The search gets this share of the time; its start and end, finals included, need the
// rest.
static const double search_share = 0.8;
// Before the end it is asked to stop, so that what is to be closed can be.
static const double stop_share = 0.92;
static const double answer_s = 60; // that a strategy has, as without a deadline
// A question asked as the search ends must be over before the time is.
static const double answer_share = 0.15;

enum hone_status hone_tuning_bound(struct hone_alarm **alarm,
                                   struct hone_tuning_options *options, double deadline,
                                   struct hone_error *err)
{
    const double left = fmax(deadline - hone_clock_seconds(), 0);
    const double answer =
        options->strategy_timeout_s > 0 ? options->strategy_timeout_s : answer_s;
    enum hone_status status =
        hone_alarm_new(alarm, deadline - (1 - stop_share) * left, options->cancel, err);
    if (status != HONE_OK) return status;
    options->cancel = hone_alarm_flag(*alarm);
    options->seconds = fmax(search_share * left, 1e-3);
    // A strategy in a program of its own is no worker: nobody but its limit ends it.
    options->strategy_timeout_s = fmax(fmin(answer, answer_share * left), 1e-3);
    return HONE_OK;
}
