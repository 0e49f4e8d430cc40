// Blocks of a cluster (sm_90): each other's barriers, and copies to several of them at
// once. A block touches another's shared memory only after a cluster_sync that both have
// passed, and none ends before the last cluster_sync after which nothing is sent to it.
#pragma once

#include "tensor_map.cuh"

__device__ inline unsigned cluster_rank()
{
    unsigned rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}

// All threads of all blocks of the cluster.
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release.aligned;\n"
                 "barrier.cluster.wait.acquire.aligned;" ::
                     : "memory");
}

// Arrives at the barrier that lies at the same place in the block of that rank. Without a
// scope, as CUTLASS's ClusterBarrier: what the thread has read is over before, while
// release.cluster would wait for all that it wrote, and has nothing to tell.
__device__ inline void barrier_arrive_at(unsigned barrier, unsigned rank)
{
    asm volatile("{\n.reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n}" ::"r"(barrier),
                 "r"(rank)
                 : "memory");
}

// As barrier_wait, for arrivals of other blocks.
__device__ inline void barrier_wait_cluster(unsigned barrier, unsigned parity)
{
    asm volatile(
        "{\n.reg .pred done;\nAGAIN:\n"
        "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra AGAIN;\n}" ::"r"(barrier),
        "r"(parity)
        : "memory");
}

// As load_box, to the same place in each block whose rank's bit is set in ranks; each
// counts all that it gets at its own barrier of that place.
__device__ inline void load_box_to(unsigned to, const TensorMap &map, int x, int y,
                                   unsigned barrier, unsigned ranks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier), "h"((short)ranks)
                 : "memory");
}
__device__ inline void load_box_to(unsigned to, const TensorMap &map, int x, int y, int z,
                                   unsigned barrier, unsigned ranks)
{
    asm volatile(
        "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx"
        "::bytes.multicast::cluster [%0], [%1, {%2, %3, %4}], [%5], %6;" ::"r"(to),
        "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier), "h"((short)ranks)
        : "memory");
}
