// Split-K of warp groups: several of them, of any blocks, sum parts of one tile
// (split_k.cuh); each part is the tile, or the group's share of it.
#pragma once

#include "split_k.cuh"
#include "warp_tile.cuh"

// The 128 threads of a warp group that multiplies.
struct GroupTeam {
    int group;

    __device__ unsigned thread() const
    {
        return threadIdx.x % 128;
    }
    __device__ void sync() const
    {
        named_sync<1, MATH>(group, 128);
    }
    __device__ bool any(bool yes) const
    {
        return named_or<1, MATH>(group, 128, yes);
    }
};
