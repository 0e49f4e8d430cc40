// The kernels of questions.c. What each is expected to answer stands there, beside the
// question. A part is compiled by its macro, so that no question waits for the kernels of
// the others; without any all of them are. Kernels with instructions of sm_90a alone are
// there for it alone.
#if !defined ASK_GENERAL && !defined ASK_ASYNC && !defined ASK_LAYOUT && !defined ASK_CYCLES
#define ASK_GENERAL
#define ASK_ASYNC
#define ASK_LAYOUT
#define ASK_CYCLES
#endif
#if !defined ASK_ASYNC && !defined ASK_LAYOUT && !defined ASK_CYCLES
#define ONLY_GENERAL
#endif

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

struct alignas(64) tensor_map {
    u8 bytes[128];
};

#ifdef ASK_GENERAL // ---- Carry, clocks, L2 ----------------------------------------------

static __device__ u64 nanoseconds()
{
    u64 t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

// The carry flag after a - b and after a + b, read by addc; then what subc takes away
// after each.
extern "C" __global__ void carry(u32 *out, u32 a, u32 b)
{
    u32 t = 0;
    asm volatile("sub.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;"
                 : "=r"(t), "=r"(out[0]) : "r"(a), "r"(b));
    asm volatile("add.cc.u32 %0, %2, %3; addc.u32 %1, 0, 0;"
                 : "=r"(t), "=r"(out[1]) : "r"(a), "r"(b));
    asm volatile("sub.cc.u32 %0, %2, %3; subc.u32 %1, 0, 0;"
                 : "=r"(t), "=r"(out[2]) : "r"(a), "r"(b));
    asm volatile("add.cc.u32 %0, %2, %3; subc.u32 %1, 0, 0;"
                 : "=r"(t), "=r"(out[3]) : "r"(a), "r"(b));
    out[4] = t;
}

// Busy for so many cycles: out[0] is how many they were in the end, out[1] the time in ns.
extern "C" __global__ void spin_cycles(u64 *out, u64 cycles)
{
    const u64 from_ns = nanoseconds(), from = clock64();
    u64 now = from;
    while (now - from < cycles) now = clock64();
    out[0] = now - from;
    out[1] = nanoseconds() - from_ns;
}

// Write or read n times 16 bytes; read values go to sink if they are rare enough.
extern "C" __global__ void touch_lines(uint4 *p, u64 n, u32 write, u32 *sink)
{
    u32 sum = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x) {
        if (write)
            p[i] = make_uint4((u32)i, 1, 2, 3);
        else
            sum += p[i].x + p[i].w;
    }
    if (sum == 0x9e3779b9) *sink = sum;
}

// The same reading, between the first block's start in times[0] and the last one's end in
// times[1].
extern "C" __global__ void read_timed(const uint4 *p, u64 n, u64 *times, u32 *sink)
{
    if (threadIdx.x == 0) atomicMin(&times[0], nanoseconds());
    u32 sum = 0;
    for (u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x; i < n;
         i += (u64)gridDim.x * blockDim.x)
        sum += p[i].x + p[i].w;
    if (sum == 0x9e3779b9) *sink = sum;
    __syncthreads();
    if (threadIdx.x == 0) atomicMax(&times[1], nanoseconds());
}

#endif

#ifdef ASK_PORT // has both
#define ASK_ASYNC
#define ASK_CYCLES
#endif

#if __CUDA_ARCH__ >= 900 && !defined ONLY_GENERAL

static __device__ u32 shared_address(const void *p)
{
    return (u32)__cvta_generic_to_shared(p);
}

// The first multiple of 1024 in the dynamic shared memory.
static __device__ u8 *aligned_shared()
{
    extern __shared__ u8 bytes[];
    return bytes + (1024 - shared_address(bytes) % 1024) % 1024;
}

#ifdef ASK_ASYNC // ---- mbarrier, bulk copies, clusters ---------------------------------

static __device__ u32 clock_now()
{
    u32 t;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
    return t;
}

static __device__ void barrier_init(u32 bar, u32 count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(bar), "r"(count)
                 : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
}

static __device__ void barrier_expect(u32 bar, u32 bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(bar),
                 "r"(bytes) : "memory");
}

