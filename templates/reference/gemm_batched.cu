// Reference for templates/gemm_batched.cu, one thread an element of D.
//
//   grid, block   x over the columns of D, y over its rows, z over products

#include "epilogue.cuh"
#include "product.cuh"

#ifndef POINTERS
#define POINTERS 0
#endif

// One operand of all products, and that of product i.
#if POINTERS
template <class T> using Batch = T *const *;
#define OF_PRODUCT(X, stride) X[i]
#else
template <class T> using Batch = T *;
#define OF_PRODUCT(X, stride) (X + i * (stride))
#endif

extern "C" __global__ void
gemm_batched_reference(Batch<const TYPE> A, Batch<const TYPE> B, Batch<const Side> C,
                       Batch<OUT> D, const Side *bias, Batch<const Side> residual,
                       const float *row_scale, const float *column_scale, int M, int N,
                       int K, int lda, int ldb, int ldc, int ldd, float alpha, float beta
#if !POINTERS
                       ,
                       long long stride_a, long long stride_b, long long stride_c,
                       long long stride_d
#endif
)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int i = blockIdx.z;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {OF_PRODUCT(A, stride_a), OF_PRODUCT(B, stride_b), lda, ldb,
                             K};
    const Ending ending = {OF_PRODUCT(C, stride_c),
                           OF_PRODUCT(D, stride_d),
                           bias,
                           OF_PRODUCT(residual, stride_d),
                           row_scale,
                           column_scale,
                           ldc,
                           ldd,
                           alpha,
                           beta};
    ending.write(product, row, column);
}
