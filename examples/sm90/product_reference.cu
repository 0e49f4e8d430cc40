// Reference for product.cu: one thread an element of D, in the order of k.
#include "common/element.cuh"

extern "C" __global__ void product_reference(const bf16 *A, const bf16 *B, float *D,
                                             int M, int N, int K)
{
    const long long row = blockIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column >= N) return;
    double sum = 0;
    for (int k = 0; k < K; k++)
        sum += (double)to_float(A[row * K + k]) * to_float(B[column * K + k]);
    D[row * N + column] = (float)sum;
}
