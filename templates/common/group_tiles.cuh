// Groups of rows of any sizes, 0 too, that the device knows: which of them a tile of rows
// belongs to, where each group has tiles of its own. A warp walks the sizes, a warp full
// of groups at a time; all its lanes call, and find the same.
#pragma once

// Its number, its first tile and row of all, and how many rows it has.
struct RowGroup {
    int index, tile, row, size;
};

__device__ inline int scan_warp(int x)
{
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
        const int below = __shfl_up_sync(~0u, x, by);
        if (threadIdx.x % 32 >= by) x += below;
    }
    return x; // with all lanes below
}

// Tiles have so many rows; sizes count in units of unit rows.
template <int height> struct GroupWalk {
    const int *sizes;
    int unit, groups;
    int first = 0, tiles = 0, rows = 0; // groups before first have so many

    // The group of a tile, none before the one asked for last; index is groups where
    // there is none.
    __device__ RowGroup find(int tile)
    {
        for (; first < groups; first += 32) {
            const int group = first + threadIdx.x % 32;
            const int size = group < groups ? sizes[group] * unit : 0;
            const int own = (size + height - 1) / height;
            const int tiles_end = tiles + scan_warp(own),
                      rows_end = rows + scan_warp(size);
            const unsigned here = __ballot_sync(~0u, tile < tiles_end);
            if (here) {
                const int lane = __ffs(here) - 1;
                return {first + lane, __shfl_sync(~0u, tiles_end - own, lane),
                        __shfl_sync(~0u, rows_end - size, lane),
                        __shfl_sync(~0u, size, lane)};
            }
            tiles = __shfl_sync(~0u, tiles_end, 31);
            rows = __shfl_sync(~0u, rows_end, 31);
        }
        return {groups, tiles, rows, 0};
    }
};
