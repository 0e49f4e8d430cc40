/* What a header answers, found by the tuner itself: the text that the header has is
 * compiled into dispatch.c. */
#ifndef HONE_EMIT_DISPATCH_H
#define HONE_EMIT_DISPATCH_H

#include "emit_launch.h"

/* The launch of a configuration, by number, for a device and problem. */
struct emit_launch hone_emit_launch_of(const struct emit_plan *plan, size_t config,
                                       const struct hone_limits *gpu,
                                       const struct hone_value *problem);

enum emit_tier {
    EMIT_EXACT,
    EMIT_SAME_DEVICE,
    EMIT_SAME_ARCH,
    EMIT_SAME_FAMILY,
    EMIT_DEFAULT,
    EMIT_NONE
};
struct hone_limits hone_emit_gpu_of(const struct emit_plan *plan, int cc_major,
                                    int cc_minor, int sm_count);
size_t hone_emit_dispatch(const struct emit_plan *plan, const struct hone_limits *gpu,
                          const struct hone_value *problem, enum emit_tier *tier);

#endif
