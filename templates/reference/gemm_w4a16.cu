// Reference for templates/gemm_w4a16.cu, one thread an element of D.
//
//   arguments, TYPE, OUT, ZEROS and the epilogue's choices as there
//   grid, block   x over the columns of D, y over its rows
//   result        in double, rounded once to fp32, then to OUT

#ifndef TYPE
#define TYPE f16
#endif
#ifndef OUT
#define OUT f16
#endif
#ifndef ZEROS
#define ZEROS 0
#endif

#include "epilogue.cuh"
#include "int4_place.cuh"

struct Product {
    const TYPE *A;
    const unsigned *weights;
    const TYPE *scales;
    const unsigned *zeros;
    long long lda;
    int N, K;

    __device__ int zero(int group, int n) const
    {
        if (!ZEROS) return 8;
        return zeros[(long long)group * (N / 8) + n / 8] >> n % 8 * 4 & 15;
    }
    __device__ int weight(int k, int n) const
    {
        const Int4Place at = int4_place(k, n, N);
        return weights[at.word] >> at.bit & 15;
    }
    // A group's products without its scale.
    __device__ double part(int group, int row, int column) const
    {
        const int from = zero(group, column);
        double sum = 0;
        for (int k = group * 128; k < group * 128 + 128; k++)
            sum += (double)to_float(A[row * lda + k]) * (weight(k, column) - from);
        return sum;
    }
    __device__ double at(int row, int column) const
    {
        double sum = 0;
        for (int group = 0; group < K / 128; group++)
            sum += to_float(scales[(long long)group * N + column]) *
                   part(group, row, column);
        return sum;
    }
};

extern "C" __global__ void
gemm_w4a16_reference(const TYPE *A, const unsigned *weights, const TYPE *scales,
                     const unsigned *zeros, const Side *C, OUT *D, const Side *bias,
                     const Side *residual, const float *row_scale,
                     const float *column_scale, const void *, const void *, int M, int N,
                     int K, int lda, int ldc, int ldd, float alpha, float beta)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const Product product = {A, weights, scales, zeros, lda, N, K};
    const Ending ending = {C,   D,   bias,  residual, row_scale, column_scale,
                           ldc, ldd, alpha, beta};
    ending.write(product, row, column);
}
