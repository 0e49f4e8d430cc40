// C = A * B on tensor cores, for the emulator's benchmark: not tuned, nothing but mma and
// ldmatrix at work.
//
//   A [M][K] bf16 row-major, B [K][N] bf16 row-major, C [M][N] fp32
//   M, N multiples of 64, K a multiple of 32; arch sm_80 and newer
//   grid x: N / 64, y: M / 64; block x: 128; static shared memory
//
// A warp computes 32 x 32 of the block's 64 x 64.

#ifndef STEP // depth of a tile
#define STEP 32
#endif

constexpr int TILE = 64, THREADS = 128, SKEW = 8; // SKEW: ldmatrix without bank conflicts

struct alignas(16) pack {
    unsigned words[4];
};

__device__ void load_matrices(unsigned (&out)[4], const unsigned short *at)
{
    unsigned address = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address));
}

__device__ void load_transposed(unsigned (&out)[4], const unsigned short *at)
{
    unsigned address = (unsigned)__cvta_generic_to_shared(at);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(address));
}

__device__ void multiply(float (&c)[4], const unsigned (&a)[4], unsigned b0, unsigned b1)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

extern "C" __global__ void __launch_bounds__(THREADS)
    mma(const unsigned short *A, const unsigned short *B, float *C, int N, int K)
{
    __shared__ alignas(16) unsigned short a_tile[TILE][STEP + SKEW];
    __shared__ alignas(16) unsigned short b_tile[STEP][TILE + SKEW];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = warp / 2 * 32, column = warp % 2 * 32;
    A += (size_t)blockIdx.y * TILE * K;
    B += blockIdx.x * TILE;
    float sums[2][4][4] = {};
    for (int k0 = 0; k0 < K; k0 += STEP) {
        for (int i = threadIdx.x * 8; i < TILE * STEP; i += THREADS * 8) {
            *(pack *)&a_tile[i / STEP][i % STEP] =
                *(const pack *)&A[(size_t)(i / STEP) * K + k0 + i % STEP];
            *(pack *)&b_tile[i / TILE][i % TILE] =
                *(const pack *)&B[(size_t)(k0 + i / TILE) * N + i % TILE];
        }
        __syncthreads();
        for (int k = 0; k < STEP; k += 16) {
            unsigned a[2][4], b[2][4];
            for (int m = 0; m < 2; m++)
                load_matrices(a[m], &a_tile[row + m * 16 + lane % 16][k + lane / 16 * 8]);
            for (int n = 0; n < 2; n++)
                load_transposed(b[n],
                                &b_tile[k + lane % 16][column + n * 16 + lane / 16 * 8]);
            for (int m = 0; m < 2; m++)
                for (int n = 0; n < 4; n++)
                    multiply(sums[m][n], a[m], b[n / 2][n % 2 * 2],
                             b[n / 2][n % 2 * 2 + 1]);
        }
        __syncthreads();
    }
    C += (size_t)(blockIdx.y * TILE + row) * N + blockIdx.x * TILE + column;
    for (int m = 0; m < 2; m++)
        for (int n = 0; n < 4; n++)
            for (int k = 0; k < 4; k++)
                C[(size_t)(m * 16 + lane / 4 + k / 2 * 8) * N + n * 8 + lane % 4 * 2 +
                  k % 2] = sums[m][n][k];
}
