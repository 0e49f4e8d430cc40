// Products of contiguous groups of rows on the tensor cores of sm_80 and newer: rows of
// group g of D = epilogue(rows of group g of A * B[g]), as a mixture of experts needs.
//
//   A [rows][K], D [rows][N]   row-major, the rows of group 0, then of group 1, ...
//   B        GROUPS matrices [K][N], with TRANS_B [N][K], stride_b elements apart
//   sizes    [GROUPS] how many rows a group has, 0 too, in units of unit rows
//   C, residual, bias of rows and scales of rows are by row of D, all others by column
//   rows     what A and D have room for: at least the sum of all sizes; rows behind the
//            last group are not touched
//   grid     x: ceil(rows / BM) + GROUPS, rounded up to a multiple of GROUP_M, times
//            ceil(N / BN); blocks without a tile end at once
//   block, shared, align, result, epilogue   as in gemm_mma.cu; neither TRANS_A nor
//            split-K
//
// A tile has rows of one group only. Each block finds its own by walking the sizes, a
// warp full of groups at a time.

#ifndef WN // columns of D a warp: finding a tile takes registers that 64 would need
#define WN 32
#endif

#include "common/epilogue.cuh"
#include "common/gemm_tile.cuh"
#include "common/group_tiles.cuh"

static_assert(GROUP_M >= 1, "GROUP_M must be at least 1");
static_assert(!TRANS_A, "rows of A must be contiguous: no TRANS_A");

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_grouped(const TYPE *__restrict__ A, const TYPE *__restrict__ B,
                 const Side<OUT>::type *C, OUT *D, const Side<OUT>::type *bias,
                 const Side<OUT>::type *residual, const float *row_scale,
                 const float *column_scale, const int *sizes, int unit, int groups, int N,
                 int K, int lda, int ldb, int ldc, int ldd, float alpha, float beta,
                 long long stride_b)
{
    extern __shared__ __align__(128) unsigned char shared[];
    // Blocks that run together: GROUP_M tiles of rows, then the next columns.
    const int columns = (N - 1) / BN + 1;
    const int band = blockIdx.x / (GROUP_M * columns);
    const int within = blockIdx.x % (GROUP_M * columns);
    const int tile = band * GROUP_M + within % GROUP_M;
    GroupWalk<BM> walk = {sizes, unit, groups};
    const RowGroup group = walk.find(tile);
    if (group.index == groups) return;
    const int row = group.row + (tile - group.tile) * BM, end = group.row + group.size;
    const int column = within / GROUP_M * BN;
    const Source source =
        make_source(A, B + group.index * stride_b, end, N, K, lda, ldb, row, column);
    Sums sums = {};
    sum_tiles(sums, source, shared_address(shared), K / DEPTH + (K % DEPTH != 0));
    const Epilogue<OUT> epilogue = {D,   C, bias, residual, row_scale, column_scale,
                                    end, N, ldc,  ldd,      alpha,     beta};
    write_tile(epilogue, sums, row, column, shared);
}
