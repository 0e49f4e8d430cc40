// Reference for matrix products: C = A * B in fp32, one thread an element.
//
//   A [M][K], B [K][N], C [M][N]   row-major, dense; any M, N, K >= 1
//   grid, block   x over the columns of C, y over its rows
//   result        fmaf over k = 0, 1, ... K - 1, the order of the templates

extern "C" __global__ void gemm_reference(const float *A, const float *B, float *C, int M,
                                          int N, int K)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || col >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++)
        sum = fmaf(A[(long long)row * K + k], B[(long long)k * N + col], sum);
    C[(long long)row * N + col] = sum;
}
