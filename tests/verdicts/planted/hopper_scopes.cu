// Kernels of correct/hopper_scopes.cu, each with one thing wrong: a fence or a strong
// access of the cluster's scope is to reach a block of another cluster.
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

// y[t] = x[63 - t] + 1
extern "C" __global__ void chain_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    flags[0] = 1;
}
extern "C" __global__ void two_flags_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    flags[0] = flags[1] = 1;
}
extern "C" __global__ void counted_reference(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t] + 4;
    flags[0] = 4;
}

// class: scope of a cluster between blocks of different ones

// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void fence_of_the_cluster_that_stores(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        FENCE_OF("cluster");
        if (t == 0) STORE_OF("relaxed.gpu", flags);
    } else if (blockIdx.x == 2) {
        WAIT_OF("acquire.gpu", flags);
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void fence_of_the_cluster_that_loads(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("release.gpu", flags);
    } else if (blockIdx.x == 2) {
        WAIT_OF("relaxed.gpu", flags);
        FENCE_OF("cluster");
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void fences_of_clusters_of_one(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        FENCE_OF("cluster");
        if (t == 0) *(volatile unsigned *)flags = 1;
    } else {
        while (!*(volatile unsigned *)flags) {}
        FENCE_OF("cluster");
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void flag_of_the_cluster_for_another_one(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("release.cluster", flags); // expect: scope
    } else if (blockIdx.x == 2) {
        WAIT_OF("acquire.gpu", flags); // expect: scope
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void waits_as_a_cluster_of_one(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("release.gpu", flags); // expect: scope
    } else {
        WAIT_OF("acquire.cluster", flags); // expect: scope
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[64]; inout flags u32[2] zero; work z i32[256]
// reference: counted_reference, grid 1
extern "C" __global__ void counts_the_grid_for_its_cluster(const int *x, int *y, unsigned *flags, int *z)
{
    __shared__ unsigned before;
    const int t = threadIdx.x, b = blockIdx.x;
    z[64 * b + t] = x[64 * b + t] + 1; // expect: race
    __syncthreads();
    if (t == 0)
        asm volatile("atom.acq_rel.cluster.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(flags) : "memory"); // expect: scope
    __syncthreads();
    if (before == 3) y[t] = z[t] + z[64 + t] + z[128 + t] + z[192 + t]; // expect: race
}

// The other block of its cluster hears of it, and passes it on to the grid with such a fence.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: two_flags_reference, grid 1
extern "C" __global__ void the_cluster_and_then_no_further(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("release.cluster", flags);
    } else if (blockIdx.x == 1 && t == 0) {
        WAIT_OF("acquire.cluster", flags);
        FENCE_OF("cluster");
        STORE_OF("relaxed.gpu", flags + 1);
    } else if (blockIdx.x == 2) {
        WAIT_OF("acquire.gpu", flags + 1);
        y[t] = z[63 - t]; // expect: race
    }
}

// The last fence of the chain is the cluster's, and comes behind the flag of another one.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: two_flags_reference, grid 1
extern "C" __global__ void the_grid_is_heard_with_too_small_a_fence(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 2) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("release.gpu", flags);
    } else if (blockIdx.x == 1 && t == 0) {
        WAIT_OF("relaxed.gpu", flags);
        FENCE_OF("cluster");
        STORE_OF("relaxed.cluster", flags + 1);
    } else if (blockIdx.x == 0) {
        WAIT_OF("acquire.cluster", flags + 1);
        y[t] = z[63 - t]; // expect: race
    }
}

// Within the cluster, but no fence at all on one side.
// launch: grid 4, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags u32[4] zero; work z i32[64]
// reference: chain_reference, grid 1
extern "C" __global__ void flag_of_the_cluster_without_a_release(const int *x, int *y, unsigned *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) STORE_OF("relaxed.cluster", flags);
    } else if (blockIdx.x == 1) {
        WAIT_OF("acquire.cluster", flags);
        y[t] = z[63 - t]; // expect: race
    }
}
