// Kernels of correct/hopper_fences.cu, each with one thing wrong: who fences, and for whom.
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

// class: a lane fences for others that it does not know of

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void stores_of_a_warp_that_one_lane_fences(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i]; // expect: proxy_fence
    if (t % 32 == 0) FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void loads_of_a_warp_that_one_lane_fences(const int *x, int *y)
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
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]); // expect: proxy_fence
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1); // expect: proxy_fence
        if (t % 32 == 0) FENCE_ASYNC();
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void tile_of_a_product_that_one_lane_fences(const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 4096; i += 128)
        a[i] = b[i] = x[i]; // expect: proxy_fence
    if (t % 32 == 31) FENCE_ASYNC();
    __syncthreads();
    WGMMA_FENCE();
    for (int k = 0; k < 4; k++)
        WGMMA_64(d, tile_of_rows(a) + 2 * k, tile_of_rows(b) + 2 * k, k); // expect: proxy_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        y[32 * t + i] = d[i];
}

// class: threads of another block write or read, no fence of the proxies

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_another_block(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]); // expect: proxy_fence
    CLUSTER_SYNC();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_an_arrival_of_another_block(
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
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]); // expect: proxy_fence
    BAR_ARRIVE_AT(&full, cluster_rank() ^ 1);
    if (t == 0) {
        BAR_WAIT_CLUSTER(&full, 0);
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    CLUSTER_SYNC();
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) filled_over_what_another_block_loaded(
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
    const int theirs = load_at(at_rank(&s[t], cluster_rank() ^ 1)); // expect: proxy_fence
    CLUSTER_SYNC();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full); // expect: proxy_fence
    }
    BAR_WAIT(&full, 0);
    y[i] = s[t] == x[t] ? theirs : 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_a_lane_that_fenced_for_its_warp(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) {
        STORE_AT(at_rank(&s[t], 0), x[i]); // expect: proxy_fence
        if (t % 32 == 0) FENCE_ASYNC_ALL();
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// It arrives before it fences, and the other one fences before it waits.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_fences_between_arrival_and_wait(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) STORE_AT(at_rank(&s[t], 0), x[i]); // expect: proxy_fence
    CLUSTER_ARRIVE();
    FENCE_ASYNC_ALL();
    CLUSTER_WAIT();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// Words of the same 16 bytes.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_behind_one_of_two_warps_that_fenced(
    const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    if (cluster_rank() == 1) {
        const int k = 2 * (t % 32) + t / 32;
        STORE_AT(at_rank(&s[k], 0), x[blockIdx.x * 64 + k]); // expect: proxy_fence
        if (t >= 32) FENCE_ASYNC_ALL();
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    if (cluster_rank() == 1) y[i] = x[i ^ 64];
}

// class: other block's memory without order

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_out_beside_another_block(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]); // expect: race or in_flight
    FENCE_ASYNC_ALL();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: race
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    CLUSTER_SYNC();
}
