// A lane tells others of its warp's accesses: the kernels of correct/hopper_lanes.cu, each
// without what orders the lanes.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void turned_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[32 * k + 31 - t];
    y[t] = sum;
}

extern "C" __global__ void exchanged_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 63];
}

extern "C" __global__ void reversed_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

extern "C" __global__ void ticket_reference(const int *x, int *y, int *parts, unsigned *count)
{
    int sum = 0;
    for (int i = 0; i < 128; i++) {
        parts[i] = x[i];
        sum += x[i];
    }
    y[threadIdx.x] = sum;
    *count = 0;
}

extern "C" __global__ void first_words_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[32 * k];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void half_exchanged_reference(const int *x, int *y, unsigned *count)
{
    y[threadIdx.x] = x[threadIdx.x ^ 63];
    *count = 0;
}

// class: one lane tells what lanes of its warp did that nothing orders

// Only the first lane is known to have read the stage that is filled again.
// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: turned_reference, block 32
extern "C" __global__ void stage_given_back_by_one_lane(const int *x, int *y)
{
    __shared__ alignas(16) int tiles[2][32];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        BAR_INIT(&full[threadIdx.x], 1);
        BAR_INIT(&empty[threadIdx.x], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 128);
            BULK_LOAD(tiles[k % 2], x + 32 * k, 128, &full[k % 2]); // expect: race
        }
    if (threadIdx.x < 32) return;
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += tiles[k % 2][31 - t]; // expect: race
        FENCE_ASYNC();
        if (t == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// A shuffle waits for lanes, and orders no memory.
// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: turned_reference, block 32
extern "C" __global__ void stage_given_back_behind_a_shuffle(const int *x, int *y)
{
    __shared__ alignas(16) int tiles[2][32];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        BAR_INIT(&full[threadIdx.x], 1);
        BAR_INIT(&empty[threadIdx.x], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 128);
            BULK_LOAD(tiles[k % 2], x + 32 * k, 128, &full[k % 2]); // expect: race
        }
    if (threadIdx.x < 32) return;
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        int other = tiles[k % 2][t]; // expect: race
        FENCE_ASYNC();
        sum += __shfl_xor_sync(0xffffffff, other, 31);
        if (t == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// All lanes load the same word, of which one tells.
// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: first_words_reference, block 32
extern "C" __global__ void one_word_that_all_lanes_load(const int *x, int *y)
{
    __shared__ alignas(16) int tiles[2][32];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        BAR_INIT(&full[threadIdx.x], 1);
        BAR_INIT(&empty[threadIdx.x], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        for (int k = 0; k < 5; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 128);
            BULK_LOAD(tiles[k % 2], x + 32 * k, 128, &full[k % 2]); // expect: race
        }
    if (threadIdx.x < 32) return;
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += tiles[k % 2][0]; // expect: race
        FENCE_ASYNC();
        if (t == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// What the other lanes stored nobody tells.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void tile_handed_over_by_one_lane(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) BAR_INIT(&full[t], 1);
    __syncthreads();
    s[t] = x[t]; // expect: race
    if (t % 32 == 0) BAR_ARRIVE(&full[warp]);
    BAR_WAIT(&full[warp ^ 1], 0);
    y[t] = s[t ^ 63]; // expect: race
}

// A fence of one lane is none of the others.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void fence_and_flag_of_one_lane(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ int flags[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) flags[t] = 0;
    __syncthreads();
    s[t] = x[t]; // expect: race
    if (t % 32 == 0) {
        __threadfence_block();
        *(volatile int *)&flags[warp] = 1;
    }
    while (*(volatile int *)&flags[warp ^ 1] == 0) {}
    __threadfence_block();
    y[t] = s[t ^ 63]; // expect: race
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void released_flag_of_one_lane(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ int flags[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) flags[t] = 0;
    __syncthreads();
    s[t] = x[t]; // expect: race
    if (t % 32 == 0) {
        asm volatile("st.release.cta.shared.u32 [%0], 1;" ::"r"(AT(&flags[warp])) : "memory");
    }
    while (*(volatile int *)&flags[warp ^ 1] == 0) {}
    __threadfence_block();
    y[t] = s[t ^ 63]; // expect: race
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void released_addition_of_one_lane(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ int flags[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) flags[t] = 0;
    __syncthreads();
    s[t] = x[t]; // expect: race
    if (t % 32 == 0) {
        asm volatile("red.release.cta.shared.add.u32 [%0], 1;" ::"r"(AT(&flags[warp])) : "memory");
    }
    while (*(volatile int *)&flags[warp ^ 1] == 0) {}
    __threadfence_block();
    y[t] = s[t ^ 63]; // expect: race
}

// launch: grid 4, block 32; in x i32[128]; out y i32[32]; out parts i32[128];
//         inout count u32[1] zero
// reference: ticket_reference, grid 1, block 32
extern "C" __global__ void ticket_of_one_lane(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ unsigned ticket;
    const int t = threadIdx.x, b = blockIdx.x;
    parts[32 * b + t] = x[32 * b + t]; // expect: race
    if (t == 0) {
        unsigned before;
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
        ticket = before;
    }
    __syncwarp();
    if (ticket < 3) return;
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += __ldcg(&parts[i]); // expect: race
    y[t] = sum;
    if (t == 0) *count = 0;
}

// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: exchanged_reference, grid 1, block 64
extern "C" __global__ void other_block_told_by_one_lane(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(at_rank(&s[t], rank ^ 1)), "r"(x[32 * rank + t]) : "memory"); // expect: race
    if (t == 0) BAR_ARRIVE_AT(&full, rank ^ 1);
    BAR_WAIT_CLUSTER(&full, 0);
    y[32 * rank + t] = s[31 - t]; // expect: race
    CLUSTER_SYNC();
}

// What one lane hears of the others is from before they stored.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void lanes_that_arrive_before_they_store(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 own[2], full[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) {
        BAR_INIT(&own[t], 32);
        BAR_INIT(&full[t], 1);
    }
    __syncthreads();
    BAR_ARRIVE(&own[warp]);
    s[t] = x[t]; // expect: race
    if (t % 32 == 0) {
        BAR_WAIT(&own[warp], 0);
        BAR_ARRIVE(&full[warp]);
    }
    BAR_WAIT(&full[warp ^ 1], 0);
    y[t] = s[t ^ 63]; // expect: race
}

// Lanes of one warp store over what others of it load, when one of them has arrived.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: reversed_reference
extern "C" __global__ void lanes_that_wait_for_one(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ u64 turn;
    const int t = threadIdx.x;
    if (t == 0) BAR_INIT(&turn, 1);
    s[t] = x[t];
    __syncwarp();
    const int got = s[31 - t]; // expect: race
    if (t == 0) BAR_ARRIVE(&turn);
    BAR_WAIT(&turn, 0);
    s[t] = got; // expect: race
    __syncwarp();
    y[t] = s[t];
}

// Another lane than the one that has seen the counter takes it back.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; inout count u32[1] zero
// reference: half_exchanged_reference
extern "C" __global__ void counter_of_the_block_taken_back_unseen(const int *x, int *y, unsigned *count)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < 32) {
        s[t] = x[t];
        asm volatile("red.release.cta.global.add.u32 [%0], 1;" ::"l"(count) : "memory"); // expect: race
        y[t] = x[t ^ 63];
        return;
    }
    if (t == 32) {
        unsigned seen;
        do
            asm volatile("ld.acquire.cta.global.u32 %0, [%1];" : "=r"(seen) : "l"(count) : "memory");
        while (seen < 32);
    }
    if (t == 33) *count = 0; // expect: race
    __syncwarp();
    y[t] = s[t ^ 63];
}

// One lane has met half of its warp, and tells of all of it.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: exchanged_reference
extern "C" __global__ void half_that_hands_over_the_other(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) BAR_INIT(&full[t], 1);
    __syncthreads();
    s[t] = x[t]; // expect: race
    __syncwarp(t % 32 < 16 ? 0x0000ffff : 0xffff0000);
    if (t % 32 == 0) BAR_ARRIVE(&full[warp]);
    BAR_WAIT(&full[warp ^ 1], 0);
    y[t] = s[t ^ 63]; // expect: race
}
