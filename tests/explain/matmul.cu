// C = A B in tiles of 64 x 64, 4 x 4 elements a thread; PLANT says what is wrong with it.
#include "planted.cuh"

#define TILE 64
#define DEPTH 16
#define PITCH (TILE + 4)

extern "C" __global__ void PLANTED_BOUNDS matmul(const float *a, const float *b, float *c,
                                                 int n, int tiles)
{
    extern __shared__ float shared[];
    float *as = shared, *bs = shared + DEPTH * PITCH; // [DEPTH][PITCH]
    const int tx = threadIdx.x % 16, ty = threadIdx.x / 16, t = threadIdx.x;
    for (int tile = blockIdx.x; tile < tiles * tiles; tile += gridDim.x) {
        const int row = tile / tiles * TILE, column = tile % tiles * TILE;
        float sum[4][4] = {}, next[4];
        float4 v;
        for (int k0 = -DEPTH; k0 < n; k0 += DEPTH) {
            if (k0 >= 0) {
                as[(t % 4 * 4 + 0) * PITCH + t / 4] = v.x;
                as[(t % 4 * 4 + 1) * PITCH + t / 4] = v.y;
                as[(t % 4 * 4 + 2) * PITCH + t / 4] = v.z;
                as[(t % 4 * 4 + 3) * PITCH + t / 4] = v.w;
#if PLANT == UNCOALESCED
                *(float4 *)&bs[t % DEPTH * PITCH + t / DEPTH * 4] =
                    make_float4(next[0], next[1], next[2], next[3]);
#else
#pragma unroll
                for (int i = 0; i < 4; i++) {
#if PLANT == BANK_CONFLICTS // all columns of a row of B are in one bank
                    bs[t % TILE * 32 + t / TILE + 4 * i] = next[i];
#else
                    bs[(t / TILE + 4 * i) * PITCH + t % TILE] = next[i];
#endif
                }
#endif
                __syncthreads();
            }
            const int k1 = k0 + DEPTH;
            if (k1 < n) {
                v = *(const float4 *)&a[(row + t / 4) * n + k1 + t % 4 * 4];
#pragma unroll
                for (int i = 0; i < 4; i++) {
#if PLANT == UNCOALESCED // lanes beside each other read rows beside each other
                    next[i] = b[(k1 + t % DEPTH) * n + column + t / DEPTH * 4 + i];
#else
                    next[i] = b[(k1 + t / TILE + 4 * i) * n + column + t % TILE];
#endif
                }
            }
            if (k0 < 0) continue;
#pragma unroll
            for (int k = 0; k < DEPTH; k++) {
                const float4 x = *(const float4 *)&as[k * PITCH + ty * 4];
#if PLANT == BANK_CONFLICTS
                const float4 y = {bs[(tx * 4 + 0) * 32 + k], bs[(tx * 4 + 1) * 32 + k],
                                  bs[(tx * 4 + 2) * 32 + k], bs[(tx * 4 + 3) * 32 + k]};
#else
                const float4 y = *(const float4 *)&bs[k * PITCH + tx * 4];
#endif
                const float xs[4] = {x.x, x.y, x.z, x.w}, ys[4] = {y.x, y.y, y.z, y.w};
#pragma unroll
                for (int i = 0; i < 4; i++)
#pragma unroll
                    for (int j = 0; j < 4; j++)
                        sum[i][j] += xs[i] * ys[j];
            }
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < 4; i++)
            *(float4 *)&c[(row + ty * 4 + i) * n + column + tx * 4] =
                make_float4(sum[i][0], sum[i][1], sum[i][2], sum[i][3]);
    }
}
