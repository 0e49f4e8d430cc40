// C = A * B in fp32: block tiles in shared memory, thread tiles in registers.
//
//   A, B, C      row-major, m x k, k x n, m x n, no padding; any size, no alignment
//   grid, block  ceil(n / BN) x ceil(m / BM) blocks of (BM / TM) * (BN / TN) threads
//   shared       static, 4 * BK * (BM + BN) bytes
//   arch         any
#ifndef BM
#define BM 32
#endif
#ifndef BN
#define BN 32
#endif
#ifndef BK
#define BK 8
#endif
#ifndef TM
#define TM 4
#endif
#ifndef TN
#define TN 4
#endif

constexpr int threads = (BM / TM) * (BN / TN);
static_assert(BM % TM == 0 && BN % TN == 0, "thread tiles fill the block tile");
static_assert(threads <= 1024, "at most 1024 threads a block");

extern "C" __global__ void __launch_bounds__(threads)
    gemm(const float *A, const float *B, float *C, int M, int N, int K)
{
    __shared__ float a[BK][BM], b[BK][BN];
    const int row = blockIdx.y * BM, column = blockIdx.x * BN;
    const int thread_row = threadIdx.x / (BN / TN) * TM;
    const int thread_column = threadIdx.x % (BN / TN) * TN;
    float sums[TM][TN] = {};
    for (int k = 0; k < K; k += BK) {
        for (int i = threadIdx.x; i < BM * BK; i += threads) {
            const int m = row + i / BK, at = k + i % BK;
            a[i % BK][i / BK] = m < M && at < K ? A[(long long)m * K + at] : 0.0f;
        }
        for (int i = threadIdx.x; i < BK * BN; i += threads) {
            const int at = k + i / BN, n = column + i % BN;
            b[i / BN][i % BN] = at < K && n < N ? B[(long long)at * N + n] : 0.0f;
        }
        __syncthreads();
        for (int at = 0; at < BK; at++)
            for (int m = 0; m < TM; m++)
                for (int n = 0; n < TN; n++)
                    sums[m][n] =
                        fmaf(a[at][thread_row + m], b[at][thread_column + n], sums[m][n]);
        __syncthreads();
    }
    for (int m = 0; m < TM; m++)
        for (int n = 0; n < TN; n++) {
            const int i = row + thread_row + m, j = column + thread_column + n;
            if (i < M && j < N) C[(long long)i * N + j] = sums[m][n];
        }
}
