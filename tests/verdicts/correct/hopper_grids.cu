// Blocks of clusters that tell the grid what they and the others of their cluster did.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define FENCE_OF(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")

// y[t] = the sum of x[i * 64 + 63 - t] over i
__device__ inline void columns(const int *x, int *y, unsigned *count, int blocks)
{
    const int t = threadIdx.x;
    y[t] = 0;
    for (int i = 0; i < blocks; i++)
        y[t] += x[64 * i + 63 - t];
    count[0] = 0;
}
extern "C" __global__ void columns_reference(const int *x, int *y, int *parts, unsigned *count)
{
    columns(x, y, count, 16);
}
extern "C" __global__ void columns_64_reference(const int *x, int *y, int *parts, unsigned *count)
{
    columns(x, y, count, 64);
}
// Each block has the word of another one, turned.
extern "C" __global__ void words_of_others_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    y[64 * blockIdx.x + t] = x[64 * ((blockIdx.x + 5) % gridDim.x) + 63 - t];
    count[0] = gridDim.x / 4;
}
extern "C" __global__ void other_blocks_reference(const int *x, int *y)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i];
}
extern "C" __global__ void sums_of_neighbours_reference(const int *x, int *y)
{
    const int b = blockIdx.x, t = threadIdx.x;
    y[64 * b + t] = x[64 * (b ^ 1) + t] + x[64 * (b ^ 2) + t];
}
extern "C" __global__ void halves_reference(const int *x, int *y)
{
    y[64 * blockIdx.x + threadIdx.x] = x[64 * blockIdx.x + (threadIdx.x ^ 32)];
}
extern "C" __global__ void pairs_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, pair = blockIdx.x;
    y[64 * pair + t] = x[128 * pair + 63 - t] + x[128 * pair + 127 - t];
    count[pair] = 0;
}
extern "C" __global__ void sixteen_more_reference(const int *x, int *y, unsigned *turn)
{
    const int t = threadIdx.x;
    y[t] = x[t] + 16;
    turn[0] = 8;
}

#define ADD_COLUMNS(blocks)                                                              \
    do {                                                                                 \
        int sum = 0;                                                                     \
        for (int i = 0; i < (blocks); i++)                                               \
            sum += __ldcg(&parts[64 * i + 63 - t]);                                      \
        y[t] = sum;                                                                      \
        if (t == 0) *count = 0;                                                          \
    } while (0)
// Have so many counted, as one thread has seen?
__device__ inline bool are_all(unsigned before, unsigned count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) last = before == count - 1;
    __syncthreads();
    return last;
}

// Fences, the cluster's barrier, and one thread counts for all of it.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void cluster_fences_and_one_block_counts(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    CLUSTER_SYNC();
    if (cluster_rank()) return;
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 8)) return;
    __threadfence();
    ADD_COLUMNS(16);
}

// The one that counts fences for all.
// launch: grid 64, block 64, cluster 4; in x i32[4096]; out y i32[64]; work parts i32[4096];
//         inout count u32[1] zero
// reference: columns_64_reference, grid 1
extern "C" __global__ void one_block_fences_for_its_cluster(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    CLUSTER_SYNC();
    if (cluster_rank() != 3) return;
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    if (!are_all(before, 16)) return;
    __threadfence();
    ADD_COLUMNS(64);
}

// A barrier of the grid: one thread of each cluster waits for the other clusters.
// launch: grid 64, block 64, cluster 4; in x i32[4096]; out y i32[4096]; work parts i32[4096];
//         inout count u32[1] zero
// reference: words_of_others_reference
extern "C" __global__ void one_thread_waits_for_its_cluster(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, block = blockIdx.x;
    parts[64 * block + t] = x[64 * block + t];
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < gridDim.x / 4) {}
        __threadfence();
    }
    CLUSTER_SYNC();
    y[64 * block + t] = __ldcg(&parts[64 * ((block + 5) % gridDim.x) + 63 - t]);
}

