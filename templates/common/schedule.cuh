// The tiles that a block of a persistent grid computes one after another: gridDim.x
// apart, in the order of raster.cuh.
#pragma once

#include "raster.cuh"

// rows, columns: how many tiles. group: rows of tiles that run together, with along_rows
// columns. Blocks of a cluster have height x width tiles that touch, some of them maybe
// past the last row or column, in the order of their ranks. Each tile comes splits times,
// after all others.
template <int group, bool along_rows, int height, int width, int splits = 1>
struct Schedule {
    static constexpr int cluster = height * width;
    int rows, columns;
    int rank;

    // How many tiles this block has, and which.
    __device__ int own() const
    {
        const int left = high() * wide() * splits - (int)blockIdx.x / cluster;
        return left > 0 ? (left - 1) / ((int)gridDim.x / cluster) + 1 : 0;
    }
    __device__ TileIndex own(int turn) const
    {
        const int index = item(turn) % (high() * wide());
        const TileIndex tile = along_rows
                                   ? turned(tile_of_block<group>(index, wide(), high()))
                                   : tile_of_block<group>(index, high(), wide());
        return {tile.row * height + rank / width, tile.column * width + rank % width};
    }

    // Which time its tile comes.
    __device__ int split(int turn) const
    {
        return splits > 1 ? item(turn) / (high() * wide()) : 0;
    }

  private:
    __device__ int item(int turn) const
    {
        return ((int)blockIdx.x + turn * (int)gridDim.x) / cluster;
    }
    // In clusters.
    __device__ int high() const
    {
        return (rows - 1) / height + 1;
    }
    __device__ int wide() const
    {
        return (columns - 1) / width + 1;
    }
    __device__ static TileIndex turned(const TileIndex &tile)
    {
        return {tile.column, tile.row};
    }
};
