// Hopper's asynchronous units for the kernels of this folder. Statements are macros, so that
// a report names the line of the kernel that uses one.
#pragma once

typedef unsigned long long u64;
typedef unsigned short bf16; // its bits

// What a kernel gets in the place of a buffer that has a tensor map.
struct alignas(64) tensor_map {
    u64 words[16];
};

#define AT(p) ((unsigned)__cvta_generic_to_shared(p))

__device__ inline float wide(bf16 x)
{
    return __uint_as_float((unsigned)x << 16);
}

// Its upper half.
__device__ inline bf16 narrow(float x)
{
    return (bf16)(__float_as_uint(x) >> 16);
}

__device__ inline float wide_e4m3(unsigned char x)
{
    const int exponent = x >> 3 & 15, mantissa = x & 7;
    const float size = exponent ? ldexpf(8 + mantissa, exponent - 10) : ldexpf(mantissa, -9);
    return x & 128 ? -size : size;
}

// The first place from p on whose address is a multiple of 1024.
__device__ inline bf16 *aligned(bf16 *p)
{
    return p + (-AT(p) & 1023) / 2;
}

// ---- mbarrier ----

#define BAR_INIT(bar, count)                                                             \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(AT(bar)), "r"(count)    \
                 : "memory")
#define BAR_ARRIVE(bar)                                                                  \
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(AT(bar)) : "memory")
#define BAR_EXPECT(bar, bytes)                                                           \
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(AT(bar)), \
                 "r"(bytes)                                                              \
                 : "memory")
// Of bytes alone, without an arrival.
#define EXPECT_BYTES(bar, bytes)                                                         \
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], %1;" ::"r"(AT(bar)), \
                 "r"(bytes)                                                              \
                 : "memory")
#define BAR_WAIT(bar, parity)                                                            \
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"                                         \
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"            \
                 "@!done bra AGAIN;\n}" ::"r"(AT(bar)),                                  \
                 "r"(parity)                                                             \
                 : "memory")
#define FENCE_INIT() asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory")

// ---- proxies ----

#define FENCE_ASYNC()     asm volatile("fence.proxy.async.shared::cta;" ::: "memory")
#define FENCE_ASYNC_ALL() asm volatile("fence.proxy.async;" ::: "memory")

// ---- copies of threads, and other blocks' shared memory ----

#define COPY_WORD(to, from)                                                              \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(AT(to)), "l"(from)     \
                 : "memory")
#define COPY_16(to, from)                                                                \
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(AT(to)), "l"(from)    \
                 : "memory")
#define COPIES_WAIT()      asm volatile("cp.async.wait_all;" ::: "memory")
#define COPIES_COMMIT()    asm volatile("cp.async.commit_group;" ::: "memory")
#define COPIES_WAIT_FOR(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")
// Counted among the arrivals that the object waits for.
#define COPIES_ARRIVE(bar)                                                               \
    asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(AT(bar))   \
                 : "memory")
// Addresses of at_rank.
#define STORE_AT(to, value)                                                              \
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(to), "r"(value) : "memory")
__device__ inline int load_at(unsigned address)
{
    int value;
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
    return value;
}

// ---- bulk copies ----

#define BULK_LOAD(to, from, bytes, bar)                                                  \
    asm volatile(                                                                        \
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], " \
        "%2, [%3];" ::"r"(AT(to)),                                                       \
        "l"(from), "r"(bytes), "r"(AT(bar))                                              \
        : "memory")
// From this block's shared memory to another's: to and bar are addresses of at_rank.
#define PEER_COPY(to, from, bytes, bar)                                                  \
    asm volatile(                                                                        \
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], "  \
        "[%1], %2, [%3];" ::"r"(to),                                                     \
        "r"(AT(from)), "r"(bytes), "r"(bar)                                              \
        : "memory")
#define BULK_STORE(to, from, bytes)                                                      \
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), \
                 "r"(AT(from)), "r"(bytes)                                               \
                 : "memory")
#define BULK_ADD(to, from, bytes, type)                                                  \
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add." type          \
                 " [%0], [%1], %2;" ::"l"(to),                                           \
                 "r"(AT(from)), "r"(bytes)                                               \
                 : "memory")
#define BULK_COMMIT()     asm volatile("cp.async.bulk.commit_group;" ::: "memory")
#define BULK_WAIT(n)      asm volatile("cp.async.bulk.wait_group %0;" ::"n"(n) : "memory")
#define BULK_WAIT_READ(n) asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(n) : "memory")

// ---- tensor maps ----

#define TMA_LOAD_2D(to, map, x, y, bar)                                                  \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"  \
                 "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(AT(to)),                    \
                 "l"(map), "r"(x), "r"(y), "r"(AT(bar))                                  \
                 : "memory")
#define TMA_LOAD_2D_TO(to, map, x, y, bar, mask)                                         \
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"  \
                 "::bytes.multicast::cluster [%0], [%1, {%2, %3}], [%4], %5;" ::"r"(     \
                     AT(to)),                                                            \
                 "l"(map), "r"(x), "r"(y), "r"(AT(bar)), "h"((short)(mask))              \
                 : "memory")
#define TMA_STORE_2D(map, x, y, from)                                                    \
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], " \
                 "[%3];" ::"l"(map),                                                     \
                 "r"(x), "r"(y), "r"(AT(from))                                           \
                 : "memory")

// ---- clusters ----

#define CLUSTER_ARRIVE() asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory")
#define CLUSTER_WAIT()   asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory")
#define CLUSTER_SYNC()                                                                   \
    do {                                                                                 \
        CLUSTER_ARRIVE();                                                                \
        CLUSTER_WAIT();                                                                  \
    } while (0)
