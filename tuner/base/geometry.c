#include "hone/geometry.h"

uint32_t hone_cluster_most(int64_t cc_major)
{
    if (cc_major < HONE_CLUSTER_MAJOR) return 1;
    return cc_major <= HONE_CLUSTER_MOST_MAJOR ? HONE_CLUSTER_MOST
                                               : HONE_CLUSTER_PORTABLE;
}
