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
    // Its first element of a line.
    __device__ static int column()
    {
        return threadIdx.x % Tile::chunks * per_chunk;
    }

    // find(round, line) is the Line. policy: of L2, where hinted.
    template <class Find>
    __device__ static void copy(unsigned tile, Find find, unsigned long long policy)
    {
#pragma unroll
        for (int i = 0; i < rounds; i++) {
            if (!has(i)) continue;
            const Line<T> from = find(i, line(i));
            copy_line(tile, line(i), from.data + column(), from.valid, policy);
        }
    }

    // Lines that are all valid and begin at multiples of 16 bytes. at(round): column() of
    // this thread's line.
    template <class At>
    __device__ static void copy_inside(unsigned tile, At at, unsigned long long policy)
    {
#pragma unroll
        for (int i = 0; i < rounds; i++)
            if (has(i)) copy_line(tile, line(i), at(i), true, policy);
    }
    // The same of lines stride elements apart. from: column() of line(0).
    __device__ static void copy_inside(unsigned tile, const T *from, long long stride,
                                       unsigned long long policy)
    {
        const auto at = [=](int round) { return from + stride * (round * at_once); };
        copy_inside(tile, at, policy);
    }

    // Lines of which some are not valid, or not aligned: the latter go element by element
    // through registers. find(round, line) is the Line from column() on. Not unrolled, as
    // few tiles come here: code that is seldom run should be small.
    template <class Find>
    __device__ static void copy_edge(unsigned tile, Find find, bool aligned,
                                     unsigned long long policy)
    {
#pragma unroll 1
        for (int i = 0; i < rounds; i++) {
            if (!has(i)) continue;
            const Line<T> from = find(i, line(i));
            if (aligned)
                copy_line(tile, line(i), from.data, from.valid, policy);
            else
                copy_elements(tile, line(i), from.data, from.valid);
        }
    }

  private:
    __device__ static bool has(int round)
    {
        return lines % at_once == 0 || line(round) < lines;
    }
    __device__ static unsigned target(unsigned tile, int line)
    {
        const int chunk = threadIdx.x % Tile::chunks ^ Tile::swizzle(line);
        return tile + line * Tile::panel + chunk * 16;
    }
    // This thread's chunks of a line, from the first on.
    __device__ static void copy_line(unsigned tile, int line, const T *from, bool valid,
                                     unsigned long long policy)
    {
        const unsigned to = target(tile, line);
#pragma unroll
        for (int p = 0; p < panels; p++)
            copy_async_part<prefetch, hinted>(to + p * Tile::panel_bytes,
                                              from + p * Tile::chunks * per_chunk,
                                              valid ? 16 : 0, policy);
    }
    __device__ static void copy_elements(unsigned tile, int line, const T *from,
                                         bool valid)
    {
        const unsigned to = target(tile, line);
#pragma unroll 1
        for (int p = 0; p < panels; p++) {
            union {
                T element[per_chunk];
                uint4 chunk;
            } part = {};
#pragma unroll
            for (int j = 0; j < per_chunk; j++)
                if (valid) part.element[j] = from[p * Tile::chunks * per_chunk + j];
            store_shared(to + p * Tile::panel_bytes, part.chunk);
        }
    }
};