// The address of p in the shared memory of the block of that rank.
__device__ inline unsigned at_rank(const void *p, unsigned rank)
{
    unsigned out;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(out) : "r"(AT(p)), "r"(rank));
    return out;
}
__device__ inline unsigned cluster_rank()
{
    unsigned out;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(out));
    return out;
}
#define BAR_ARRIVE_AT(bar, rank)                                                         \
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(   \
                     at_rank(bar, rank))                                                 \
                 : "memory")
// Waits for what blocks of the cluster released.
#define BAR_WAIT_CLUSTER(bar, parity)                                                    \
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"                                         \
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 done, [%0], " \
                 "%1;\n@!done bra AGAIN;\n}" ::"r"(AT(bar)),                             \
                 "r"(parity)                                                             \
                 : "memory")

// ---- warp groups ----

#define SETMAXNREG_DEC(n) asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(n))
#define SETMAXNREG_INC(n) asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(n))
#define NAMED_SYNC(id, threads)                                                          \
    asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(threads) : "memory")
#define NAMED_ARRIVE(id, threads)                                                        \
    asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(threads) : "memory")

#define WGMMA_FENCE()  asm volatile("wgmma.fence.sync.aligned;" ::: "memory")
#define WGMMA_COMMIT() asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory")
#define WGMMA_WAIT(n)  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(n) : "memory")

// A tile of rows of 128 bytes, k contiguous, swizzled by 128 bytes, on a boundary of 1024.
__device__ inline u64 tile_of_rows(const void *p)
{
    return (AT(p) & 0x3ffff) >> 4 | (u64)(1024 >> 4) << 32 | (u64)1 << 62;
}

#define ALL_4(c, d, i) c((d)[i]), c((d)[(i) + 1]), c((d)[(i) + 2]), c((d)[(i) + 3])
#define ALL_8(c, d, i) ALL_4(c, d, i), ALL_4(c, d, (i) + 4)

#define D_32(d) ALL_8("+f", d, 0), ALL_8("+f", d, 8), ALL_8("+f", d, 16), ALL_8("+f", d, 24)
#define D_LIST                                                                           \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "  \
    "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"

// d (64 x 64, f32) = a b, or more where keep is not 0; a and b by descriptors, 16 of k.
#define WGMMA_64(d, a, b, keep)                                                          \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %34, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D_LIST          \
                 ", %32, %33, keep, 1, 1, 0, 0;\n}"                                      \
                 : D_32(d) : "l"(a), "l"(b), "r"((int)(keep)) : "memory")
// Four of them: 64 of k, of tiles of 64 rows.
#define WGMMA_TILE(d, a, b, keep)                                                        \
    for (int slice = 0; slice < 4; slice++)                                              \
        WGMMA_64(d, tile_of_rows(a) + 2 * slice, tile_of_rows(b) + 2 * slice, (keep) || slice)
// As WGMMA_64, of a and b that lie along M and N.
#define WGMMA_64_T(d, a, b, keep)                                                        \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %34, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D_LIST          \
                 ", %32, %33, keep, 1, 1, 1, 1;\n}"                                      \
                 : D_32(d) : "l"(a), "l"(b), "r"((int)(keep)) : "memory")
// As WGMMA_64, of a in registers, four words of two, and b along N.
#define WGMMA_64_A(d, a, b, keep)                                                        \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %37, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D_LIST          \
                 ", {%32, %33, %34, %35}, %36, keep, 1, 1, 1;\n}"                        \
                 : D_32(d) : ALL_4("r", a, 0), "l"(b), "r"((int)(keep)) : "memory")
// As WGMMA_64, of e4m3 and 32 of k.
#define WGMMA_64_E4M3(d, a, b, keep)                                                     \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %34, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 " D_LIST          \
                 ", %32, %33, keep, 1, 1;\n}"                                            \
                 : D_32(d) : "l"(a), "l"(b), "r"((int)(keep)) : "memory")
// As WGMMA_64, of 64 x 16.
#define WGMMA_16(d, a, b, keep)                                                          \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %10, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {"                \
                 "%0, %1, %2, %3, %4, %5, %6, %7"                                        \
                 "}, %8, %9, keep, 1, 1, 0, 0;\n}"                                       \
                 : ALL_8("+f", d, 0)                                                     \
                 : "l"(a), "l"(b), "r"((int)(keep))                                      \
                 : "memory")
// The same of 64 x 16 with a in registers: four words of two.
#define WGMMA_16_A(d, a, b, keep)                                                        \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %13, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16 {"                \
                 "%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9, %10, %11}, %12, keep, 1, 1, 0;\n}"\
                 : ALL_8("+f", d, 0)                                                     \
                 : ALL_4("r", a, 0), "l"(b), "r"((int)(keep))                            \
                 : "memory")

// The same of 32 of k, of which a has the first two of each four: the metadata of all lanes
// are 0 and 1.
#define WGMMA_SPARSE_16(d, a, b, keep)                                                   \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %11, 0;\n"                      \
                 "wgmma.mma_async.sp.sync.aligned.m64n16k32.f32.bf16.bf16 {"             \
                 "%0, %1, %2, %3, %4, %5, %6, %7"                                        \
                 "}, %8, %9, %10, 0, keep, 1, 1, 0, 0;\n}"                               \
                 : ALL_8("+f", d, 0)                                                     \
                 : "l"(a), "l"(b), "r"(0x44444444), "r"((int)(keep))                     \
                 : "memory")

// Element i of a thread's d: its row and column in the 64 rows of the warp group.
__device__ inline int row_of(int i)
{
    const int t = threadIdx.x % 128;
    return t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8;
}
__device__ inline int column_of(int i)
{
    return i / 4 * 8 + threadIdx.x % 4 * 2 + i % 2;
}
