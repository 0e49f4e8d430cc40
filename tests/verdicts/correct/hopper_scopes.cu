// Messages between blocks by fences and flags in device memory, of the scope that reaches
// the other one: those of a cluster within it, wider ones beyond.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define FENCE_OF(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")
#define STORE_OF(how, at) asm volatile("st." how ".global.u32 [%0], 1;" ::"l"(at) : "memory")
#define LOAD_OF(how, seen, at)                                                           \
    asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory")
#define WAIT_OF(how, at)                                                                 \
    do {                                                                                 \
        unsigned seen;                                                                   \
        do                                                                               \
            LOAD_OF(how, seen, at);                                                      \
        while (!seen);                                                                   \
    } while (0)

// y[64 b + t] = x[64 (b & ~1) + 63 - t] + 1
extern "C" __global__ void own_and_others_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[64 * b + t] = x[64 * (b & ~1) + 63 - t] + 1;
    if (b % 2 == 0) flags[b] = 1;
}
// y[t] = x[63 - t] + 1
extern "C" __global__ void chain_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    if (t < 2) flags[t] = 1;
}
extern "C" __global__ void counted_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[64 * b + t] = x[128 * b + t] + x[128 * b + 64 + t] + 2;
    flags[b] = 2;
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]; inout flags u32[4] zero; work z i32[256]
// reference: own_and_others_reference
extern "C" __global__ void releases_to_its_cluster(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x, first = 64 * (b & ~1);
    if (cluster_rank() == 0) z[first + t] = x[first + t] + 1;
    __syncthreads();
    if (cluster_rank() == 0 && t == 0) STORE_OF("release.cluster", flags + b);
    if (cluster_rank() == 1) WAIT_OF("acquire.cluster", flags + b - 1);
    y[64 * b + t] = z[first + 63 - t];
}

// Fences of the cluster, and strong accesses that reach further.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]; inout flags u32[4] zero; work z i32[256]
// reference: own_and_others_reference
extern "C" __global__ void fences_of_the_cluster_and_wider_flags(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x, first = 64 * (b & ~1);
    if (cluster_rank() == 0) z[first + t] = x[first + t] + 1;
    FENCE_OF("cluster");
    __syncthreads();
    if (cluster_rank() == 0 && t == 0) STORE_OF("relaxed.gpu", flags + b);
    if (cluster_rank() == 1) WAIT_OF("relaxed.sys", flags + b - 1);
    FENCE_OF("cluster");
    y[64 * b + t] = z[first + 63 - t];
}

// The same with the fence of one side for all.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]; inout flags u32[4] zero; work z i32[256]
// reference: own_and_others_reference
extern "C" __global__ void fence_for_all_and_one_for_the_cluster(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x, first = 64 * (b & ~1);
    if (cluster_rank() == 0) z[first + t] = x[first + t] + 1;
    __syncthreads();
    if (cluster_rank() == 0 && t == 0) {
        FENCE_OF("gpu");
        STORE_OF("relaxed.cluster", flags + b);
    }
    if (cluster_rank() == 1) WAIT_OF("acquire.cluster", flags + b - 1);
    y[64 * b + t] = z[first + 63 - t];
}

// Block 0 tells block 1, which is of its cluster, and that one tells block 2 with a wider fence.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void the_cluster_and_then_the_grid(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __syncthreads();
        if (t == 0) STORE_OF("release.cluster", flags);
    } else if (blockIdx.x == 1 && t == 0) {
        WAIT_OF("acquire.cluster", flags);
        STORE_OF("release.gpu", flags + 1);
    } else if (blockIdx.x == 2) {
        WAIT_OF("acquire.gpu", flags + 1);
        y[t] = z[63 - t];
    }
}

// The other way: block 2 tells block 1, and that one its cluster.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void the_grid_and_then_the_cluster(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 2) {
        z[t] = x[t] + 1;
        __syncthreads();
        if (t == 0) STORE_OF("release.gpu", flags);
    } else if (blockIdx.x == 1 && t == 0) {
        WAIT_OF("acquire.gpu", flags);
        STORE_OF("release.cluster", flags + 1);
    } else if (blockIdx.x == 0) {
        WAIT_OF("acquire.cluster", flags + 1);
        y[t] = z[63 - t];
    }
}

// Block 2 tells block 1, which meets its cluster at the barrier.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void the_grid_and_then_a_barrier(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 2) {
        z[t] = x[t] + 1;
        __syncthreads();
        if (t == 0) {
            STORE_OF("release.gpu", flags);
            STORE_OF("release.cluster", flags + 1);
        }
    } else if (blockIdx.x == 1 && t == 0) {
        WAIT_OF("acquire.gpu", flags);
    }
    CLUSTER_SYNC();
    if (blockIdx.x == 0) y[t] = z[63 - t];
}

// The barrier of its cluster, then a flag for that.
// launch: grid 4, block 64, cluster 4; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void an_object_and_then_a_flag(const int *x, int *y, unsigned *flags, int *z)
{
    __shared__ u64 there;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&there, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        BAR_ARRIVE_AT(&there, 1);
    } else if (blockIdx.x == 1 && t == 0) {
        BAR_WAIT_CLUSTER(&there, 0);
        FENCE_OF("cluster");
        STORE_OF("relaxed.cluster", flags);
        STORE_OF("relaxed.cluster", flags + 1);
    } else if (blockIdx.x == 2) {
        WAIT_OF("relaxed.cluster", flags + 1);
        FENCE_OF("cluster");
        y[t] = z[63 - t];
    }
    CLUSTER_SYNC();
}

