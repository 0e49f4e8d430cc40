// Objects of stages that count the wrong bytes or arrivals, or are not there to count.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

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
