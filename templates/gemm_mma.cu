// GEMM on the tensor cores of sm_80 and newer: D = A * B.
//
//   A [M][K], B [K][N], D [M][N]   row-major; TRANS_A: A is stored [K][M], TRANS_B: B is
//            stored [N][K]; lda, ldb, ldd elements from one stored row to the next
//   TYPE     of A and B: bf16 f16 tf32 i8, on sm_89 and newer e4m3 e5m2
//   OUT      of D: bf16 f16 f32 i8 i32 e4m3 e5m2
//   grid     x: ceil(M / BM) * ceil(N / BN)
//   block    x: THREADS = 32 * (BM / WM) * (BN / WN)
//   shared   max(STAGES * (BM + BN) * BK * sizeof(TYPE), staging) bytes, dynamic;
//            staging: STAGE_D * THREADS / 32 * 16 * (WN + 8) * 4
//   align    none demanded; lines that begin at multiples of 16 bytes are copied faster
//   result   sums in fp32 (int32 of i8), rounded once
//
// A block computes a BM x BN tile of D, a warp WM x WN of it by mma.sync. Tiles of A and
// B come by cp.async into a ring of STAGES, swizzled so that neither those copies nor
// ldmatrix meet in a bank; with REGPIPE 2 the fragments of a step are read while those of
// the step before are multiplied.

#ifndef TYPE // of A and B
#define TYPE bf16
#endif
#ifndef OUT // type of D
#define OUT bf16
#endif
#ifndef TRANS_A // A is stored [K][M]
#define TRANS_A 0
#endif
#ifndef TRANS_B // B is stored [N][K]
#define TRANS_B 1
#endif
#ifndef BM // rows of D a block
#define BM 128
#endif
#ifndef BN // columns of D a block
#define BN 128
#endif
#ifndef BK // depth of a tile
#define BK 32
#endif
#ifndef WM // rows of D a warp
#define WM 64
#endif
#ifndef WN // columns of D a warp
#define WN 64
#endif
#ifndef STAGES // tiles of each operand in shared memory
#define STAGES 4
#endif
#ifndef REGPIPE // sets of fragments: 2 hide the reads of one behind the other
#define REGPIPE 2
#endif
#ifndef GROUP_M // rows of blocks that run together, for reuse of B in L2
#define GROUP_M 8
#endif
#ifndef STAGE_D // D goes through shared memory, to be written 16 bytes at a time
#define STAGE_D 1
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif

#include "common/fragment.cuh"
#include "common/mma.cuh"
#include "common/operand.cuh"
#include "common/raster.cuh"
#include "common/write_sums.cuh"

constexpr int WARPS_N = BN / WN;
constexpr int WARPS = BM / WM * WARPS_N;
constexpr int THREADS = 32 * WARPS;
constexpr int STEPS = BK * (int)sizeof(TYPE) / 32; // of mma, in a tile

static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
static_assert(WM % 16 == 0 && WN % 16 == 0, "warp tiles are made of 16 x 16 pieces");
static_assert((BK & (BK - 1)) == 0 && STEPS >= 1,
              "BK: a power of two of 32 bytes or more");
static_assert(STAGES >= 2, "copies run ahead: at least 2 stages");
static_assert(REGPIPE == 1 || REGPIPE == 2, "REGPIPE must be 1 or 2");
static_assert(REGPIPE == 1 || STEPS >= 2, "REGPIPE 2 needs two steps a tile");
static_assert(STAGE_D == 0 || STAGE_D == 1, "STAGE_D must be 0 or 1");
static_assert(THREADS <= 1024, "at most 1024 threads a block");

typedef Operand<TYPE, BM, BK, WM, !TRANS_A, true> OperandA;
typedef Operand<TYPE, BN, BK, WN, TRANS_B, false> OperandB;
typedef Copier<TYPE, OperandA::Shared, THREADS, PREFETCH> CopierA;
typedef Copier<TYPE, OperandB::Shared, THREADS, PREFETCH> CopierB;
typedef Mma<TYPE>::Sum Sum;
typedef Sum Sums[WM / 16][WN / 8][4];

constexpr int A_BYTES = OperandA::Shared::bytes;
constexpr int STAGE_BYTES = A_BYTES + OperandB::Shared::bytes;

