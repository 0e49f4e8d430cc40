// Softmax of each row: out[r][c] = exp(scale * in[r][c]) / sum of these over c, or with
// LOG the natural logarithm of that.
//
//   in, out  rows of cols elements of TYPE and OUT, in_stride and out_stride elements
//            apart; rows and cols may be 0, cols up to 2^31 - 2^18; scale > 0
//   partials, counters   with SPLIT > 1: rows * SPLIT pairs of floats, of any contents;
//            rows + 1, 0 before and after
//   grid     x: ceil(rows / ROWS), with SPLIT > 1 rows * SPLIT; then SPLIT blocks must be
//            able to run at once. With BULK any number, which share the rows
//   block    x: ROW_THREADS * ROWS
//   shared   static, 8 bytes a warp where ROW_THREADS > 32, with SPLIT > 1 up to 8 more.
//            With BULK dynamic, see common/bulk_rows.cuh
//   align    none demanded; vectors of VEC bytes move where rows allow it
//   arch     sm_80 and newer, with BULK sm_90
//   alias    out may be in where LOAD is 0 and OUT is TYPE
//   special  a NaN or +inf, or nothing but -inf, make the whole row NaN
//
// In one pass each thread keeps the largest of its elements and the sum of the powers
// below it, rescaled when a larger one comes (M. Milakov, N. Gimelshein, "Online
// normalizer calculation for softmax", 2018); the pairs of a row meet by shuffles and in
// shared memory; a second pass writes. Rows of up to ROW_THREADS * CHUNKS * VEC bytes are
// in registers by then, longer ones are read again.
//
// Few long rows leave most of a GPU idle: with SPLIT several blocks share the tiles of a
// row, each leaves its pair in global memory, waits for the others and writes its tiles.
// With BULK blocks stay, and bulk copies bring rows to shared memory ahead of their use.

#include "common/bulk_rows.cuh"
#include "common/group.cuh"
#include "common/meeting.cuh"
#include "common/row.cuh"

#ifndef OUT // type of the result: f32, f16, bf16
#define OUT TYPE
#endif
#ifndef LOG // 1: logarithms
#define LOG 0
#endif
#ifndef SPLIT // blocks that share a row
#define SPLIT 1
#endif

static_assert(LOG == 0 || LOG == 1, "LOG must be 0 or 1");
static_assert(SPLIT >= 1, "SPLIT must be at least 1");
static_assert(SPLIT == 1 || ROWS == 1, "blocks share a single row");
static_assert(SPLIT == 1 || BULK == 0, "blocks that stay share no row");

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

// The tiles of a row that one of its blocks has: all have as many, but for the last ones.
struct Share {
    int first, end;
    int blocks; // that have any, at least one

    __device__ Share(int tiles, int part)
    {
        const int size = max((tiles + SPLIT - 1) / SPLIT, 1);
        blocks = max((tiles + size - 1) / size, 1);
        first = part * size;
        end = min(first + size, tiles);
    }
};

// What the blocks of a row make of their pairs, each of which gets it. Any number of
// blocks combines in the same order, whoever comes first.
__device__ inline Powers combine_blocks(Powers own, Powers *partials, int part,
                                        int blocks, unsigned *counter, float factor)
{
    const CombinePowers combine = {factor};
    if (threadIdx.x == 0) partials[part] = own;
    meet(counter, blocks);
    Powers all = NO_POWERS;
    for (int i = threadIdx.x % 32; i < blocks; i += 32) {
        const float2 pair = __ldcg(reinterpret_cast<const float2 *>(&partials[i]));
        all = combine(all, Powers{pair.x, pair.y});
    }
    return combine_lanes<32>(all, combine);
}

// What a thread has of a row: tiles of it, read once or, where there are several, again.
template <Access access> struct RowPart {
    const Line<const TYPE> source;
    const Span span;
    const Share share;
    RowTile x;

    __device__ RowPart(const TYPE *from, const Span &span, int part)
        : source(from, span), span(span), share(tiles_of(span), part)
    {
    }
    __device__ void load(int tile)
    {
        x.load<access>(source, span, tile, minus_infinity());
    }
    __device__ Powers gather(float factor)
    {
        Powers powers = NO_POWERS;
        for (int tile = share.first; tile < share.end; tile++) {
            load(tile);
            powers = add_tile(powers, x, factor);
        }
        return combine_group<ROW_THREADS, BLOCK>(powers, CombinePowers{factor});
    }
    __device__ void write(const Line<OUT> &result, Powers powers, float scale)
    {
        const bool kept = share.end - share.first == 1;
        for (int tile = share.first; tile < share.end; tile++) {
            if (!kept) load(tile);
            write_tile(x, result, span, tile, powers, scale);
        }
    }
};

// The rows of a block that stays.
template <Access access>
__device__ inline void run_rows(RowRing &ring, OUT *out, int cols, long long out_stride,
                                float scale)
{
    for (; ring.more(); ring.next()) {
        const long long row = ring.row();
        ring.wait();
        const TYPE *const from = ring.data();
        RowPart<access> part(from, span_of_row(from, row < ring.rows ? cols : 0), 0);
        const Line<OUT> result(out + row * out_stride, part.span);
        part.write(result, part.gather(scale * LOG2_E), scale);
    }
}

extern "C" __global__ void __launch_bounds__(BLOCK, MIN_BLOCKS)
    softmax(const TYPE *in, OUT *out, Powers *partials, unsigned *counters, int rows,
            int cols, long long in_stride, long long out_stride, float scale)
{
    if constexpr (BULK > 0) {
        extern __shared__ float4 memory[]; // float4 for its alignment
        RowRing ring(memory, in, rows, cols, in_stride);
        if (ring.bulk)
            run_rows<Access::shared>(ring, out, cols, out_stride, scale);
        else
            run_rows<Access::streamed>(ring, out, cols, out_stride, scale);
        return;
    }
    const unsigned block = SPLIT > 1 ? take_ticket(&counters[rows]) : blockIdx.x;
    const int number = block % SPLIT;
    const long long row = row_of_thread(block / SPLIT);
    const TYPE *const from = in + row * in_stride;
    RowPart<Access::streamed> part(from, span_of_row(from, row < rows ? cols : 0),
                                   number);
    const Line<OUT> result(out + row * out_stride, part.span);
    const int blocks = part.share.blocks;
    if (number >= blocks) return;
    const float factor = scale * LOG2_E;
    Powers powers = part.gather(factor);
    if (SPLIT > 1 && blocks > 1)
        powers = combine_blocks(powers, partials + row * SPLIT, number, blocks,
                                &counters[row], factor);
    part.write(result, powers, scale);
}
