// Outputs of a warp, as mma leaves them in registers, through shared memory to rows of a
// matrix, 16 bytes a lane.
#pragma once

#include "element.cuh"
#include "head_rows.cuh"
#include "swizzle.cuh"

// Lines first .. of a swizzled tile in shared memory, which no other warp uses; of each
// the first width elements.
template <class T, class Tile, int width = Tile::line_bytes / (int)sizeof(T)>
struct RowWriter {
    static constexpr int per_chunk = 16 / (int)sizeof(T);

    unsigned char *tile;
    int first;

    __device__ T *at(int line, int column) const
    {
        const int along = column * (int)sizeof(T), chunk = along / 16 % Tile::chunks;
        return reinterpret_cast<T *>(tile + along / Tile::panel * Tile::panel_bytes +
                                     line * Tile::panel +
                                     (chunk ^ Tile::swizzle(line)) * 16 + along % 16);
    }

    template <int pieces, int columns>
    __device__ void stage(const float (&sums)[pieces][columns][4]) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int i = 0; i < 2 * pieces; i++)
#pragma unroll
            for (int j = 0; j < columns; j++)
                narrow_pair(at(first + 8 * i + lane / 4, 8 * j + lane % 4 * 2),
                            sums[i / 2][j][i % 2 * 2], sums[i / 2][j][i % 2 * 2 + 1]);
    }

    // lines lines to rows of to, as far as there are. In the order in which chunks lie in
    // shared memory.
    template <int lines> __device__ void write(const HeadRows<T> &to, int row) const
    {
        constexpr int a_panel = lines * Tile::chunks; // chunks
        constexpr int panels = Tile::line_bytes / Tile::panel;
        static_assert(a_panel % 32 == 0, "lanes must fill lines");
#pragma unroll
        for (int i = threadIdx.x % 32; i < a_panel * panels; i += 32) {
            const int line = i % a_panel / Tile::chunks;
            const int column =
                (i / a_panel * Tile::chunks + i % Tile::chunks) * per_chunk;
            if (row + line >= to.count || column >= width) continue;
            T *out = to.at(row + line) + column;
            const T *from = at(first + line, column);
            if (to.aligned)
                *reinterpret_cast<uint4 *>(out) = *reinterpret_cast<const uint4 *>(from);
            else
                for (int e = 0; e < per_chunk; e++)
                    out[e] = from[e];
        }
    }
};
