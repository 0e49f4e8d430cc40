// Kernels in the styles of public ones.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

// c = a b, with b by columns: rows of the block from row on, n columns.
__device__ inline void product(const bf16 *a, const bf16 *b, float *c, int n, int k)
{
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < k; i++)
            sum += wide(a[i]) * wide(b[j * k + i]);
        c[j] = sum;
    }
}

// A thread's part of a tile, 64 of k.
__device__ inline void multiply(float *d, const bf16 *a, const bf16 *b, bool keep)
{
#pragma unroll
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, keep || i);
}

// As CUTLASS, 2 x 2: a block shares its rows of A with one block and its columns of B with
// another, each of two loads a half for both; a product is in flight as the stage of the
// one before is released, to the three blocks that fill it.
// launch: grid 2x2, block 384, shared 99328;
//         in a bf16[98304] integers -3 3 map 384/64 256/64 swizzle 128;
//         in b bf16[49152] integers -3 3 map 384/64 128/32 swizzle 128; out c f32[32768]
// reference: product_256_128_384_reference, grid 2x1, block 128
extern "C" __global__ __launch_bounds__(384, 1) void __cluster_dims__(2, 2) cluster_of_four_that_shares_both(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    enum { STAGES = 4, BLOCKS = 6, BYTES = 3 * TILE * 2 };
    extern __shared__ char shared[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *sa = (bf16 *)(shared + (1024 - AT(shared) % 1024) % 1024), *sb = sa + STAGES * 2 * TILE;
    const int t = threadIdx.x, x = blockIdx.x, y = blockIdx.y;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 3 * 2);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 128) {
        SETMAXNREG_DEC(40);
        if (t == 0)
            for (int k = 0; k < BLOCKS; k++) {
                const int at = k % STAGES;
                BAR_WAIT(&empty[at], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[at], BYTES);
                TMA_LOAD_2D_TO(sa + (2 * at + y) * TILE, &a, k * 64, x * 128 + y * 64, &full[at],
                               5 << x);
                TMA_LOAD_2D_TO(sb + at * TILE + x * TILE / 2, &b, k * 64, y * 64 + x * 32,
                               &full[at], 3 << 2 * y);
            }
    } else {
        SETMAXNREG_INC(232);
        const int group = t / 128 - 1, mine = t % 128;
        // the block itself, that of its rows, that of its columns
        const int to = mine == 0 ? x + 2 * y : mine == 32 ? x + 2 * (1 - y) : 1 - x + 2 * y;
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, sa + (2 * at + group) * TILE, sb + at * TILE, k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(1);
            if (k && mine % 32 == 0 && mine < 96) BAR_ARRIVE_AT(&empty[(k - 1) % STAGES], to);
        }
        WGMMA_WAIT(0);
        for (int i = 0; i < 32; i++)
            c[(x * 128 + group * 64 + row_of(i)) * 128 + y * 64 + column_of(i)] = d[i];
    }
    CLUSTER_SYNC();
}
extern "C" __global__ void product_256_128_384_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = blockIdx.x * 128 + threadIdx.x;
    product(a + row * 384, b, c + row * 128, 128, 384);
}

// As CUTLASS's mixed inputs: A goes from the stage to registers and is multiplied from
// there, so the loads are over once the product was waited for, without a fence.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 256/64 16/16 swizzle 128; out c f32[1024]
// reference: product_64_16_256_reference, block 64
extern "C" __global__ void stages_loaded_into_registers_of_products(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    __shared__ alignas(1024) bf16 sa[STAGES][TILE], sb[STAGES][16 * 64];
    __shared__ u64 full[STAGES], empty[STAGES];
    const int t = threadIdx.x;
    if (t < STAGES) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 4);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        if (t == 128)
            for (int k = 0; k < BLOCKS; k++) {
                const int at = k % STAGES;
                BAR_WAIT(&empty[at], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[at], (TILE + 16 * 64) * 2);
                TMA_LOAD_2D(sa[at], &a, k * 64, 0, &full[at]);
                TMA_LOAD_2D(sb[at], &b, k * 64, 0, &full[at]);
            }
        return;
    }
    float d[8];
    const int row = t / 32 * 16 + t % 32 / 4;
    for (int k = 0; k < BLOCKS; k++) {
        const int at = k % STAGES;
        unsigned words[4][4];
        BAR_WAIT(&full[at], k / STAGES % 2);
        for (int i = 0; i < 4; i++)
            for (int w = 0; w < 4; w++) {
                const int r = row + w % 2 * 8, bytes = i * 32 + t % 4 * 4 + w / 2 * 16;
                words[i][w] = *(unsigned *)((char *)sa[at] + r * 128 + (bytes ^ (r & 7) << 4));
            }
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16_A(d, words[i], tile_of_rows(sb[at]) + 2 * i, k || i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t % 32 == 0) BAR_ARRIVE(&empty[at]);
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}
extern "C" __global__ void product_64_16_256_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a + threadIdx.x * 256, b, c + threadIdx.x * 16, 16, 256);
}

