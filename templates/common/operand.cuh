// An operand on its way from global to shared memory: any extent, any leading dimension,
// any alignment.
#pragma once

#include "async_copy.cuh"
#include "swizzle.cuh"

// A matrix in global memory: lines of width elements, stride elements apart.
template <class T> struct Matrix {
    const T *data;
    int lines, width, stride;
    bool aligned; // every line begins at a multiple of 16 bytes

    __device__ const T *at(int line, int column) const
    {
        return data + (long long)line * stride + column;
    }
    __device__ Matrix(const T *data, int lines, int width, int stride)
        : data(data), lines(lines), width(width), stride(stride),
          aligned(stride * sizeof(T) % 16 == 0 && (unsigned long long)data % 16 == 0)
    {
    }
};

// Copies of one tile, spread over all threads: chunks of 16 bytes in the order in
// which they lie in shared memory.
template <class T, class Tile, int threads, int prefetch> struct Copier {
    static constexpr int count = Tile::bytes / 16; // chunks
    static constexpr int rounds = (count + threads - 1) / threads;
    static constexpr int round_lines =
        threads / Tile::chunks; // lines that a round copies
    static constexpr int lines = Tile::panel_bytes / Tile::panel;
    static constexpr int width = Tile::line_bytes / (int)sizeof(T);
    static constexpr int per_chunk = 16 / (int)sizeof(T); // of a chunk
    // A round leads to the same lines of other panels, or to other lines of the same one.
    static constexpr bool regular = lines % round_lines == 0 || round_lines % lines == 0;

    static_assert(threads % Tile::chunks == 0, "threads must fill lines");

    struct Place {
        int line, column; // in elements
    };
    // Of this thread's chunk in a round.
    __device__ static Place place(int round)
    {
        const int first = threadIdx.x / Tile::chunks;
        const int along = threadIdx.x % Tile::chunks * per_chunk;
        constexpr int panel_width = Tile::chunks * per_chunk; // a panel
        const int ahead = round * round_lines;
        if (regular)
            return {first % lines + ahead % lines,
                    along + (first / lines + ahead / lines) * panel_width};
        return {(first + ahead) % lines, along + (first + ahead) / lines * panel_width};
    }
    __device__ static unsigned target(int round)
    {
        const int row = threadIdx.x / Tile::chunks + round * round_lines;
        const int chunk = threadIdx.x % Tile::chunks;
        return row * Tile::panel + (chunk ^ Tile::swizzle(place(round).line)) * 16;
    }
    __device__ static bool has(int round)
    {
        return count % threads == 0 || threadIdx.x + round * threads < count;
    }

    // The tile at line, column of m to shared memory; zeros where it reaches past m.
    __device__ static void copy(unsigned tile, const Matrix<T> &m, int line, int column)
    {
        if (m.aligned)
            copy_edge(tile, m, line, column);
        else
            copy_elements(tile, m, line, column);
    }

    // This thread's chunk in round 0 of the tile at line, column.
    __device__ static const T *start(const Matrix<T> &m, int line, int column)
    {
        const Place at = place(0);
        return m.at(line + at.line, column + at.column);
    }

    // A tile inside an aligned matrix. from: start of it.
    __device__ static void copy_inside(unsigned tile, const T *from, int stride)
    {
#pragma unroll
        for (int i = 0; i < rounds; i++)
            if (has(i)) copy_async<prefetch>(tile + target(i), round_of(from, stride, i));
    }
    // Where regular, all threads go the same way from round to round.
    __device__ static const T *round_of(const T *from, int stride, int round)
    {
        const int ahead = round * round_lines;
        const Place at = place(round), own = place(0);
        const int down = regular ? ahead % lines : at.line - own.line;
        const int along =
            regular ? ahead / lines * Tile::chunks * per_chunk : at.column - own.column;
        const long long bytes = (long long)stride * (down * (int)sizeof(T));
        return (const T *)((const char *)from + bytes) + along;
    }

    // Not unrolled, as few blocks come here: code that is seldom run should be small.
    __device__ static void copy_edge(unsigned tile, const Matrix<T> &m, int line,
                                     int column)
    {
#pragma unroll 1
        for (int i = 0; i < rounds; i++) {
            const Place at = place(i);
            const int l = line + at.line, c = column + at.column;
            const int left = l < m.lines ? min(max(m.width - c, 0), per_chunk) : 0;
            const int valid = left * (int)sizeof(T);
            const T *from = valid ? m.at(l, c) : m.data;
            if (has(i)) copy_async_part(tile + target(i), from, valid);
        }
    }

    // Without alignment: element by element, through registers.
    __device__ static void copy_elements(unsigned tile, const Matrix<T> &m, int line,
                                         int column)
    {
#pragma unroll 1
        for (int i = 0; i < rounds; i++) {
            const Place at = place(i);
            const int l = line + at.line, c = column + at.column;
            union {
                T element[per_chunk];
                uint4 chunk;
            } part = {};
#pragma unroll
            for (int j = 0; j < per_chunk; j++)
                if (l < m.lines && c + j < m.width) part.element[j] = *m.at(l, c + j);
            if (has(i)) store_shared(tile + target(i), part.chunk);
        }
    }
};
