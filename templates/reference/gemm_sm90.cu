// Reference for matrix products by warp groups: D = epilogue(A * B), one thread an
// element of D.
//
//   arguments, TYPE, OUT and the epilogue's choices as in templates/gemm_sm90.cu
//   grid, block   x over the columns of D, y over its rows
//   result        in double (integers in long long), rounded once to fp32, then to OUT

#include "scaled_product.cuh"

extern "C" __global__ void
gemm_sm90_reference(const TYPE *A, const TYPE *B, const Side *C, OUT *D, const Side *bias,
                    const Side *residual, const float *row_scale,
                    const float *column_scale, const void *, const void *, int M, int N,
                    int K, int lda, int ldb, int ldc, int ldd, float alpha, float beta)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const ScaledProduct product = {{A, B, lda, ldb, K}, row_scale, column_scale, M};
    const Ending ending = {C,   D,   bias,  residual, row_scale, column_scale,
                           ldc, ldd, alpha, beta};
    ending.write(product, row, column);
}
