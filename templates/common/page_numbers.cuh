// Where the keys of a sequence lie that are in pages: the numbers of these, as one warp
// needs them.
#pragma once

// Of tiles of width keys, step tiles apart, from last to first; page: keys of
// one, a power of two, or 0: there is no table. A lane holds one number, so that the warp
// reads the table once for all pages of many tiles, before the first of these is copied.
template <int page, int width, int step> struct PageNumbers {
    static constexpr int pages = page && page < width ? width / page : 1; // of a tile
    static constexpr int tiles = 32 / pages; // whose numbers the warp holds
    static_assert(pages <= 32, "a tile has up to 32 pages");

    const int *table; // of the sequence
    int length;       // keys
    int first;        // tile
    int newest;       // the highest of those tiles
    int number;       // of this lane's page

    __device__ PageNumbers(const int *table, int length, int first, int last)
        : table(table), length(length), first(first)
    {
        read(last);
    }
    __device__ void read(int tile)
    {
        const int lane = threadIdx.x % 32;
        const int own = tile - lane / pages * step;
        const int key = own * width + lane % pages * page;
        newest = tile;
        number = 0;
        if (page && own >= first && key < length)
            number = __ldg(&table[key / max(page, 1)]);
    }
    // The lane that holds the first page of a tile, which is the one that was asked for
    // before, or the next. All lanes ask.
    __device__ int lane(int tile)
    {
        if (page && newest - tile == tiles * step) read(tile);
        return (newest - tile) / step * pages;
    }
    __device__ int of_lane(int lane) const
    {
        return page ? __shfl_sync(~0u, number, lane) : 0;
    }
};
