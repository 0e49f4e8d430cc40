// A product of matrices by a ring of stages, in the styles of Hopper's libraries. The macros
// that say which one, and which bug is planted, stand before this text (test_pipelines.c):
// STAGES of the ring, MATH warp groups of 64 rows, STEPS of 64 of k, TILES a block.
#include "hopper.cuh"

// Who loads: a warp group that gives its registers away, a single warp, a thread that
// multiplies as well.
#define GROUP_LOADS  (PRODUCER == 0)
#define WARP_LOADS   (PRODUCER == 1)
#define MATH_LOADS   (PRODUCER == 2)
// Who says that a stage is free: a thread of each warp group, one of each warp, all.
#define GROUP_FREES  (FREES == 0)
#define WARP_FREES   (FREES == 1)
// How results leave: by stores of the threads, by a tensor map, by bulk copies.
#define MAP_STORES   (STORE == 1)
#define BULK_STORES  (STORE == 2)

enum {
    TILE = 64 * 64, // elements of 64 rows of 128 bytes
    STAGE = (MATH + 1) * TILE,
    BYTES = STAGE * 2,
    MATH_THREADS = MATH * 128,
    THREADS = MATH_THREADS + (GROUP_LOADS ? 128 : WARP_LOADS ? 32 : 0),
    FIRST = GROUP_LOADS ? 128 : 0, // thread that multiplies
    LOADER = GROUP_LOADS || MATH_LOADS ? 0 : MATH_THREADS,
    ROUNDS = STEPS * TILES,
    FREED_BY = CLUSTER * MATH * (GROUP_FREES ? 1 : WARP_FREES ? 4 : 128)
};

#if CLUSTER > 1
#define BLOCKS_OF_A_CLUSTER __cluster_dims__(CLUSTER)
#define WAIT_FREE           BAR_WAIT_CLUSTER
#else
#define BLOCKS_OF_A_CLUSTER
#define WAIT_FREE BAR_WAIT
#endif
#if MAP_STORES
#define RESULT const tensor_map
#define KERNELS_OWN __grid_constant__
#else
#define RESULT bf16 *
#define KERNELS_OWN
#endif

// What stands behind it reads d no earlier: the wait itself does not name d.
#define RESULTS_ARE_THERE(d)                                                             \
    asm volatile("" : ALL_8("+f", d, 0), ALL_8("+f", d, 8), ALL_8("+f", d, 16),          \
                 ALL_8("+f", d, 24))

struct ring {
    bf16 *stages;
    u64 *full, *empty;
};

// Round n loads 64 of k for one tile of this block.
__device__ inline void load(const ring &r, const tensor_map *a, const tensor_map *b, int n)
{
    const int at = n % STAGES, tile = n / STEPS * gridDim.x + blockIdx.x, k = n % STEPS * 64;
    bf16 *const to = r.stages + at * STAGE;
    u64 *const full = &r.full[at];
#if BUG == EXPECTS_TOO_LITTLE
    BAR_EXPECT(full, BYTES - 64);
#elif BUG == EXPECTS_TOO_MUCH
    BAR_EXPECT(full, BYTES + 64);
#else
    BAR_EXPECT(full, BYTES);
#endif
    for (int i = 0; i < MATH; i++)
        TMA_LOAD_2D(to + i * TILE, a, k, (tile * MATH + i) * 64, full);
#if CLUSTER > 1
    const int rank = (int)cluster_rank();
    TMA_LOAD_2D_TO(to + MATH * TILE + rank * TILE / 2, b, k, rank * 32, full, 3);
#else
    TMA_LOAD_2D(to + MATH * TILE, b, k, 0, full);
#endif
}

// The products that read the stage are over.
__device__ inline void free_stage(u64 *empty)
{
    const int t = threadIdx.x - FIRST;
    const int one = GROUP_FREES ? t % 128 : WARP_FREES ? t % 32 : 0;
#if BUG == NEVER_FREES
    return;
#endif
#if CLUSTER > 1
#if BUG == FREES_ITS_OWN_ONLY
    if (one == 0) BAR_ARRIVE(empty);
#else
    if (one < CLUSTER) BAR_ARRIVE_AT(empty, one);
#endif
#else
    if (one == 0) BAR_ARRIVE(empty);
#endif
}

__device__ inline void store(float *d, bf16 *out, RESULT &c, int tile)
{
    const int t = threadIdx.x - FIRST, group = t / 128, row = (tile * MATH + group) * 64;
    bf16 *const mine = out + group * TILE;
#if MAP_STORES || BULK_STORES
#if BUG != REUSES_WHAT_IS_STORED
    if (t % 128 == 0) BULK_WAIT_READ(0);
    NAMED_SYNC(1 + group, 128);
#endif
    for (int i = 0; i < 32; i++)
        mine[row_of(i) * 64 + column_of(i)] = narrow(d[i]);
#if BUG != STORES_WITHOUT_A_FENCE
    FENCE_ASYNC();
#endif
#if BUG != STORES_WITHOUT_A_BARRIER
    NAMED_SYNC(1 + group, 128);
#endif
    if (t % 128 == 0) {
#if MAP_STORES
        TMA_STORE_2D(&c, 0, row, mine);
#else
        BULK_STORE(c + row * 64, mine, TILE * 2);
#endif
        BULK_COMMIT();
    }
#else
    for (int i = 0; i < 32; i++)
        c[(row + row_of(i)) * 64 + column_of(i)] = narrow(d[i]);
#endif
}

