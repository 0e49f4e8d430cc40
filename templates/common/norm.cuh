// Normalisation of rows: what rmsnorm and layernorm share, which is all but what they
// know of a row's elements.
//
//   x   = in, or with RESIDUAL in + residual, rounded to TYPE and written back
//   y   = (x - mean) * rstd * weight + bias
//   out = y, or with QUANT y / scale as e4m3: given, the argument scale; row, for each
//         row the largest |y| / 448, which is written to scales[row]
#pragma once

// Good for rows of 4096 elements of 16 bits; row.cuh tells what they are.
#ifndef ROW_THREADS
#define ROW_THREADS 256
#endif
#ifndef CHUNKS
#define CHUNKS 2
#endif
#ifndef MIN_BLOCKS
#define MIN_BLOCKS 4
#endif

#include "bulk_rows.cuh"
#include "group.cuh"
#include "row.cuh"

#ifndef OUT // type of the result: f32, f16, bf16, with QUANT e4m3
#define OUT TYPE
#endif
#ifndef RESIDUAL // 1: residual is added, and the sum written back to it
#define RESIDUAL 0
#endif
#ifndef QUANT // none, given, row
#define QUANT none
#endif

enum class Quant { none, given, row };
constexpr bool QUANTISES = Quant::QUANT != Quant::none;

static_assert(RESIDUAL == 0 || RESIDUAL == 1, "RESIDUAL must be 0 or 1");
static_assert(QUANTISES == same_type<OUT, e4m3>::value, "QUANT and e4m3 go together");

constexpr float E4M3_MAX = 448.0f;
constexpr float LEAST_SCALE = 8.67e-19f; // 2^-60: of rows of zeros, or nearly

// The arguments of both kernels.
struct Norm {
    const TYPE *in;
    TYPE *residual;
    const TYPE *weight, *bias; // bias: may be null
    OUT *out;
    float *scales;
    int rows, cols;
    long long in_stride, out_stride;
    float eps, scale;
};

// How a row's elements become y, but for weight and bias.
struct Standard {
    float mean, rstd;
};

struct Larger {
    __device__ float operator()(float a, float b) const
    {
        return fmaxf(a, b);
    }
};

// A row on its way: bias tells whether there is one, access where in lies.
template <bool bias, Access access> struct NormRow {
    const Span span;
    const Line<const TYPE> in;
    const Line<TYPE> residual;
    const Line<const TYPE> weights, biases;
    RowTile x, weight, shift;

    // from: the row of in
    __device__ NormRow(const Norm &a, const TYPE *from, long long row)
        : span(span_of_row(from, row < a.rows ? a.cols : 0)), in(from, span),
          residual(a.residual + row * a.in_stride, span), weights(a.weight, span),
          biases(a.bias, span)
    {
    }
    __device__ void load_first(int tile)
    {
        x.load<access>(in, span, tile);
        if constexpr (RESIDUAL) {
            RowTile other;
            other.load<Access::written>(residual, span, tile);
#pragma unroll
            for (int i = 0; i < CHUNKS; i++) {
                float sum[PER];
                TYPE rounded[PER];
#pragma unroll
                for (int j = 0; j < PER; j++)
                    sum[j] = x.value(i, j) + other.value(i, j);
                narrow(rounded, sum);
#pragma unroll
                for (int j = 0; j < PER; j++)
                    x.chunk[i].set(j, rounded[j]);
            }
            x.store(residual, span, tile);
        }
    }
    __device__ void load_again(int tile)
    {
        if constexpr (RESIDUAL)
            x.load<Access::written>(residual, span, tile);
        else
            x.load<access>(in, span, tile);
    }
    __device__ void load_weights(int tile)
    {
        weight.load<Access::reused>(weights, span, tile);
        if constexpr (bias) shift.load<Access::reused>(biases, span, tile);
    }
    __device__ float value(const Standard &standard, int i, int j) const
    {
        const float z = (x.value(i, j) - standard.mean) * standard.rstd;
        return bias ? fmaf(z, weight.value(i, j), shift.value(i, j))
                    : z * weight.value(i, j);
    }
};

// The largest |y| of this thread's elements; outside the row weights are 0.
template <class Row>
__device__ inline float largest(Row &row, int tiles, const Standard &standard)
{
    float largest = 0.0f;
    for (int tile = 0; tile < tiles; tile++) {
        if (tiles > 1) row.load_again(tile);
        row.load_weights(tile);
#pragma unroll
        for (int i = 0; i < CHUNKS; i++)
#pragma unroll
            for (int j = 0; j < PER; j++)
                largest = fmaxf(largest, fabsf(row.value(standard, i, j)));
    }
    return largest;
}

// Moments gathers what a row is like: add(tile, span, number) and standard(cols, eps);
// Combine makes one of two.
template <class Moments, class Combine, bool bias, Access access>
__device__ inline void normalise_row(const Norm &a, const TYPE *from, long long number)
{
    NormRow<bias, access> row(a, from, number);
    const int tiles = tiles_of(row.span);
    Moments moments = {};
    for (int tile = 0; tile < tiles; tile++) {
        row.load_first(tile);
        moments.add(row.x, row.span, tile);
    }
    moments = combine_group<ROW_THREADS, BLOCK>(moments, Combine());
    const Standard standard = moments.standard(a.cols, a.eps);
    float scale = a.scale;
    if constexpr (Quant::QUANT == Quant::row) {
        const float largest_y =
            combine_group<ROW_THREADS, BLOCK>(largest(row, tiles, standard), Larger());
        scale = fmaxf(largest_y / E4M3_MAX, LEAST_SCALE);
        if (threadIdx.x % ROW_THREADS == 0 && number < a.rows) a.scales[number] = scale;
    }
    const Line<OUT> out(a.out + number * a.out_stride, row.span);
    const float inverse = 1.0f / scale;
    for (int tile = 0; tile < tiles; tile++) {
        if (tiles > 1) row.load_again(tile);
        row.load_weights(tile);
        RowTile::write(out, row.span, tile, [&](int i, int j) {
            const float y = row.value(standard, i, j);
            return QUANTISES ? y * inverse : y;
        });
    }
}

template <class Moments, class Combine, bool bias, Access access>
__device__ inline void normalise_rows(const Norm &a, RowRing &ring)
{
    for (; ring.more(); ring.next()) {
        ring.wait();
        normalise_row<Moments, Combine, bias, access>(a, ring.data(), ring.row());
    }
}

// The rows of this block.
template <class Moments, class Combine, bool bias>
__device__ inline void normalise(const Norm &a)
{
    if constexpr (BULK > 0) {
        extern __shared__ float4 memory[]; // float4 for its alignment
        RowRing ring(memory, a.in, a.rows, a.cols, a.in_stride);
        if (ring.bulk)
            normalise_rows<Moments, Combine, bias, Access::shared>(a, ring);
        else
            normalise_rows<Moments, Combine, bias, Access::streamed>(a, ring);
    } else {
        const long long row = row_of_thread();
        normalise_row<Moments, Combine, bias, Access::streamed>(
            a, a.in + row * a.in_stride, row);
    }
}
