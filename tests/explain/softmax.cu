// Softmax of rows, a row a block, 32 elements a thread in registers; PLANT says what is
// wrong with it.
#include "planted.cuh"

#define ITEMS 32

__device__ float reduce(float v, float *s, bool most)
{
    for (int d = 16; d; d /= 2) {
        const float w = __shfl_xor_sync(~0u, v, d);
        v = most ? fmaxf(v, w) : v + w;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = v;
    __syncthreads();
    v = s[0];
    for (int i = 1; i < (int)blockDim.x / 32; i++)
        v = most ? fmaxf(v, s[i]) : v + s[i];
    return v;
}

__device__ float scaled(float v, float sum)
{
#if PLANT == TAIL_WAVE // the multiprocessors are what it waits for
    return v / sum;
#else
    return v * __frcp_rn(sum);
#endif
}

extern "C" __global__ void PLANTED_BOUNDS softmax(const float *in, float *out, int rows)
{
    extern __shared__ float shared[];
    volatile float *s = shared + 32;
    const int t = threadIdx.x, width = ITEMS * (int)blockDim.x;
#if PLANT == UNCOALESCED // lanes are 128 bytes apart
    const int step = 1, first = t * ITEMS;
#else
    const int step = blockDim.x, first = t;
#endif
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        volatile const float *from = in + (size_t)row * width + first;
        volatile float *to = out + (size_t)row * width + first;
        float v[ITEMS], most, sum = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            v[i] = from[i * step];
#if PLANT == BANK_CONFLICTS // each thread takes the part of a row that lies in order
        __syncthreads();
        for (int i = 0; i < ITEMS; i++)
            s[i * step + t] = v[i];
        __syncthreads();
        for (int i = 0; i < ITEMS; i++)
            v[i] = s[t * ITEMS + i];
#endif
        most = v[0];
#pragma unroll
        for (int i = 1; i < ITEMS; i++)
            most = fmaxf(most, v[i]);
        most = reduce(most, shared, true);
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            sum += v[i] = __expf(v[i] - most);
        sum = reduce(sum, shared, false);
#if PLANT == BANK_CONFLICTS
        for (int i = 0; i < ITEMS; i++)
            s[t * ITEMS + i] = v[i];
        __syncthreads();
        for (int i = 0; i < ITEMS; i++)
            v[i] = s[i * step + t];
#endif
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            to[i * step] = scaled(v[i], sum);
    }
}
