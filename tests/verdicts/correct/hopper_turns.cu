// Buffers, stages and scratch that groups of warps and copies use in turns, in the styles of
// DeepGEMM, ThunderKittens and FlashAttention-3.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void buffers_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 512; i += 128)
        y[i] = x[i] + 1;
}

extern "C" __global__ void groups_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[256 * k + (t ^ 127)];
    y[t] = sum;
}

extern "C" __global__ void place_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 640; i += 128)
        y[i] = 3 * x[i];
}

extern "C" __global__ void pong_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = x[t ^ 127] + x[256 + (t ^ 127)] + x[512 + (t ^ 127)];
}

// An epilogue with two buffers, as DeepGEMM's: one thread waits until copies have read.
// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: buffers_reference
extern "C" __global__ void buffers_that_leave_in_turns(const int *x, int *y)
{
    __shared__ alignas(16) int buffer[2][128];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        if (t == 0) BULK_WAIT_READ(1);
        NAMED_SYNC(1, 128);
        buffer[s][t] = x[128 * k + t] + 1;
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, buffer[s], 512);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// Two groups of warps give a stage back, one thread of each behind its group's barrier.
// launch: grid 1, block 288; in x i32[1536]; out y i32[256]
// reference: groups_reference, block 256
extern "C" __global__ void stages_given_back_by_groups(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][256];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, g = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (g == 2) {
        for (int k = 0; t == 256 && k < 6; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 1024);
            BULK_LOAD(stage[k % 2], x + 256 * k, 1024, &full[k % 2]);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        sum += stage[k % 2][t ^ 127];
        FENCE_ASYNC();
        NAMED_SYNC(1 + g, 128);
        if (t % 128 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// Stages are changed in their place and leave from there, as ThunderKittens' templates do.
// launch: grid 1, block 160; in x i32[640]; out y i32[640]
// reference: place_reference, block 128
extern "C" __global__ void stages_that_leave_from_their_place(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][128];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < 5; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 512);
            BULK_LOAD(stage[k % 2], x + 128 * k, 512, &full[k % 2]);
        }
        return;
    }
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        stage[k % 2][t] *= 3;
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, stage[k % 2], 512);
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&empty[k % 2]);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// Turns by named barriers, as FlashAttention-3's groups take them, here at one scratch.
// launch: grid 1, block 256; in x i32[768]; out y i32[256]
// reference: pong_reference
extern "C" __global__ void groups_that_take_turns_at_a_scratch(const int *x, int *y)
{
    __shared__ int scratch[128];
    const int t = threadIdx.x, g = t / 128, i = t % 128;
    int sum = 0;
    if (g == 1) NAMED_ARRIVE(1, 256);
    for (int k = 0; k < 3; k++) {
        NAMED_SYNC(1 + g, 256);
        scratch[i] = x[256 * k + t];
        NAMED_SYNC(3 + g, 128);
        sum += scratch[127 - i];
        if (g == 0 || k < 2) NAMED_ARRIVE(2 - g, 256);
    }
    y[t] = sum;
}

extern "C" __global__ void same_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// A flag without a fence hands over no memory, but who stores it has passed the barrier.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: same_reference
extern "C" __global__ void arrivals_behind_a_flag_without_a_fence(const int *x, int *y)
{
    __shared__ volatile int flag;
    const int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        if (t < 32) {
            NAMED_ARRIVE(1, 64);
            if (t == 0)
                while (flag != k + 1) {
                }
            __syncwarp();
        } else {
            NAMED_SYNC(1, 64);
            if (t == 63) flag = k + 1;
        }
    }
    y[t] = x[t];
}

// So does a relaxed arrival, at the barrier of the cluster and at an object.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: ranks_alike_reference, grid 1
extern "C" __global__ void __cluster_dims__(2) arrivals_behind_relaxed_ones(const int *x, int *y)
{
    __shared__ u64 bar;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&bar, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) NAMED_SYNC(1, 32);
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CLUSTER_WAIT();
    if (t >= 32) NAMED_SYNC(1, 32);
    if (t == 63)
        asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(AT(&bar)) : "memory");
    if (t < 32) {
        BAR_WAIT(&bar, 0);
        NAMED_SYNC(1, 32);
    }
    y[blockIdx.x * 64 + t] = x[t];
}

extern "C" __global__ void ranks_alike_reference(const int *x, int *y)
{
    y[threadIdx.x] = y[64 + threadIdx.x] = x[threadIdx.x];
}
