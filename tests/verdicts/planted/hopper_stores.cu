// Copies to device memory that meet what others do there.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// class: copies and other blocks meet in device memory

// The blocks' tiles overlap, and what they have there is not the same.
// launch: grid 2, block 64; in x i32[128]; out y i32[96]
// reference: none
extern "C" __global__ void tiles_of_two_blocks_overlap(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t] + (int)blockIdx.x;
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 32, s, 256); // expect: race
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The second block's threads store a border that the first one's copy covers.
// launch: grid 2, block 64; in x i32[64]; out y i32[96]
// reference: none
extern "C" __global__ void border_within_what_is_copied(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    if (blockIdx.x == 1) {
        if (t < 40) y[56 + t] = -1; // expect: race
        return;
    }
    s[t] = x[t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y, s, 256); // expect: race
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The second block reads what the first one's copy stores.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: none
extern "C" __global__ void copy_read_by_another_block(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    if (blockIdx.x == 1) {
        y[64 + t] = y[t]; // expect: race
        return;
    }
    s[t] = x[t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y, s, 256); // expect: race
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The second block copies what threads of the first one store.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: none
extern "C" __global__ void copy_of_what_another_block_stores(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        y[t] = x[t] + 1; // expect: race
        return;
    }
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y, 256, &full); // expect: race
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    y[64 + t] = s[t]; // expect: race
}
