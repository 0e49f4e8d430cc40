// Copies of whole lines from global to shared memory, to a swizzled tile: lines that lie
// anywhere, any number of them.
#pragma once

#include "async_copy.cuh"
#include "swizzle.cuh"

// Where a line begins; where it is not valid zeros take its place, and data is any
// address of the matrix.
template <class T> struct Line {
    const T *data;
    bool valid;
};

// Tiles are shared by groups of threads, which copy 16 bytes each: all panels of a line
// before the next.
template <class T, class Tile, int threads, int prefetch, bool hinted> struct LineCopier {
    typedef T Element;
    static constexpr int lines = Tile::panel_bytes / Tile::panel;
    static constexpr int panels = Tile::line_bytes / Tile::panel;
    static constexpr int at_once = threads / Tile::chunks; // lines
    static constexpr int rounds = (lines + at_once - 1) / at_once;
    static constexpr int per_chunk = 16 / (int)sizeof(T);

    static_assert(threads % Tile::chunks == 0, "threads must fill lines");

    // This thread's line in a round.
    __device__ static int line(int round)
    {
        return round * at_once + threadIdx.x % threads / Tile::chunks;
    }

    // find(round, line) is the Line. policy: of L2, where hinted.
    template <class Find>
    __device__ static void copy(unsigned tile, Find find, unsigned long long policy)
    {
        const int chunk = threadIdx.x % Tile::chunks;
#pragma unroll
        for (int i = 0; i < rounds; i++) {
            const int l = line(i);
            if (lines % at_once != 0 && l >= lines) continue;
            const Line<T> from = find(i, l);
            const unsigned to = tile + l * Tile::panel + (chunk ^ Tile::swizzle(l)) * 16;
#pragma unroll
            for (int p = 0; p < panels; p++)
                copy_async_part<prefetch, hinted>(to + p * Tile::panel_bytes,
                                                  from.data + (p * Tile::chunks + chunk) *
                                                                  per_chunk,
                                                  from.valid ? 16 : 0, policy);
        }
    }

    // Lines that begin anywhere: element by element, through registers. Not unrolled:
    // code that is slow anyway should be small.
    template <class Find> __device__ static void copy_elements(unsigned tile, Find find)
    {
        const int chunk = threadIdx.x % Tile::chunks;
#pragma unroll 1
        for (int i = 0; i < rounds * panels; i++) {
            const int l = line(i / panels), panel = i % panels;
            if (lines % at_once != 0 && l >= lines) continue;
            const Line<T> from = find(i / panels, l);
            union {
                T element[per_chunk];
                uint4 chunk;
            } part = {};
#pragma unroll
            for (int j = 0; j < per_chunk; j++)
                if (from.valid)
                    part.element[j] =
                        from.data[(panel * Tile::chunks + chunk) * per_chunk + j];
            store_shared(tile + panel * Tile::panel_bytes + l * Tile::panel +
                             (chunk ^ Tile::swizzle(l)) * 16,
                         part.chunk);
        }
    }
};
