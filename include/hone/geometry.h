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

/* Majors of compute capabilities. */
enum {
    HONE_CLUSTER_MAJOR = 9,      /* the first with clusters and dependent launches */
    HONE_CLUSTER_MOST_MAJOR = 10 /* the last that takes HONE_CLUSTER_MOST */
};

/* The largest cluster that a launch can ask a GPU of this major for, in blocks: 16 of
 * compute capability 9.0 and 10.x, which is not portable; 8 of later ones; 1 before 9.0.
 * NVIDIA's tuning guides of Hopper and Blackwell say so of H100 and B200. */
uint32_t hone_cluster_most(int64_t cc_major);

struct hone_geometry {
    uint32_t grid[3];
    uint32_t block[3];
    uint32_t shared_bytes; /* dynamic */
    uint32_t cluster[3];   /* in blocks; 0, 0, 0 where the launch does not say: then the
                              kernel's own, __cluster_dims__, or none */
    uint32_t flags;        /* HONE_LAUNCH_COOPERATIVE | HONE_LAUNCH_DEPENDENT */
};

#endif
