// D = A B of bf16 to fp32, for sm_90a: A [M][K], B [N][K], D [M][N], row-major. M from 1
// to 64 * 65535, which is the grid's limit, N and K from 1 to 2^31 - 128. a and b are
// maps of boxes of 64 x 64 and 64 x 128, swizzle 128.
//
//   grid     x: ceil(N / 128), y: ceil(M / 64)
//   block    x: 160: a warp group that multiplies and a warp that copies
//   shared   STAGES * (24576 + 16) bytes, dynamic
//   align    rows of A and B begin at multiples of 16 bytes
#include "common/ring.cuh"
#include "common/warpgroup.cuh"

#ifndef STAGES
#define STAGES 4
#endif

HONE_WGMMA(128, bf16);
typedef Ring<STAGES> Stages;
constexpr int A_BYTES = 64 * 128, STAGE_BYTES = A_BYTES + 128 * 128;

// One thread: k in steps of 64, which are 128 bytes.
__device__ inline void copy(const TensorMap &a, const TensorMap &b, unsigned memory,
                            const Stages &ring, int K)
{
    Stages::Place place;
    for (int k = 0; k < K; k += 64, place.next()) {
        const unsigned to = memory + place.stage * STAGE_BYTES;
        ring.wait_empty(place);
        ring.expect(place, STAGE_BYTES);
        load_box(to, a, k, blockIdx.y * 64, ring.full(place));
        load_box(to + A_BYTES, b, k, blockIdx.x * 128, ring.full(place));
    }
}

// The 128 threads of the warp group: the same stages, in the same order.
__device__ inline void multiply(float (&d)[16][4], unsigned memory, const Stages &ring,
                                int K)
{
    const Descriptor a = describe_tile<true>(memory, 0);
    const Descriptor b = describe_tile<true>(memory + A_BYTES, 0);
    Stages::Place place;
    for (int k = 0; k < K; k += 64, place.next()) {
        ring.wait_full(place);
        warpgroup_fence();
#pragma unroll
        for (int step = 0; step < 4; step++) {
            const int at = place.stage * STAGE_BYTES + step * product_step<true>();
            Wgmma<bf16, 128>::run<0, 0>(d, a.on(at), b.on(at), k > 0 || step > 0);
        }
        warpgroup_commit();
        warpgroup_wait<0>();
        ring.release(place, threadIdx.x);
    }
    hold(d);
}

extern "C" __global__ void __launch_bounds__(160)
    product(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
            float *D, int M, int N, int K)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned memory = shared_address(shared);
    const Stages ring = {memory + STAGES * STAGE_BYTES};
    if (threadIdx.x == 0) {
        ring.init(1); // one warp group empties a stage
        publish_barriers();
    }
    __syncthreads();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128) copy(a, b, memory, ring, K);
        return;
    }
    float d[16][4];
    multiply(d, memory, ring, K);
    const int row = blockIdx.y * 64 + threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    const int column = blockIdx.x * 128 + threadIdx.x % 4 * 2;
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 4; i++) {
            const int r = row + i / 2 * 8, c = column + j * 8 + i % 2;
            if (r < M && c < N) D[(long long)r * N + c] = d[j][i];
        }
}
