// The tile of a product that a block computes: copies, fragments and products of one
// stage after another.
#pragma once

#include "fragment.cuh"
#include "gemm_parameters.cuh"
#include "mma.cuh"
#include "operand.cuh"
#include "warp_grid.cuh"

constexpr int DEPTH = BK / (int)sizeof(TYPE); // of a tile, in elements
constexpr int STEPS = BK / 32;                // of mma, in a tile

static_assert((BK & (BK - 1)) == 0 && STEPS >= 1, "BK: a power of two from 32 bytes on");
static_assert(STAGES >= 2, "copies run ahead: at least 2 stages");
static_assert(REGPIPE == 1 || REGPIPE == 2, "REGPIPE must be 1 or 2");
static_assert(REGPIPE == 1 || STEPS >= 2, "REGPIPE 2 needs two steps a tile");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");

typedef Operand<TYPE, BM, DEPTH, WM, !TRANS_A, true> OperandA;
typedef Operand<TYPE, BN, DEPTH, WN, TRANS_B, false> OperandB;
typedef Copier<TYPE, OperandA::Shared, THREADS, PREFETCH> CopierA;
typedef Copier<TYPE, OperandB::Shared, THREADS, PREFETCH> CopierB;
typedef Mma<TYPE>::Sum Sum;
typedef Sum Sums[WM / 16][WN / 8][4];

constexpr int A_BYTES = OperandA::Shared::bytes;
constexpr int STAGE_BYTES = A_BYTES + OperandB::Shared::bytes;

// Where the tiles of both operands come from.
struct Source {
    Matrix<TYPE> a, b;
    int row, column; // of D
    int first;       // tile along k

    __device__ int depth() const // elements of k
    {
        return TRANS_A ? a.lines : a.width;
    }
    // Any tile.
    __device__ void copy(unsigned stage, int tile) const
    {
        const int k = (first + tile) * DEPTH;
        CopierA::copy(stage, a, TRANS_A ? k : row, TRANS_A ? row : k);
        CopierB::copy(stage + A_BYTES, b, TRANS_B ? column : k, TRANS_B ? k : column);
    }
    // How many tiles along k lie inside aligned matrices.
    __device__ int count_inside() const
    {
        const int m = TRANS_A ? a.width : a.lines, n = TRANS_B ? b.lines : b.width;
        const bool inside = a.aligned && b.aligned && m - row >= BM && n - column >= BN;
        return inside ? max(depth() / DEPTH - first, 0) : 0;
    }
};

// Copies the tiles that are inside one after another.
struct Walk {
    const TYPE *a, *b; // this thread's first chunk of the next tile
    int a_stride, b_stride;

    __device__ explicit Walk(const Source &s)
        : a(CopierA::start(s.a, TRANS_A ? s.first * DEPTH : s.row,
                           TRANS_A ? s.row : s.first * DEPTH)),
          b(CopierB::start(s.b, TRANS_B ? s.column : s.first * DEPTH,
                           TRANS_B ? s.first * DEPTH : s.column)),
          a_stride(s.a.stride), b_stride(s.b.stride)
    {
    }
    __device__ void copy(unsigned stage)
    {
        CopierA::copy_inside(stage, a, a_stride);
        CopierB::copy_inside(stage + A_BYTES, b, b_stride);
        a += TRANS_A ? (long long)a_stride * DEPTH : DEPTH;
        b += TRANS_B ? DEPTH : (long long)b_stride * DEPTH;
    }
};

__device__ inline Source make_source(const TYPE *A, const TYPE *B, int M, int N, int K,
                                     int lda, int ldb, int row, int column)
{
    return {{A, TRANS_A ? K : M, TRANS_A ? M : K, lda},
            {B, TRANS_B ? N : K, TRANS_B ? K : N, ldb},
            row,
            column,
            0};
}

struct Fragments {
    OperandA::Fragments a;
    OperandB::Fragments b;
};

// Reads and multiplies this warp's part of a stage.
struct Multiplier {
    OperandA a;
    OperandB b;

    __device__ Multiplier() : a(warp_row()), b(warp_column()) {}

    __device__ void load(Fragments &x, unsigned stage, int step) const
    {
        a.load(x.a, stage, step);
        b.load(x.b, stage + A_BYTES, step);
    }
    __device__ static void multiply(Sums &sums, const Fragments &x)
    {
#pragma unroll
        for (int i = 0; i < WM / 16; i++)
#pragma unroll
            for (int j = 0; j < WN / 8; j++) {
                const unsigned *pair = &x.b[j / 2][j % 2 * 2];
                const unsigned b[2] = {pair[0], pair[1]};
                Mma<TYPE>::run(sums[i][j], x.a[i], b);
            }
    }
};

// The stage behind the one at an address.
__device__ inline unsigned next_stage(unsigned stage, unsigned shared)
{
    const unsigned next = stage + STAGE_BYTES;
    return next == shared + STAGES * STAGE_BYTES ? shared : next;
}

// Adds the products of tiles 0 .. tiles - 1 of source. At the end shared memory is free.
__device__ inline void sum_tiles(Sums &sums, const Source &source, unsigned shared,
                                 int tiles)
{
    const Multiplier warp;
    const int inside = min(source.count_inside(), tiles);
    Walk walk(source);
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < inside)
            walk.copy(shared + t * STAGE_BYTES);
        else if (t < tiles)
            source.copy(shared + t * STAGE_BYTES, t);
        commit_copies(); // of nothing too: the number of groups tells which tile is there
    }
    Fragments x[REGPIPE];
    // stages to read and to fill
    unsigned from = shared, to = shared + (STAGES - 1) * STAGE_BYTES;
    if (REGPIPE == 2) {
        wait_for_copies<STAGES - 2>();
        __syncthreads();
        warp.load(x[0], shared, 0);
    }
    for (int t = 0; t < tiles; t++) {
        if (REGPIPE == 1) {
            wait_for_copies<STAGES - 2>(); // tile t is there
            __syncthreads();               // for all, and all have read tile t - 1
        }
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            const bool last = step == STEPS - 1;
            if (REGPIPE == 1) warp.load(x[0], from, step);
            if (step == 0) {
                if (t < inside - (STAGES - 1))
                    walk.copy(to);
                else if (t < tiles - (STAGES - 1))
                    source.copy(to, t + STAGES - 1);
                commit_copies();
                to = next_stage(to, shared);
            }
            if (REGPIPE == 2 && !last) warp.load(x[(step + 1) % REGPIPE], from, step + 1);
            if (last) from = next_stage(from, shared);
            if (REGPIPE == 2 && last) {
                wait_for_copies<STAGES - 2>(); // tile t + 1 is there
                __syncthreads();               // for all, and all have read tile t
                warp.load(x[0], from, 0);
            }
            Multiplier::multiply(sums, x[step % REGPIPE]);
        }
    }
    wait_for_copies<0>();
    __syncthreads();
}
