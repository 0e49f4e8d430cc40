// Layer normalisation of each row: y = (x - mean) / sqrt(variance + eps) * weight + bias,
// with the variance that divides by cols.
//
//   in       rows of cols elements of TYPE, in_stride elements apart; rows and cols may
//            be 0, cols up to 2^31 - 2^18
//   residual with RESIDUAL: lies as in does; x = in + residual is written back to it
//   weight, bias   [cols] of TYPE
//   out      rows of OUT, out_stride elements apart
//   scales   [rows], with QUANT row: written; else not touched
//   scale    with QUANT given
//   grid     x: ceil(rows / ROWS), with BULK any number of blocks, which share the rows
//   block    x: ROW_THREADS * ROWS
//   shared   static, 12 bytes a warp where ROW_THREADS > 32, with QUANT row 16.
//            With BULK dynamic, see common/bulk_rows.cuh
//   align    none demanded; vectors of VEC bytes move where rows allow it
//   arch     sm_80 and newer, e4m3 sm_89, with BULK sm_90
//   alias    no buffer may overlap another
//
// A thread takes the mean of its elements of a tile and then their squared distances from
// it, both from registers: no difference of large sums, however far the mean is from 0.
// Tiles and threads are combined by counts, means and squared distances (T. Chan,
// G. Golub, R. LeVeque, "Updating formulae and a pairwise algorithm for computing sample
// variances", 1979). Rows of up to ROW_THREADS * CHUNKS * VEC bytes stay in registers,
// longer ones are read again to be written.

#ifndef MIN_BLOCKS
#define MIN_BLOCKS 3
#endif

#include "common/norm.cuh"

// Of some elements: how many, their mean, the sum of squared distances from it.
struct Moments {
    float count, mean, distance;

    __device__ void add(const RowTile &x, const Span &span, int tile);
    __device__ Standard standard(int cols, float eps) const
    {
        return {mean, rsqrtf(distance / cols + eps)};
    }
};

struct CombineMoments {
    __device__ Moments operator()(Moments a, Moments b) const
    {
        const float count = a.count + b.count;
        if (count == 0.0f) return a;
        const float share = b.count / count, between = b.mean - a.mean;
        return {count, a.mean + between * share,
                a.distance + b.distance + between * between * a.count * share};
    }
};

__device__ inline void Moments::add(const RowTile &x, const Span &span, int tile)
{
    const int start = RowTile::start(tile);
    Moments of_tile = {};
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int at = start + i * RowTile::step;
        of_tile.count += max(min(at + PER, span.end) - max(at, span.skip), 0);
#pragma unroll
        for (int j = 0; j < PER; j++)
            of_tile.mean += x.value(i, j); // the sum, for now: 0 outside the row
    }
    of_tile.mean /= fmaxf(of_tile.count, 1.0f);
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int at = start + i * RowTile::step;
#pragma unroll
        for (int j = 0; j < PER; j++) {
            const float d = span.has(at + j) ? x.value(i, j) - of_tile.mean : 0.0f;
            of_tile.distance = fmaf(d, d, of_tile.distance);
        }
    }
    *this = CombineMoments()(*this, of_tile);
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    layernorm(const TYPE *in, TYPE *residual, const TYPE *weight, const TYPE *bias,
              OUT *out, float *scales, int rows, int cols, long long in_stride,
              long long out_stride, float eps, float scale)
{
    normalise<Moments, CombineMoments, true>({in, residual, weight, bias, out, scales,
                                              rows, cols, in_stride, out_stride, eps,
                                              scale});
}
