// Loads from a stage that is filled again too soon: the kernels of
// correct/hopper_scales.cu, each without what ends the loads.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// 16 rows of each warp, 64 products of ones for each row and scale.
extern "C" __global__ void scaled_reference(const float *x, float *y)
{
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    for (int i = 0; i < 8; i++) {
        float sum = 0;
        for (int k = 0; k < 6; k++)
            sum += 64 * x[64 * k + row + (i & 2 ? 8 : 0)];
        y[8 * t + i] = sum;
    }
}

extern "C" __global__ void other_half_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 128] + 1;
}

__device__ inline float load_shared(const float *p)
{
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(AT(p)) : "memory");
    return value;
}

// class: one lane tells what lanes of its warp did that nothing orders

// Lanes load their scales behind the last instruction that they come to together.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_loaded_behind_the_products(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float ring[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 160)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 160)
        b[i] = narrow(1);
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 4);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t == 128)
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]); // expect: race
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        const float scale = load_shared(&ring[k % 2][row]); // expect: race
        const float other = load_shared(&ring[k % 2][row + 8]); // expect: race
        FENCE_ASYNC();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// No fence between the proxies, and scales that are loaded behind the products.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_behind_the_products_without_a_fence(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float ring[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 160)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 160)
        b[i] = narrow(1);
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 128);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t == 128)
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]); // expect: proxy_fence
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        const float scale = load_shared(&ring[k % 2][row]); // expect: proxy_fence
        const float other = load_shared(&ring[k % 2][row + 8]); // expect: proxy_fence
        BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// The same behind wgmma.fence, before the products.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_behind_a_wgmma_fence(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float ring[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 160)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 160)
        b[i] = narrow(1);
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 128);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t == 128)
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]); // expect: proxy_fence
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        const float scale = load_shared(&ring[k % 2][row]); // expect: proxy_fence
        const float other = load_shared(&ring[k % 2][row + 8]); // expect: proxy_fence
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// One lane gives the stage back for its warp, as gemm_w4a16_sm90 did.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_behind_a_wgmma_fence_by_one_lane(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float ring[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 160)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 160)
        b[i] = narrow(1);
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 4);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t == 128)
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]); // expect: proxy_fence
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        const float scale = load_shared(&ring[k % 2][row]); // expect: proxy_fence
        const float other = load_shared(&ring[k % 2][row + 8]); // expect: proxy_fence
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// One lies between the products.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scale_between_the_products(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float ring[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 160)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 160)
        b[i] = narrow(1);
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 128);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t == 128)
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]); // expect: proxy_fence
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const float scale = load_shared(&ring[k % 2][row]);
        WGMMA_FENCE();
        WGMMA_16(d, tile_of_rows(a), tile_of_rows(b), false);
        const float other = load_shared(&ring[k % 2][row + 8]); // expect: proxy_fence
#pragma unroll
        for (int i = 1; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, true);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// A load of another block's memory is none that wgmma orders, though it follows one.
// launch: grid 2, block 128, cluster 2; in x i32[256]; out y i32[256]
// reference: other_half_reference, grid 1, block 256
extern "C" __global__ void other_block_read_before_a_wgmma_fence(const int *x, int *y)
{
    __shared__ int s[128], ones[128];
    __shared__ u64 read;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    s[t] = x[128 * rank + t];
    ones[t] = 1;
    if (t == 0) {
        BAR_INIT(&read, 4);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    const int one = load_at(AT(&ones[t]));
    const int got = load_at(at_rank(&s[t], rank ^ 1)); // expect: race
    WGMMA_FENCE();
    if (t % 32 == 0) BAR_ARRIVE_AT(&read, rank ^ 1);
    BAR_WAIT_CLUSTER(&read, 0);
    s[t ^ 1] = 0; // expect: race
    y[128 * rank + t] = got + one;
    CLUSTER_SYNC();
}
