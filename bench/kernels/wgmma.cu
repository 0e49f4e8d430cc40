// C = A * B by wgmma, for the emulator's benchmark: not tuned, nothing but wgmma at work.
//
//   A [M][K] bf16 row-major, B [N][K] bf16 (by columns), C [M][N] fp32
//   M a multiple of 64, N of 128, K of STEP; arch sm_90a
//   grid x: N / 128, y: M / 64; block x: 128; static shared memory
//
// Tiles lie in shared memory without a swizzle: core matrices of 8 rows x 16 bytes.

#ifndef STEP // depth of a tile
#define STEP 64
#endif

constexpr int ROWS = 64, COLUMNS = 128, THREADS = 128, CHUNK = 8; // elements of 16 bytes

struct alignas(16) pack {
    unsigned words[4];
};

// Rows of a matrix of K elements each into a tile, chunk by chunk.
__device__ void load_tile(unsigned short *to, const unsigned short *from, int rows, int K)
{
    for (int i = threadIdx.x; i < rows * STEP / CHUNK; i += THREADS) {
        const int row = i / (STEP / CHUNK), chunk = i % (STEP / CHUNK);
        const int at = (row / 8 * (STEP / CHUNK) + chunk) * 64 + row % 8 * CHUNK;
        *(pack *)(to + at) = *(const pack *)(from + row * K + chunk * CHUNK);
    }
}

// 128 bytes between the core matrices along K, a row of them between those of 8 rows.
__device__ unsigned long long describe(const unsigned short *tile)
{
    const unsigned long long at = __cvta_generic_to_shared(tile);
    return (at & 0x3ffff) >> 4 | (unsigned long long)(128 >> 4) << 16 |
           (unsigned long long)(128 * STEP / CHUNK >> 4) << 32;
}

#define FOUR(k)    "+f"(c[k]), "+f"(c[k + 1]), "+f"(c[k + 2]), "+f"(c[k + 3])
#define SIXTEEN(k) FOUR(k), FOUR(k + 4), FOUR(k + 8), FOUR(k + 12)

__device__ void multiply(float (&c)[64], unsigned long long a, unsigned long long b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
                 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15,"
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29,"
                 "%30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43,"
                 "%44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57,"
                 "%58, %59, %60, %61, %62, %63}, %64, %65, 1, 1, 1, 0, 0;"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48)
                 : "l"(a), "l"(b));
}

extern "C" __global__ __launch_bounds__(THREADS) void gemm(const unsigned short *A,
                                                           const unsigned short *B,
                                                           float *C, int N, int K)
{
    __shared__ __align__(128) unsigned short a[ROWS * STEP], b[COLUMNS * STEP];
    const int row = blockIdx.y * ROWS, column = blockIdx.x * COLUMNS;
    float c[64] = {};
    for (int k = 0; k < K; k += STEP) {
        load_tile(a, A + row * K + k, ROWS, K);
        load_tile(b, B + column * K + k, COLUMNS, K);
        asm volatile("fence.proxy.async;" ::: "memory");
        __syncthreads();
        asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
        for (int step = 0; step < STEP / 16; step++)
            multiply(c, describe(a + step * 128), describe(b + step * 128));
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
        asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
        __syncthreads();
    }
    const int t = threadIdx.x, first = row + t / 32 * 16 + t % 32 / 4;
    for (int k = 0; k < 64; k++)
        C[(first + k % 4 / 2 * 8) * N + column + k / 4 * 8 + t % 4 * 2 + k % 2] = c[k];
}
