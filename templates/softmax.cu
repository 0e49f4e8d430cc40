// Softmax of each row: out[r][c] = exp(scale * in[r][c]) / sum of these over c, or with
// LOG the natural logarithm of that.
//
//   in, out  rows of cols elements of TYPE and OUT, in_stride and out_stride elements
//            apart; rows and cols may be 0, cols up to 2^31 - 2^18; scale > 0
//   grid     x: ceil(rows / ROWS)
//   block    x: ROW_THREADS * ROWS
//   shared   static, 8 bytes a warp where ROW_THREADS > 32
//   align    none demanded; vectors of VEC bytes move where rows allow it
//   arch     sm_80 and newer
//   alias    out may be in where LOAD is 0 and OUT is TYPE
//   special  a NaN or +inf, or nothing but -inf, make the whole row NaN
//
// In one pass each thread keeps the largest of its elements and the sum of the powers
// below it, rescaled when a larger one comes (M. Milakov, N. Gimelshein, "Online
// normalizer calculation for softmax", 2018); the pairs of a row meet by shuffles and in
// shared memory; a second pass writes. Rows of up to ROW_THREADS * CHUNKS * VEC bytes are
// in registers by then, longer ones are read again.

#include "common/group.cuh"
#include "common/row.cuh"

#ifndef OUT // type of the result: f32, f16, bf16
#define OUT TYPE
#endif
#ifndef LOG // 1: logarithms
#define LOG 0
#endif

static_assert(LOG == 0 || LOG == 1, "LOG must be 0 or 1");

// max: the largest element yet, sum: of exp2(factor * (element - max)). Without one max
// is the lowest number rather than -inf, so that differences are never inf - inf.
struct alignas(8) Powers {
    float max, sum;
};
constexpr float LOG2_E = 1.44269504f;
constexpr Powers NO_POWERS = {-3.402823466e38f, 0.0f};

__device__ inline float exp2_fast(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// The larger of the elements of two words, one by one.
__device__ inline unsigned max_of_words(unsigned a, unsigned b)
{
    unsigned larger;
    if constexpr (sizeof(TYPE) == 4)
        asm("max.f32 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
    else if constexpr (same_type<TYPE, bf16>::value)
        asm("max.bf16x2 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
    else
        asm("max.f16x2 %0, %1, %2;" : "=r"(larger) : "r"(a), "r"(b));
    return larger;
}

// Packed elements are compared as they are: to unpack them all would take registers.
__device__ inline float max_of_tile(const RowTile &x)
{
    Chunk max = {{minus_infinity()}};
#pragma unroll
    for (int i = 0; i < CHUNKS; i++)
#pragma unroll
        for (int j = 0; j < VEC / 4; j++)
            max.word[0] = max_of_words(max.word[0], x.chunk[i].word[j]);
    if constexpr (sizeof(TYPE) == 4) return to_float(max.element(0));
    return fmaxf(to_float(max.element(0)), to_float(max.element(1)));
}

__device__ inline Powers add_tile(Powers powers, const RowTile &x, float factor)
{
    const float max = fmaxf(powers.max, max_of_tile(x));
    float sum = 0.0f;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++)
#pragma unroll
        for (int j = 0; j < PER; j++)
            sum += exp2_fast(factor * (x.value(i, j) - max));
    return {max, powers.sum * exp2_fast(factor * (powers.max - max)) + sum};
}

struct CombinePowers {
    float factor;

    __device__ Powers operator()(Powers a, Powers b) const
    {
        const Powers high = a.max < b.max ? b : a, low = a.max < b.max ? a : b;
        return {high.max, high.sum + low.sum * exp2_fast(factor * (low.max - high.max))};
    }
};

__device__ inline void write_tile(const RowTile &x, const Line<OUT> &line,
                                  const Span &span, int tile, Powers powers, float scale)
{
    const float inverse = 1.0f / powers.sum, log = LOG ? logf(powers.sum) : 0.0f;
    RowTile::write(line, span, tile, [&](int i, int j) {
        const float below = x.value(i, j) - powers.max;
        return LOG ? scale * below - log : exp2_fast(scale * LOG2_E * below) * inverse;
    });
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    softmax(const TYPE *in, OUT *out, int rows, int cols, long long in_stride,
            long long out_stride, float scale)
{
    const long long row = row_of_thread();
    const TYPE *const from = in + row * in_stride;
    const Span span = span_of_row(from, row < rows ? cols : 0);
    const Line<const TYPE> source(from, span);
    const Line<OUT> result(out + row * out_stride, span);
    const float factor = scale * LOG2_E;
    const int tiles = tiles_of(span);
    RowTile x;
    Powers powers = NO_POWERS;
    for (int tile = 0; tile < tiles; tile++) {
        x.load<Access::streamed>(source, span, tile, minus_infinity());
        powers = add_tile(powers, x, factor);
    }
    powers = combine_group<ROW_THREADS, BLOCK>(powers, CombinePowers{factor});
    for (int tile = 0; tile < tiles; tile++) {
        if (tiles > 1) x.load<Access::streamed>(source, span, tile, minus_infinity());
        write_tile(x, result, span, tile, powers, scale);
    }
}
