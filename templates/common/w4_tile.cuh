// The tile of a product with weights of 4 bits that a block computes: copies of one stage
// after another, products, and the scales of groups.
#pragma once

#ifndef TYPE // of A and of scales: f16, bf16
#define TYPE f16
#endif
#ifndef OUT // type of D: f16, bf16
#define OUT f16
#endif
#ifndef ZEROS // groups have zero points of their own, else all have 8
#define ZEROS 0
#endif

#ifndef BM // rows of D a block
#define BM 16
#endif
#ifndef BN // columns of D a block
#define BN 128
#endif
#ifndef BK // depth of a tile, in elements
#define BK 128
#endif
#ifndef WM // rows of D a warp
#define WM 16
#endif
#ifndef WN // columns of D a warp
#define WN 32
#endif
#ifndef STAGES // tiles of each operand in shared memory
#define STAGES 4
#endif
#ifndef STAGE_D // D goes through shared memory, to be written 16 bytes at a time
#define STAGE_D 1
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef EVICT // weights leave L2 0 as usual, 1 first
#define EVICT 0
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif

#include "cache_hints.cuh"
#include "fragment.cuh"
#include "int4.cuh"
#include "mma.cuh"
#include "operand.cuh"
#include "warp_grid.cuh"

static_assert(same_type<TYPE, f16>::value || same_type<TYPE, bf16>::value,
              "TYPE must be f16 or bf16");
static_assert(ZEROS == 0 || ZEROS == 1, "ZEROS must be 0 or 1");
static_assert(BK == UNIT_K || BK == W4_GROUP, "BK must be 64 or 128");
static_assert(BN % 32 == 0, "BN must be a multiple of 32");
static_assert(STAGES >= 2, "copies run ahead: at least 2 stages");
static_assert(EVICT == 0 || EVICT == 1, "EVICT must be 0 or 1");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");

typedef Operand<TYPE, BM, BK, WM, true, true> OperandA;
typedef Copier<TYPE, OperandA::Shared, THREADS, PREFETCH> CopierA;
typedef float Sums[WM / 16][WN / 8][4];

// A stage: A, the weights' units as they lie in memory, scales and zero points of BN
// columns.
constexpr int UNITS = BN / UNIT_N; // beside each other
constexpr int WEIGHTS_AT = OperandA::Shared::bytes;
constexpr int SCALES_AT = WEIGHTS_AT + BK / UNIT_K * UNITS * UNIT_BYTES;
constexpr int ZEROS_AT = SCALES_AT + BN * 2;
constexpr int STAGE_BYTES = (ZEROS_AT + ZEROS * BN / 2 + 127) / 128 * 128;

// What a block's tiles are made of. K is a multiple of W4_GROUP, N of UNIT_N.
struct W4Source {
    Matrix<TYPE> a;
    const uint4 *weights;
    const TYPE *scales;
    const unsigned *zeros;
    int columns, row, column; // of D: all, and where the tile begins
};

// Copies tiles along k one after another.
struct W4Copier {
    static constexpr int warps = THREADS / 32;
    Matrix<TYPE> rows;
    int row, columns;
    int k;                     // of the next tile
    const TYPE *a;             // this thread's first chunk of it
    const uint4 *weights;      // this lane's part of this warp's first unit
    const TYPE *scales;        // this thread's 8
    const unsigned *zeros;     // this thread's 16
    int units, columns_left;   // from this warp's first unit, from the tile's column on
    unsigned long long policy; // of weights

    // first: tile along k
    __device__ W4Copier(const W4Source &s, int first)
        : rows(s.a), row(s.row), columns(s.columns), k(first * BK),
          a(CopierA::start(s.a, s.row, k)),
          units((columns - s.column) / UNIT_N - along()),
          columns_left(columns - s.column), policy(l2_policy<EVICT>())
    {
        const long long down = k / UNIT_K + threadIdx.x / 32 / UNITS;
        const long long group = k / W4_GROUP;
        weights = s.weights +
                  (down * (columns / UNIT_N) + s.column / UNIT_N + along()) * 32 +
                  threadIdx.x % 32;
        scales = s.scales + group * columns + s.column + threadIdx.x * 8;
        zeros = s.zeros + group * (columns / 8) + s.column / 8 + threadIdx.x * 2;
    }
    // This warp's first unit beside those of others.
    __device__ static int along()
    {
        return threadIdx.x / 32 % UNITS;
    }

    __device__ void copy(unsigned stage)
    {
        if (rows.aligned)
            copy_rows(stage);
        else
            CopierA::copy(stage, rows, row, k);
        copy_weights(stage + WEIGHTS_AT + threadIdx.x * 16);
        copy_group(stage);
        k += BK;
        a += BK;
        weights += columns / UNIT_N * (BK / UNIT_K * 32);
        if (BK == W4_GROUP || k % W4_GROUP == 0) {
            scales += columns;
            zeros += columns / 8;
        }
    }
    // Tiles end with k, but not with the rows.
    __device__ void copy_rows(unsigned stage) const
    {
#pragma unroll
        for (int i = 0; i < CopierA::rounds; i++) {
            const bool valid = row + CopierA::place(i).line < rows.lines;
            if (CopierA::has(i))
                copy_async_part<PREFETCH, false>(stage + CopierA::target(i),
                                                 CopierA::round_of(a, rows.stride, i),
                                                 valid ? 16 : 0, 0);
        }
    }
    // A unit a warp and round, in the order in which they lie in shared memory.
    __device__ void copy_weights(unsigned to) const
    {
        constexpr int count = BK / UNIT_K * UNITS;
        static_assert(UNITS % warps == 0 || warps % UNITS == 0,
                      "warps must divide the units of a tile, or these them");
#pragma unroll
        for (int i = 0; i * warps < count; i++) {
            const int down = i * warps / UNITS, right = i * warps % UNITS;
            const uint4 *from = weights + columns / UNIT_N * (down * 32) + right * 32;
            if (count % warps == 0 || threadIdx.x < count * 32)
                copy_async_part<PREFETCH, EVICT>(to + i * THREADS * 16, from,
                                                 right < units ? 16 : 0, policy);
        }
    }
    // Scales and zero points of the tile's group.
    __device__ void copy_group(unsigned stage) const
    {
        static_assert(BN / 8 <= THREADS, "a thread copies 8 scales");
        if (threadIdx.x < BN / 8)
            copy_async_part(stage + SCALES_AT + threadIdx.x * 16, scales,
                            (int)threadIdx.x * 8 < columns_left ? 16 : 0);
        if (ZEROS && threadIdx.x < BN / 16)
            copy_async_one<8>(stage + ZEROS_AT + threadIdx.x * 8, zeros,
                              (int)threadIdx.x * 16 < columns_left);
    }
};

