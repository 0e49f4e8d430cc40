// Fences between the proxies by one lane for its warp, and by or for another block.
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
// y[t] = the sum of (k + 1) x[64 k + t] over five tiles
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}
extern "C" __global__ void products_of_ones_reference(const bf16 *x, float *y)
{
    y[blockIdx.x * 128 + threadIdx.x] = 64 * wide(x[0]) * wide(x[0]);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void stores_of_a_warp_that_one_lane_fences_behind_all(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    __syncwarp();
    if (t % 32 == 0) FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void loads_of_a_warp_that_one_lane_fences_behind_all(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1);
        __syncwarp();
        if (t % 32 == 0) FENCE_ASYNC();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void tile_of_a_product_that_one_lane_fences_behind_all(
    const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 4096; i += 128)
        a[i] = b[i] = x[i];
    __syncwarp();
    if (t % 32 == 31) FENCE_ASYNC();
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
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_another_block_that_fenced(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]);
    FENCE_ASYNC_ALL();
    CLUSTER_SYNC();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_an_arrival_and_a_fence(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]);
    BAR_ARRIVE_AT(&full, cluster_rank() ^ 1);
    if (t == 0) {
        BAR_WAIT_CLUSTER(&full, 0);
        FENCE_ASYNC_ALL();
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    CLUSTER_SYNC();
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) filled_over_what_another_block_loaded_and_fenced(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    s[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    const int theirs = load_at(at_rank(&s[t], cluster_rank() ^ 1));
    FENCE_ASYNC_ALL();
    CLUSTER_SYNC();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    BAR_WAIT(&full, 0);
    y[i] = s[t] == x[t] ? theirs : 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_when_another_block_has_stored(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]);
    FENCE_ASYNC_ALL();
    CLUSTER_SYNC();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    CLUSTER_SYNC();
}

// The thread that fences comes behind those that stored.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_another_warp_that_fenced(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1 && t < 32) {
        STORE_AT(at_rank(&s[t], 0), x[i]);
        STORE_AT(at_rank(&s[t + 32], 0), x[i + 32]);
    }
    __syncthreads();
    if (cluster_rank() == 1 && t == 32) FENCE_ASYNC_ALL();
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_a_lane_that_fenced_for_those_it_met(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) {
        STORE_AT(at_rank(&s[t], 0), x[i]);
        __syncwarp();
        if (t % 32 == 0) FENCE_ASYNC_ALL();
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_an_own_fence_past_the_wait(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) STORE_AT(at_rank(&s[t], 0), x[i]);
    CLUSTER_ARRIVE();
    CLUSTER_WAIT();
    if (cluster_rank() == 0 && t == 0) {
        FENCE_ASYNC_ALL();
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// Words of the same 16 bytes.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_two_warps_that_fenced(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) {
        const int k = 2 * (t % 32) + t / 32;
        STORE_AT(at_rank(&s[k], 0), x[blockIdx.x * 64 + k]);
        FENCE_ASYNC_ALL();
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_lanes_that_fenced_in_turn(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[4];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1 && t < 4) {
        STORE_AT(at_rank(&s[t], 0), x[i]);
        for (int k = 0; k < 4; k++)
            if (t == k) FENCE_ASYNC_ALL();
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 16);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1 || t >= 4) y[i] = x[i ^ 64];
}
