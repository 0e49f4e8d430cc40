// Many products of one size on the tensor cores of sm_80 and newer: D = epilogue(A * B)
// for each of a batch.
//
//   A, B, C, D, residual   matrices as in gemm_mma.cu. Those of product i lie stride_a,
//            stride_b, stride_c, stride_d and again stride_d elements times i behind the
//            first; a stride of 0: all share one
//   POINTERS instead of strides: each of them is an array [products] on the device of
//            pointers to matrices anywhere; C is not read where beta is 0, residual not
//            without RESIDUAL
//   bias, scales   the same for all products
//   grid     x: ceil(M / BM) * ceil(N / BN), z: products, up to 65535
//   block, shared, align, result   as in gemm_mma.cu, without split-K

#ifndef POINTERS
#define POINTERS 0
#endif

#include "common/epilogue.cuh"
#include "common/gemm_tile.cuh"
#include "common/raster.cuh"

static_assert(POINTERS == 0 || POINTERS == 1, "POINTERS must be 0 or 1");

typedef Side<OUT>::type SideOut;

// One operand of all products.
#if POINTERS
template <class T> using Batch = T *const *;
#else
template <class T> using Batch = T *;
#endif

// The operands of one product.
struct Operands {
    const TYPE *A, *B;
    const SideOut *C;
    OUT *D;
    const SideOut *residual;
};

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    gemm_batched(Batch<const TYPE> A, Batch<const TYPE> B, Batch<const SideOut> C,
                 Batch<OUT> D, const SideOut *bias, Batch<const SideOut> residual,
                 const float *row_scale, const float *column_scale, int M, int N, int K,
                 int lda, int ldb, int ldc, int ldd, float alpha, float beta
#if !POINTERS
                 ,
                 long long stride_a, long long stride_b, long long stride_c,
                 long long stride_d
#endif
    )
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int i = blockIdx.z;
#if POINTERS
    const Operands of = {A[i], B[i], beta != 0 ? C[i] : nullptr, D[i],
                         RESIDUAL ? residual[i] : nullptr};
#else
    const Operands of = {A + i * stride_a, B + i * stride_b, C + i * stride_c,
                         D + i * stride_d, residual + i * stride_d};
#endif
    const int rows = (M - 1) / BM + 1, columns = (N - 1) / BN + 1;
    const TileIndex tile = tile_of_block<GROUP_M>(blockIdx.x, rows, columns);
    const int row = tile.row * BM, column = tile.column * BN;
    const Source source = make_source(of.A, of.B, M, N, K, lda, ldb, row, column);
    Sums sums = {};
    sum_tiles(sums, source, shared_address(shared), K / DEPTH + (K % DEPTH != 0));
    const Epilogue<OUT> epilogue = {
        of.D, of.C, bias, of.residual, row_scale, column_scale, M, N, ldc, ldd,
        alpha, beta,
    };
    write_tile(epilogue, sums, row, column, shared);
}
