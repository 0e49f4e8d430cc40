// Barriers of the grid that are missing, or that some do not come to.
// on: emu:h200
// needs: cooperative_groups.h
extern "C" __global__ void turned_reference(const int *x, int *y, int *w)
{
    const int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[n - 1 - i];
}

// class: barrier of the grid

// launch: grid 4, block 64, cooperative; in x i32[256]; out y i32[256]; work w i32[256]
// reference: turned_reference
#include <cooperative_groups.h>
extern "C" __global__ void read_before_the_grid_meets(const int *x, int *y, int *w)
{
    const int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    w[i] = x[i]; // expect: race
    y[i] = w[n - 1 - i]; // expect: race or unwritten
    cooperative_groups::this_grid().sync();
}

// The room is used again while others may still read it.
// launch: grid 4, block 64, cooperative; in x i32[256]; out y i32[256]; work w i32[256]
// reference: turned_reference
#include <cooperative_groups.h>
extern "C" __global__ void written_again_before_the_grid_meets(const int *x, int *y, int *w)
{
    const int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    w[i] = x[i];
    cooperative_groups::this_grid().sync();
    y[i] = w[n - 1 - i]; // expect: race
    w[i] = 0; // expect: race
}

// launch: grid 4, block 64, cooperative; in x i32[256]; out y i32[256]; work w i32[256]; deadline 2
// reference: turned_reference
#include <cooperative_groups.h>
extern "C" __global__ void the_last_block_does_not_come(const int *x, int *y, int *w)
{
    const int n = gridDim.x * 64, i = blockIdx.x * 64 + threadIdx.x;
    w[i] = x[i];
    if (blockIdx.x + 1 < gridDim.x) cooperative_groups::this_grid().sync(); // expect: deadlock or timeout
    y[i] = w[n - 1 - i]; // expect: race
}
