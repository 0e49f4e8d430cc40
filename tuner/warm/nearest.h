/* The valid configuration nearest to one that need not be valid. */
#ifndef HONE_WARM_NEAREST_H
#define HONE_WARM_NEAREST_H

#include "hone/space.h"

/* Any value of the parameter will do. */
#define HONE_ANY_CHOICE UINT16_MAX

/* wanted: a value number for each parameter, or HONE_ANY_CHOICE. Exact in spaces of up to
 * 4096 configurations; in larger ones a walk downhill from the nearest of a sample, the
 * same each time. ENOTFOUND in an empty space. */
enum hone_status hone_nearest(uint64_t *index, const struct hone_space *space,
                              const uint16_t *wanted, struct hone_error *err);

#endif
