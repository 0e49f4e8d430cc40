// What a warp tells a block of its cluster in one way comes back to another warp of its
// block in another one.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// y[i] = x of the other half of the block
extern "C" __global__ void halves_reference(const int *x, int *y)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i ^ 32];
}

#define FLAG_AT(flag, rank)                                                              \
    asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(flag, rank)) : "memory")
#define FLAG_WAIT(flag)                                                                  \
    do {                                                                                 \
        unsigned seen;                                                                   \
        do                                                                               \
            asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(flag)) : "memory"); \
        while (!seen);                                                                   \
    } while (0)
#define RELAXED_FLAG_AT(flag, rank)                                                      \
    asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(flag, rank)) : "memory")
#define RELAXED_FLAG_WAIT(flag)                                                          \
    do {                                                                                 \
        unsigned seen;                                                                   \
        do                                                                               \
            asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(flag)) : "memory"); \
        while (!seen);                                                                   \
    } while (0)
#define FENCE_CLUSTER() asm volatile("fence.acq_rel.cluster;" ::: "memory")

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void out_by_an_object_back_by_a_flag(const int *x, int *y)
{
    __shared__ u64 there;
    __shared__ unsigned back;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        back = 0;
        BAR_INIT(&there, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&back, other);
        FLAG_WAIT(&back);
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void out_by_an_object_back_by_fences_and_a_flag(const int *x, int *y)
{
    __shared__ u64 there;
    __shared__ unsigned back;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        back = 0;
        BAR_INIT(&there, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        FENCE_CLUSTER();
        if (t == 32) RELAXED_FLAG_AT(&back, other);
        RELAXED_FLAG_WAIT(&back);
        FENCE_CLUSTER();
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void out_by_a_flag_back_by_an_object(const int *x, int *y)
{
    __shared__ u64 back;
    __shared__ unsigned there;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        there = 0;
        BAR_INIT(&back, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        __syncwarp();
        if (t == 0) FLAG_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        FLAG_WAIT(&there);
        BAR_ARRIVE_AT(&back, other);
        BAR_WAIT_CLUSTER(&back, 0);
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

// The third warp has arrived, too, but waits behind its load.
// launch: grid 4, block 96, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference, block 64
extern "C" __global__ void out_by_a_relaxed_barrier_back_by_a_flag(const int *x, int *y)
{
    __shared__ unsigned back;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    if (t == 0) back = 0;
    CLUSTER_SYNC();
    if (t < 32) half[t] = x[i];
    FENCE_CLUSTER();
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    if (t < 32) y[i] = x[i + 32];
    if (t < 64) CLUSTER_WAIT();
    if (t == 32) FLAG_AT(&back, cluster_rank() ^ 1);
    if (t >= 64) {
        FLAG_WAIT(&back);
        y[i - 32] = half[t - 64];
        CLUSTER_WAIT();
    }
    CLUSTER_SYNC();
}

// launch: grid 6, block 64, cluster 3; in x i32[384]; out y i32[384]
// reference: halves_reference
extern "C" __global__ void through_three_blocks_by_objects_and_flags(const int *x, int *y)
{
    __shared__ u64 there;
    __shared__ unsigned hop, back;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned next = (cluster_rank() + 1) % 3;
    if (t == 0) {
        hop = back = 0;
        BAR_INIT(&there, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        BAR_ARRIVE_AT(&there, next);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&hop, next);
        FLAG_WAIT(&hop);
        if (t == 32) FLAG_AT(&back, next);
        FLAG_WAIT(&back);
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]; inout flags i32[4] zero
extern "C" __global__ void out_by_an_object_back_by_device_memory(const int *x, int *y, int *flags)
{
    __shared__ u64 there;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    if (t == 0) {
        BAR_INIT(&there, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        BAR_ARRIVE_AT(&there, cluster_rank() ^ 1);
        y[i] = x[i + 32];
    } else {
        int seen;
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32)
            asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flags + (blockIdx.x ^ 1)) : "memory");
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flags + blockIdx.x) : "memory");
        while (!seen);
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

extern "C" __global__ void out_by_an_object_back_by_device_memory_reference(const int *x, int *y, int *flags)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i ^ 32];
    flags[blockIdx.x] = 1;
}

extern "C" __global__ void first_words_reference(const int *x, int *y)
{
    if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x];
}

// Lanes of one warp: one tells, another one hears.
// launch: grid 4, block 32, cluster 2; in x i32[4]; out y i32[4]
// reference: first_words_reference
extern "C" __global__ void lane_tells_another_by_way_of_the_other_block(const int *x, int *y)
{
    __shared__ u64 there;
    __shared__ unsigned back;
    __shared__ int word;
    const int t = threadIdx.x;
    if (t == 0) {
        back = 0;
        BAR_INIT(&there, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t == 0) {
        word = x[blockIdx.x];
        BAR_ARRIVE_AT(&there, cluster_rank() ^ 1);
    } else if (t == 1) {
        BAR_WAIT_CLUSTER(&there, 0);
        FLAG_AT(&back, cluster_rank() ^ 1);
    } else if (t == 2) {
        FLAG_WAIT(&back);
        y[blockIdx.x] = word;
    }
    __syncwarp();
    CLUSTER_SYNC();
}

// The block ends behind the store, which was told by the first of two arrivals.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[4]
// reference: first_words_reference
extern "C" __global__ void arrival_that_tells_and_one_that_does_not(const int *x, int *y)
{
    __shared__ u64 done;
    __shared__ int word, there;
    const int t = threadIdx.x;
    if (t == 0) {
        word = x[blockIdx.x];
        BAR_INIT(&done, 2);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t == 0) y[blockIdx.x] = word;
    if (cluster_rank() == 0) {
        if (t == 0) {
            STORE_AT(at_rank(&there, 1), 5);
            BAR_ARRIVE_AT(&done, 1);
            asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&done, 1)) : "memory");
        }
    } else {
        BAR_WAIT_CLUSTER(&done, 0);
    }
}
