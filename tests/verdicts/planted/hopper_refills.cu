// Stages of a cluster that one block fills for both, while the other one's products still
// read them.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

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
__device__ inline void multiply(float *d, const bf16 *a, const bf16 *b, bool keep)
{
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, keep || i);
}

// class: stage that is filled for another block while a product there reads it

// Only the own consumers are waited for.
// launch: grid 2, block 256; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/32 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void __cluster_dims__(2) stage_released_by_the_own_block_alone(const __grid_constant__ tensor_map a,
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
            BAR_INIT(&empty[i], 1);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t >= 128) {
        if (t == 128)
            for (int k = 0; k < BLOCKS; k++) {
                const int at = k % STAGES;
                BAR_WAIT_CLUSTER(&empty[at], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[at], BYTES); // expect: barrier
                TMA_LOAD_2D(sa[at], &a, k * 64, row, &full[at]);
                TMA_LOAD_2D_TO(sb[at] + rank * TILE / 2, &b, k * 64, (int)rank * 32, &full[at], // expect: in_flight or race or missing_wait
                               3);
            }
    } else {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, sa[at], sb[at], k > 0); // expect: in_flight or race or missing_wait
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE_AT(&empty[at], rank);
        }
        for (int i = 0; i < 32; i++)
            c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
    }
    CLUSTER_SYNC(); // what the other block sends has come before either ends
}

// launch: grid 2, block 256; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/32 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void __cluster_dims__(2) stage_released_before_the_wait_for_the_product(const __grid_constant__ tensor_map a,
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
                BAR_EXPECT(&full[at], BYTES); // expect: barrier
                TMA_LOAD_2D(sa[at], &a, k * 64, row, &full[at]); // expect: in_flight
                TMA_LOAD_2D_TO(sb[at] + rank * TILE / 2, &b, k * 64, (int)rank * 32, &full[at], // expect: in_flight or race or missing_wait
                               3);
            }
    } else {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, sa[at], sb[at], k > 0); // expect: in_flight or race or missing_wait
            WGMMA_COMMIT();
            if (t < 2) BAR_ARRIVE_AT(&empty[at], t);
            WGMMA_WAIT(0);
        }
        for (int i = 0; i < 32; i++)
            c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
    }
    CLUSTER_SYNC(); // what the other block sends has come before either ends
}

// launch: grid 2, block 256; in a bf16[32768] integers -3 3 map 256/64 128/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/32 swizzle 128; out c f32[8192]
// reference: product_64_256_reference, grid 2, block 64
extern "C" __global__ void __cluster_dims__(2) stage_released_with_a_product_in_flight(const __grid_constant__ tensor_map a,
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
                BAR_EXPECT(&full[at], BYTES); // expect: barrier
                TMA_LOAD_2D(sa[at], &a, k * 64, row, &full[at]); // expect: in_flight
                TMA_LOAD_2D_TO(sb[at] + rank * TILE / 2, &b, k * 64, (int)rank * 32, &full[at], // expect: in_flight or race or missing_wait
                               3);
            }
    } else {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int at = k % STAGES;
            BAR_WAIT(&full[at], k / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, sa[at], sb[at], k > 0); // expect: in_flight or race or missing_wait
            WGMMA_COMMIT();
            WGMMA_WAIT(1);
            if (t < 2) BAR_ARRIVE_AT(&empty[at], t);
        }
        WGMMA_WAIT(0);
        for (int i = 0; i < 32; i++)
            c[(row + row_of(i)) * 64 + column_of(i)] = d[i];
    }
    CLUSTER_SYNC(); // what the other block sends has come before either ends
}
