// Products of matrices as Hopper's libraries make them: by one warp group, by a producer and
// two consumers, by clusters whose blocks share what they load.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

// c[m][n] = the sum of a[m][k] b[n][k]; each thread of a block has a row of the block's.
__device__ inline void product(const bf16 *a, const bf16 *b, float *c, int n, int k)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < k; i++)
            sum += wide(a[row * k + i]) * wide(b[j * k + i]);
        c[row * n + j] = sum;
    }
}
extern "C" __global__ void product_64_256_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 64, 256);
}
extern "C" __global__ void product_128_256_reference(const bf16 *a, const bf16 *b, bf16 *c)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[row * 256 + i]) * wide(b[j * 256 + i]);
        c[row * 64 + j] = narrow(sum);
    }
}

// One thread loads, all of the warp group multiply: a ring of two stages.
// launch: grid 2, block 128; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void gemm_of_one_warp_group(const __grid_constant__ tensor_map a,
                                                  const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2];
    const int t = threadIdx.x, row = blockIdx.x * 64;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full[0], 1);
        BAR_INIT(&full[1], 1);
        FENCE_INIT();
        for (int k = 0; k < 2; k++) {
            BAR_EXPECT(&full[k], 2 * TILE * 2);
            TMA_LOAD_2D(sa[k], &a, k * 64, row, &full[k]);
            TMA_LOAD_2D(sb[k], &b, k * 64, 0, &full[k]);
        }
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        BAR_WAIT(&full[s], k / 2 % 2);
        WGMMA_FENCE();
        WGMMA_TILE(d, sa[s], sb[s], k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
        if (t == 0 && k + 2 < 4) {
            BAR_EXPECT(&full[s], 2 * TILE * 2);
            TMA_LOAD_2D(sa[s], &a, (k + 2) * 64, row, &full[s]);
            TMA_LOAD_2D(sb[s], &b, (k + 2) * 64, 0, &full[s]);
        }
    }
    for (int i = 0; i < 32; i++)
        c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
}

// The stage before is released while a product is under way: one group stays in flight.
// launch: grid 2, block 128; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void gemm_with_a_group_in_flight(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2];
    const int t = threadIdx.x, row = blockIdx.x * 64;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full[0], 1);
        BAR_INIT(&full[1], 1);
        FENCE_INIT();
        BAR_EXPECT(&full[0], 2 * TILE * 2);
        TMA_LOAD_2D(sa[0], &a, 0, row, &full[0]);
        TMA_LOAD_2D(sb[0], &b, 0, 0, &full[0]);
    }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int s = k % 2, next = 1 - s;
        BAR_WAIT(&full[s], k / 2 % 2);
        WGMMA_FENCE();
        WGMMA_TILE(d, sa[s], sb[s], k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(1); // the product before has read the other stage
        __syncthreads();
        if (t == 0 && k < 3) {
            BAR_EXPECT(&full[next], 2 * TILE * 2);
            TMA_LOAD_2D(sa[next], &a, (k + 1) * 64, row, &full[next]);
            TMA_LOAD_2D(sb[next], &b, (k + 1) * 64, 0, &full[next]);
        }
    }
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
}

// A producer and two consumers, a ring of three stages; results leave by a copy of the tensor
// map's box.
// launch: grid 1, block 384, shared 91136;
//         in a bf16[32768] integers -3 3 map 256/64 128/128 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[8192] map 64/64 128/64
// reference: product_128_256_reference, block 128
extern "C" __global__ void __launch_bounds__(384, 1) gemm_of_a_producer_and_two_consumers(const __grid_constant__ tensor_map a,
                                         const __grid_constant__ tensor_map b,
                                         const __grid_constant__ tensor_map c)
{
    enum { STAGES = 3, BLOCKS = 4, BYTES = 3 * TILE * 2 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = memory + (-AT(memory) & 1023) / 2;
    bf16 *const sc = s + STAGES * 3 * TILE;
    const int t = threadIdx.x, group = t / 128;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 2);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (group == 0) {
        SETMAXNREG_DEC(40);
        if (t == 0)
            for (int k = 0; k < BLOCKS; k++) {
                const int at = k % STAGES;
                BAR_WAIT(&empty[at], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[at], BYTES);
                TMA_LOAD_2D(s + at * 3 * TILE, &a, k * 64, 0, &full[at]);
                TMA_LOAD_2D(s + at * 3 * TILE + 2 * TILE, &b, k * 64, 0, &full[at]);
            }
    } else {
        SETMAXNREG_INC(232);
        float d[32];
        bf16 *const mine = sc + (group - 1) * TILE;
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            WGMMA_TILE(d, s + at * 3 * TILE + (group - 1) * TILE, s + at * 3 * TILE + 2 * TILE,
                       k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t % 128 == 0) BAR_ARRIVE(&empty[at]);
        }
        for (int i = 0; i < 32; i++)
            mine[row_of(i) * 64 + column_of(i)] = narrow(d[i]);
        FENCE_ASYNC();
        NAMED_SYNC(group, 128);
        if (t % 128 == 0) {
            TMA_STORE_2D(&c, 0, (group - 1) * 64, mine);
            BULK_COMMIT();
            BULK_WAIT(0);
        }
    }
}

