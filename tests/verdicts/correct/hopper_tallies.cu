// Blocks of a cluster that count in each other's shared memory by atomic operations.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define COUNT_AT(address, value)                                                         \
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address), \
                 "r"(value)                                                              \
                 : "memory")
#define LOAD_AT(out, address)                                                            \
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(out) : "r"(address) : "memory")

// Bins lie in the blocks' shared memories, 32 in each.
// launch: grid 2, block 64; in x i32[128] integers 0 63; out y i32[64]
extern "C" __global__ void __cluster_dims__(2) counts_over_a_cluster(const int *x, int *y)
{
    __shared__ int bins[32];
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    if (t < 32) bins[t] = 0;
    CLUSTER_SYNC();
    COUNT_AT(at_rank(&bins[v % 32], v / 32), 1);
    CLUSTER_SYNC();
    if (t < 32) y[blockIdx.x * 32 + t] = bins[t];
}
extern "C" __global__ void counts_over_a_cluster_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    if (blockIdx.x) return;
    y[t] = 0;
    for (int i = 0; i < 128; i++)
        y[t] += x[i] == t;
}

// A look spares most of the operations: that of an old value does one too many.
// launch: grid 2, block 64; in x i32[128] integers 0 9999; out y i32[1]
extern "C" __global__ void __cluster_dims__(2) maximum_of_a_cluster_after_a_look(const int *x, int *y)
{
    __shared__ int most;
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    int seen;
    if (t == 0) most = -1;
    CLUSTER_SYNC();
    LOAD_AT(seen, at_rank(&most, 0));
    if (seen < v)
        asm volatile("red.relaxed.cluster.shared::cluster.max.s32 [%0], %1;" ::"r"(
                         at_rank(&most, 0)),
                     "r"(v)
                     : "memory");
    CLUSTER_SYNC();
    if (blockIdx.x == 0 && t == 0) *y = most;
}
extern "C" __global__ void maximum_of_a_cluster_after_a_look_reference(const int *x, int *y)
{
    int most = -1;
    for (int i = 0; i < 128; i++)
        most = x[i] > most ? x[i] : most;
    if (blockIdx.x == 0) *y = most;
}

// The swap is made where what was loaded is still there.
// launch: grid 2, block 64; in x i32[128] integers 0 99; out y i32[1]
extern "C" __global__ void __cluster_dims__(2) sum_of_a_cluster_by_compare_and_swap(const int *x, int *y)
{
    __shared__ int sum;
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    const unsigned place = at_rank(&sum, 0);
    int before, seen;
    if (blockIdx.x == 0 && t == 0) sum = 0;
    CLUSTER_SYNC();
    LOAD_AT(seen, place);
    do {
        before = seen;
        asm volatile("atom.relaxed.cluster.shared::cluster.cas.b32 %0, [%1], %2, %3;"
                     : "=r"(seen)
                     : "r"(place), "r"(before), "r"(before + v)
                     : "memory");
    } while (seen != before);
    CLUSTER_SYNC();
    if (blockIdx.x == 0 && t == 0) *y = sum;
}
extern "C" __global__ void sum_of_a_cluster_by_compare_and_swap_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += x[i];
    if (blockIdx.x == 0) *y = sum;
}
