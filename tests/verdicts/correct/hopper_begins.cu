// Objects that other blocks of the cluster use when they know that they are initialised.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void exchange_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i ^ 64];
}
extern "C" __global__ void copies_for_both_reference(const int *x, int *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

#define CLUSTER_ARRIVE_RELAXED() asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define MULTICAST(to, from, bytes, bar)                                                  \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"     \
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(to)),          \
                 "l"(from), "r"(bytes), "r"(AT(bar)), "h"((short)3)                      \
                 : "memory")

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) arrival_behind_a_fence_and_a_relaxed_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    CLUSTER_ARRIVE_RELAXED();
    CLUSTER_WAIT();
    STORE_AT(at_rank(&s[t], other), x[i]);
    BAR_ARRIVE_AT(&full, other);
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// Each block copies a half for both; the other one's object gets its bytes.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void __cluster_dims__(2) multicast_behind_a_fence_and_a_relaxed_barrier(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    __syncthreads();
    CLUSTER_ARRIVE_RELAXED();
    CLUSTER_WAIT();
    if (t == 0) MULTICAST(s + rank * 32, x + rank * 32, 128, &full);
    BAR_WAIT(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
    CLUSTER_SYNC();
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) sent_behind_a_fence_and_a_relaxed_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    __syncthreads();
    CLUSTER_ARRIVE_RELAXED();
    CLUSTER_WAIT();
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(at_rank(&s[t], other)), "r"(x[i]), "r"(at_rank(&full, other)) : "memory");
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// A barrier that releases needs no fence.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void __cluster_dims__(2) multicast_behind_a_barrier(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    if (t == 0) MULTICAST(s + rank * 32, x + rank * 32, 128, &full);
    BAR_WAIT(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
    CLUSTER_SYNC();
}

// Nor does an object that only the own block and its copies use.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void object_of_the_own_block_without_a_fence(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) BAR_INIT(&full, 1);
    __syncthreads();
    if (t == 32) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    BAR_WAIT(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
}