__device__ inline void produce(const ring &r, const tensor_map *a, const tensor_map *b)
{
    for (int n = 0; n < ROUNDS + (BUG == LOADS_ONE_STAGE_MORE); n++) {
#if BUG != LOADS_WITHOUT_A_WAIT
        WAIT_FREE(&r.empty[n % STAGES], n / STAGES % 2 ^ 1);
#endif
        load(r, a, b, n);
    }
}

__device__ inline void consume(const ring &r, bf16 *out, const tensor_map *a,
                               const tensor_map *b, RESULT &c)
{
    const int group = (threadIdx.x - FIRST) / 128;
    float d[32];
    for (int n = 0; n < ROUNDS; n++) {
        const int at = n % STAGES, k = n % STEPS;
#if BUG == MULTIPLIES_THE_NEXT_STAGE
        const bf16 *const s = r.stages + (n + 1) % STAGES * STAGE;
#else
        const bf16 *const s = r.stages + at * STAGE;
#endif
#if BUG == KEEPS_THE_PARITY
        BAR_WAIT(&r.full[at], 0);
#elif BUG == WAITS_A_PHASE_EARLY
        BAR_WAIT(&r.full[at], n / STAGES % 2 ^ 1);
#elif BUG != MULTIPLIES_WITHOUT_A_WAIT
#if ONE_WAITS
        if (threadIdx.x % 128 < 32) BAR_WAIT(&r.full[at], n / STAGES % 2);
        NAMED_SYNC(1 + group, 128);
#else
        BAR_WAIT(&r.full[at], n / STAGES % 2);
#endif
#endif
#if BUG != MULTIPLIES_WITHOUT_A_FENCE
        WGMMA_FENCE();
#endif
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(s + group * TILE) + 2 * i,
                     tile_of_rows(s + MATH * TILE) + 2 * i, k > 0 || i > 0);
        WGMMA_COMMIT();
#if BUG == FREES_TOO_EARLY
        if (!MATH_LOADS) free_stage(&r.empty[at]);
        WGMMA_WAIT(0);
#elif LAG
        WGMMA_WAIT(1);
        if (!MATH_LOADS && k > 0) free_stage(&r.empty[(n - 1) % STAGES]);
#else
        WGMMA_WAIT(0);
        if (!MATH_LOADS) free_stage(&r.empty[at]);
#endif
        if (MATH_LOADS) {
#if BUG != LOADS_WITHOUT_A_WAIT
            __syncthreads();
#endif
            if (threadIdx.x == 0 && n + STAGES - 1 < ROUNDS) load(r, a, b, n + STAGES - 1);
        }
        if (k < STEPS - 1) continue;
#if LAG && BUG != FREES_TOO_EARLY
#if BUG != STORES_WITHOUT_A_WAIT
        WGMMA_WAIT(0);
#endif
        if (!MATH_LOADS) free_stage(&r.empty[at]);
#endif
        RESULTS_ARE_THERE(d);
        store(d, out, c, n / STEPS * gridDim.x + blockIdx.x);
    }
#if MAP_STORES || BULK_STORES
    if (threadIdx.x % 128 == 0) BULK_WAIT(0);
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS, 1) BLOCKS_OF_A_CLUSTER
pipeline(const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b,
         RESULT KERNELS_OWN c)
{
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    const ring r = {memory + (-AT(memory) & 1023) / 2, full, empty};
    bf16 *const out = r.stages + STAGES * STAGE;
    const int t = threadIdx.x;
    if (t == (INIT_BY_LAST ? THREADS - 1 : 0)) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], FREED_BY - (BUG == FREED_BY_ONE_LESS));
        }
#if INIT_BY_LAST
        FENCE_ASYNC_ALL();
#else
        FENCE_INIT();
#endif
    }
#if CLUSTER > 1
    CLUSTER_SYNC();
#elif BUG != NOBODY_WAITS_FOR_THE_OBJECTS
    __syncthreads();
#endif
    const bool loads = t < FIRST || t >= FIRST + MATH_THREADS;
    if (MATH_LOADS) {
        for (int n = 0; t == 0 && n < STAGES - 1 && n < ROUNDS; n++)
            load(r, &a, &b, n);
        consume(r, out, &a, &b, c);
    } else if (loads) {
        if (GROUP_LOADS && MATH == 2) SETMAXNREG_DEC(40);
        if (t == LOADER) produce(r, &a, &b);
    } else {
        if (GROUP_LOADS && MATH == 2) SETMAXNREG_INC(232);
        consume(r, out, &a, &b, c);
    }
#if CLUSTER > 1 && BUG != ENDS_BEFORE_ITS_PEER
    __syncthreads();
    CLUSTER_SYNC();
#endif
}

extern "C" __global__ void pipeline_reference(const bf16 *a, const bf16 *b, bf16 *c)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x, depth = STEPS * 64;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < depth; i++)
            sum += wide(a[row * depth + i]) * wide(b[j * depth + i]);
        c[row * 64 + j] = narrow(sum);
    }
}
