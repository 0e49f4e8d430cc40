// The tiles of a block of a persistent grid where rows are in groups whose sizes the
// device knows (group_tiles.cuh): gridDim.x apart, group after group, within a group in
// the order of raster.cuh.
#pragma once

#include "group_tiles.cuh"
#include "raster.cuh"

// Of group: rows from row on, of which it has those before end (none, where end is not
// above row), columns from column on.
struct GroupTile {
    int group, row, end, column;
};

// tile_rows, tile_columns: a tile's. together: rows of tiles that run together, with
// along_rows columns. Blocks of a cluster have height x width tiles that touch, some of
// them maybe past the group's last row or the last column. All lanes of a warp call.
template <int tile_rows, int tile_columns, int together, bool along_rows, int height,
          int width>
class GroupSchedule {
    static constexpr int cluster = height * width;
    typedef GroupWalk<tile_rows * height> Walk;
    Walk walk;
    int wide; // clusters of columns
    int room; // rows from one group's first to the next one's; 0: they are packed
    int total;

  public:
    const int rank; // in the cluster

    __device__ GroupSchedule(const int *sizes, int unit, int groups, int columns,
                             int room, int rank)
        : walk{sizes, unit, groups}, wide((columns - 1) / (tile_columns * width) + 1),
          room(room), rank(rank)
    {
        Walk all = walk;
        total = all.find(0x7fffffff).tile * wide;
    }
    // How many tiles this block has.
    __device__ int own() const
    {
        const int left = total - (int)blockIdx.x / cluster;
        return left > 0 ? (left - 1) / ((int)gridDim.x / cluster) + 1 : 0;
    }
    // Which: turn counts up from one call to the next.
    __device__ GroupTile own(int turn)
    {
        const int item = ((int)blockIdx.x + turn * (int)gridDim.x) / cluster;
        const RowGroup group = walk.find(item / wide);
        const int high = (group.size - 1) / (tile_rows * height) + 1;
        const int within = item - group.tile * wide;
        const TileIndex at = tile_in_order<together, along_rows>(within, high, wide);
        const int first = room ? group.index * room : group.row;
        return {group.index, first + (at.row * height + rank / width) * tile_rows,
                first + group.size, (at.column * width + rank % width) * tile_columns};
    }
};
