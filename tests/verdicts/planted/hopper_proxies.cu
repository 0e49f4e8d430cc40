// Memory that threads and asynchronous units touch in turn, without the fence between them.
// Most of it follows bugs that others have shipped.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}
// y[t] = the sum of (k + 1) x[64 k + t] over five tiles
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}
extern "C" __global__ void product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}

// class: threads write, a copy reads, no fence of the proxies

// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bulk_store_without_a_fence(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t] + 1; // expect: proxy_fence
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// As pytorch/ao #4278: the fences come after the barrier, so those of the other threads are
// not before the copy.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bulk_store_with_fences_behind_the_barrier(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t] + 1; // expect: proxy_fence
    __syncthreads();
    FENCE_ASYNC(); // expect: proxy_fence
    if (t == 0) {
        BULK_STORE(y + first, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// As FlashKDA #24: what is stored when there is no round was never fenced.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; i32 rounds 0
// reference: state_reference
extern "C" __global__ void state_fenced_in_a_loop_of_no_round(const int *x, int *y, int rounds)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 7; // expect: proxy_fence
    for (int k = 0; k < rounds; k++) {
        s[t] += x[first + t];
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void state_reference(const int *x, int *y, int rounds)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = 7 + rounds * x[i];
}

// Some are fenced, those written afterwards are not.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bulk_store_with_a_fence_before_the_last_writes(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    s[t] += 1; // expect: proxy_fence
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 1, block 64; in x i32[512]; out y i32[512] map 32/32 16/16
// reference: scaled_reference, grid 8
extern "C" __global__ void tma_store_without_a_fence(const int *x,
                                                     const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[16 * 32];
    const int t = threadIdx.x;
    for (int i = t; i < 512; i += 64)
        s[i] = 2 * x[i] + 1; // expect: proxy_fence
    __syncthreads();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, 0, s); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero
// reference: sum_of_blocks_reference, grid 1
extern "C" __global__ void bulk_sum_without_a_fence(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t]; // expect: proxy_fence
    __syncthreads();
    if (t == 0) {
        BULK_ADD(y, s, 256, "s32"); // expect: proxy_fence
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void sum_of_blocks_reference(const int *x, int *y)
{
    for (int k = 0; k < 4; k++)
        y[threadIdx.x] += x[k * 64 + threadIdx.x];
}

// class: threads write, a product reads, no fence of the proxies

// launch: grid 1, block 128; in a bf16[4096] integers -3 3; in b bf16[4096] integers -3 3;
//         out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void product_of_tiles_without_a_fence(const bf16 *a, const bf16 *b,
                                                            float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    for (int i = threadIdx.x; i < TILE; i += 128) {
        const int at = i ^ (i >> 6 & 7) << 3;
        sa[at] = a[i]; // expect: proxy_fence
        sb[at] = b[i]; // expect: proxy_fence
    }
    __syncthreads();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: proxy_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// The fence of the products' registers is none of the proxies.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3; in b bf16[4096] integers -3 3;
//         out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void product_of_one_fenced_tile_of_two(const bf16 *a, const bf16 *b,
                                                             float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    for (int i = threadIdx.x; i < TILE; i += 128)
        sa[i ^ (i >> 6 & 7) << 3] = a[i];
    FENCE_ASYNC();
    for (int i = threadIdx.x; i < TILE; i += 128)
        sb[i ^ (i >> 6 & 7) << 3] = b[i]; // expect: proxy_fence
    __syncthreads();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: proxy_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// A tile that came by a copy is scaled in place, as inputs that are widened are.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: negated_product_reference, block 64
extern "C" __global__ void product_of_a_tile_changed_in_place(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 2 * TILE * 2);
        TMA_LOAD_2D(sa, &a, 0, 0, &full);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    for (int i = threadIdx.x; i < TILE; i += 128)
        sa[i] ^= 0x8000; // expect: proxy_fence
    __syncthreads();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: proxy_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void negated_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum -= wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}

// class: threads read, a copy writes over it, no fence of the proxies

// As DeepEP #642: the stage is released by an arrival, its readers have not fenced.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void ring_refilled_over_loads_of_a_warp(const int *x, int *y)
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
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// As TransformerEngine #2695: a barrier of the block between the loads and the next copy.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void ring_refilled_behind_a_barrier_alone(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0)
        for (int k = 0; k < 2; k++) {
            BAR_INIT(&full[k], 1);
            BAR_EXPECT(&full[k], 256);
            BULK_LOAD(s[k], x + k * 64, 256, &full[k]);
        }
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1); // expect: proxy_fence
        __syncthreads();
        if (t == 0 && k + 2 < 5) {
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(s[k % 2], x + (k + 2) * 64, 256, &full[k % 2]); // expect: proxy_fence
        }
    }
    y[t] = sum;
}

// Only half of the readers fence.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void ring_fenced_by_one_warp_of_two(const int *x, int *y)
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
        if (t < 32) FENCE_ASYNC();
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}
