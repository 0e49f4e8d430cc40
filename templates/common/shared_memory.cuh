// Shared memory by its addresses, as copies, barriers and descriptors take them.
#pragma once

__device__ inline unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__device__ inline void store_shared(unsigned to, uint4 x)
{
    asm volatile("st.shared.v4.b32 [%0], {%1,%2,%3,%4};" ::"r"(to), "r"(x.x), "r"(x.y),
                 "r"(x.z), "r"(x.w)
                 : "memory");
}

__device__ inline uint4 load_shared(unsigned from)
{
    uint4 x;
    asm volatile("ld.shared.v4.b32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w)
                 : "r"(from)
                 : "memory");
    return x;
}

__device__ inline unsigned load_word(unsigned from)
{
    unsigned x;
    asm volatile("ld.shared.b32 %0, [%1];" : "=r"(x) : "r"(from) : "memory");
    return x;
}

__device__ inline float load_float(unsigned from)
{
    return __uint_as_float(load_word(from));
}

__device__ inline unsigned short load_half_word(unsigned from)
{
    unsigned short x;
    asm volatile("ld.shared.b16 %0, [%1];" : "=h"(x) : "r"(from) : "memory");
    return x;
}
