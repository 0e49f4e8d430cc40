// Threads load from a stage and warp groups multiply behind that: what ends the loads
// before the stage is filled again.
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

extern "C" __global__ void plus_one_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

__device__ inline float load_shared(const float *p)
{
    float value;
    asm volatile("ld.shared.f32 %0, [%1];" : "=f"(value) : "r"(AT(p)) : "memory");
    return value;
}

// Lanes load their scales, then all come to one wgmma, as in DeepGEMM.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_loaded_before_the_products(const float *x, float *y)
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
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]);
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const float scale = load_shared(&ring[k % 2][row]);
        const float other = load_shared(&ring[k % 2][row + 8]);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        FENCE_ASYNC();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// The same without a fence between the proxies, and each lane gives the stage back.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_given_back_without_a_fence(const float *x, float *y)
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
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]);
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const float scale = load_shared(&ring[k % 2][row]);
        const float other = load_shared(&ring[k % 2][row + 8]);
        WGMMA_FENCE();
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

// One lane gives it back.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_given_back_by_one_lane(const float *x, float *y)
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
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]);
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const float scale = load_shared(&ring[k % 2][row]);
        const float other = load_shared(&ring[k % 2][row + 8]);
        WGMMA_FENCE();
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

// They are loaded while a product is under way, ahead of the stage's last one.
// launch: grid 1, block 160; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_loaded_ahead_of_the_last_product(const float *x, float *y)
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
            BULK_LOAD(ring[k % 2], x + 64 * k, 256, &full[k % 2]);
        }
    if (t >= 128) return;
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 2; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        const float scale = load_shared(&ring[k % 2][row]);
        const float other = load_shared(&ring[k % 2][row + 8]);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 2; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, 1);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// Each warp fills its own scales again.
// launch: grid 1, block 128; in x f32[384] integers -4 4; out y f32[1024]
// reference: scaled_reference, block 128
extern "C" __global__ void scales_filled_again_by_their_warp(const float *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[1024];
    __shared__ alignas(16) float scales[4][16];
    __shared__ u64 full[4];
    const int t = threadIdx.x, warp = t / 32, row = t % 32 / 4;
    float out[8] = {0};
    for (int i = t; i < 4096; i += 128)
        a[i] = narrow(1);
    for (int i = t; i < 1024; i += 128)
        b[i] = narrow(1);
    if (t < 4) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    FENCE_ASYNC();
    __syncthreads();
    if (t % 32 == 0) {
        BAR_EXPECT(&full[warp], 64);
        BULK_LOAD(scales[warp], x + 16 * warp, 64, &full[warp]);
    }
    for (int k = 0; k < 6; k++) {
        float d[8];
        BAR_WAIT(&full[warp], k % 2);
        const float scale = load_shared(&scales[warp][row]);
        const float other = load_shared(&scales[warp][row + 8]);
        WGMMA_FENCE();
#pragma unroll
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t % 32 == 0 && k < 5) {
            BAR_EXPECT(&full[warp], 64);
            BULK_LOAD(scales[warp], x + 64 * (k + 1) + 16 * warp, 64, &full[warp]);
        }
        for (int i = 0; i < 8; i++)
            out[i] += d[i] * (i & 2 ? other : scale);
    }
    for (int i = 0; i < 8; i++)
        y[8 * t + i] = out[i];
}

// What is loaded from another block is given back behind a meeting.
// launch: grid 2, block 128, cluster 2; in x i32[256]; out y i32[256]
// reference: other_half_reference, grid 1, block 256
extern "C" __global__ void other_block_read_before_a_syncwarp(const int *x, int *y)
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
    const int got = load_at(at_rank(&s[t], rank ^ 1));
    WGMMA_FENCE();
    __syncwarp();
    if (t % 32 == 0) BAR_ARRIVE_AT(&read, rank ^ 1);
    BAR_WAIT_CLUSTER(&read, 0);
    s[t ^ 1] = 0;
    y[128 * rank + t] = got + one;
    CLUSTER_SYNC();
}

// What is loaded from the own block another one stores over behind wgmma.
// launch: grid 2, block 128, cluster 2; in x i32[256]; out y i32[256]
// reference: plus_one_reference, grid 1, block 256
extern "C" __global__ void own_block_read_before_a_wgmma_fence(const int *x, int *y)
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
    const int got = load_at(AT(&s[t]));
    WGMMA_FENCE();
    if (t % 32 == 0) BAR_ARRIVE_AT(&read, rank ^ 1);
    BAR_WAIT_CLUSTER(&read, 0);
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at_rank(&s[t ^ 1], rank ^ 1)), "r"(0) : "memory");
    y[128 * rank + t] = got + one;
    CLUSTER_SYNC();
}