static __device__ bool barrier_passed(u32 bar, u32 parity)
{
    u32 passed;
    asm volatile("{ .reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p; }"
                 : "=r"(passed) : "r"(bar), "r"(parity) : "memory");
    return passed;
}

// Gives up after some 0.2 s: what came until then is told.
static __device__ bool barrier_wait(u32 bar, u32 parity)
{
    const long long start = clock64();
    do {
        if (barrier_passed(bar, parity)) return true;
    } while (clock64() - start < 400000000);
    return false;
}

static __device__ void copy_bulk(u32 to, const void *from, u32 bytes, u32 bar)
{
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                 "[%0], [%1], %2, [%3];" ::"r"(to), "l"(from), "r"(bytes), "r"(bar)
                 : "memory");
}

// What a fresh barrier says of parity 0 and of parity 1.
extern "C" __global__ void fresh_barrier(u32 *out)
{
    __shared__ u64 barrier;
    const u32 bar = shared_address(&barrier);
    barrier_init(bar, 1);
    for (u32 parity = 0; parity < 2; parity++)
        asm volatile("{ .reg .pred p;\n"
                     "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p; }"
                     : "=r"(out[parity]) : "r"(bar), "r"(parity) : "memory");
}

// One box of a tensor of 2-byte elements from (x, y), copied to `offset` bytes behind a
// multiple of 1024; out gets the `dump` bytes from that multiple on, 0xffff where nothing
// was written, and behind them 1 when all `bytes` had come.
extern "C" __global__ void tma_box(const __grid_constant__ tensor_map map, u16 *out, int x,
                                   int y, u32 offset, u32 bytes, u32 dump)
{
    __shared__ u64 barrier;
    u16 *tile = (u16 *)aligned_shared();
    const u32 bar = shared_address(&barrier);
    for (u32 i = threadIdx.x; i < dump / 2; i += blockDim.x) tile[i] = 0xffff;
    if (threadIdx.x == 0) barrier_init(bar, 1);
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        barrier_expect(bar, bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
                         shared_address(tile) + offset),
                     "l"(&map), "r"(x), "r"(y), "r"(bar) : "memory");
    }
    const bool came = barrier_wait(bar, 0);
    __syncthreads();
    for (u32 i = threadIdx.x; i < dump / 2; i += blockDim.x) out[i] = tile[i];
    if (threadIdx.x == 0) out[dump / 2] = came;
}

// Cycles from a bulk copy of `bytes` to its arrival, 16 times, `stride` bytes apart.
extern "C" __global__ void bulk_latency(u32 *out, const u8 *from, u32 bytes, u64 stride)
{
    __shared__ u64 barrier;
    const u32 bar = shared_address(&barrier), to = shared_address(aligned_shared());
    barrier_init(bar, 1);
    for (u32 i = 0; i < 16; i++) {
        const u32 start = clock_now();
        barrier_expect(bar, bytes);
        copy_bulk(to, from + i * stride, bytes, bar);
        const bool came = barrier_wait(bar, i & 1);
        out[i] = came ? clock_now() - start : 0;
    }
}

// The same by a tensor map, whose boxes have `bytes`.
extern "C" __global__ void tma_latency(const __grid_constant__ tensor_map map, u32 *out,
                                       u32 bytes)
{
    __shared__ u64 barrier;
    const u32 bar = shared_address(&barrier), to = shared_address(aligned_shared());
    barrier_init(bar, 1);
    for (u32 i = 0; i < 16; i++) {
        const u32 start = clock_now();
        barrier_expect(bar, bytes);
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                     ".mbarrier::complete_tx::bytes [%0], [%1, {%2, %2}], [%3];" ::"r"(to),
                     "l"(&map), "r"(0), "r"(bar) : "memory");
        const bool came = barrier_wait(bar, i & 1);
        out[i] = came ? clock_now() - start : 0;
    }
}

