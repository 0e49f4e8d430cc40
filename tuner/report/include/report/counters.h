/* Plans of hardware counters, as JSON. */
#ifndef HONE_REPORT_COUNTERS_H
#define HONE_REPORT_COUNTERS_H

#include "device/counters.h"

struct json_t;

struct json_t *hone_counter_plan_json(const struct hone_counter_plan *plan,
                                      const char *chip);

#endif
