// Kernels of correct/hopper_grids.cu, each with one thing wrong: what a block tells its
// cluster the grid does not hear, nor does a signal to the grid tell what the cluster knows.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// y[t] = the sum of x[i * 64 + 63 - t] over i
extern "C" __global__ void columns_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    y[t] = 0;
    for (int i = 0; i < 16; i++)
        y[t] += x[64 * i + 63 - t];
    count[0] = 0;
}
__device__ inline void other_blocks(const int *x, int *y)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i];
}
extern "C" __global__ void other_blocks_reference(const int *x, int *y)
{
    other_blocks(x, y);
}
extern "C" __global__ void other_blocks_and_marks_reference(const int *x, int *y, unsigned *marks)
{
    other_blocks(x, y);
    marks[blockIdx.x / 2] = 1;
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

#define ADD_COLUMNS                                                                      \
    do {                                                                                 \
        int sum = 0;                                                                     \
        for (int i = 0; i < 16; i++)                                                     \
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

// class: signal of a thread that does not know the others' fences

// As gemm_sm90 without the barrier of its warp group, in clusters of two.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_and_one_counts_in_clusters(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) before = atomicAdd(count, 1);
    if (are_all(before, 16)) {
        __threadfence();
        ADD_COLUMNS; // expect: race
    }
    CLUSTER_SYNC();
}

// The warps' arrivals are for another warp, which waits for them.
// launch: grid 32, block 64, cluster 2; in x i32[2048]; out y i32[1024]; work parts i32[2048];
//         inout count u32[16] zero
// reference: pairs_reference, grid 16
extern "C" __global__ void count_that_an_arrival_went_before(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ u64 come;
    const int t = threadIdx.x, pair = blockIdx.x / 2;
    unsigned before = 0;
    if (t == 0) {
        BAR_INIT(&come, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    BAR_ARRIVE_AT(&come, cluster_rank() ^ 1);
    if (t == 0) before = atomicAdd(count + pair, 1);
    if (are_all(before, 2)) {
        __threadfence();
        y[64 * pair + t] = __ldcg(&parts[128 * pair + 63 - t]) + __ldcg(&parts[128 * pair + 127 - t]); // expect: race
        if (t == 0) count[pair] = 0;
    }
    if (t >= 32) BAR_WAIT_CLUSTER(&come, 0);
    CLUSTER_SYNC();
}

// A barrier of the block where one of the cluster belongs.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_block_counts_for_another(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    __syncthreads();
    if (cluster_rank() == 0) {
        if (t == 0) before = atomicAdd(count, 1);
        if (are_all(before, 8)) {
            __threadfence();
            ADD_COLUMNS; // expect: race
        }
    }
    CLUSTER_SYNC();
}

// Another warp counts than the one that has waited for the other block.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[64]; work parts i32[1024];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_warp_waits_and_another_counts(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ u64 come;
    const int t = threadIdx.x;
    unsigned before = 0;
    if (t == 0) {
        BAR_INIT(&come, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __syncthreads();
    if (cluster_rank()) {
        BAR_ARRIVE_AT(&come, 0);
        return;
    }
    if (t >= 32) BAR_WAIT_CLUSTER(&come, 0);
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    if (!are_all(before, 8)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// The other block meets the one that has waited for the flag before it has.
// launch: grid 16, block 64, cluster 2; in x i32[64]; out y i32[64]; inout turn u32[1] zero
// reference: sixteen_more_reference, grid 1
extern "C" __global__ void word_that_only_one_block_has_waited_for(const int *x, int *y, unsigned *turn)
{
    const int t = threadIdx.x, cluster = blockIdx.x / 2;
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        while (*(volatile unsigned *)turn != 2 * cluster) {}
        __threadfence();
        *(volatile unsigned *)turn = 2 * cluster + 1;
    }
    if (cluster_rank() == 0) return;
    if (t == 0)
        while (*(volatile unsigned *)turn != 2 * cluster + 1) {}
    __syncthreads();
    y[t] = (cluster ? __ldcg(&y[t]) : x[t]) + 2; // expect: race
    __syncthreads();
    if (t == 0) {
        __threadfence();
        *(volatile unsigned *)turn = cluster == 7 ? 8 : 2 * cluster + 2;
    }
}

// class: other block that has not begun, or has ended

// What comes behind the flag may still be on its way when the block ends that has seen it.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: other_blocks_reference
extern "C" __global__ void block_ends_before_what_comes_behind_its_flag(const int *x, int *y)
{
    __shared__ unsigned flag, more;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) flag = more = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
        STORE_AT(at_rank(&more, 0), 1); // expect: peer or race
    }
    if (cluster_rank() || t) return;
    while (!seen)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
} // expect: peer

// A relaxed flag tells nothing of the store ahead of it.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: other_blocks_reference
extern "C" __global__ void block_ends_before_what_is_ahead_of_a_relaxed_flag(const int *x, int *y)
{
    __shared__ unsigned flag, more;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) flag = more = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        STORE_AT(at_rank(&more, 0), 1);
        asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
    }
    if (cluster_rank() || t) return;
    while (!seen)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
} // expect: peer

