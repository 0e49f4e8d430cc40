// Root mean square normalisation of each row: y = x / sqrt(mean(x^2) + eps) * weight.
//
//   in       rows of cols elements of TYPE, in_stride elements apart; rows and cols may
//            be 0, cols up to 2^31 - 2^18
//   residual with RESIDUAL: lies as in does; x = in + residual is written back to it
//   weight   [cols] of TYPE
//   out      rows of OUT, out_stride elements apart
//   scales   [rows], with QUANT row: written; else not touched
//   scale    with QUANT given
//   grid     x: ceil(rows / ROWS), with BULK any number of blocks, which share the rows
//   block    x: ROW_THREADS * ROWS
//   shared   static, 4 bytes a warp where ROW_THREADS > 32, twice with QUANT row.
//            With BULK dynamic, see common/bulk_rows.cuh
//   align    none demanded; vectors of VEC bytes move where rows allow it
//   arch     sm_80 and newer, e4m3 sm_89, with BULK sm_90
//   alias    no buffer may overlap another
//
// Squares are summed in f32, a tile of a row after another in each thread, then over the
// threads. Rows of up to ROW_THREADS * CHUNKS * VEC bytes stay in registers, longer ones
// are read again to be written (B. Zhang, R. Sennrich, "Root Mean Square Layer
// Normalization", 2019).

#include "common/norm.cuh"

struct Squares {
    float sum;

    __device__ void add(const RowTile &x, const Span &, int)
    {
#pragma unroll
        for (int i = 0; i < CHUNKS; i++)
#pragma unroll
            for (int j = 0; j < PER; j++)
                sum = fmaf(x.value(i, j), x.value(i, j), sum);
    }
    __device__ Standard standard(int cols, float eps) const
    {
        return {0.0f, rsqrtf(sum / cols + eps)};
    }
};

struct AddSquares {
    __device__ Squares operator()(Squares a, Squares b) const
    {
        return {a.sum + b.sum};
    }
};

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    rmsnorm(const TYPE *in, TYPE *residual, const TYPE *weight, OUT *out, float *scales,
            int rows, int cols, long long in_stride, long long out_stride, float eps,
            float scale)
{
    normalise<Squares, AddSquares, false>({in, residual, weight, nullptr, out, scales,
                                           rows, cols, in_stride, out_stride, eps,
                                           scale});
}
