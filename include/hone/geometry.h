/* How a kernel is launched, but for its arguments. */
#ifndef HONE_GEOMETRY_H
#define HONE_GEOMETRY_H

#include <stdint.h>

/* What a launch can be beside plain. */
enum {
    HONE_LAUNCH_COOPERATIVE = 1, /* all blocks run at once, so that grid.sync() can */
    HONE_LAUNCH_DEPENDENT = 2    /* it may begin before the launch before it in the stream
                                    has ended: griddepcontrol.wait waits for that */
};

/* Blocks of a cluster: more than PORTABLE are for GPUs that allow it, more than MOST for
 * none. */
enum { HONE_CLUSTER_PORTABLE = 8, HONE_CLUSTER_MOST = 16 };

struct hone_geometry {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes; /* dynamic */
    uint32_t cluster[3];   /* in blocks; 0, 0, 0 where the launch does not say: then the
                              kernel's own, __cluster_dims__, or none */
    uint32_t flags;        /* HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT */
};

#endif
