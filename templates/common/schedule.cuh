// The tiles of a block of a persistent grid, and which of their k: tiles gridDim.x apart,
// in the order of raster.cuh.
#pragma once

#include "raster.cuh"

// Stages of a tile's k, from first on: part of parts. slot: of streamed tiles, where the
// sums of the first of these parts have their place, the others behind it.
struct Share {
    int first, depth, part, parts, slot;
};

// rows, columns: how many tiles; depth: stages of k each time one comes. group: rows of
// tiles that run together, with along_rows columns. Blocks of a cluster have height x
// width tiles that touch, some of them maybe past the last row or column, in the order of
// their ranks.
//
// Each tile comes splits times, after all others, with another part of k. Or, with
// stream, the stages of those tiles that are left when all clusters have had as many are
// shared out evenly, to each cluster a run of them, which may end in the next tile
// (stream-K: Osama and others, 2023).
template <int group, bool along_rows, int height, int width, int splits = 1,
          bool stream = false>
struct Schedule {
    static constexpr int cluster = height * width;
    static_assert(!stream || splits == 1, "STREAM needs SPLIT_K 1");
    int rows, columns, depth;
    int rank;

    // How many tiles, or parts of them, this block has.
    __device__ int own() const
    {
        if (stream)
            return count() / clusters() + (runs() ? last_tile() - first_tile() + 1 : 0);
        const int left = count() * splits - number();
        return left > 0 ? (left - 1) / clusters() + 1 : 0;
    }
    __device__ TileIndex own(int turn) const
    {
        const int index = item(turn) % count();
        const TileIndex tile = tile_in_order<group, along_rows>(index, high(), wide());
        return {tile.row * height + rank / width, tile.column * width + rank % width};
    }
    __device__ Share share(int turn) const
    {
        if (!stream) {
            const int split = splits > 1 ? item(turn) / count() : 0;
            return {split * depth, depth, split, splits, 0};
        }
        const int whole = count() / clusters();
        if (turn < whole) return {0, depth, 0, 1, 0};
        const int tile = first_tile() + turn - whole, from = tile * depth;
        const int begin = max(from, number() * run());
        const int end = min(from + depth, (number() + 1) * run());
        const int first = from / run(), last = (from + depth - 1) / run(); // clusters
        return {begin - from, end - begin, number() - first, last - first + 1,
                first + tile};
    }
    // Slots that parts of streamed tiles have, of each block of a cluster.
    __device__ int slots() const
    {
        return 2 * clusters();
    }

  private:
    __device__ int clusters() const
    {
        return (int)gridDim.x / cluster;
    }
    __device__ int number() const // of the cluster
    {
        return (int)blockIdx.x / cluster;
    }
    __device__ int item(int turn) const
    {
        const int whole = count() / clusters();
        if (stream && turn >= whole)
            return whole * clusters() + first_tile() + turn - whole;
        // In one division: the register of another one is spilled.
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
    __device__ int count() const
    {
        return high() * wide();
    }
    // Stages of streamed tiles, one tile after another, a cluster; which tiles it has.
    __device__ int stages() const
    {
        return count() % clusters() * depth;
    }
    __device__ int run() const
    {
        return (stages() - 1) / clusters() + 1;
    }
    __device__ bool runs() const
    {
        return stages() > number() * run();
    }
    __device__ int first_tile() const
    {
        return number() * run() / depth;
    }
    __device__ int last_tile() const
    {
        return (min(stages(), (number() + 1) * run()) - 1) / depth;
    }
};