// Tiles of both operands, from wherever this block is to wherever a stage is.
struct Source {
    Matrix<TYPE> a, b;
    int row, column; // of D

    __device__ void copy(unsigned stage, int tile) const
    {
        const int k = tile * BK;
        CopierA::copy(stage, a, TRANS_A ? k : row, TRANS_A ? row : k);
        CopierB::copy(stage + A_BYTES, b, TRANS_B ? column : k, TRANS_B ? k : column);
    }
};

struct Fragments {
    OperandA::Fragments a;
    OperandB::Fragments b;
};

__device__ inline void load(Fragments &x, const OperandA &a, const OperandB &b,
                            unsigned stage, int step)
{
    a.load(x.a, stage, step);
    b.load(x.b, stage + A_BYTES, step);
}

__device__ inline void multiply(Sums &sums, const Fragments &x)
{
#pragma unroll
    for (int i = 0; i < WM / 16; i++)
#pragma unroll
        for (int j = 0; j < WN / 8; j++) {
            const unsigned b[2] = {x.b[j / 2][j % 2 * 2], x.b[j / 2][j % 2 * 2 + 1]};
            Mma<TYPE>::run(sums[i][j], x.a[i], b);
        }
}

__device__ inline int next_stage(int stage)
{
    return stage + 1 == STAGES ? 0 : stage + 1;
}

// The sums over all of k, for this warp's part of the tile of D.
__device__ inline void sum_tiles(Sums &sums, const Source &source, const OperandA &a,
                                 const OperandB &b, unsigned shared, int tiles)
{
    for (int t = 0; t < STAGES - 1; t++) {
        if (t < tiles) source.copy(shared + t * STAGE_BYTES, t);
        commit_copies(); // of nothing too: the number of groups tells which tile is there
    }
    Fragments x[REGPIPE];
    int from = 0, to = STAGES - 1; // stages to read and to fill
    if (REGPIPE == 2) {
        wait_for_copies<STAGES - 2>();
        __syncthreads();
        load(x[0], a, b, shared, 0);
    }
    for (int t = 0; t < tiles; t++) {
        if (REGPIPE == 1) {
            wait_for_copies<STAGES - 2>(); // tile t is there
            __syncthreads();               // for all, and all have read tile t - 1
        }
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            const bool last = step == STEPS - 1;
            const unsigned stage = shared + from * STAGE_BYTES;
            if (REGPIPE == 1) load(x[0], a, b, stage, step);
            if (step == 0) {
                if (t + STAGES - 1 < tiles)
                    source.copy(shared + to * STAGE_BYTES, t + STAGES - 1);
                commit_copies();
                to = next_stage(to);
            }
            if (last) from = next_stage(from);
            if (REGPIPE == 2 && last) {
                wait_for_copies<STAGES - 2>(); // tile t + 1 is there
                __syncthreads();               // for all, and all have read tile t
                load(x[0], a, b, shared + from * STAGE_BYTES, 0);
            } else if (REGPIPE == 2) {
                load(x[(step + 1) % REGPIPE], a, b, stage, step + 1);
            }
            multiply(sums, x[step % REGPIPE]);
        }
    }
    wait_for_copies<0>();
    __syncthreads(); // shared memory is free
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_mma(const TYPE *__restrict__ A, const TYPE *__restrict__ B, OUT *D, int M, int N,
             int K, int lda, int ldb, int ldd)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const TileIndex tile =
        tile_of_block<GROUP_M>(blockIdx.x, (M - 1) / BM + 1, (N - 1) / BN + 1);
    const int warp = threadIdx.x / 32;
    const int warp_row = warp / WARPS_N * WM, warp_column = warp % WARPS_N * WN;
    const Source source = {
        {A, TRANS_A ? K : M, TRANS_A ? M : K, lda},
        {B, TRANS_B ? N : K, TRANS_B ? K : N, ldb},
        tile.row * BM,
        tile.column * BN,
    };
    const int tiles = K / BK + (K % BK != 0);
    Sums sums = {};
    sum_tiles(sums, source, OperandA(warp_row), OperandB(warp_column),
              shared_address(shared), tiles);
    Output<OUT> out = {D, M, N, ldd};
    write_sums<STAGE_D, WM, WN>(out, sums, source.row + warp_row,
                                source.column + warp_column,
                                shared + warp * staging_bytes<WN>());
}
