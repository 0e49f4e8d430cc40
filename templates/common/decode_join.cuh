// Outputs of rows of which several warps, and several blocks, each saw some keys: they
// are joined by the logarithms of their sums of powers, and written (FlashDecoding).
#pragma once

#include "attention_parameters.cuh"
#include "decode_rows.cuh"
#include "online_softmax.cuh"

// Eight outputs of a row, already divided, and the logarithm to base 2 of what by.
struct Part {
    float x[8], log;
};

// Parts of a row that each saw some of its keys; those that saw none have minus infinity.
struct Joiner {
    Part part;
    float top, total;

    // top: the highest logarithm of all that will come
    __device__ explicit Joiner(float top)
        : part{}, top(top == minus_infinity() ? 0.0f : top), total(0)
    {
    }
    // What was summed is sum times 2^log; x was not divided by sum.
    __device__ void add(const float (&x)[8], float log, float sum)
    {
        const float weight = power_of_two(log - top);
        total += weight * sum;
#pragma unroll
        for (int i = 0; i < 8; i++)
            part.x[i] += weight * x[i];
    }
    __device__ Part finish()
    {
        const float inverse = 1.0f / fmaxf(total, 1e-30f);
#pragma unroll
        for (int i = 0; i < 8; i++)
            part.x[i] *= inverse;
        part.log = top + __log2f(total);
        return part;
    }
};

// What the blocks of a tile of rows have of it, in global memory: outputs [rows][width],
// then logarithms [rows], for each split.
template <int rows, int width> struct Splits {
    static constexpr int size = rows * width + rows; // floats of a split
    float *first;

    __device__ float *outputs(int split, int row, int column) const
    {
        return first + (long long)split * size + row * width + column;
    }
    __device__ float *log(int split, int row) const
    {
        return first + (long long)split * size + rows * width + row;
    }
    __device__ void put(int split, int row, int column, const Part &part) const
    {
        float4 *vector = reinterpret_cast<float4 *>(outputs(split, row, column));
        vector[0] = {part.x[0], part.x[1], part.x[2], part.x[3]};
        vector[1] = {part.x[4], part.x[5], part.x[6], part.x[7]};
        if (column == 0) *log(split, row) = part.log;
    }
    // Past L1, which is not kept coherent.
    __device__ Part take(int count, int row, int column) const
    {
        float top = minus_infinity();
        for (int s = 0; s < count; s++)
            top = fmaxf(top, __ldcg(log(s, row)));
        Joiner joiner(top);
#pragma unroll 2
        for (int s = 0; s < count; s++) {
            const float4 *vector =
                reinterpret_cast<const float4 *>(outputs(s, row, column));
            const float4 low = __ldcg(vector), high = __ldcg(vector + 1);
            const float x[8] = {low.x,  low.y,  low.z,  low.w,
                                high.x, high.y, high.z, high.w};
            joiner.add(x, __ldcg(log(s, row)), 1.0f);
        }
        return joiner.finish();
    }
};

// Outputs of this block's rows.
struct Outputs {
    Rows rows;
    Places places;
    OUT *O;
    float *lse;
    int o_token, o_head;
    long long lse_head;

    __device__ OUT *row(int row) const
    {
        return O + places.at(rows, row, o_token, o_head);
    }
    // log: of base 2
    __device__ void put_log(int row, float log) const
    {
        if (lse)
            lse[(places.head + rows.head(row)) * lse_head + places.token +
                rows.token(row)] = LN_2 * log;
    }
    __device__ void put(int row, int column, const Part &part) const
    {
        struct alignas(16) {
            OUT element[8];
        } out;
        narrow(out.element, part.x);
        *reinterpret_cast<uint4 *>(this->row(row) + column) =
            *reinterpret_cast<const uint4 *>(&out);
        if (column == 0) put_log(row, part.log);
    }
};

// Calls of do_part(row, column) spread over the block, for all outputs of its rows.
template <int threads, int block_rows, int width, class DoPart>
__device__ inline void for_parts(const Rows &rows, DoPart do_part)
{
    for (int i = threadIdx.x; i < block_rows * width / 8; i += threads) {
        const int row = i / (width / 8), column = i % (width / 8) * 8;
        if (rows.has(row)) do_part(row, column);
    }
}
