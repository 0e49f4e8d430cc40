// Copies of any length from global to shared memory by one thread, which arrive at a
// barrier (PTX ISA, cp.async.bulk; sm_90).
#pragma once

#include "ring.cuh"

// bytes: a multiple of 16, as both addresses are.
__device__ inline void load_bulk(unsigned to, const void *from, int bytes,
                                 unsigned barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to),
                 "l"(from), "r"(bytes), "r"(barrier)
                 : "memory");
}

// One that is all what a phase of the barrier waits for.
__device__ inline void load_piece(unsigned to, const void *from, int bytes,
                                  unsigned barrier)
{
    barrier_expect(barrier, bytes);
    load_bulk(to, from, bytes, barrier);
}