// Arrivals at the object of the block that counts.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void block_that_waits_at_its_object_counts(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ u64 come;
    const int t = threadIdx.x;
    unsigned before = 0;
    if (t == 0) {
        BAR_INIT(&come, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    if (cluster_rank()) {
        BAR_ARRIVE_AT(&come, 0);
        return;
    }
    if (t < 32) BAR_WAIT_CLUSTER(&come, 0);
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    if (!are_all(before, 8)) return;
    __threadfence();
    ADD_COLUMNS(16);
}

// A flag in the other block's shared memory.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void flag_in_shared_memory_goes_before_the_count(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ unsigned flag;
    const int t = threadIdx.x;
    unsigned before = 0, seen = 0;
    if (t == 0) flag = 0;
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __syncthreads();
    if (cluster_rank()) {
        FENCE_OF("gpu");
        if (t == 0)
            asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
    } else if (t == 0) {
        while (!seen)
            asm volatile("ld.relaxed.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
        FENCE_OF("gpu");
        before = atomicAdd(count, 1);
    }
    if (are_all(before, 8)) {
        __threadfence();
        ADD_COLUMNS(16);
    }
    CLUSTER_SYNC();
}

// Two blocks of a cluster join in device memory.
// launch: grid 32, block 64, cluster 2; in x i32[2048]; out y i32[1024]; work parts i32[2048];
//         inout count u32[16] zero
// reference: pairs_reference, grid 16
extern "C" __global__ void pairs_of_a_cluster_join_in_device_memory(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, pair = blockIdx.x / 2;
    unsigned before = 0;
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    __syncthreads();
    if (t == 0) before = atomicAdd(count + pair, 1);
    if (are_all(before, 2)) {
        __threadfence();
        y[64 * pair + t] = __ldcg(&parts[128 * pair + 63 - t]) + __ldcg(&parts[128 * pair + 127 - t]);
        if (t == 0) count[pair] = 0;
    }
    CLUSTER_SYNC();
}

// From cluster to cluster by a flag, from block to block of one by its barrier.
// launch: grid 16, block 64, cluster 2; in x i32[64]; out y i32[64]; inout turn u32[1] zero
// reference: sixteen_more_reference, grid 1
extern "C" __global__ void word_goes_through_all_clusters(const int *x, int *y, unsigned *turn)
{
    const int t = threadIdx.x, cluster = blockIdx.x / 2;
    if (cluster_rank() == 0) {
        if (t == 0) {
            while (*(volatile unsigned *)turn != cluster) {}
            __threadfence();
        }
        __syncthreads();
        y[t] = (cluster ? __ldcg(&y[t]) : x[t]) + 1;
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 0) return;
    y[63 - t] = __ldcg(&y[63 - t]) + 1;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        *(volatile unsigned *)turn = cluster + 1;
    }
}

// A flag of another block, which it has seen, keeps no block from its end.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: other_blocks_reference
extern "C" __global__ void block_ends_behind_the_flag_that_it_has_seen(const int *x, int *y)
{
    __shared__ unsigned flag;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) flag = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
    }
    if (cluster_rank() || t) return;
    while (!seen)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
}

// Nor does one that is exchanged for another value.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: other_blocks_reference
extern "C" __global__ void block_ends_behind_an_exchange_that_it_has_seen(const int *x, int *y)
{
    __shared__ unsigned flag;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) flag = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        asm volatile("atom.release.cluster.shared::cluster.exch.b32 %0, [%1], 1;" : "=r"(seen) : "r"(at_rank(&flag, 0)) : "memory");
    }
    if (cluster_rank() || t) return;
    while (!seen)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
}

// A barrier of the cluster by hand: each block counts in all, and waits for all in its own.
// launch: grid 16, block 64, cluster 4; in x i32[1024]; out y i32[1024]
// reference: sums_of_neighbours_reference
extern "C" __global__ void blocks_end_when_all_have_counted_in_their_memory(const int *x, int *y)
{
    __shared__ unsigned come;
    __shared__ int word[64];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) come = 0;
    word[t] = x[i];
    CLUSTER_SYNC();
    y[i] = load_at(at_rank(&word[t], cluster_rank() ^ 1)) + load_at(at_rank(&word[t], cluster_rank() ^ 2));
    __syncthreads();
    if (t < 4)
        asm volatile("red.release.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(at_rank(&come, t)) : "memory");
    while (t == 0 && seen < 4)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&come)) : "memory");
    __syncthreads();
}

// What goes out to the other block and comes back orders two warps of a block.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: halves_reference
extern "C" __global__ void warp_tells_another_by_way_of_the_other_block(const int *x, int *y)
{
    __shared__ u64 there, back;
    __shared__ int half[32];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    if (t == 0) {
        BAR_INIT(&there, 32);
        BAR_INIT(&back, 32);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t < 32) {
        half[t] = x[i];
        BAR_ARRIVE_AT(&there, cluster_rank() ^ 1);
        y[i] = x[i + 32];
    } else {
        BAR_WAIT_CLUSTER(&there, 0);
        BAR_ARRIVE_AT(&back, cluster_rank() ^ 1);
        BAR_WAIT_CLUSTER(&back, 0);
        y[i] = half[t - 32];
    }
    CLUSTER_SYNC();
}

// Everybody arrives in block 0, whose first thread tells each block to go on.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: halves_reference
extern "C" __global__ void one_thread_of_a_cluster_lets_all_go_on(const int *x, int *y)
{
    __shared__ u64 all, go;
    __shared__ int word[64];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    if (t == 0) {
        BAR_INIT(&all, 128);
        BAR_INIT(&go, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    word[t] = x[i];
    BAR_ARRIVE_AT(&all, 0);
    if (cluster_rank() == 0 && t == 0) {
        BAR_WAIT_CLUSTER(&all, 0);
        BAR_ARRIVE_AT(&go, 0);
        BAR_ARRIVE_AT(&go, 1);
    }
    BAR_WAIT_CLUSTER(&go, 0);
    y[i] = word[t ^ 32];
    CLUSTER_SYNC();
}
