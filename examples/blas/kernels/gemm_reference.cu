// C = A * B, one thread an element.
extern "C" __global__ void gemm_reference(const float *A, const float *B, float *C, int M,
                                          int N, int K)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M || j >= N) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++)
        sum = fmaf(A[(long long)i * K + k], B[(long long)k * N + j], sum);
    C[(long long)i * N + j] = sum;
}
