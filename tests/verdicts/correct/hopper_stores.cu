// Stores by copies that meet and write the same.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}

// As CUTLASS, whose whole warp stores a box; here its lanes come to it one after another.
// launch: grid 1, block 32; in x i32[512]; out y i32[512] map 32/32 16/4
// reference: scaled_reference, grid 16
extern "C" __global__ void boxes_stored_by_each_lane(const int *x,
                                                     const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[16 * 32];
    const int t = threadIdx.x;
    for (int i = t; i < 512; i += 32)
        s[i] = 2 * x[i] + 1;
    FENCE_ASYNC();
    __syncwarp();
#pragma unroll 1
    for (int turn = 0; turn < 4; turn++) {
        if (t % 4 != turn) continue;
#pragma unroll 1
        for (int k = 0; k < 4; k++)
            TMA_STORE_2D(&y, 0, 4 * k, s + 128 * k);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// Two warps store the same box, by copies of their own.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: scaled_reference
extern "C" __global__ void one_tile_stored_by_two_warps(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    s[t] = 2 * x[t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t % 32 == 0) {
        BULK_STORE(y, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// The last block begins so early that it ends with the output: it computes again what
// the one before it has.
// launch: grid 3, block 64; in x i32[160]; out y i32[160]
// reference: scaled_reference, grid 5, block 32
extern "C" __global__ void last_tile_moved_to_the_end(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = min((int)blockIdx.x * 64, 160 - 64);
    s[t] = 2 * x[first + t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
