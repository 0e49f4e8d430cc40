// Loads and stores of 4, 8 or 16 bytes of global memory with cache hints (PTX ISA: ld,
// st, createpolicy). Hints change no result; which of them helps is to be measured.
#pragma once

#ifndef LOAD // 0 ld.global, 1 with .nc, 2 with .nc and L1::no_allocate
#define LOAD 2
#endif
#ifndef PREFETCH // bytes around a load that may be brought to L2: 0, 64, 128, 256
#define PREFETCH 0
#endif
#ifndef EVICT // what is loaded leaves L2 0 as usual, 1 first, 2 last (sm_80)
#define EVICT 0
#endif
#ifndef STORE // what is stored leaves L2 0 as usual, 1 first (st.cs), 2 last (sm_80)
#define STORE 0
#endif

static_assert(LOAD == 0 || LOAD == 1 || LOAD == 2, "LOAD must be 0, 1 or 2");
static_assert(PREFETCH == 0 || PREFETCH == 64 || PREFETCH == 128 || PREFETCH == 256,
              "L2 is filled by 0, 64, 128 or 256 bytes");
static_assert(EVICT == 0 || EVICT == 1 || EVICT == 2, "EVICT must be 0, 1 or 2");
static_assert(STORE == 0 || STORE == 1 || STORE == 2, "STORE must be 0, 1 or 2");

#if LOAD == 0
#define HONE_LOAD_STREAMED "ld.global"
#define HONE_LOAD_WRITTEN  "ld.global"
#elif LOAD == 1
#define HONE_LOAD_STREAMED "ld.global.nc"
#define HONE_LOAD_WRITTEN  "ld.global"
#else
#define HONE_LOAD_STREAMED "ld.global.nc.L1::no_allocate"
#define HONE_LOAD_WRITTEN  "ld.global.L1::no_allocate"
#endif

#if PREFETCH == 0
#define HONE_PREFETCH ""
#elif PREFETCH == 64
#define HONE_PREFETCH ".L2::64B"
#elif PREFETCH == 128
#define HONE_PREFETCH ".L2::128B"
#else
#define HONE_PREFETCH ".L2::256B"
#endif

#if EVICT == 0
#define HONE_LOAD_HINTS  HONE_PREFETCH
#define HONE_LOAD_POLICY ""
#else
#define HONE_LOAD_HINTS  ".L2::cache_hint" HONE_PREFETCH
#define HONE_LOAD_POLICY ", %6"
#endif

#if STORE == 0
#define HONE_STORE        "st.global"
#define HONE_STORE_POLICY ""
#elif STORE == 1
#define HONE_STORE        "st.global.cs"
#define HONE_STORE_POLICY ""
#else
#define HONE_STORE        "st.global.L2::cache_hint"
#define HONE_STORE_POLICY ", %5"
#endif

constexpr int STORED = STORE == 2 ? 2 : 0; // st.cs needs no policy

// How lines leave L2: 1 first, 2 last; 0: no policy at all.
template <int leave> __device__ inline unsigned long long l2_policy()
{
    unsigned long long policy = 0;
    if constexpr (leave == 1)
        asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    if constexpr (leave == 2)
        asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(policy));
    return policy;
}

// A load that happens where valid is not 0, without a branch, so that many can be in
// flight; else x stays as it is.
#define HONE_LOAD(ld, registers, policy)                                                 \
    asm volatile("{ .reg .pred valid; setp.ne.s32 valid, %5, 0;\n\t"                     \
                 "@valid " ld registers ", [%4]" policy "; }"                            \
                 : "+r"(x[0]), "+r"(x[1]), "+r"(x[2]), "+r"(x[3])                        \
                 : "l"(from), "r"((int)valid), "l"(l2_policy<EVICT>())                   \
                 : "memory")

// What is loaded: streamed, with all hints; written by the kernel too, so never by .nc;
// reused by other blocks, so left in the caches; shared: a load of shared memory.
enum class Access { streamed, written, reused, shared };

// bytes (4, 8, 16) of memory to the first words of x.
template <int bytes, Access access>
__device__ inline void load_hinted(unsigned (&x)[4], const void *from, bool valid)
{
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "no such load");
    if constexpr (access == Access::shared) {
        struct alignas(bytes) Words {
            unsigned word[bytes / 4];
        };
        if (!valid) return;
        const Words words = *static_cast<const Words *>(from);
        for (int i = 0; i < bytes / 4; i++)
            x[i] = words.word[i];
        return;
    }
#define HONE_LOAD_AS(registers)                                                          \
    if constexpr (access == Access::streamed)                                            \
        HONE_LOAD(HONE_LOAD_STREAMED HONE_LOAD_HINTS, registers, HONE_LOAD_POLICY);      \
    else if constexpr (access == Access::written)                                        \
        HONE_LOAD(HONE_LOAD_WRITTEN HONE_LOAD_HINTS, registers, HONE_LOAD_POLICY);       \
    else if constexpr (access == Access::reused)                                         \
    HONE_LOAD("ld.global.nc", registers, "")
    if constexpr (bytes == 16) {
        HONE_LOAD_AS(".v4.b32 {%0, %1, %2, %3}");
    } else if constexpr (bytes == 8) {
        HONE_LOAD_AS(".v2.b32 {%0, %1}");
    } else {
        HONE_LOAD_AS(".b32 %0");
    }
#undef HONE_LOAD_AS
}

#define HONE_STORE_WORDS(registers)                                                      \
    asm volatile(HONE_STORE registers HONE_STORE_POLICY ";" ::"r"(x[0]), "r"(x[1]),      \
                 "r"(x[2]), "r"(x[3]), "l"(to), "l"(l2_policy<STORED>())                 \
                 : "memory")

// The first words of x to bytes (4, 8, 16) of memory.
template <int bytes> __device__ inline void store_hinted(void *to, const unsigned (&x)[4])
{
    static_assert(bytes == 4 || bytes == 8 || bytes == 16, "no such store");
    if constexpr (bytes == 16)
        HONE_STORE_WORDS(".v4.b32 [%4], {%0, %1, %2, %3}");
    else if constexpr (bytes == 8)
        HONE_STORE_WORDS(".v2.b32 [%4], {%0, %1}");
    else
        HONE_STORE_WORDS(".b32 [%4], %0");
}