// Reads and multiplies this warp's part of a stage.
struct W4Multiplier {
    typedef W4Offset<TYPE> Offset;
    struct Offsets {
        Offset column[WN / 8]; // of which this lane has one in each 8
    };
    OperandA a;
    unsigned weights; // this lane's part of the first unit, from the stage's on

    __device__ W4Multiplier()
        : a(warp_row()), weights(WEIGHTS_AT + warp_column() / UNIT_N * UNIT_BYTES +
                                 threadIdx.x % 32 * 16)
    {
    }

    __device__ static void load_offsets(Offsets &x, unsigned stage)
    {
#pragma unroll
        for (int j = 0; ZEROS && j < WN / 8; j++) {
            const unsigned zeros =
                load_word(stage + ZEROS_AT + warp_column() / 2 + j * 4);
            x.column[j] = Offset(zeros >> threadIdx.x % 32 / 4 * 4 & 15);
        }
    }

    // parts: sums of A times weights less their zero points, without scales.
    __device__ void multiply(Sums &parts, unsigned stage) const
    {
        Offsets offsets;
        load_offsets(offsets, stage);
#pragma unroll
        for (int i = 0; i < BK / UNIT_K; i++) {
            uint4 words[WN / UNIT_N];
#pragma unroll
            for (int j = 0; j < WN / UNIT_N; j++)
                words[j] = load_shared(stage + weights + (i * UNITS + j) * UNIT_BYTES);
#pragma unroll
            for (int step = 0; step < 4; step++) {
                OperandA::Fragments x;
                a.load(x, stage, 4 * i + step);
#pragma unroll
                for (int j = 0; j < WN / 8; j++)
                    multiply(parts, j, x, word_of(words[j / 2], step), offsets);
            }
        }
    }
    // Eight columns of a step.
    __device__ static void multiply(Sums &parts, int j, const OperandA::Fragments &x,
                                    unsigned word, const Offsets &offsets)
    {
        unsigned b[2];
        widen(b, word, j % 2, offsets.column[j]);
#pragma unroll
        for (int i = 0; i < WM / 16; i++)
            Mma<TYPE>::run(parts[i][j], x[i], b);
    }

    // Adds what the parts come to with their group's scales.
    __device__ static void add_scaled(Sums &sums, const Sums &parts, unsigned stage)
    {
        const int lane_column = warp_column() + threadIdx.x % 4 * 2;
#pragma unroll
        for (int j = 0; j < WN / 8; j++) {
            const unsigned pair =
                load_word(stage + SCALES_AT + (lane_column + 8 * j) * 2);
            const float scale[2] = {to_float(TYPE{(unsigned short)pair}),
                                    to_float(TYPE{(unsigned short)(pair >> 16)})};
#pragma unroll
            for (int i = 0; i < WM / 16; i++)
#pragma unroll
                for (int r = 0; r < 4; r++)
                    sums[i][j][r] = fmaf(parts[i][j][r], scale[r % 2], sums[i][j][r]);
        }
    }
};

__device__ inline void clear(Sums &x)
{
#pragma unroll
    for (int i = 0; i < WM / 16 * (WN / 8); i++)
#pragma unroll
        for (int r = 0; r < 4; r++)
            x[i / (WN / 8)][i % (WN / 8)][r] = 0;
}

// The stage behind the one at an address.
__device__ inline unsigned next_stage(unsigned stage, unsigned shared)
{
    const unsigned next = stage + STAGE_BYTES;
    return next == shared + STAGES * STAGE_BYTES ? shared : next;
}

// Adds the products of tiles first .. first + tiles - 1 along k. At the end shared memory
// is free.
__device__ inline void sum_groups(Sums &sums, const W4Source &source, unsigned shared,
                                  int first, int tiles)
{
    W4Copier copier(source, first);
    const W4Multiplier warp;
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles) copier.copy(shared + t * STAGE_BYTES);
        commit_copies(); // of nothing too: the number of groups tells which tile is there
    }
    // stages to read and to fill
    unsigned from = shared, to = shared + (STAGES - 1) * STAGE_BYTES;
    Sums parts = {};
    for (int t = 0; t < tiles; t++) {
        wait_for_copies<STAGES - 2>(); // tile t is there
        __syncthreads();               // for all, and all have read tile t - 1
        if (t < tiles - (STAGES - 1)) copier.copy(to);
        commit_copies();
        to = next_stage(to, shared);
        warp.multiply(parts, from);
        if (BK == W4_GROUP || (first + t) % 2 == 1 || t == tiles - 1) { // of the group
            W4Multiplier::add_scaled(sums, parts, from);
            clear(parts);
        }
        from = next_stage(from, shared);
    }
    __syncthreads(); // the groups of copies that are left are empty
}
