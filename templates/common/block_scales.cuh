// Scales of blocks (SCALE block): each stage has beside its tiles those of its 128 of k,
// of the tile's rows of A and of its columns of B, which come by tensor map as the tiles
// do. Maps see all scales of an operand as one line, so they may begin and end anywhere.
#pragma once

#include "gemm_sm90_parameters.cuh"

#include "epilogue.cuh"
#include "shared_memory.cuh"
#include "tensor_map.cuh"

constexpr bool SCALED = Scale::SCALE == Scale::block;

// Blocks of 128 columns that a tile may lie in.
constexpr int COLUMN_BLOCKS = 128 % BN == 0 ? 1 : 2;
// Of a stage: a word each row of A, then 128 bytes a block of columns, of which the first
// word is its scale and three more come with it.
constexpr int ROW_SCALE_BYTES = BM * 4;
constexpr int SCALE_BYTES = SCALED ? ROW_SCALE_BYTES + COLUMN_BLOCKS * 128 : 0;
constexpr int COPIED_SCALES = SCALED ? ROW_SCALE_BYTES + COLUMN_BLOCKS * 16 : 0;

// What the kernel gets of each operand's scales.
template <bool by_map> struct ScaleWays {
    typedef const float *Source;
};
template <> struct ScaleWays<true> {
    typedef TensorMap Source;
};
typedef ScaleWays<SCALED>::Source ScaleSource;

__device__ inline const float *scales_of(const float *scales)
{
    return scales;
}
__device__ inline const float *scales_of(const TensorMap &)
{
    return nullptr;
}

__device__ inline void prefetch_scales(const float *) {}
__device__ inline void prefetch_scales(const TensorMap &map)
{
    prefetch_map(map);
}
__device__ inline void load_scales(unsigned, const float *, int, unsigned) {}
__device__ inline void load_scales(unsigned to, const TensorMap &map, int x,
                                   unsigned barrier)
{
    load_box(to, map, x, barrier);
}

// Of all stages.
struct BlockScales {
    const ScaleSource &rows;    // [blocks][row_count], boxes of BM
    const ScaleSource &columns; // [matrices][column_blocks][blocks], boxes of 4
    unsigned memory;            // of stage 0's
    int row_count, column_blocks;
    int blocks; // of k; of those from there on scales are 0

    // Ahead of the first copy.
    __device__ void prefetch() const
    {
        prefetch_scales(rows);
        prefetch_scales(columns);
    }
    // By the thread that copies a tile's stage of k, with which they come; matrix: of B.
    __device__ void copy(int stage, int k, int row, int column, unsigned barrier,
                         int matrix) const
    {
        if (!SCALED) return;
        const unsigned to = memory + stage * SCALE_BYTES;
        const int block = k / 128;
        const int first = (matrix * column_blocks + column / 128) * blocks + block;
        const bool inside = block < blocks;
        load_scales(to, rows, inside ? block * row_count + row : -BM, barrier);
#pragma unroll
        for (int i = 0; i < COLUMN_BLOCKS; i++)
            load_scales(to + ROW_SCALE_BYTES + i * 128, columns,
                        inside ? first + i * blocks : -4, barrier);
    }
};
