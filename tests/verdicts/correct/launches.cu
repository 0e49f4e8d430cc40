// Launches that say what they are: clusters without __cluster_dims__, barriers of the whole
// grid by cooperative groups, and what begins before the launch before it has ended.
// on: emu:h200
// needs: cooperative_groups.h
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void exchange_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i ^ 64];
}
extern "C" __global__ void same_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// launch: grid 4, block 64, cluster 4; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void exchange_in_a_cluster_of_the_launch(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    CLUSTER_SYNC();
    y[i] = load_at(at_rank(&s[t], cluster_rank() ^ 1));
    CLUSTER_SYNC();
}

// A cluster of one block is none, and the kernel asks how large it is.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// launch: grid 4, block 64, cluster 1; in x i32[256]; out y i32[256]
// launch: grid 4x2, block 64, cluster 2x2; in x i32[512]; out y i32[512]
// reference: sizes_of_the_cluster_reference
extern "C" __global__ void sizes_of_the_cluster(const int *x, int *y)
{
    __shared__ int one;
    unsigned size;
    int sum = 0;
    const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
    one = 1;
    CLUSTER_SYNC();
    for (unsigned r = 0; r < size; r++) sum += load_at(at_rank(&one, r));
    y[i] = x[i] + sum - (int)size;
    CLUSTER_SYNC();
}
extern "C" __global__ void sizes_of_the_cluster_reference(const int *x, int *y)
{
    const int i = (blockIdx.y * gridDim.x + blockIdx.x) * 64 + threadIdx.x;
    y[i] = x[i];
}

// Each block reads what all others wrote, twice over.
// launch: grid 8, block 64, cooperative; in x i32[512]; out y i32[512]; work w i32[512]
// launch: grid 1, block 64, cooperative; in x i32[64]; out y i32[64]; work w i32[64]
// reference: turned_twice_reference
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void turned_twice(const int *x, int *y, int *w)
{
    auto grid = cg::this_grid();
    const int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    w[i] = x[i] + 1;
    grid.sync();
    const int other = w[n - 1 - i];
    grid.sync();
    w[n - 1 - i] = other * 2;
    grid.sync();
    y[i] = w[i];
}
extern "C" __global__ void turned_twice_reference(const int *x, int *y, int *w)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = 2 * (x[i] + 1);
}

// Both at once.
// launch: grid 8, block 64, cluster 2, cooperative; in x i32[512]; out y i32[512]
// reference: exchange_reference
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
extern "C" __global__ void clusters_of_a_grid_that_meets(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    cg::this_grid().sync();
    y[i] = load_at(at_rank(&s[t], cluster_rank() ^ 1));
    cg::this_grid().sync();
}

// launch: grid 4, block 64, dependent; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void copied_behind_the_launch_before(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    y[i] = x[i];
}
