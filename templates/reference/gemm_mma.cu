// Reference for matrix products on tensor cores: D = epilogue(A * B), one thread an
// element of D.
//
//   arguments, TYPE, OUT and the epilogue's choices as in templates/gemm_mma.cu
//   grid, block   x over the columns of D, y over its rows
//   result        in double (integers in long long), rounded once to fp32, then to OUT

#include "epilogue.cuh"

#ifndef TYPE
#define TYPE bf16
#endif
#ifndef OUT
#define OUT bf16
#endif
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 1
#endif

struct Product {
    const TYPE *A, *B;
    long long lda, ldb;
    int K;

    // The first 19 bits of tf32 count.
    __device__ static double value(TYPE x)
    {
        float y = to_float(x);
        if (same_type<TYPE, tf32>::value)
            y = __uint_as_float(__float_as_uint(y) & 0xffffe000);
        return y;
    }
    __device__ double at(int row, int column) const
    {
        double sum = 0;
        for (int k = 0; k < K; k++)
            sum += value(A[TRANS_A ? k * lda + row : row * lda + k]) *
                   value(B[TRANS_B ? column * ldb + k : k * ldb + column]);
        return sum;
    }
};

extern "C" __global__ void
gemm_mma_reference(const TYPE *A, const TYPE *B, const Side *C, OUT *D, const Side *bias,
                   const Side *residual, const float *row_scale,
                   const float *column_scale, const void *, const void *, int M, int N,
                   int K, int lda, int ldb, int ldc, int ldd, float alpha, float beta)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {A, B, lda, ldb, K};
    const Ending ending = {C,   D,   bias,  residual, row_scale, column_scale,
                           ldc, ldd, alpha, beta};
    ending.write(product, row, column);
}
