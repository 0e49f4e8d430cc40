// Barriers that threads and asynchronous copies arrive at (PTX ISA, mbarrier), barriers
// of some of a block's warps, and the fence between threads' accesses and those of
// copies.
//
// A barrier is 8 bytes of shared memory, aligned to 8, named by its address. Its phases
// follow one another: one ends when all its arrivals and all bytes that were expected
// have come. A wait names the phase by its parity, 0 of the first, and returns when that
// phase has ended; of a new barrier the phase before the first, of parity 1, has. A
// waiter must not be two phases late, nor early: it cannot tell them apart.
#pragma once

#include "async_copy.cuh"

// arrivals: how many end a phase, from 1 on.
__device__ inline void barrier_init(unsigned barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(barrier), "r"(arrivals)
                 : "memory");
}

// By who initialised barriers, ahead of the __syncthreads (or the cluster's) after which
// others and copies use them.
__device__ inline void publish_barriers()
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

// What this thread did before, who waits for the phase sees.
__device__ inline void barrier_arrive(unsigned barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(barrier) : "memory");
}

// Arrives, and lets the phase wait for so many bytes of copies more, below 2^20.
__device__ inline void barrier_expect(unsigned barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier),
                 "r"(bytes)
                 : "memory");
}

__device__ inline void barrier_wait(unsigned barrier, unsigned parity)
{
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@!done bra AGAIN;\n}" ::"r"(barrier),
                 "r"(parity)
                 : "memory");
}

// Named barriers first to first + count - 1 of 1 .. 15 (0 is that of __syncthreads), of
// which a warp takes number which, from 0 on; threads: all that sync or arrive, whole
// warps. Numbers that the compiler does not know would take all 16.
template <int first, int count> __device__ inline void named_sync(int which, int threads)
{
    static_assert(first >= 1 && first + count <= 16, "barriers are numbered 1 to 15");
#pragma unroll
    for (int i = 0; i < count; i++)
        if (which == i)
            asm volatile("bar.sync %0, %1;" ::"r"(first + i), "r"(threads) : "memory");
}
template <int first, int count>
__device__ inline void named_arrive(int which, int threads)
{
    static_assert(first >= 1 && first + count <= 16, "barriers are numbered 1 to 15");
#pragma unroll
    for (int i = 0; i < count; i++)
        if (which == i)
            asm volatile("bar.arrive %0, %1;" ::"r"(first + i), "r"(threads) : "memory");
}

// named_sync that tells whether any of the threads said yes.
template <int first, int count>
__device__ inline bool named_or(int which, int threads, bool yes)
{
    static_assert(first >= 1 && first + count <= 16, "barriers are numbered 1 to 15");
    int any = 0;
#pragma unroll
    for (int i = 0; i < count; i++)
        if (which == i)
            asm volatile("{\n.reg .pred mine, any;\nsetp.ne.b32 mine, %3, 0;\n"
                         "bar.red.or.pred any, %1, %2, mine;\nselp.b32 %0, 1, 0, any;\n}"
                         : "=r"(any)
                         : "r"(first + i), "r"(threads), "r"((int)yes)
                         : "memory");
    return any;
}

// Between this thread's accesses to shared memory and asynchronous ones of the same place
// (copies, products of warp groups): by the thread that wrote, ahead of the barrier after
// which another one issues the copy.
__device__ inline void fence_async()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
