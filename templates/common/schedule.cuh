// The tiles that a block of a persistent grid computes one after another: gridDim.x
// apart, in the order of raster.cuh.
#pragma once

#include "raster.cuh"

// rows, columns: how many tiles. group: rows of tiles that run together, with along_rows
// columns.
template <int group, bool along_rows> struct Schedule {
    int rows, columns;

    __device__ int count() const
    {
        return rows * columns;
    }
    __device__ TileIndex tile(int index) const
    {
        if (!along_rows) return tile_of_block<group>(index, rows, columns);
        const TileIndex turned = tile_of_block<group>(index, columns, rows);
        return {turned.column, turned.row};
    }
    // How many tiles this block has, and which.
    __device__ int own() const
    {
        const int left = count() - (int)blockIdx.x;
        return left > 0 ? (left - 1) / (int)gridDim.x + 1 : 0;
    }
    __device__ TileIndex own(int turn) const
    {
        return tile((int)blockIdx.x + turn * (int)gridDim.x);
    }
};
