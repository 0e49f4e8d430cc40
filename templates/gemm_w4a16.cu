// GEMM with weights of 4 bits on the tensor cores of sm_80 and newer:
// D = epilogue(A * W).
//
//   A        [M][K], row-major, lda elements from one row to the next. M from 1; K a
//            multiple of 128, from 0 to 2^31 - 512
//   weights  W [K][N] as templates/w4_shuffle.cu leaves it: K * N / 8 words. N a multiple
//            of 16
//   scales   [K / 128][N]: W = scale * (weight - zero point)
//   zeros    with ZEROS [K / 128][N / 8] words, of which bits 4 i and on are the zero
//            point of column 8 word + i; else all are 8, and zeros may be null
//   C, D     [M][N] row-major; ldc, ldd elements from one row to the next
//   TYPE     of A and of scales, OUT of D: f16, bf16
//   epilogue alpha, beta, C, bias, residual, scales: common/epilogue.cuh; what it does
//            not read may be null
//   partials with SPLIT_K > 1: 4 * SPLIT_K * BM * BN bytes a tile of D, of any contents
//   counters with SPLIT_K > 1: one a tile of D, 0 before and after
//   grid     x: ceil(M / BM) * ceil(N / BN), y: SPLIT_K
//   block    x: THREADS = 32 * (BM / WM) * (BN / WN)
//   shared   the larger of STAGES * STAGE_BYTES (common/w4_tile.cuh) and STAGE_D *
//            THREADS * 2 * (WN + 8) bytes, dynamic
//   align    weights and scales 16 bytes, zeros 8; rows of A that begin at multiples of
//            16 bytes are copied faster
//   result   sums in fp32 in an order that depends on the parameters
//
// A block computes a BM x BN tile of D, a warp WM x WN of it by mma.sync. A and weights
// come by cp.async into a ring of STAGES, A swizzled, weights in the order of fragments,
// so that 16 bytes a lane are four steps of k. They become integers of TYPE in registers,
// and sums of 128 of k get the scales.

#ifndef SPLIT_K // blocks a tile of D
#define SPLIT_K 4
#endif
#ifndef GROUP_M // rows of blocks that run together, for reuse of weights in L2
#define GROUP_M 8
#endif

#include "common/epilogue.cuh"
#include "common/raster.cuh"
#include "common/split_k.cuh"
#include "common/w4_tile.cuh"

static_assert(same_type<OUT, f16>::value || same_type<OUT, bf16>::value,
              "OUT must be f16 or bf16");
static_assert(SPLIT_K >= 1, "SPLIT_K must be at least 1");

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_w4a16(const TYPE *__restrict__ A, const uint4 *__restrict__ weights,
               const TYPE *__restrict__ scales, const unsigned *__restrict__ zeros,
               const OUT *C, OUT *D, const OUT *bias, const OUT *residual,
               const float *row_scale, const float *column_scale, float4 *partials,
               unsigned *counters, int M, int N, int K, int lda, int ldc, int ldd,
               float alpha, float beta)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int rows = (M - 1) / BM + 1, columns = (N - 1) / BN + 1;
    const TileIndex tile = tile_of_block<GROUP_M>(blockIdx.x, rows, columns);
    const int row = tile.row * BM, column = tile.column * BN;
    const W4Source source = {{A, M, K, lda}, weights, scales, zeros, N, row, column};
    int first = 0, tiles = K / BK;
    if (SPLIT_K > 1) {
        const int share = (tiles - 1) / SPLIT_K + 1;
        first = min(blockIdx.y * share, tiles);
        tiles = min(share, tiles - first);
    }
    Sums sums = {};
    sum_groups(sums, source, shared_address(shared), first, tiles);
    if constexpr (SPLIT_K > 1)
        if (!join_splits<SPLIT_K, THREADS>(sums, {partials, counters}, blockIdx.x,
                                           blockIdx.y))
            return;
    const Epilogue<OUT> epilogue = {D, C, bias, residual, row_scale, column_scale,
                                    M, N, ldc,  ldd,      alpha,     beta};
    write_tile(epilogue, sums, row, column, shared);
}