// Each block copies `tiles` tiles of 16 KB, 8 of them in flight; n tiles in all, over and
// over again.
extern "C" __global__ void bulk_rate(const u8 *from, u32 n, u32 tiles)
{
    enum { STAGES = 8, TILE = 16384 };
    __shared__ u64 barriers[STAGES];
    const u32 to = shared_address(aligned_shared());
    for (u32 i = 0; i < STAGES; i++) barrier_init(shared_address(&barriers[i]), 1);
    for (u32 i = 0; i < tiles + STAGES; i++) {
        const u32 stage = i % STAGES, bar = shared_address(&barriers[stage]);
        if (i >= STAGES && !barrier_wait(bar, (i / STAGES - 1) & 1)) return;
        if (i >= tiles) continue;
        const u64 tile = (blockIdx.x + (u64)i * gridDim.x) % n;
        barrier_expect(bar, TILE);
        copy_bulk(to + stage * TILE, from + tile * TILE, TILE, bar);
    }
}

static __device__ void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" :::
                 "memory");
}

static __device__ u32 in_block(u32 address, u32 rank)
{
    u32 there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
    return there;
}

// Cycles of 256 loads, each from where the last one said: out[0] in the block's own
// shared memory, out[1] in that of the other block; out[2] of 64 loads of 16 bytes by
// each thread from there.
extern "C" __global__ void __cluster_dims__(2, 1, 1) far_shared(u32 *out)
{
    __shared__ __align__(16) u32 ring[1024];
    const u32 base = shared_address(ring);
    u32 rank, x = 0, sum = 0;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    for (u32 where = 0; where < 2; where++) {
        // Block 1's words name words of block 1, as block 0 calls them.
        const u32 of = where ? 1 : rank;
        for (u32 i = threadIdx.x; i < 1024; i += blockDim.x)
            ring[i] = in_block(base, of) + 4 * ((i + 37) % 1024);
        cluster_sync();
        if (rank == 0 && threadIdx.x == 0) {
            x = in_block(base, where);
            const u32 start = clock_now();
#pragma unroll 16
            for (u32 i = 0; i < 256; i++)
                asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(x)::"memory");
            out[where] = clock_now() - start;
        }
        cluster_sync();
    }
    if (rank == 0) {
        const u32 from = in_block(base, 1) + 16 * (threadIdx.x % 256);
        __syncthreads();
        const u32 start = clock_now();
        for (u32 i = 0; i < 8; i++) {
            uint4 v[8];
#pragma unroll
            for (u32 j = 0; j < 8; j++)
                asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                             : "=r"(v[j].x), "=r"(v[j].y), "=r"(v[j].z), "=r"(v[j].w)
                             : "r"(from ^ 16 * j) : "memory");
#pragma unroll
            for (u32 j = 0; j < 8; j++) sum += v[j].x + v[j].y + v[j].z + v[j].w;
        }
        __syncthreads();
        if (threadIdx.x == 0) out[2] = clock_now() - start;
    }
    cluster_sync();
    if (x + sum == 0x9e3779b9) out[3] = x;
}
#endif
#endif

#if defined __CUDA_ARCH_FEAT_SM90_ALL && (defined ASK_LAYOUT || defined ASK_CYCLES)
// ---- wgmma --------------------------------------------------------------------------

static __device__ void wgmma_begin()
{
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// A descriptor whose start is this far into shared memory.
static __device__ u64 descriptor(u64 fields, const void *start, u32 offset)
{
    return fields | (u64)(((shared_address(start) + offset) & 0x3ffff) >> 4);
}

#ifdef ASK_LAYOUT

static __device__ void wgmma_end()
{
    asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" :::
                 "memory");
}

static __device__ void copy_in(u8 *to, const u8 *from, u32 bytes)
{
    for (u32 i = threadIdx.x; i < bytes; i += blockDim.x) to[i] = from[i];
}

// d is 64 x 64 as 32 registers of each thread.
static __device__ void store_64x64(float *out, const float *d)
{
    const u32 warp = threadIdx.x / 32, group = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    for (u32 i = 0; i < 32; i++) {
        const u32 row = 16 * warp + group + (i & 2 ? 8 : 0);
        out[64 * row + 8 * (i / 4) + 2 * t + i % 2] = d[i];
    }
}

#define REGISTERS_32                                                                     \
    "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15,%16,%17,%18,%19,%20,%21,"    \
    "%22,%23,%24,%25,%26,%27,%28,%29,%30,%31}"