// The same by two groups, the first one done with eleven stages before the second begins.
// launch: grid 1, block 288, shared 103424; in a bf16[4096] one; out d f32[2048]
// reference: products_of_ones_reference, block 256
extern "C" __global__ void stages_that_one_group_has_left_long_before(const bf16 *a, float *d)
{
    enum { STAGES = 12, BLOCKS = 24 };
    extern __shared__ __align__(1024) char raw[];
    bf16 *const ones = (bf16 *)(((u64)raw + 1023) / 1024 * 1024), *const sa = ones + 1024;
    __shared__ u64 full[STAGES], empty[STAGES], ahead;
    const int t = threadIdx.x;
    for (int i = t; i < 1024; i += 288)
        ones[i] = narrow(1);
    FENCE_ASYNC();
    if (t < STAGES) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 8);
        FENCE_INIT();
    }
    if (t == 0) BAR_INIT(&ahead, 128);
    __syncthreads();
    if (t == 256)
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&empty[at], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[at], TILE * 2);
            BULK_LOAD(sa + at * TILE, a, TILE * 2, &full[at]);
        }
    if (t >= 256) return;
    float sums[8];
    for (int k = 0; k < BLOCKS; k++) {
        const int at = k % STAGES;
        BAR_WAIT(&full[at], k / STAGES % 2);
        if (t >= 128 && k == 0) BAR_WAIT(&ahead, 0);
        if (t < 128 && k == STAGES - 1) BAR_ARRIVE(&ahead);
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const uint4 words = *(const uint4 *)(sa + at * TILE + i * 1024 + t % 128 * 8);
            const unsigned w[4] = {words.x, words.y, words.z, words.w};
            WGMMA_FENCE();
            WGMMA_16_A(sums, w, tile_of_rows(ones) + 2 * i, k || i);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
        }
        if (t % 32 == 0) BAR_ARRIVE(&empty[at]);
    }
    for (int i = 0; i < 8; i++)
        d[t * 8 + i] = sums[i];
}
extern "C" __global__ void products_of_ones_reference(const bf16 *a, float *d)
{
    for (int i = 0; i < 8; i++)
        d[threadIdx.x * 8 + i] = 24 * 64;
}

// Two products of the first block are in flight while the second one makes many.
// launch: grid 2, block 128; in a bf16[4096] integers -3 3; in b bf16[4096] integers -3 3;
//         out c f32[8192]
// reference: product_of_both_reference, block 64
extern "C" __global__ void __cluster_dims__(2) product_that_outlasts_many_of_another_block(const bf16 *a, const bf16 *b, float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    __shared__ u64 told;
    const int t = threadIdx.x, rank = (int)cluster_rank();
    for (int i = t; i < TILE; i += 128) {
        sa[i ^ (i >> 6 & 7) << 3] = a[i];
        sb[i ^ (i >> 6 & 7) << 3] = b[i];
    }
    FENCE_ASYNC();
    if (t == 0) {
        BAR_INIT(&told, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    float d[32];
    for (int round = 0; round < (rank ? 20 : 3); round++) {
        if (!rank && round == 2) BAR_WAIT_CLUSTER(&told, 0);
        WGMMA_FENCE();
        multiply(d, sa, sb, false);
        WGMMA_COMMIT();
        if (rank) WGMMA_WAIT(0);
    }
    if (rank && t == 0) BAR_ARRIVE_AT(&told, 0);
    WGMMA_WAIT(2);
    WGMMA_WAIT(0);
    __syncthreads();
    for (int i = t; i < TILE; i += 128)
        sa[i] = 0;
    for (int i = 0; i < 32; i++)
        c[rank * TILE + row_of(i) * 64 + column_of(i)] = d[i];
    CLUSTER_SYNC();
}
extern "C" __global__ void product_of_both_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = blockIdx.x * 64 + threadIdx.x;
    product(a + threadIdx.x * 64, b, c + row * 64, 64, 64);
}

// As CUTLASS 4.2, whose tiles lie behind the objects, at a multiple of 128 only.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_64_64_64_reference, block 64
extern "C" __global__ void tiles_that_begin_inside_the_swizzle(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) struct {
        u64 full;
        alignas(128) bf16 unused[3 * 64 - 64];
        alignas(128) bf16 a[TILE], b[TILE];
    } s;
    if (threadIdx.x == 0) {
        BAR_INIT(&s.full, 1);
        FENCE_INIT();
        BAR_EXPECT(&s.full, 2 * TILE * 2);
        TMA_LOAD_2D(s.a, &a, 0, 0, &s.full);
        TMA_LOAD_2D(s.b, &b, 0, 0, &s.full);
    }
    __syncthreads();
    BAR_WAIT(&s.full, 0);
    float d[32];
    WGMMA_FENCE();
    multiply(d, s.a, s.b, false);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void product_64_64_64_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a + threadIdx.x * 64, b, c + threadIdx.x * 64, 64, 64);
}

