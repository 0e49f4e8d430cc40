/* Plans whose maker stays, since it turns what was counted into values. */
#ifndef HONE_DEVICE_COUNTER_PLAN_H
#define HONE_DEVICE_COUNTER_PLAN_H

#include "cupti_host.h"
#include "device/counters.h"

struct hone_counter_planner { /* {0}: there is none */
    const struct hone_cupti_host *cupti;
    struct hone_cupti_host_object *object; /* of the chip */
};

/* As hone_counter_plan_make, of the counters that a GPU has free: CUPTI's image of them,
 * NULL for all. Release plan and planner also after a failure. */
enum hone_status hone_counter_plan_begin(struct hone_counter_plan *out,
                                         struct hone_counter_planner *planner,
                                         const char *chip, bool light,
                                         const uint8_t *available,
                                         struct hone_error *err);
void hone_counter_planner_end(struct hone_counter_planner *planner);

#endif
