// Many products of one size on the tensor cores of sm_80 and newer: D = epilogue(A * B)
// for each of a batch.
//
//   A, B, C, D   as in gemm_mma.cu; product i lies stride_a, stride_b, stride_c, stride_d
//            elements times i behind the first (a stride of 0: all share one), residual
//            as D does; bias and scales are the same for all
//   grid     x: ceil(M / BM) * ceil(N / BN), z: products, up to 65535
//   block, shared, align, result   as in gemm_mma.cu, without split-K

#include "common/epilogue.cuh"
#include "common/gemm_tile.cuh"
#include "common/raster.cuh"

typedef Side<OUT>::type SideOut;

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_batched(const TYPE *A, const TYPE *B, const SideOut *C, OUT *D,
                 const SideOut *bias, const SideOut *residual, const float *row_scale,
                 const float *column_scale, int M, int N, int K, int lda, int ldb,
                 int ldc, int ldd, float alpha, float beta, long long stride_a,
                 long long stride_b, long long stride_c, long long stride_d)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int rows = (M - 1) / BM + 1, columns = (N - 1) / BN + 1, i = blockIdx.z;
    const TileIndex tile = tile_of_block<GROUP_M>(blockIdx.x, rows, columns);
    const int row = tile.row * BM, column = tile.column * BN;
    const Source source =
        make_source(A + i * stride_a, B + i * stride_b, M, N, K, lda, ldb, row, column);
    Sums sums = {};
    sum_tiles(sums, source, shared_address(shared), K / DEPTH + (K % DEPTH != 0));
    const Epilogue<OUT> epilogue = {
        D + i * stride_d,
        C + i * stride_c,
        bias,
        residual + i * stride_d,
        row_scale,
        column_scale,
        M,
        N,
        ldc,
        ldd,
        alpha,
        beta,
    };
    write_tile(epilogue, sums, row, column, shared);
}