// As ThunderKittens: a warp group stores its tile, one lane fences and copies it, and says
// when the tile has been read; the next one comes meanwhile.
// launch: grid 2, block 128; in x i32[1024]; out y i32[1024]
// reference: scaled_reference, grid 8
extern "C" __global__ void tiles_fenced_by_the_lane_that_copies(const int *x, int *y)
{
    enum { TILES = 4 };
    __shared__ alignas(128) int in[2][128], out[128];
    __shared__ u64 full[2];
    const int t = threadIdx.x, first = blockIdx.x * TILES * 128;
    if (t == 0) {
        for (int i = 0; i < 2; i++)
            BAR_INIT(&full[i], 1);
        FENCE_INIT();
        BAR_EXPECT(&full[0], 512);
        BULK_LOAD(in[0], x + first, 512, &full[0]);
    }
    __syncthreads();
    for (int k = 0; k < TILES; k++) {
        if (t == 0 && k + 1 < TILES) {
            FENCE_ASYNC(); // behind the barrier that all have read the stage before
            BAR_EXPECT(&full[(k + 1) % 2], 512);
            BULK_LOAD(in[(k + 1) % 2], x + first + (k + 1) * 128, 512, &full[(k + 1) % 2]);
        }
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const int value = 2 * in[k % 2][t] + 1;
        if (t == 0) BULK_WAIT_READ(0);
        NAMED_SYNC(1, 128);
        out[t] = value;
        NAMED_SYNC(1, 128);
        if (t == 0) {
            FENCE_ASYNC();
            BULK_STORE(y + first + k * 128, out, 512);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}
extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}

// As fast.cu's later kernels, with the fence and the barriers that those lack: each of two
// products goes by stmatrix into one tile, which a copy stores while the next is made.
// launch: grid 1, block 128; in a bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         out c bf16[8192] map 64/64 128/64
// reference: rounded_128_64_64_reference
extern "C" __global__ void products_stored_by_stmatrix(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       const __grid_constant__ tensor_map c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[TILE], sc[TILE];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 3 * TILE * 2);
        for (int i = 0; i < 2; i++)
            TMA_LOAD_2D(sa[i], &a, 0, i * 64, &full);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    for (int tile = 0; tile < 2; tile++) {
        float d[32];
        WGMMA_FENCE();
        multiply(d, sa[tile], sb, false);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t == 0) BULK_WAIT_READ(0); // the tile before has been read
        NAMED_SYNC(1, 128);
        for (int j = 0; j < 4; j++) { // 16 columns
            unsigned words[4];
            for (int w = 0; w < 4; w++)
                words[w] = narrow(d[8 * j + 2 * w]) | (unsigned)narrow(d[8 * j + 2 * w + 1]) << 16;
            const int lane = t % 32, row = t / 32 * 16 + lane % 16, column = j * 16 + lane / 16 * 8;
            asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(
                             AT(&sc[row * 64 + column])),
                         "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
                         : "memory");
        }
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            TMA_STORE_2D(&c, 0, tile * 64, sc);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}
extern "C" __global__ void rounded_128_64_64_reference(const bf16 *a, const bf16 *b, bf16 *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 64 + j] = narrow(sum);
    }
}
