// Sums of 8-bit floats that are promoted: of those that tensor cores add up an H100 keeps
// about 13 bits, so those of each stage, of 128 of k, are added up in fp32 by the threads
// (DeepSeek-V3 technical report, 3.3.2; DeepGEMM). With SCALE block they are scaled on
// the way, by a scale of each row of A and one of each 128 columns of B.
#pragma once

#include "warp_tile.cuh"

// Those of a thread's part of a tile. Between chunks of columns alone a new block of 128
// columns begins, once at most.
struct TileScales {
    static constexpr int chunk = BN & -BN; // columns
    unsigned row, column; // addresses in stage 0: the thread's first row, the first block
    int first_chunks;     // in the first block; none of a tile is in a third

    // first_row: the warp group's, of the tile; first_column: the tile's, of D.
    __device__ TileScales(const BlockScales &all, int first_row, int first_column)
        : row(all.memory + (first_row + warp_rows() + threadIdx.x % 32 / 4) * 4),
          column(all.memory + ROW_SCALE_BYTES),
          first_chunks((128 - first_column % 128) / chunk)
    {
        // So that they are not made anew for each stage.
        if (SCALED) asm volatile("" : "+r"(row), "+r"(first_chunks));
    }

    // The factors of a piece of 64 rows: of its upper and lower 8, by blocks of columns.
    struct Piece {
        float factor[2][COLUMN_BLOCKS];

        // Of group j of 8 columns.
        __device__ float of(int half, int j, int first_chunks) const
        {
            const int c = j * 8 / chunk;
            const bool second = c > 0 && (c >= 128 / chunk || c >= first_chunks);
            return second ? factor[half][COLUMN_BLOCKS - 1] : factor[half][0];
        }
    };
    __device__ Piece load(int stage, int piece) const
    {
        Piece p = {};
        if (!SCALED) return p;
        const unsigned from = row + stage * SCALE_BYTES + piece * 256;
        const float rows[] = {load_float(from), load_float(from + 32)};
#pragma unroll
        for (int i = 0; i < COLUMN_BLOCKS; i++) {
            const float columns = load_float(column + stage * SCALE_BYTES + i * 128);
            p.factor[0][i] = rows[0] * columns;
            p.factor[1][i] = rows[1] * columns;
        }
        return p;
    }
};

struct Promoter {
    const Multiplier &multiplier;

    // All products of a tile, of depth stages.
    __device__ void sum(Sums &sums, Stages::Place &place, int depth,
                        const TileScales &scales) const
    {
#pragma unroll
        for (int i = 0; i < PIECES * BN / 2; i++)
            sums[i / (BN / 2)][i % (BN / 2) / 4][i % 4] = 0;
        for (int k = 0; k < depth; k++) {
            multiplier.ring.wait_full(place);
            add_stage(sums, place, scales);
            place.next();
        }
    }

  private:
    __device__ void add_stage(Sums &sums, const Stages::Place &place,
                              const TileScales &scales) const
    {
#pragma unroll
        for (int i = 0; i < PIECES; i++) {
            Sum part[BN / 8][4];
            const TileScales::Piece own = scales.load(place.stage, i);
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
                    SCALED ? fmaf(own.of(j % 4 / 2, j / 4, scales.first_chunks),
                                  part[j / 4][j % 4], sums[i][j / 4][j % 4])
                           : sums[i][j / 4][j % 4] + part[j / 4][j % 4];
        }
    }
};

// A tile's products, of depth stages, by one of the groups that take turns.
__device__ inline void multiply_tile(Sums &sums, const Multiplier &multiplier,
                                     Stages::Place &place, int depth,
                                     const TileScales &scales, const Turns &order,
                                     int turn)
{
    order.await(turn);
    if constexpr (PROMOTED) {
        Promoter{multiplier}.sum(sums, place, depth, scales);
        order.pass(turn);
    } else {
        const Stages::Place last = multiplier.begin(sums, place, depth);
        order.pass(turn);
        multiplier.end(sums, last);
    }
}
