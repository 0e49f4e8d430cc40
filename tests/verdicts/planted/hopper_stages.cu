// Stages of a ring that are used before they are full, or filled before they are empty; phases
// and bytes that are counted wrong.
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

// class: bytes of a phase counted wrong

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void more_bytes_expected_than_come(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 512);
        BULK_LOAD(s, x, 256, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: deadlock or tx_bytes
    y[threadIdx.x] = s[threadIdx.x];
}

// The phase may end when half of it has come.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bytes_of_one_copy_expected_of_two(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 128);
        BULK_LOAD(s, x, 128, &full);
        BULK_LOAD(s + 32, x + 32, 128, &full); // expect: tx_bytes or missing_wait
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: tx_bytes
    y[threadIdx.x] = s[threadIdx.x]; // expect: tx_bytes or missing_wait
}

// Rows behind the tensor's end are filled with zeros, and count.
// launch: grid 1, block 64; in x i32[384] map 32/32 12/16; out y i32[384]
// reference: rows_reference
extern "C" __global__ void bytes_of_the_rows_that_are_there(const __grid_constant__ tensor_map x,
                                                            int *y)
{
    __shared__ alignas(128) int s[16 * 32];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 12 * 128);
        TMA_LOAD_2D(s, &x, 0, 0, &full); // expect: tx_bytes
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: tx_bytes or deadlock
    for (int i = t; i < 384; i += 64)
        y[i] = s[i];
}
extern "C" __global__ void rows_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 384; i += 64)
        y[i] = x[i];
}

// class: arrivals counted wrong

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void object_of_32_that_one_lane_arrives_at(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 32);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: deadlock
    y[threadIdx.x] = s[threadIdx.x];
}

// All 64 arrive at an object for one: the phases run away.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void arrivals_of_all_at_an_object_for_one_a_warp(const int *x, int *y)
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
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1); // expect: deadlock or phase
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]); // expect: race or in_flight
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: deadlock
        sum += s[k % 2][t] * (k + 1); // expect: race or missing_wait
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]); // expect: barrier
    }
    y[t] = sum;
}

// Nobody releases the stages.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void stages_that_nobody_releases(const int *x, int *y)
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
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1); // expect: deadlock
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: deadlock
        sum += s[k % 2][t] * (k + 1);
    }
    y[t] = sum;
}

// class: object that is overwritten, or used before it is there

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void object_that_is_waited_for_before_it_is_seen(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 63) {
        BAR_INIT(&full, 1); // expect: race
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    BAR_WAIT(&full, 0); // expect: race or barrier
    y[threadIdx.x] = s[threadIdx.x];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void object_in_memory_that_is_cleared(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) BAR_INIT(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) *(volatile u64 *)&full = 0; // expect: barrier or race
    __syncthreads();
    if (threadIdx.x == 0) {
        BAR_EXPECT(&full, 256); // expect: barrier
        BULK_LOAD(s, x, 256, &full);
    }
    BAR_WAIT(&full, 0); // expect: barrier
    y[threadIdx.x] = s[threadIdx.x];
}

// The copy's own destination holds its object.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void object_inside_the_copy(const int *x, int *y)
{
    __shared__ alignas(16) union { int s[64]; u64 full[32]; } m;
    if (threadIdx.x == 0) {
        BAR_INIT(&m.full[0], 1);
        BAR_EXPECT(&m.full[0], 256); // expect: barrier
        BULK_LOAD(m.s, x, 256, &m.full[0]); // expect: barrier or race or in_flight
    }
    __syncthreads();
    BAR_WAIT(&m.full[0], 0); // expect: barrier or deadlock or in_flight
    y[threadIdx.x] = m.s[threadIdx.x]; // expect: missing_wait or phase
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
