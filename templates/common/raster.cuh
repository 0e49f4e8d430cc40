// The order in which blocks walk the tiles of a matrix: down group_rows rows of
// tiles before the next column, so that blocks that run together share both operands in
// L2 (the grouped ordering of Triton's matmul tutorial).
#pragma once

struct TileIndex {
    int row, column;
};

template <int group_rows>
__device__ inline TileIndex tile_of_block(int block, int rows, int columns)
{
    static_assert(group_rows >= 1, "GROUP_M must be at least 1");
    const int group = block / (group_rows * columns);
    const int within = block % (group_rows * columns);
    const int left = rows - group * group_rows;
    const int height = left < group_rows ? left : group_rows;
    return {group * group_rows + within % height, within / height};
}

// Of high x wide tiles group rows run together, or with along_rows group columns.
template <int group, bool along_rows>
__device__ inline TileIndex tile_in_order(int index, int high, int wide)
{
    if (!along_rows) return tile_of_block<group>(index, high, wide);
    const TileIndex turned = tile_of_block<group>(index, wide, high);
    return {turned.column, turned.row};
}
