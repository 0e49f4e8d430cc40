// Copies from global to shared memory that need no registers (PTX ISA, cp.async), and
// their groups.
#pragma once

#include "shared_memory.cuh"

// 16 bytes past L1; prefetch bytes (0, 64, 128, 256) around them may be brought to L2.
template <int prefetch> __device__ inline void copy_async(unsigned to, const void *from)
{
    static_assert(prefetch == 0 || prefetch == 64 || prefetch == 128 || prefetch == 256,
                  "L2 is filled by 0, 64, 128 or 256 bytes");
    if constexpr (prefetch == 64)
        asm volatile("cp.async.cg.shared.global.L2::64B [%0], [%1], 16;" ::"r"(to),
                     "l"(from)
                     : "memory");
    else if constexpr (prefetch == 128)
        asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16;" ::"r"(to),
                     "l"(from)
                     : "memory");
    else if constexpr (prefetch == 256)
        asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;" ::"r"(to),
                     "l"(from)
                     : "memory");
    else
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from)
                     : "memory");
}

// The first valid (0 .. 16) bytes, then zeros.
__device__ inline void copy_async_part(unsigned to, const void *from, int valid)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from),
                 "r"(valid)
                 : "memory");
}

// The same with a prefetch as above, and a policy for L2 (createpolicy) where hinted.
#define HONE_COPY_PART(form, policy)                                                     \
    asm volatile("cp.async.cg.shared.global" form " [%0], [%1], 16, %2" policy           \
                 ";" ::"r"(to),                                                          \
                 "l"(from), "r"(valid), "l"(how)                                         \
                 : "memory")

template <int prefetch, bool hinted>
__device__ inline void copy_async_part(unsigned to, const void *from, int valid,
                                       unsigned long long how)
{
    static_assert(prefetch == 0 || prefetch == 64 || prefetch == 128 || prefetch == 256,
                  "L2 is filled by 0, 64, 128 or 256 bytes");
    if constexpr (hinted && prefetch == 0)
        HONE_COPY_PART(".L2::cache_hint", ", %3");
    else if constexpr (hinted && prefetch == 64)
        HONE_COPY_PART(".L2::cache_hint.L2::64B", ", %3");
    else if constexpr (hinted && prefetch == 128)
        HONE_COPY_PART(".L2::cache_hint.L2::128B", ", %3");
    else if constexpr (hinted)
        HONE_COPY_PART(".L2::cache_hint.L2::256B", ", %3");
    else if constexpr (prefetch == 0)
        HONE_COPY_PART("", "");
    else if constexpr (prefetch == 64)
        HONE_COPY_PART(".L2::64B", "");
    else if constexpr (prefetch == 128)
        HONE_COPY_PART(".L2::128B", "");
    else
        HONE_COPY_PART(".L2::256B", "");
}

// An element of 4 or 8 bytes; zero where it is not valid.
template <int bytes>
__device__ inline void copy_async_one(unsigned to, const void *from, bool valid)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], %3, %2;" ::"r"(to), "l"(from),
                 "r"(valid ? bytes : 0), "n"(bytes)
                 : "memory");
}

__device__ inline void commit_copies()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// Until at most in_flight groups of this thread are unfinished.
template <int in_flight> __device__ inline void wait_for_copies()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(in_flight) : "memory");
}
