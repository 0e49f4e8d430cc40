// Reference for templates/gemm_grouped.cu, one thread an element of D.
//
//   grid, block   x over the columns of D, y over all rows that there is room for

#include "epilogue.cuh"
#include "product.cuh"

extern "C" __global__ void
gemm_grouped_reference(const TYPE *A, const TYPE *B, const Side *C, OUT *D,
                       const Side *bias, const Side *residual, const float *row_scale,
                       const float *column_scale, const int *sizes, int unit, int groups,
                       int N, int K, int lda, int ldb, int ldc, int ldd, float alpha,
                       float beta, long long stride_b)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    int group = 0, end = 0;
    while (group < groups && (end += sizes[group] * unit) <= row)
        group++;
    if (group == groups || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {A, B + group * stride_b, lda, ldb, K};
    const Ending ending = {C,   D,   bias,  residual, row_scale, column_scale,
                           ldc, ldd, alpha, beta};
    ending.write(product, row, column);
}
