// What a warp tells a block of its cluster does not come back to another warp of its block,
// since a link is missing on the way.
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

// class: other block's memory without order

// The flag says nothing of the object.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void flag_is_raised_ahead_of_the_wait(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        if (t == 32) FLAG_AT(&back, other);
        BAR_WAIT_CLUSTER(&there, 0);
        FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// What is told is what was before.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void word_is_stored_behind_the_arrival(const int *x, int *y)
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
        BAR_ARRIVE_AT(&there, other);
        half[t] = x[i]; // expect: race
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&back, other);
        FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// Who sees the flag learns nothing.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void flag_is_looked_at_without_a_fence(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&back, other);
        RELAXED_FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// Who looks and then releases has not acquired.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void flag_is_looked_at_ahead_of_a_release(const int *x, int *y)
{
    __shared__ u64 there;
    __shared__ unsigned back, more;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        back = more = 0;
        BAR_INIT(&there, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&back, other);
        RELAXED_FLAG_WAIT(&back);
        FLAG_AT(&more, other);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// The flag tells nothing.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void flag_is_raised_without_a_fence(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, other);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) RELAXED_FLAG_AT(&back, other);
        FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// The arrival tells nothing.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: halves_reference
extern "C" __global__ void arrival_out_is_relaxed(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&there, other)) : "memory");
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&back, other);
        FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// The last block of the chain goes on by itself.
// launch: grid 6, block 64, cluster 3; in x i32[384]; out y i32[384]
// reference: halves_reference
extern "C" __global__ void third_block_has_not_heard(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, next);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        if (t == 32) FLAG_AT(&hop, next);
        if (t == 32) FLAG_AT(&back, next);
        FLAG_WAIT(&hop);
        FLAG_WAIT(&back);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}

// y[i] = x of the other half of the 64
extern "C" __global__ void two_thirds_reference(const int *x, int *y)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    if (threadIdx.x < 64) y[i] = x[i ^ 32];
}

// The object that the last warp arrives at is waited for by nobody; the way out and back
// is the other warps'.
// launch: grid 4, block 96, cluster 2; in x i32[256]; out y i32[256]
// reference: two_thirds_reference
extern "C" __global__ void arrival_that_nobody_waits_for(const int *x, int *y)
{
    __shared__ u64 there, go, back;
    __shared__ int half[32];
    const int t = threadIdx.x, base = 64 * blockIdx.x;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&there, 32);
        BAR_INIT(&go, 1);
        BAR_INIT(&back, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t >= 64) {
        half[t - 64] = x[base + t - 64]; // expect: race
        BAR_ARRIVE_AT(&there, other);
        y[base + t - 64] = x[base + t - 32];
    } else if (t >= 32) {
        BAR_WAIT_CLUSTER(&go, 0);
        if (t == 32) BAR_ARRIVE_AT(&back, other);
        BAR_WAIT_CLUSTER(&back, 0);
        y[base + t] = half[t - 32]; // expect: race
    } else {
        if (t == 0) BAR_ARRIVE_AT(&go, other);
    }
    CLUSTER_SYNC();
}

// class: other block that has not begun, or has ended

extern "C" __global__ void first_words_reference(const int *x, int *y)
{
    if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x];
}

// Arrivals that tell nothing follow the store, and the block ends behind them.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[4]
// reference: first_words_reference
extern "C" __global__ void block_ends_ahead_of_a_store_that_nothing_tells(const int *x, int *y)
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
            asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&done, 1)) : "memory");
            asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&done, 1)) : "memory");
        }
    } else {
        BAR_WAIT_CLUSTER(&done, 0);
    }
} // expect: peer
