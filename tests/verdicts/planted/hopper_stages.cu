// Stages of a ring that are filled before they are empty: a copy or a product still reads
// them.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}
// c[m][n] = the sum of a[m][k] b[n][k], 256 of k
extern "C" __global__ void product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[threadIdx.x * 256 + i]) * wide(b[j * 256 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}

// class: source of a copy that is overwritten too early

// launch: grid 1, block 64; in x i32[256]; out y i32[256]
// reference: scaled_reference, grid 4
extern "C" __global__ void buffer_written_while_a_copy_reads_it(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        s[t] = 2 * x[k * 64 + t] + 1; // expect: in_flight
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(y + k * 64, s, 256); // expect: in_flight
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// Groups belong to their thread: the others wait for nothing.
// launch: grid 1, block 64; in x i32[256]; out y i32[256]
// reference: scaled_reference, grid 4
extern "C" __global__ void groups_waited_for_by_another_thread(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 32) BULK_WAIT_READ(0);
        __syncthreads();
        s[t] = 2 * x[k * 64 + t] + 1; // expect: in_flight
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(y + k * 64, s, 256); // expect: in_flight
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// As DeepEP #657: of two buffers the last group but one is the wrong one to allow.
// launch: grid 1, block 32; in x i32[320]; out y i32[320]
// reference: copy_of_all_reference, block 320
extern "C" __global__ void stage_refilled_while_a_copy_reads_it(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2];
    if (threadIdx.x) return;
    for (int k = 0; k < 2; k++) {
        BAR_INIT(&full[k], 1);
        BAR_EXPECT(&full[k], 256);
        BULK_LOAD(s[k], x + k * 64, 256, &full[k]);
    }
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        BULK_STORE(y + k * 64, s[k % 2], 256); // expect: in_flight
        BULK_COMMIT();
        BULK_WAIT_READ(1);
        if (k + 2 < 5) {
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(s[k % 2], x + (k + 2) * 64, 256, &full[k % 2]); // expect: in_flight
        }
    }
    BULK_WAIT(0);
}
extern "C" __global__ void copy_of_all_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// A group that was never committed is in no wait.
// launch: grid 1, block 64; in x i32[256]; out y i32[256]
// reference: scaled_reference, grid 4
extern "C" __global__ void copies_of_no_group(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) BULK_WAIT(0);
        __syncthreads();
        s[t] = 2 * x[k * 64 + t] + 1; // expect: in_flight
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) BULK_STORE(y + k * 64, s, 256); // expect: in_flight
    }
    if (t == 0) BULK_COMMIT();
    if (t == 0) BULK_WAIT(0);
}

// class: stage that is filled while a product reads it

// launch: grid 1, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void refill_with_a_product_in_flight(const __grid_constant__ tensor_map a,
                                                           const __grid_constant__ tensor_map b,
                                                           float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    float d[32];
    if (t == 0)
        for (int k = 0; k < 2; k++) {
            BAR_INIT(&full[k], 1);
            BAR_EXPECT(&full[k], 2 * TILE * 2);
            TMA_LOAD_2D(sa[k], &a, k * 64, 0, &full[k]);
            TMA_LOAD_2D(sb[k], &b, k * 64, 0, &full[k]);
        }
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        BAR_WAIT(&full[s], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa[s]) + 2 * i, tile_of_rows(sb[s]) + 2 * i, k || i); // expect: in_flight
        WGMMA_COMMIT();
        WGMMA_WAIT(1);
        __syncthreads();
        if (t == 0 && k + 2 < 4) {
            BAR_EXPECT(&full[s], 2 * TILE * 2);
            TMA_LOAD_2D(sa[s], &a, (k + 2) * 64, 0, &full[s]); // expect: in_flight
            TMA_LOAD_2D(sb[s], &b, (k + 2) * 64, 0, &full[s]); // expect: in_flight
        }
    }
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// The stage is released before the wait.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void arrival_before_the_wait_for_the_product(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        if (t == 128)
            for (int k = 0; k < 4; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 2 * TILE * 2);
                TMA_LOAD_2D(sa[k % 2], &a, k * 64, 0, &full[k % 2]); // expect: in_flight
                TMA_LOAD_2D(sb[k % 2], &b, k * 64, 0, &full[k % 2]); // expect: in_flight
            }
        return;
    }
    float d[32];
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        BAR_WAIT(&full[s], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa[s]) + 2 * i, tile_of_rows(sb[s]) + 2 * i, k || i); // expect: in_flight
        WGMMA_COMMIT();
        if (t == 0) BAR_ARRIVE(&empty[s]);
        WGMMA_WAIT(0);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// The producer does not ask whether a stage is empty.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void refill_without_a_wait_for_the_consumer(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        if (t == 128)
            for (int k = 0; k < 4; k++) {
                BAR_EXPECT(&full[k % 2], 2 * TILE * 2); // expect: barrier
                TMA_LOAD_2D(sa[k % 2], &a, k * 64, 0, &full[k % 2]); // expect: race or in_flight or missing_wait
                TMA_LOAD_2D(sb[k % 2], &b, k * 64, 0, &full[k % 2]); // expect: race or in_flight or missing_wait
            }
        return;
    }
    float d[32];
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        BAR_WAIT(&full[s], k / 2 % 2); // expect: deadlock
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa[s]) + 2 * i, tile_of_rows(sb[s]) + 2 * i, k || i); // expect: race or in_flight or missing_wait
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
