// What the references of normalisations share: x, and y on its way to out
// (templates/common/norm.cuh), in double and by definition.
#pragma once

#include "rows.cuh"

#ifndef TYPE
#define TYPE bf16
#endif
#ifndef OUT
#define OUT TYPE
#endif
#ifndef RESIDUAL
#define RESIDUAL 0
#endif
#ifndef QUANT
#define QUANT none
#endif

enum class Quant { none, given, row };

// x of a row, and with RESIDUAL its place in memory.
__device__ inline void add_residual(const TYPE *in, TYPE *residual, int cols)
{
    if (!RESIDUAL) return;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        write_rounded(&residual[c], to_float(in[c]) + to_float(residual[c]));
}

__device__ inline double mean_of(const TYPE *x, int cols, double from, int power)
{
    double sum = 0;
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        const double d = to_float(x[c]) - from;
        sum += power == 2 ? d * d : d;
    }
    return of_block<false>(sum) / cols;
}

// y(c) of a row to out.
template <class Y>
__device__ inline void write_row(const Y &y, OUT *out, float *row_scale, int cols,
                                 double scale)
{
    if (Quant::QUANT == Quant::row) {
        double largest = 0;
        for (int c = threadIdx.x; c < cols; c += THREADS)
            largest = fmax(largest, fabs(y(c)));
        scale = fmax(of_block<true>(largest) / 448, 0x1p-60);
        if (threadIdx.x == 0) *row_scale = (float)scale;
    }
    for (int c = threadIdx.x; c < cols; c += THREADS)
        write_rounded(&out[c], Quant::QUANT == Quant::none ? y(c) : y(c) / scale);
}
