// Stages of a ring that are used before they are full: by who does not wait, or waits for
// another phase.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

extern "C" __global__ void copy_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}
extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}

// class: bulk copy that is not waited for

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bulk_load_without_a_wait(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bulk_load_waited_for_by_one_warp(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    __syncthreads();
    if (threadIdx.x < 32) BAR_WAIT(&full, 0);
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait or race
}

// The other stage is waited for.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bulk_load_waited_for_at_another_object(const int *x, int *y)
{
    __shared__ alignas(16) int s[64], other[64];
    __shared__ u64 full[2];
    if (threadIdx.x == 0) {
        BAR_INIT(&full[0], 1);
        BAR_INIT(&full[1], 1);
        BAR_EXPECT(&full[0], 256);
        BULK_LOAD(s, x, 256, &full[0]);
        BAR_EXPECT(&full[1], 256);
        BULK_LOAD(other, x, 256, &full[1]);
    }
    __syncthreads();
    BAR_WAIT(&full[1], 0);
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_of_64_reference, block 64
extern "C" __global__ void product_of_tiles_that_are_not_waited_for(
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
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: missing_wait
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void product_of_64_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}

// A wait may fail before its phase has ended, and is not asked again.
// launch: grid 16, block 64; in x i32[1024]; out y i32[1024]
// reference: scaled_reference
extern "C" __global__ void bulk_load_asked_for_once(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + first, 256, &full);
    }
    __syncthreads();
    unsigned done; // expect: missing_wait
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(AT(&full))
                 : "memory");
    y[first + t] = 2 * s[t] + 1;
}

// class: wrong parity

// The parity never turns.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void wait_for_the_same_parity_in_all_rounds(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) BAR_INIT(&full, 1);
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        if (t == 0) {
            BAR_EXPECT(&full, 256);
            BULK_LOAD(s, x + k * 64, 256, &full);
        }
        BAR_WAIT(&full, 0); // expect: phase
        sum += s[t] * (k + 1); // expect: phase
        FENCE_ASYNC();
        __syncthreads();
    }
    y[t] = sum;
}

// A fresh object says that the phase of parity 1 has ended.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void wait_that_begins_with_parity_1(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 1); // expect: phase
    y[threadIdx.x] = s[threadIdx.x]; // expect: phase
}

// The producer begins as if a consumer had already released a stage twice.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void producer_that_begins_with_parity_0(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2); // expect: deadlock
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: deadlock
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// Rings of two and of three stages: the parity turns with the wrong one.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void parity_of_a_ring_of_another_length(const int *x, int *y)
{
    __shared__ alignas(16) int s[3][64];
    __shared__ u64 full[3], empty[3];
    const int t = threadIdx.x;
    if (t < 3) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 3], k / 3 % 2 ^ 1);
                BAR_EXPECT(&full[k % 3], 256);
                BULK_LOAD(s[k % 3], x + k * 64, 256, &full[k % 3]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 3], k / 2 % 2); // expect: phase
        sum += s[k % 3][t] * (k + 1); // expect: phase
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 3]);
    }
    y[t] = sum;
}