// Nor does a thread's flag tell of what another warp has stored.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: other_blocks_reference
extern "C" __global__ void block_ends_before_what_another_warp_stores(const int *x, int *y)
{
    __shared__ unsigned flag, more;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    unsigned seen = 0;
    if (t == 0) flag = more = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 32) STORE_AT(at_rank(&more, 0), 1); // expect: peer
    if (cluster_rank() && t == 0) {
        __nanosleep(2000);
        asm volatile("st.release.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
    }
    if (cluster_rank() || t) return;
    while (!seen)
        asm volatile("ld.acquire.cluster.shared::cta.u32 %0, [%1];" : "=r"(seen) : "r"(AT(&flag)) : "memory");
} // expect: peer

// A mark in device memory says that the flag is under way; the block counts elsewhere.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024];
//         inout marks u32[8] zero
// reference: other_blocks_and_marks_reference
extern "C" __global__ void block_ends_behind_a_look_at_another_word(const int *x, int *y, unsigned *marks)
{
    __shared__ unsigned flag, other;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    volatile unsigned *mark = marks + blockIdx.x / 2;
    if (t == 0) flag = other = 0;
    CLUSTER_SYNC();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
        *mark = 1;
    }
    if (cluster_rank() || t) return;
    while (!*mark) {}
    atomicAdd(&other, 1);
} // expect: peer

// The same where no barrier has told anything, and without a look.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024];
//         inout marks u32[8] zero
// reference: other_blocks_and_marks_reference
extern "C" __global__ void block_ends_where_nobody_has_told_anything(const int *x, int *y, unsigned *marks)
{
    __shared__ unsigned flag;
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    volatile unsigned *mark = marks + blockIdx.x / 2;
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CLUSTER_WAIT();
    y[i] = x[i];
    if (cluster_rank() && t == 0) {
        asm volatile("st.relaxed.cluster.shared::cluster.u32 [%0], 1;" ::"r"(at_rank(&flag, 0)) : "memory");
        *mark = 1;
    }
    if (cluster_rank() || t) return;
    while (!*mark) {}
} // expect: peer

// class: other block's memory without order

// The other block answers before it has waited, so its answer tells nothing.
// launch: grid 16, block 64, cluster 2; in x i32[1024]; out y i32[1024]
// reference: halves_reference
extern "C" __global__ void other_block_arrives_before_it_has_waited(const int *x, int *y)
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
        half[t] = x[i]; // expect: race
        BAR_ARRIVE_AT(&there, cluster_rank() ^ 1);
        y[i] = x[i + 32];
    } else {
        BAR_ARRIVE_AT(&back, cluster_rank() ^ 1);
        BAR_WAIT_CLUSTER(&there, 0);
        BAR_WAIT_CLUSTER(&back, 0);
        y[i] = half[t - 32]; // expect: race
    }
    CLUSTER_SYNC();
}
