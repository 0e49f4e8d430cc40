/* A tuning that is over in time, whatever hangs: a build that waits for it goes on. */
#ifndef HONE_TUNING_BOUNDED_H
#define HONE_TUNING_BOUNDED_H

#include "base/alarm.h"
#include "hone/tuning.h"

/* Make options those of a tuning that is over by deadline (of hone_clock_seconds): the
 * search gets 80 % of the time that is left, and at 92 % of it, or once options->cancel
 * says so, the tuning is told to stop. A kernel or compiler that hangs then is killed
 * with its worker or helper process; program is needed for workers on a GPU. A strategy
 * in another program gets 15 % of the time for an answer at most; one in Lua is ended by
 * the limits of its script alone (hone/script.h). What was measured is in the journal.
 * The alarm is freed by the caller, after the tuning. */
enum hone_status hone_tuning_bound(struct hone_alarm **alarm,
                                   struct hone_tuning_options *options, double deadline,
                                   struct hone_error *err);

#endif
