// What lies beyond an edge: of a block's memory in its cluster, of what a fence tells, of
// what was written of a tile.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define RELAXED_ARRIVE()                                                                 \
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define LOAD_PEER(v, at)                                                                 \
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory")
#define ADD_PEER(at)                                                                     \
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(at) : "memory")

// class: index far outside of a block's memory in its cluster

extern "C" __global__ void bins_reference(const int *x, unsigned *y, int n)
{
    if (threadIdx.x || blockIdx.x) return;
    for (int i = 0; i < n; i++)
        y[x[i]]++;
}

// The number of the part is added above 24 bits, and no mapa asked.
// launch: grid 2, block 64, cluster 2; in x i32[1000] integers 0 127;
//         inout y u32[128] zero; i32 n 1000
// reference: bins_reference
extern "C" __global__ void parts_by_a_shift(const int *x, unsigned *y, int n)
{
    __shared__ unsigned bins[64];
    const int t = threadIdx.x;
    bins[t] = 0;
    CLUSTER_SYNC();
    for (int i = blockIdx.x * 64 + t; i < n; i += 128)
        ADD_PEER(at_rank(bins + x[i] % 64, 0) + (x[i] / 64 << 24)); // expect: out_of_bounds
    CLUSTER_SYNC();
    atomicAdd(y + cluster_rank() * 64 + t, bins[t]);
}

// Words of four bytes by an index of 2^22 too much.
// launch: grid 2, block 64, cluster 2; in x i32[1000] integers 0 127;
//         inout y u32[128] zero; i32 n 1000
// reference: bins_reference
extern "C" __global__ void index_is_far_too_large(const int *x, unsigned *y, int n)
{
    __shared__ unsigned bins[64];
    const int t = threadIdx.x;
    bins[t] = 0;
    CLUSTER_SYNC();
    for (int i = blockIdx.x * 64 + t; i < n; i += 128) {
        const unsigned far = i == n - 1 ? 1 << 22 : 0;
        ADD_PEER(at_rank(bins, x[i] / 64) + 4 * (x[i] % 64 + far)); // expect: out_of_bounds
    }
    CLUSTER_SYNC();
    atomicAdd(y + cluster_rank() * 64 + t, bins[t]);
}

// To the memory of a block that is not there, by what a copy is sent to.
// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: of_the_other_reference
extern "C" __global__ void row_goes_to_the_block_after_the_other(const int *x, int *y)
{
    __shared__ alignas(128) int s[32], r[32];
    __shared__ u64 full;
    const int t = threadIdx.x, other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 128);
    }
    s[t] = x[32 * blockIdx.x + t];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) {
        const unsigned to = at_rank(r, 0) + (other << 24);
        PEER_COPY(to, s, 128, at_rank(&full, other)); // expect: out_of_bounds
    }
    BAR_WAIT_CLUSTER(&full, 0);
    y[32 * blockIdx.x + t] = r[t];
    CLUSTER_SYNC();
}

// class: fence of objects in place of one of memory

extern "C" __global__ void of_the_other_reference(const int *x, int *y)
{
    y[32 * blockIdx.x + threadIdx.x] = x[32 * (blockIdx.x ^ 1) + threadIdx.x];
}

// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: of_the_other_reference
extern "C" __global__ void words_behind_a_fence_of_objects(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    int v;
    s[t] = x[32 * blockIdx.x + t]; // expect: race
    FENCE_INIT();
    RELAXED_ARRIVE();
    CLUSTER_WAIT();
    LOAD_PEER(v, at_rank(s + t, cluster_rank() ^ 1)); // expect: race
    y[32 * blockIdx.x + t] = v;
    CLUSTER_SYNC();
}

// launch: grid 1, block 64; in x i32[32]; out y i32[32]; inout flag i32[1] zero
// reference: flag_reference, block 32
extern "C" __global__ void flag_behind_a_fence_of_objects(const int *x, int *y, int *flag)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < 32) {
        s[t] = x[t]; // expect: race
        __syncwarp();
        FENCE_INIT();
        if (t == 0) asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        int v;
        do
            asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
        while (!v);
        y[t - 32] = s[t - 32]; // expect: race
    }
}
extern "C" __global__ void flag_reference(const int *x, int *y, int *flag)
{
    y[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x == 0) *flag = 1;
}

// One thread fences for the one that has initialised the object.
// launch: grid 2, block 64, cluster 2; in x i32[64]; out y i32[64]
// reference: own_reference
extern "C" __global__ void object_that_another_thread_fences(const int *x, int *y)
{
    __shared__ alignas(128) int s[32];
    __shared__ u64 full;
    const int t = threadIdx.x, b = blockIdx.x, other = cluster_rank() ^ 1;
    if (t == 0) BAR_INIT(&full, 1); // expect: race
    __syncthreads();
    if (t == 32) FENCE_INIT();
    RELAXED_ARRIVE();
    CLUSTER_WAIT();
    if (t == 0) BAR_ARRIVE_AT(&full, other); // expect: race
    BAR_WAIT_CLUSTER(&full, 0);
    if (t < 32) s[t] = x[32 * b + t];
    __syncthreads();
    if (t < 32) y[32 * b + t] = s[t];
    CLUSTER_SYNC();
}
extern "C" __global__ void own_reference(const int *x, int *y)
{
    if (threadIdx.x < 32) y[32 * blockIdx.x + threadIdx.x] = x[32 * blockIdx.x + threadIdx.x];
}

// class: unwritten value that a copy takes on

// The reference has the zero that the emulator's memory begins with.
// launch: grid 1, block 32; in x i32[64]; out y i32[64] map 16/16 4/4
// reference: padded_reference
extern "C" __global__ void row_of_padding_is_not_cleared(const int *x,
                                                         const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[4][16];
    const int t = threadIdx.x;
    for (int i = t; i < 48; i += 32)
        s[i / 16][i % 16] = x[i];
    FENCE_ASYNC();
    __syncwarp();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, 0, s); // expect: unwritten
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void padded_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 64; i += 32)
        y[i] = i < 48 ? x[i] : 0;
}

// launch: grid 1, block 32; in x i32[64]; inout y i32[64] zero
// reference: padded_reference
extern "C" __global__ void sums_of_what_nobody_wrote(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    if (t < 16) s[t + 32] = x[t + 32];
    FENCE_ASYNC();
    __syncwarp();
    if (t == 0) {
        BULK_ADD(y, s, 256, "s32"); // expect: unwritten
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: part_of_the_other_reference
extern "C" __global__ void part_of_a_row_goes_to_the_other_block(const int *x, int *y)
{
    __shared__ alignas(128) int s[32], r[32];
    __shared__ u64 full;
    const int t = threadIdx.x, other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 128);
    }
    if (t < 24) s[t] = x[32 * blockIdx.x + t];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) PEER_COPY(at_rank(r, other), s, 128, at_rank(&full, other));
    BAR_WAIT_CLUSTER(&full, 0);
    y[32 * blockIdx.x + t] = r[t]; // expect: unwritten
    CLUSTER_SYNC();
}
extern "C" __global__ void part_of_the_other_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[32 * blockIdx.x + t] = t < 24 ? x[32 * (blockIdx.x ^ 1) + t] : 0;
}
