/* How a step with a kernel ends: well; with a fault of the kernel, which is a result of
 * its configuration; or with a status, which ends the run. */
#ifndef HONE_EVALUATE_FAULT_H
#define HONE_EVALUATE_FAULT_H

#include <stdio.h>

#include "hone/device.h"

/* Well so far: the next step may be taken. */
static inline bool hone_is_right(enum hone_status status, const struct hone_fault *fault)
{
    return status == HONE_OK && fault->outcome == HONE_VALID;
}

/* What a configuration asked for ended with status and why. No room (ELIMIT) is a fault
 * of this one, perhaps not of others: REJECTED, and OK is returned. Any other status is
 * handed on. */
static inline enum hone_status hone_fault_of_room(struct hone_fault *fault,
                                                  enum hone_status status,
                                                  const struct hone_error *why,
                                                  struct hone_error *err)
{
    if (status != HONE_ELIMIT) return hone_error_pass(err, status, why);
    fault->outcome = HONE_REJECTED;
    snprintf(fault->reason, sizeof fault->reason, "%.*s", HONE_REASON_MAX - 1, why->text);
    return HONE_OK;
}

#endif
