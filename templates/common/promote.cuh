// Sums of 8-bit floats that are promoted: of those that tensor cores add up an H100 keeps
// about 13 bits, so those of each stage, of 128 of k, are added up in fp32 by the threads
// (DeepSeek-V3 technical report, 3.3.2; DeepGEMM). With SCALE block they are scaled on
// the way, by a scale of each row of A and one of each 128 columns of B.
#pragma once

#include "warp_tile.cuh"

// Of all stages.
struct BlockScales {
    const float *rows;    // [stages][row_stride]
    const float *columns; // [ceil(column_count / 128)][stages]
    long long row_stride;
    int row_count, column_count, stages;
};

// Those of a thread's part of a tile, whose columns lie in two blocks of 128 at most; 0
// of what lies past the matrices.
struct TileScales {
    static constexpr bool may_be_two = 128 % BN != 0;
    const float *row, *column; // the thread's first row; the first block
    const BlockScales &all;
    int left;         // rows from the thread's first one on
    int first_groups; // groups of 8 columns in the first block
    bool one, two;    // whether there are columns of the first, the second block

    // first_row: the warp group's.
    __device__ TileScales(const BlockScales &all, int first_row, int first_column)
        : column(all.columns + first_column / 128LL * all.stages), all(all),
          first_groups((128 - first_column % 128) / 8),
          one(first_column < all.column_count),
          two(may_be_two && first_groups < BN / 8 &&
              first_column + first_groups * 8 < all.column_count)
    {
        const int own = first_row + warp_rows() + threadIdx.x % 32 / 4;
        row = all.rows + own;
        left = all.row_count - own;
    }

    struct Stage {
        float row[PIECES][2], column[2];
    };
    __device__ Stage load(int stage) const
    {
        Stage s = {};
        const bool inside = SCALED && stage < all.stages;
#pragma unroll
        for (int i = 0; i < PIECES * 2; i++) {
            const int at = i / 2 * 64 + i % 2 * 8;
            if (inside && at < left)
                s.row[i / 2][i % 2] = __ldg(row + stage * all.row_stride + at);
        }
        if (inside && one) s.column[0] = __ldg(column + stage);
        if (inside && two) s.column[1] = __ldg(column + all.stages + stage);
        return s;
    }
    // The factor of group j of 8 columns in the upper or lower 8 rows of piece i.
    __device__ float of(const Stage &s, int i, int half, int j) const
    {
        const bool second = may_be_two && j >= first_groups;
        return s.row[i][half] * (second ? s.column[1] : s.column[0]);
    }
};

struct Promoter {
    const Multiplier &multiplier;

    // All products of a tile, of depth stages from the first one on.
    __device__ void sum(Sums &sums, Stages::Place &place, int first, int depth,
                        const TileScales &scales) const
    {
#pragma unroll
        for (int i = 0; i < PIECES * BN / 2; i++)
            sums[i / (BN / 2)][i % (BN / 2) / 4][i % 4] = 0;
        TileScales::Stage next = scales.load(first);
        for (int k = 0; k < depth; k++) {
            const TileScales::Stage own = next;
            next = scales.load(first + k + 1); // arrives while this one is multiplied
            multiplier.ring.wait_full(place);
            add_stage(sums, place, scales, own);
            place.next();
        }
    }

  private:
    __device__ void add_stage(Sums &sums, const Stages::Place &place,
                              const TileScales &scales,
                              const TileScales::Stage &own) const
    {
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            Sum part[BN / 8][4];
            warpgroup_fence();
#pragma unroll
            for (int step = 0; step < 4; step++)
                multiplier.multiply(part, place.stage, step, i, step > 0);
            warpgroup_commit();
            warpgroup_wait<0>();
            hold(part);
            if (i + 1 == PIECES) multiplier.release(place);
#pragma unroll
            for (int j = 0; j < BN / 2; j++)
                sums[i][j / 4][j % 4] =
                    SCALED ? fmaf(scales.of(own, i, j % 4 / 2, j / 4), part[j / 4][j % 4],
                                  sums[i][j / 4][j % 4])
                           : sums[i][j / 4][j % 4] + part[j / 4][j % 4];
        }
    }
};

// A tile's products, of depth stages from first on, by one of the groups that take turns.
__device__ inline void multiply_tile(Sums &sums, const Multiplier &multiplier,
                                     Stages::Place &place, int first, int depth,
                                     const TileScales &scales, const Turns &order,
                                     int turn)
{
    order.await(turn);
    if constexpr (PROMOTED) {
        Promoter{multiplier}.sum(sums, place, first, depth, scales);
        order.pass(turn);
    } else {
        const Stages::Place last = multiplier.begin(sums, place, depth);
        order.pass(turn);
        multiplier.end(sums, last);
    }
}
