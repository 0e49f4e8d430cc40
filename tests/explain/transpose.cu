// A plane is transposed, 32 elements a thread, each by the sum of them; PLANT says what
// is wrong with it.
#include "planted.cuh"

#define TILE 32

__device__ float scaled(float v, float sum)
{
#if PLANT == TAIL_WAVE // the multiprocessors are what it waits for
    return v / sum;
#else
    return v * sum;
#endif
}

extern "C" __global__ void PLANTED_BOUNDS transpose(const float *in, float *out, int n,
                                                    int tiles)
{
    extern __shared__ float shared[];
#if PLANT == BANK_CONFLICTS // a column of a tile is in one bank
    const int pitch = TILE;
#else
    const int pitch = TILE + 1;
#endif
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int across = n / (int)blockDim.x;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        float v[TILE], sum = 0;
#if PLANT == UNCOALESCED // two rows, of which a column takes 8 bytes of a sector
        const int y0 = 2 * tile, x0 = threadIdx.x;
#pragma unroll
        for (int i = 0; i < TILE; i++)
            v[i] = in[(y0 + i / 16) * n + x0 + i % 16 * 256];
#else
        const int y0 = tile / across * TILE;
        const int x0 = tile % across * (int)blockDim.x + warp * TILE;
#pragma unroll
        for (int i = 0; i < TILE; i++)
            v[i] = in[(y0 + i) * n + x0 + lane];
#endif
#pragma unroll
        for (int i = 0; i < TILE; i++)
            sum += v[i];
#if PLANT == UNCOALESCED
#pragma unroll
        for (int i = 0; i < TILE; i++)
            out[(x0 + i % 16 * 256) * n + y0 + i / 16] = scaled(v[i], sum);
#else
        volatile float *s = shared + warp * TILE * (TILE + 1);
#pragma unroll
        for (int i = 0; i < TILE; i++)
            s[lane * pitch + i] = scaled(v[i], sum);
        __syncwarp();
#pragma unroll
        for (int i = 0; i < TILE; i++)
            out[(x0 + i) * n + y0 + lane] = s[i * pitch + lane];
        __syncwarp();
#endif
    }
}
