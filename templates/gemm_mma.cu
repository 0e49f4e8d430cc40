// GEMM on the tensor cores of sm_80 and newer: D = epilogue(A * B).
//
//   A [M][K], B [K][N], C and D [M][N]   row-major; with TRANS_A A is stored [K][M], with
//            TRANS_B B is stored [N][K]; lda .. ldd elements from one stored row to the
//            next. M, N from 1, K from 0 to 2^31 - 512
//   TYPE     of A and B, OUT of D: common/gemm_parameters.cuh
//   epilogue alpha, beta, C, bias, residual, scales: common/epilogue.cuh; what it does
//            not read may be null
//   partials with SPLIT_K > 1: 4 * SPLIT_K * BM * BN bytes a tile of D, of any contents
//   counters with SPLIT_K > 1: one a tile of D, 0 before and after
//   grid     x: ceil(M / BM) * ceil(N / BN), y: SPLIT_K
//   block    x: THREADS = 32 * (BM / WM) * (BN / WN)
//   shared   the larger of STAGES * (BM + BN) * BK and STAGE_D * THREADS * 2 * (WN + 8)
//            bytes, dynamic
//   align    none demanded; rows that begin at multiples of 16 bytes are copied faster
//   result   sums in fp32 (int32 of i8) in an order that depends on the parameters
//
// A block computes a BM x BN tile of D, a warp WM x WN of it by mma.sync. Tiles of A and
// B come by cp.async into a ring of STAGES, swizzled so that neither those copies nor
// ldmatrix meet in a bank; with REGPIPE 2 the fragments of a step are read while those of
// the step before are multiplied. With SPLIT_K blocks share the k of a tile.

#ifndef SPLIT_K // blocks a tile of D
#define SPLIT_K 1
#endif

#include "common/epilogue.cuh"
#include "common/gemm_tile.cuh"
#include "common/raster.cuh"
#include "common/split_k.cuh"

static_assert(SPLIT_K >= 1, "SPLIT_K must be at least 1");

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_mma(const TYPE *__restrict__ A, const TYPE *__restrict__ B,
             const Side<OUT>::type *C, OUT *D, const Side<OUT>::type *bias,
             const Side<OUT>::type *residual, const float *row_scale,
             const float *column_scale, float4 *partials, unsigned *counters, int M,
             int N, int K, int lda, int ldb, int ldc, int ldd, float alpha, float beta)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int rows = (M - 1) / BM + 1, columns = (N - 1) / BN + 1;
    const TileIndex tile = tile_of_block<GROUP_M>(blockIdx.x, rows, columns);
    const int row = tile.row * BM, column = tile.column * BN;
    Source source = make_source(A, B, M, N, K, lda, ldb, row, column);
    int tiles = K / DEPTH + (K % DEPTH != 0);
    if (SPLIT_K > 1) {
        const int share = (tiles - 1) / SPLIT_K + 1;
        source.first = min(blockIdx.y * share, tiles);
        tiles = min(share, tiles - source.first);
    }
    Sums sums = {};
    sum_tiles(sums, source, shared_address(shared), tiles);
    if constexpr (SPLIT_K > 1)
        if (!join_splits<SPLIT_K, THREADS>(sums, {partials, counters}, blockIdx.x,
                                           blockIdx.y))
            return;
    const Epilogue<OUT> epilogue = {D, C, bias, residual, row_scale, column_scale,
                                    M, N, ldc,  ldd,      alpha,     beta};
    write_tile(epilogue, sums, row, column, shared);
}