#define OPERANDS_4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define OPERANDS_32                                                                      \
    OPERANDS_4(0), OPERANDS_4(4), OPERANDS_4(8), OPERANDS_4(12), OPERANDS_4(16),         \
        OPERANDS_4(20), OPERANDS_4(24), OPERANDS_4(28)
#define WGMMA_64X64 "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " REGISTERS_32

enum { IMAGE = 16384 };

// B is what the descriptor makes of the image; A, in registers, has a 1 in column m % 16
// of row m. So out[m][n] = B[m % 16][n].
#define WGMMA_B(name, transposed)                                                        \
    extern "C" __global__ void name(float *out, const u8 *image, u64 fields, u32 start)  \
    {                                                                                    \
        u8 *b = aligned_shared();                                                        \
        const u32 group = threadIdx.x % 32 / 4, t = threadIdx.x % 4;                     \
        const u32 one = (2 * t == group ? 0x3c00 : 0) |                                  \
                        (2 * t + 1 == group ? 0x3c000000 : 0);                           \
        float d[32] = {};                                                                \
        copy_in(b, image, IMAGE);                                                        \
        wgmma_begin();                                                                   \
        asm volatile(WGMMA_64X64 ", {%32,%33,%33,%32}, %34, 1, 1, 1, " #transposed ";"   \
                     : OPERANDS_32                                                       \
                     : "r"(one), "r"(0), "l"(descriptor(fields, b, start))               \
                     : "memory");                                                        \
        wgmma_end();                                                                     \
        store_64x64(out, d);                                                             \
    }
WGMMA_B(wgmma_b_k, 0)
WGMMA_B(wgmma_b_mn, 1)

// A is what the descriptor makes of the image; B has a 1 in row n % 16 of column n, by
// core matrices of 8 columns x 16 bytes. So out[m][n] = A[m][n % 16].
#define WGMMA_A(name, transposed)                                                        \
    extern "C" __global__ void name(float *out, const u8 *image, u64 fields, u32 start)  \
    {                                                                                    \
        u8 *a = aligned_shared(), *b = a + IMAGE;                                        \
        float d[32] = {};                                                                \
        copy_in(a, image, IMAGE);                                                        \
        for (u32 i = threadIdx.x; i < 64 * 16; i += blockDim.x) {                        \
            const u32 n = i / 16, k = i % 16;                                            \
            *(u16 *)(b + n % 8 * 16 + n / 8 * 256 + k / 8 * 128 + k % 8 * 2) =           \
                k == n % 16 ? 0x3c00 : 0;                                                \
        }                                                                                \
        wgmma_begin();                                                                   \
        asm volatile(WGMMA_64X64 ", %32, %33, 1, 1, 1, " #transposed ", 0;"              \
                     : OPERANDS_32                                                       \
                     : "l"(descriptor(fields, a, start)),                                \
                       "l"(descriptor(128ull >> 4 << 16 | 256ull >> 4 << 32, b, 0))      \
                     : "memory");                                                        \
        wgmma_end();                                                                     \
        store_64x64(out, d);                                                             \
    }
WGMMA_A(wgmma_a_k, 0)
WGMMA_A(wgmma_a_mn, 1)

// c + the sum of a[k] b[k], k < 32, of e4m3, added `times` times: out[0] by wgmma, out[1]
// by mma.sync. All rows of A are a, all columns of B are b.
extern "C" __global__ void fp8_sum(float *out, const u8 *a, const u8 *b, float c, u32 times)
{
    u8 *at = aligned_shared(), *bt = at + 2048;
    float d[4] = {c, c, c, c}, e[4] = {c, c, c, c};
    for (u32 i = threadIdx.x; i < 2048; i += blockDim.x) {
        const u32 k = i / 128 % 2 * 16 + i % 16;
        at[i] = a[k];
        if (i < 256) bt[i] = b[k];
    }
    wgmma_begin();
    const u64 fields = 128ull >> 4 << 16 | 256ull >> 4 << 32;
    for (u32 i = 0; i < times; i++)
        asm volatile("wgmma.fence.sync.aligned;\n"
                     "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%0,%1,%2,%3}, "
                     "%4, %5, 1, 1, 1;\n"
                     "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(descriptor(fields, at, 0)), "l"(descriptor(fields, bt, 0))
                     : "memory");
    const u32 t = threadIdx.x % 4, *aw = (const u32 *)a, *bw = (const u32 *)b;
    for (u32 i = 0; i < times; i++)
        asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0,%1,%2,%3}, "
                     "{%4,%4,%5,%5}, {%6,%7}, {%0,%1,%2,%3};"
                     : "+f"(e[0]), "+f"(e[1]), "+f"(e[2]), "+f"(e[3])
                     : "r"(aw[t]), "r"(aw[t + 4]), "r"(bw[t]), "r"(bw[t + 4]));
    if (threadIdx.x == 0) out[0] = d[0], out[1] = e[0];
}

