// Reference for matrix products in fp32 and fp64: D = epilogue(A * B), one thread an
// element of D.
//
//   arguments and the epilogue's choices as in templates/sgemm.cu
//   grid, block   x over the columns of D, y over its rows
//   result        sums by fma over k = 0, 1, ... K - 1, the order of the template

#ifndef TYPE
#define TYPE f32
#endif
#ifndef OUT
#define OUT TYPE
#endif
#include "epilogue.cuh"

struct Product {
    const TYPE *A, *B;
    long long lda, ldb;
    int K;

    __device__ double at(int row, int column) const
    {
        TYPE sum = 0;
        for (int k = 0; k < K; k++)
            sum = multiply_add(A[row * lda + k], B[k * ldb + column], sum);
        return sum;
    }
};

extern "C" __global__ void
gemm_reference(const TYPE *A, const TYPE *B, const Side *C, OUT *D, const Side *bias,
               const Side *residual, const float *row_scale, const float *column_scale,
               const void *, const void *, int M, int N, int K, int lda, int ldb, int ldc,
               int ldd, TYPE alpha, TYPE beta)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {A, B, lda, ldb, K};
    const Ending ending = {C,   D,   bias,  residual, row_scale, column_scale,
                           ldc, ldd, alpha, beta};
    ending.write(product, row, column);
}
