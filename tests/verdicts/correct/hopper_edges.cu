// What lies at an edge: of a block's memory in its cluster, of what a fence tells, of what
// was written of a tile.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define RELAXED_ARRIVE()                                                                 \
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory")
#define LOAD_PEER(v, at)                                                                 \
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory")
#define ADD_PEER(at)                                                                     \
    asm volatile("red.shared::cluster.add.u32 [%0], 1;" ::"r"(at) : "memory")

// ---- bins of which each block of a cluster has a part ----

extern "C" __global__ void bins_reference(const int *x, unsigned *y, int n)
{
    if (threadIdx.x || blockIdx.x) return;
    for (int i = 0; i < n; i++)
        y[x[i]]++;
}

// launch: grid 4, block 64, cluster 2; in x i32[1000] integers 0 127;
//         inout y u32[128] zero; i32 n 1000
// reference: bins_reference
extern "C" __global__ void bins_of_a_cluster(const int *x, unsigned *y, int n)
{
    __shared__ unsigned bins[64];
    const int t = threadIdx.x;
    bins[t] = 0;
    CLUSTER_SYNC();
    for (int i = blockIdx.x * 64 + t; i < n; i += 256)
        ADD_PEER(at_rank(bins + x[i] % 64, x[i] / 64));
    CLUSTER_SYNC();
    atomicAdd(y + cluster_rank() * 64 + t, bins[t]);
}

// ---- what fences tell ----

extern "C" __global__ void of_the_other_reference(const int *x, int *y)
{
    y[32 * blockIdx.x + threadIdx.x] = x[32 * (blockIdx.x ^ 1) + threadIdx.x];
}

// A relaxed barrier behind a fence of all memory.
// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: of_the_other_reference
extern "C" __global__ void words_behind_a_fence_of_memory(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    int v;
    s[t] = x[32 * blockIdx.x + t];
    asm volatile("fence.acq_rel.cluster;" ::: "memory");
    RELAXED_ARRIVE();
    CLUSTER_WAIT();
    LOAD_PEER(v, at_rank(s + t, cluster_rank() ^ 1));
    y[32 * blockIdx.x + t] = v;
    CLUSTER_SYNC();
}

// A relaxed barrier behind a fence of objects tells of these, to the own block's warps too.
// launch: grid 2, block 64, cluster 2; in x i32[64]; out y i32[64]
extern "C" __global__ void objects_behind_a_fence_of_objects(const int *x, int *y)
{
    __shared__ alignas(128) int s[32];
    __shared__ u64 full;
    const int t = threadIdx.x, b = blockIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    RELAXED_ARRIVE();
    CLUSTER_WAIT();
    if (t == 32) {
        BAR_EXPECT(&full, 128);
        BULK_LOAD(s, x + 32 * b, 128, &full);
    }
    BAR_WAIT(&full, 0);
    if (t < 32) y[32 * b + t] = s[t];
}
extern "C" __global__ void objects_behind_a_fence_of_objects_reference(const int *x, int *y)
{
    if (threadIdx.x < 32) y[32 * blockIdx.x + threadIdx.x] = x[32 * blockIdx.x + threadIdx.x];
}

// ---- tiles of which a part was never written ----

extern "C" __global__ void copied_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 64; i += blockDim.x)
        y[i] = x[i];
}

// Half of each row lies outside of the tensor.
// launch: grid 1, block 32; in x i32[64]; out y i32[64] map 16/32 4/4
// reference: copied_reference
extern "C" __global__ void columns_outside_are_not_written(const int *x,
                                                           const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[4][32];
    const int t = threadIdx.x;
    for (int i = t; i < 64; i += 32)
        s[i / 16][i % 16] = x[i];
    FENCE_ASYNC();
    __syncwarp();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, 0, s);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The tail of a tile goes to a workspace, and nobody uses it there.
// launch: grid 1, block 32; in x i32[64]; out y i32[64]; work z i32[96]
extern "C" __global__ void tail_goes_to_a_workspace(const int *x, int *y, int *z)
{
    __shared__ alignas(128) int s[96];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    FENCE_ASYNC();
    __syncwarp();
    if (t == 0) {
        BULK_STORE(z, s, 384);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    __syncwarp();
    y[t] = z[t];
    y[t + 32] = z[t + 32];
}
extern "C" __global__ void tail_goes_to_a_workspace_reference(const int *x, int *y, int *z)
{
    y[threadIdx.x] = x[threadIdx.x];
    y[threadIdx.x + 32] = x[threadIdx.x + 32];
}

// To the other block of the cluster, by a copy.
// launch: grid 2, block 32, cluster 2; in x i32[64]; out y i32[64]
// reference: of_the_other_reference
extern "C" __global__ void row_goes_to_the_other_block(const int *x, int *y)
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
    if (t == 0) PEER_COPY(at_rank(r, other), s, 128, at_rank(&full, other));
    BAR_WAIT_CLUSTER(&full, 0);
    y[32 * blockIdx.x + t] = r[t];
    CLUSTER_SYNC();
}