#endif
#ifdef ASK_CYCLES

// Names of accumulators: ten, and those that are left.
#define TEN(x)                                                                           \
    "d" #x "0,d" #x "1,d" #x "2,d" #x "3,d" #x "4,d" #x "5,d" #x "6,d" #x "7,d" #x       \
    "8,d" #x "9,"
#define TWO(x)   "d" #x "0,d" #x "1"
#define FOUR(x)  TWO(x) ",d" #x "2,d" #x "3"
#define SIX(x)   FOUR(x) ",d" #x "4,d" #x "5"
#define EIGHT(x) SIX(x) ",d" #x "6,d" #x "7"
#define LIST_8   FOUR(0)
#define LIST_16  EIGHT(0)
#define LIST_32  TEN(0) SIX(1)
#define LIST_64  TEN(0) TEN(1) TEN(2) TWO(3)
#define LIST_96  TEN(0) TEN(1) TEN(2) TEN(3) EIGHT(4)
#define LIST_128 TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) FOUR(6)
#define LIST_192 TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) SIX(9)
#define LIST_256                                                                         \
    TEN(0) TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10)        \
    TEN(11) EIGHT(12)

// Cycles of 8 products and of 72, one after another on the same accumulators: out[4 * w]
// has start and end of the 8 in warpgroup w, then those of the 72. A and B are zeroes.
#define ONE(n, a, add, tail)                                                             \
    "wgmma.mma_async.sync.aligned.m64n" #n "k16.f32.bf16.bf16 {" LIST_##n "}, " a        \
    ", %4, " #add ", 1, 1" tail
#define EIGHT_OF(x) x x x x x x x x
#define CHAIN(n, a, tail, rest)                                                          \
    asm volatile("{ .reg .f32 " LIST_##n ";\nwgmma.fence.sync.aligned;\n"                \
                 "mov.u32 %0, %%clock;\n" ONE(n, a, 0, tail) ONE(n, a, 1, tail)          \
                 ONE(n, a, 1, tail) ONE(n, a, 1, tail) ONE(n, a, 1, tail)                \
                 ONE(n, a, 1, tail) ONE(n, a, 1, tail) ONE(n, a, 1, tail) rest           \
                 "wgmma.commit_group.sync.aligned;\n"                                    \
                 "wgmma.wait_group.sync.aligned 0;\n"                                    \
                 "mov.u32 %1, %%clock;\nadd.f32 %2, d00, d03; }"                         \
                 : "=r"(start), "=r"(end), "=f"(sum)                                     \
                 : "l"(descriptor(fields, at, 0)), "l"(descriptor(fields, bt, 0)),       \
                   "r"(zero.x), "r"(zero.y), "r"(zero.z), "r"(zero.w)                    \
                 : "memory");                                                            \
    if (threadIdx.x % 128 == 0) to[0] = start, to[1] = end + (sum == 1);
#define CYCLES(name, n, a, tail)                                                         \
    extern "C" __global__ void name(u32 *out, const uint4 *zeroes)                       \
    {                                                                                    \
        u8 *at = aligned_shared(), *bt = at + 8192;                                      \
        u32 start, end, *to = out + threadIdx.x / 128 * 4;                               \
        const u64 fields = 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;                 \
        const uint4 zero = zeroes[threadIdx.x];                                          \
        float sum;                                                                       \
        for (u32 i = threadIdx.x; i < 40960; i += blockDim.x) at[i] = 0;                 \
        wgmma_begin();                                                                   \
        CHAIN(n, a, tail, "")                                                            \
        to += 2;                                                                         \
        __syncthreads();                                                                 \
        CHAIN(n, a, tail, EIGHT_OF(EIGHT_OF(ONE(n, a, 1, tail))))                        \
    }
