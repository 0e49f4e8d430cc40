/* A flag that is set at a time, or once another flag is: for whatever takes a cancel and
 * must be over in time, whoever hangs. */
#ifndef HONE_BASE_ALARM_H
#define HONE_BASE_ALARM_H

#include <signal.h>

#include "hone/status.h"

struct hone_alarm;

/* deadline: of hone_clock_seconds, INFINITY for none. also, borrowed, may be NULL. The
 * flag is set within 20 ms, by a thread that no signal comes to. ENOMEM where that does
 * not start. */
enum hone_status hone_alarm_new(struct hone_alarm **out, double deadline,
                                const volatile sig_atomic_t *also,
                                struct hone_error *err);

/* Non-zero once it is set; lives as long as the alarm. */
const volatile sig_atomic_t *hone_alarm_flag(const struct hone_alarm *alarm);

/* Nobody may look at the flag any more. NULL is fine. */
void hone_alarm_free(struct hone_alarm *alarm);

#endif