// Two blocks of a cluster have the same columns: each loads half of them for both.
// launch: grid 2, block 256; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/32 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void __cluster_dims__(2) gemm_of_a_cluster_that_shares_columns(const __grid_constant__ tensor_map a,
                                          const __grid_constant__ tensor_map b, float *c)
{
    enum { STAGES = 2, BLOCKS = 4, BYTES = 2 * TILE * 2 };
    __shared__ alignas(1024) bf16 sa[STAGES][TILE], sb[STAGES][TILE];
    __shared__ u64 full[STAGES], empty[STAGES];
    const int t = threadIdx.x, row = blockIdx.x * 64;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 2);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t >= 128) {
        if (t == 128)
            for (int k = 0; k < BLOCKS; k++) {
                const int at = k % STAGES;
                BAR_WAIT_CLUSTER(&empty[at], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[at], BYTES); // both halves of b come here
                TMA_LOAD_2D(sa[at], &a, k * 64, row, &full[at]);
                TMA_LOAD_2D_TO(sb[at] + rank * TILE / 2, &b, k * 64, (int)rank * 32, &full[at],
                               3);
            }
    } else {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            WGMMA_TILE(d, sa[at], sb[at], k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t < 2) BAR_ARRIVE_AT(&empty[at], t);
        }
        for (int i = 0; i < 32; i++)
            c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
    }
    CLUSTER_SYNC(); // what the other block sends has come before either ends
}

// Tiles written by the threads themselves, swizzled by hand, with a fence of the proxies.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3; in b bf16[4096] integers -3 3;
//         out c f32[4096]
// reference: product_of_one_tile_reference, block 64
extern "C" __global__ void wgmma_of_tiles_written_by_threads(const bf16 *a, const bf16 *b,
                                                             float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    for (int i = threadIdx.x; i < TILE; i += 128) {
        const int at = i ^ (i >> 6 & 7) << 3; // 16 bytes move by the row within eight
        sa[at] = a[i];
        sb[at] = b[i];
    }
    FENCE_ASYNC();
    __syncthreads();
    float d[32];
    WGMMA_FENCE();
    WGMMA_TILE(d, sa, sb, false);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void product_of_one_tile_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 64, 64);
}

// A from registers, its words loaded by each thread from its own rows.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3;
//         in b bf16[1024] integers -3 3 map 64/64 16/16 swizzle 128; out c f32[1024]
// reference: product_of_registers_reference, block 64
extern "C" __global__ void wgmma_of_rows_in_registers(const bf16 *a,
                                                      const __grid_constant__ tensor_map b,
                                                      float *c)
{
    __shared__ alignas(1024) bf16 sb[16 * 64];
    __shared__ u64 full;
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 16 * 64 * 2);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    unsigned r[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = *(const unsigned *)&a[(row + j % 2 * 8) * 64 + i * 16 + j / 2 * 8 + t % 4 * 2];
    __syncthreads();
    BAR_WAIT(&full, 0);
    float d[8];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_16_A(d, r[i], tile_of_rows(sb) + 2 * i, i > 0);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}
extern "C" __global__ void product_of_registers_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 16, 64);
}

// Two warp groups take turns by named barriers, as attention does: the products of one run
// while the other one is busy elsewhere.
// launch: grid 1, block 256; in a bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[8192]
// reference: product_in_turns_reference, grid 2, block 64
extern "C" __global__ void wgmma_of_two_groups_in_turns(const __grid_constant__ tensor_map a,
                                                        const __grid_constant__ tensor_map b,
                                                        float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[TILE];
    __shared__ u64 full;
    const int t = threadIdx.x, group = t / 128;
    float d[32], sum[32];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 3 * TILE * 2);
        TMA_LOAD_2D(sa[0], &a, 0, 0, &full);
        TMA_LOAD_2D(sa[1], &a, 0, 64, &full);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    for (int i = 0; i < 32; i++)
        sum[i] = 0;
    if (group == 1) NAMED_ARRIVE(1, 256); // the first group begins
    for (int k = 0; k < 3; k++) {
        NAMED_SYNC(1 + group, 256);
        WGMMA_FENCE();
        WGMMA_TILE(d, sa[group], sb, false);
        WGMMA_COMMIT();
        if (group == 0 || k < 2) NAMED_ARRIVE(2 - group, 256);
        WGMMA_WAIT(0);
        for (int i = 0; i < 32; i++)
            sum[i] += d[i] * (k + 1);
    }
    for (int i = 0; i < 32; i++)
        c[(group * 64 + row_of(i)) * 64 + column_of(i)] = sum[i];
}
extern "C" __global__ void product_in_turns_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = blockIdx.x * 64 + threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[row * 64 + i]) * wide(b[j * 64 + i]);
        c[row * 64 + j] = sum * 6;
    }
}