#define CYCLES_BOTH(n)                                                                   \
    CYCLES(wgmma_ss_##n, n, "%3", ", 0, 0;\n")                                           \
    CYCLES(wgmma_rs_##n, n, "{%5, %6, %7, %8}", ", 0;\n")
#ifndef ASK_PORT
CYCLES_BOTH(8)
CYCLES_BOTH(16)
CYCLES_BOTH(32)
CYCLES_BOTH(64)
CYCLES_BOTH(96)
CYCLES_BOTH(128)
CYCLES_BOTH(192)
CYCLES_BOTH(256)
#else

// A warp group multiplies, 32 times 8 products of N columns from shared memory (mode 1),
// or waits as long; another thread brings tiles of 8 KB from L2 meanwhile (mode 2). out:
// cycles of the warp group, tiles.
#define PORT(n)                                                                          \
    extern "C" __global__ void shared_port_##n(u32 *out, const u8 *from, u32 mode)       \
    {                                                                                    \
        enum { STAGES = 4, TILE = 8192, OPERANDS = 40960, IDLE = 20000 };                \
        __shared__ u64 barriers[STAGES];                                                 \
        __shared__ volatile u32 over;                                                    \
        u8 *at = aligned_shared();                                                       \
        const u64 fields = 1ull << 16 | 1024ull >> 4 << 32 | 1ull << 62;                 \
        for (u32 i = threadIdx.x; i < OPERANDS; i += blockDim.x) at[i] = 0;              \
        if (threadIdx.x == 0) over = 0;                                                  \
        if (threadIdx.x < STAGES) barrier_init(shared_address(&barriers[threadIdx.x]), 1); \
        asm volatile("fence.proxy.async;" ::: "memory");                                 \
        __syncthreads();                                                                 \
        if (threadIdx.x < 128) {                                                         \
            const u32 start = clock_now();                                               \
            for (u32 i = 0; mode & 1 && i < 32; i++)                                     \
                asm volatile("{ .reg .f32 " LIST_##n ";\nwgmma.fence.sync.aligned;\n"    \
                             "wgmma.mma_async.sync.aligned.m64n" #n                      \
                             "k16.f32.bf16.bf16 {" LIST_##n "}, %0, %1, 0, 1, 1, 0, 0;\n" \
                             EIGHT_OF("wgmma.mma_async.sync.aligned.m64n" #n             \
                             "k16.f32.bf16.bf16 {" LIST_##n "}, %0, %1, 1, 1, 1, 0, 0;\n") \
                             "wgmma.commit_group.sync.aligned;\n"                        \
                             "wgmma.wait_group.sync.aligned 0; }" ::"l"(                 \
                                 descriptor(fields, at, 0)),                             \
                             "l"(descriptor(fields, at, 8192))                           \
                             : "memory");                                                \
            while (!(mode & 1) && clock_now() - start < IDLE) {}                         \
            if (threadIdx.x == 0) out[0] = clock_now() - start, over = 1;                \
        } else if (threadIdx.x == 128 && mode & 2) {                                     \
            u32 tiles = 0, seen = 0;                                                     \
            while (!over || seen < tiles) {                                              \
                const u32 stage = tiles % STAGES;                                        \
                const u32 bar = shared_address(&barriers[stage]);                        \
                if (tiles - seen == STAGES || over) {                                    \
                    const u32 next = shared_address(&barriers[seen % STAGES]);           \
                    if (!barrier_wait(next, seen / STAGES & 1)) return;                  \
                    seen++;                                                              \
                    continue;                                                            \
                }                                                                        \
                barrier_expect(bar, TILE);                                               \
                copy_bulk(shared_address(at) + OPERANDS + stage * TILE,                  \
                          from + tiles % 8 * TILE, TILE, bar);                           \
                tiles++;                                                                 \
            }                                                                            \
            out[1] = tiles;                                                              \
        }                                                                                \
    }
PORT(64)
PORT(128)
#endif
#endif
#endif
