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

static_assert(GROUP_M >= 1, "GROUP_M must be at least 1");
static_assert(!TRANS_A, "rows of A must be contiguous: no TRANS_A");

// Rows first .. end - 1 of group; none where group is the number of groups.
struct GroupTile {
    int group, row, end;
};

__device__ inline int scan_warp(int x)
{
#pragma unroll
    for (int by = 1; by < 32; by *= 2) {
        const int below = __shfl_up_sync(~0u, x, by);
        if (threadIdx.x % 32 >= by) x += below;
    }
    return x; // with all lanes below
}

// Where the tile-th tile of rows lies. All lanes of a warp find the same.
__device__ inline GroupTile find_tile(const int *sizes, int unit, int groups, int tile)
{
    int row = 0; // before the groups of this round
    for (int first = 0; first < groups; first += 32) {
        const int group = first + threadIdx.x % 32;
        const int size = group < groups ? sizes[group] * unit : 0;
        const int tiles = (size + BM - 1) / BM;
        const int tiles_end = scan_warp(tiles), rows_end = scan_warp(size);
        const unsigned here = __ballot_sync(~0u, tile < tiles_end);
        if (here) {
            const int lane = __ffs(here) - 1;
            const int begin = __shfl_sync(~0u, tiles_end - tiles, lane);
            const int end = row + __shfl_sync(~0u, rows_end, lane);
            const int height = __shfl_sync(~0u, size, lane);
            return {first + lane, end - height + (tile - begin) * BM, end};
        }
        tile -= __shfl_sync(~0u, tiles_end, 31);
        row += __shfl_sync(~0u, rows_end, 31);
    }
    return {groups, 0, 0};
}

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
    const GroupTile tile =
        find_tile(sizes, unit, groups, band * GROUP_M + within % GROUP_M);
    if (tile.group == groups) return;
    const int column = within / GROUP_M * BN;
    const Source source = make_source(A, B + tile.group * stride_b, tile.end, N, K, lda,
                                      ldb, tile.row, column);
    Sums sums = {};
    sum_tiles(sums, source, shared_address(shared), K / DEPTH + (K % DEPTH != 0));
    const Epilogue<OUT> epilogue = {D,        C, bias, residual, row_scale, column_scale,
                                    tile.end, N, ldc,  ldd,      alpha,     beta};
    write_tile(epilogue, sums, tile.row, column, shared);
}
