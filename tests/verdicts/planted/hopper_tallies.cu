// Blocks of a cluster that look at counts to which others may still add.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define COUNT_AT(address, value)                                                         \
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(address), \
                 "r"(value)                                                              \
                 : "memory")
#define LOAD_AT(out, address)                                                            \
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(out) : "r"(address) : "memory")
#define SWAP_AT(address, before, value)                                                  \
    asm volatile("{.reg .b32 seen; atom.relaxed.cluster.shared::cluster.cas.b32 seen, "  \
                 "[%0], %1, %2;}" ::"r"(address),                                        \
                 "r"(before), "r"(value)                                                 \
                 : "memory")

extern "C" __global__ void counts_over_a_cluster_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    if (blockIdx.x) return;
    y[t] = 0;
    for (int i = 0; i < 128; i++)
        y[t] += x[i] == t;
}

// class: counts of a cluster, read before all have counted

// launch: grid 2, block 64; in x i32[128] integers 0 63; out y i32[64]
// reference: counts_over_a_cluster_reference
extern "C" __global__ void __cluster_dims__(2) own_counts_read_behind_a_barrier_of_the_block(const int *x, int *y)
{
    __shared__ int bins[32];
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    if (t < 32) bins[t] = 0;
    CLUSTER_SYNC();
    COUNT_AT(at_rank(&bins[v % 32], v / 32), 1); // expect: race
    __syncthreads();
    if (t < 32) y[blockIdx.x * 32 + t] = bins[t]; // expect: race
    CLUSTER_SYNC();
}

// launch: grid 2, block 64; in x i32[128] integers 0 63; out y i32[64]
// reference: counts_over_a_cluster_reference
extern "C" __global__ void __cluster_dims__(2) other_counts_read_behind_a_barrier_of_the_block(const int *x, int *y)
{
    __shared__ int bins[32];
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    int count;
    if (t < 32) bins[t] = 0;
    CLUSTER_SYNC();
    COUNT_AT(at_rank(&bins[v % 32], v / 32), 1); // expect: race
    __syncthreads();
    LOAD_AT(count, at_rank(&bins[t % 32], blockIdx.x ^ 1)); // expect: race
    if (t < 32) y[(blockIdx.x ^ 1) * 32 + t] = count; // expect: race
    CLUSTER_SYNC();
}

// The other block's count is added to those of the grid.
// launch: grid 2, block 64; in x i32[128] integers 0 63; inout y i32[1] zero
// reference: even_numbers
extern "C" __global__ void __cluster_dims__(2) count_that_is_added_behind_an_arrival(const int *x, int *y)
{
    __shared__ int even;
    const int t = threadIdx.x, v = x[blockIdx.x * 64 + t];
    if (t == 0) even = 0;
    CLUSTER_SYNC();
    if (v % 2 == 0) COUNT_AT(at_rank(&even, blockIdx.x ^ 1), 1); // expect: race
    __syncthreads();
    CLUSTER_ARRIVE();
    if (t == 0) atomicAdd(y, even); // expect: race
    CLUSTER_WAIT();
}
extern "C" __global__ void even_numbers(const int *x, int *y)
{
    int count = 0;
    for (int i = 0; i < 128; i++)
        count += x[i] % 2 == 0;
    if (blockIdx.x == 0 && threadIdx.x == 0) *y = count;
}

// class: plain look before an atomic operation

// The block's own word lies where the other block's does, which the swap is of.
// launch: grid 2, block 96; out y i32[2]
extern "C" __global__ void __cluster_dims__(2) own_count_swapped_at_another_block(int *y)
{
    __shared__ int c;
    const int t = threadIdx.x, mine = blockIdx.x == 0;
    if (t == 0) c = blockIdx.x;
    CLUSTER_SYNC();
    if (mine && (t == 0 || t == 64)) atomicAdd(&c, 1); // expect: race
    if (mine && t == 32) {
        const int seen = c; // expect: race
        SWAP_AT(at_rank(&c, 1), seen, 9); // expect: race
    }
    CLUSTER_SYNC();
    if (t == 0) y[blockIdx.x] = c;
}
extern "C" __global__ void own_count_swapped_at_another_block_reference(int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    y[0] = 2;
    y[1] = 9;
}

// Swapped where another word holds what the other block's has held.
// launch: grid 3, block 96; out y i32[1]
extern "C" __global__ void __cluster_dims__(3) count_of_another_block_swapped_at_an_own_word(int *y)
{
    __shared__ int c, own;
    const int t = threadIdx.x, rank = blockIdx.x;
    int seen, unused;
    if (t == 0) c = own = 0;
    CLUSTER_SYNC();
    if (rank != 1 && t == 0) COUNT_AT(at_rank(&c, 0), 1); // expect: race
    if (rank == 1 && (t == 0 || t == 64)) atomicAdd(&own, 1);
    if (rank == 1 && t == 32) {
        LOAD_AT(seen, at_rank(&c, 0)); // expect: race
        LOAD_AT(unused, at_rank(&own, 1));
        atomicCAS(&own, seen, 9); // expect: race
    }
    CLUSTER_SYNC();
    if (rank == 1 && t == 0) *y = own;
}
extern "C" __global__ void count_of_another_block_swapped_at_an_own_word_reference(int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *y = 10;
}
