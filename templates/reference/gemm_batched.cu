// Reference for templates/gemm_batched.cu with strides, one thread an element of D.
//
//   grid, block   x over the columns of D, y over its rows, z over products

#include "epilogue.cuh"
#include "product.cuh"

extern "C" __global__ void
gemm_batched_reference(const TYPE *A, const TYPE *B, const Side *C, OUT *D,
                       const Side *bias, const Side *residual, const float *row_scale,
                       const float *column_scale, int M, int N, int K, int lda, int ldb,
                       int ldc, int ldd, float alpha, float beta, long long stride_a,
                       long long stride_b, long long stride_c, long long stride_d)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.z;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {A + i * stride_a, B + i * stride_b, lda, ldb, K};
    const Ending ending = {C + i * stride_c,
                           D + i * stride_d,
                           bias,
                           residual + i * stride_d,
                           row_scale,
                           column_scale,
                           ldc,
                           ldd,
                           alpha,
                           beta};
    ending.write(product, row, column);
}