// Blocks of a cluster count themselves; the last one adds.
// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[128]; inout flags u32[2] zero; work z i32[256]
// reference: counted_reference, grid 2
extern "C" __global__ void counts_its_cluster(const int *x, int *y, unsigned *flags, int *z)
{
    __shared__ unsigned before;
    const int t = threadIdx.x, b = blockIdx.x, pair = b / 2;
    z[64 * b + t] = x[64 * b + t] + 1;
    __syncthreads();
    if (t == 0)
        asm volatile("atom.acq_rel.cluster.global.add.u32 %0, [%1], 1;"
                     : "=r"(before) : "l"(flags + pair) : "memory");
    __syncthreads();
    if (before == 1) y[64 * pair + t] = z[128 * pair + t] + z[128 * pair + 64 + t];
}

// Of a launch without clusters each block is one: a fence of it is one for the block.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]; inout flags u32[4] zero; work z i32[256]
// reference: turned_in_blocks_reference
extern "C" __global__ void without_clusters_warps_tell_each_other(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, i = 64 * blockIdx.x;
    if (t < 32) {
        z[i + t] = x[i + t] + 1;
        FENCE_OF("cluster");
        __syncwarp();
        if (t == 0) STORE_OF("relaxed.cluster", flags + blockIdx.x);
        y[i + t] = 0;
    } else {
        WAIT_OF("relaxed.cluster", flags + blockIdx.x);
        FENCE_OF("cluster");
        y[i + t] = z[i + 63 - t];
    }
}
extern "C" __global__ void turned_in_blocks_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x, i = 64 * blockIdx.x;
    y[i + t] = t < 32 ? 0 : x[i + 63 - t] + 1;
    flags[blockIdx.x] = 1;
}

// y[t] = x[63 - t] + 1 of half as many threads, by way of three flags
extern "C" __global__ void half_of_a_chain_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (t < 32) y[t] = x[63 - t] + 1;
    if (t < 3) flags[t] = 1;
}

// What a block of the cluster has heard later than another, which has handed it on before,
// goes on with its own signal, too: beyond the cluster and within it.
// launch: grid 8, block 64, cluster 4; in x i32[64]; out y i32[32]; inout flags u32[4] zero; work z i32[64]
// reference: half_of_a_chain_reference, grid 1
extern "C" __global__ void handed_on_after_another_block(const int *x, int *y, unsigned *flags, int *z)
{
    __shared__ u64 there, second;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&there, 32);
        BAR_INIT(&second, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (blockIdx.x == 0) {
        if (t >= 32) {
            z[t] = x[t] + 1;
            BAR_ARRIVE_AT(&there, 1);
        } else if (t == 0) {
            BAR_WAIT_CLUSTER(&second, 0);
            STORE_OF("release.gpu", flags + 1);
        }
    } else if (blockIdx.x == 1 && t == 0) {
        BAR_WAIT_CLUSTER(&there, 0);
        STORE_OF("relaxed.gpu", flags);
        WAIT_OF("relaxed.gpu", flags + 1);
        STORE_OF("release.gpu", flags + 2);
    } else if (blockIdx.x == 2 && t == 0) {
        WAIT_OF("relaxed.gpu", flags);
        BAR_ARRIVE_AT(&second, 0);
    } else if (blockIdx.x == 4 && t < 32) {
        WAIT_OF("acquire.gpu", flags + 2);
        y[t] = z[32 + 31 - t];
    }
    CLUSTER_SYNC();
}

// launch: grid 8, block 64, cluster 4; in x i32[64]; out y i32[32]; inout flags u32[4] zero; work z i32[64]
// reference: half_of_a_chain_reference, grid 1
extern "C" __global__ void handed_on_within_after_another_block(const int *x, int *y, unsigned *flags, int *z)
{
    __shared__ u64 there, second;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&there, 32);
        BAR_INIT(&second, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (blockIdx.x == 0) {
        if (t >= 32) {
            z[t] = x[t] + 1;
            BAR_ARRIVE_AT(&there, 1);
        } else if (t == 0) {
            BAR_WAIT_CLUSTER(&second, 0);
            STORE_OF("release.cluster", flags + 1);
        }
    } else if (blockIdx.x == 1 && t == 0) {
        BAR_WAIT_CLUSTER(&there, 0);
        STORE_OF("relaxed.cluster", flags);
        WAIT_OF("relaxed.cluster", flags + 1);
        STORE_OF("release.cluster", flags + 2);
    } else if (blockIdx.x == 2 && t == 0) {
        WAIT_OF("relaxed.cluster", flags);
        BAR_ARRIVE_AT(&second, 0);
    } else if (blockIdx.x == 3 && t < 32) {
        WAIT_OF("acquire.cluster", flags + 2);
        y[t] = z[32 + 31 - t];
    }
    CLUSTER_SYNC();
}
