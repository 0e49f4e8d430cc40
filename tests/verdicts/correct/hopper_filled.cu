// Asynchronous operations on what cp.async has filled, and on what several threads stored.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void same_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}
extern "C" __global__ void exchange_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i ^ 64];
}
extern "C" __global__ void sum_of_blocks_reference(const int *x, int *y)
{
    for (int k = 0; k < 4; k++)
        y[threadIdx.x] += x[k * 64 + threadIdx.x];
}
extern "C" __global__ void products_of_ones_reference(const bf16 *x, float *y)
{
    y[blockIdx.x * 128 + threadIdx.x] = 64 * wide(x[0]) * wide(x[0]);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void stored_with_the_fence_behind_the_wait(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256] map 64/64 4/1
// reference: same_reference
extern "C" __global__ void tile_stored_with_the_fence_behind_the_wait(
    const int *x, const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, blockIdx.x, s);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero
// reference: sum_of_blocks_reference, grid 1
extern "C" __global__ void sum_with_the_fence_behind_the_wait(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_ADD(y, s, 256, "s32");
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void loaded_over_with_the_fence_behind_the_wait(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) BULK_LOAD(s, x + (blockIdx.x ^ 1) * 64, 256, &full);
    BAR_WAIT(&full, 0);
    y[i] = s[t];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) sent_with_the_fence_behind_the_wait(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64], from[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    COPY_WORD(&from[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) PEER_COPY(at_rank(s, other), from, 256, at_rank(&full, other));
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void product_with_the_fence_behind_the_wait(const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 512; i += 128) {
        COPY_16(&a[8 * i], &x[8 * i]);
        COPY_16(&b[8 * i], &x[8 * i]);
    }
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    WGMMA_FENCE();
    for (int k = 0; k < 4; k++)
        WGMMA_64(d, tile_of_rows(a) + 2 * k, tile_of_rows(b) + 2 * k, k);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        y[32 * t + i] = d[i];
}

// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void ring_fenced_behind_the_wait_of_its_group(const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[2][1024 * 4], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 512; i += 128) {
        COPY_16(&b[8 * i], &x[8 * i]);
        COPY_16(&a[0][8 * i], &x[8 * i]);
    }
    COPIES_COMMIT();
    for (int k = 0; k < 4; k++) {
        for (int i = t; k < 3 && i < 512; i += 128)
            COPY_16(&a[(k + 1) % 2][8 * i], &x[8 * i]);
        COPIES_COMMIT();
        COPIES_WAIT_FOR(1);
        FENCE_ASYNC();
        __syncthreads();
        WGMMA_FENCE();
        WGMMA_64(d, tile_of_rows(a[k % 2]) + 2 * k, tile_of_rows(b) + 2 * k, k);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        y[32 * t + i] = d[i];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void stored_when_all_have_waited(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void product_when_all_have_waited(const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 512; i += 128) {
        COPY_16(&a[8 * i], &x[8 * i]);
        COPY_16(&b[8 * i], &x[8 * i]);
    }
    COPIES_WAIT();
    FENCE_ASYNC();
    __syncthreads();
    WGMMA_FENCE();
    for (int k = 0; k < 4; k++)
        WGMMA_64(d, tile_of_rows(a) + 2 * k, tile_of_rows(b) + 2 * k, k);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        y[32 * t + i] = d[i];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) sent_when_all_have_waited(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], from[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    COPY_WORD(&from[t], &x[i]);
    COPIES_WAIT();
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 63) PEER_COPY(at_rank(s, other), from, 256, at_rank(&full, other));
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// launch: grid 4, block 96; in x i32[256]; out y i32[256]
// reference: same_reference, grid 4, block 64
extern "C" __global__ void fenced_behind_the_wait_for_others_copies(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t < 64) {
        COPY_WORD(&s[t], &x[i]);
        COPIES_ARRIVE(&full);
        return;
    }
    BAR_WAIT(&full, 0);
    FENCE_ASYNC();
    if (t == 64) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The first fence is of no use, and harms nothing.
// launch: grid 4, block 96; in x i32[256]; out y i32[256]
// reference: same_reference, grid 4, block 64
extern "C" __global__ void fenced_behind_the_arrival_and_the_wait(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t < 64) {
        COPY_WORD(&s[t], &x[i]);
        COPIES_ARRIVE(&full);
        FENCE_ASYNC();
        return;
    }
    BAR_WAIT(&full, 0);
    FENCE_ASYNC();
    if (t == 64) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// Each thread waits for all copies, so one fence is enough.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void own_copies_fenced_behind_the_wait_at_an_object(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    COPY_WORD(&s[t], &x[i]);
    COPIES_ARRIVE(&full);
    BAR_WAIT(&full, 0);
    FENCE_ASYNC();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: same_reference, grid 2, block 64
extern "C" __global__ void words_of_four_warps_that_all_fence(const int *x, int *y)
{
    __shared__ alignas(128) int s[128];
    const int t = threadIdx.x, i = t % 32 * 4 + t / 32;
    s[i] = x[i];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y, s, 512);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: same_reference, grid 2, block 64
extern "C" __global__ void words_of_four_warps_behind_a_barrier(const int *x, int *y)
{
    __shared__ alignas(128) int s[128];
    const int t = threadIdx.x, i = t % 32 * 4 + t / 32;
    s[i] = x[i];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 96) {
        BULK_STORE(y, s, 512);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void words_of_four_lanes_that_have_met(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    FENCE_ASYNC();
    __syncwarp();
    if (t % 4 == 3) {
        BULK_STORE(y + i - 3, s + t - 3, 16);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
