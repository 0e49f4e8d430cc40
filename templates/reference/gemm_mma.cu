// Reference for matrix products of narrow types: D = A * B, one thread an element.
//
//   as templates/gemm_mma.cu; sums in double (int of i8), rounded once
//   grid, block   x over the columns of D, y over its rows

#include "../common/element.cuh"

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

extern "C" __global__ void gemm_mma_reference(const TYPE *A, const TYPE *B, OUT *D, int M,
                                              int N, int K, int lda, int ldb, int ldd)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= N) return;
    double sum = 0;
    for (int k = 0; k < K; k++) {
        const TYPE a = A[TRANS_A ? (long long)k * lda + row : (long long)row * lda + k];
        const TYPE b =
            B[TRANS_B ? (long long)column * ldb + k : (long long)k * ldb + column];
        sum += (double)to_float(a) * to_float(b);
    }
    alignas(8) OUT pair[2];
    narrow_pair(pair, (float)sum, 0);
    D[(long long)row * ldd + column] = pair[0];
}
