// The warps of a block whose tile of BM x BN is divided among them, WM x WN each, by mma.
#pragma once

#include "write_sums.cuh"

constexpr int WARPS_N = BN / WN;
constexpr int THREADS = 32 * (BM / WM) * WARPS_N;

static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
static_assert(WM % 16 == 0 && WN % 16 == 0, "warp tiles are made of 16 x 16 pieces");
static_assert(STAGE_D == 0 || STAGE_D == 1, "STAGE_D must be 0 or 1");
static_assert(THREADS <= 1024, "at most 1024 threads a block");

// Where a warp's part of the block's tile begins.
__device__ inline int warp_row()
{
    return threadIdx.x / 32 / WARPS_N * WM;
}
__device__ inline int warp_column()
{
    return threadIdx.x / 32 % WARPS_N * WN;
}

// The sums of the tile at row, column to the epilogue. shared: free, with room for 16
// rows of each warp where STAGE_D is 1.
template <class Epilogue, class Sum>
__device__ inline void write_tile(const Epilogue &epilogue,
                                  const Sum (&sums)[WM / 16][WN / 8][4], int row,
                                  int column, unsigned char *shared)
{
    constexpr int STAGING = 16 * staging_width<WN>(); // words, of a warp
    row += warp_row();
    column += warp_column();
    if constexpr (STAGE_D)
        write_staged(epilogue, sums, row, column,
                     reinterpret_cast<Sum *>(shared) + threadIdx.x / 32 * STAGING);
    else
        write_pairs(epilogue, sums, row, column);
}
