#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef UNUSED
#define UNUSED 0
#endif

extern "C" __global__ void lapses(const float *x, float *y, int N, int barrier)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float kept[64];
#pragma unroll 1
    for (int k = 0; k < 64; k++)
        kept[k] = x[k % N] * BIASED;
#if DECLARED
    extern __shared__ float shared[];
    shared[threadIdx.x] = i < N ? x[i] : 0.0f;
#endif
    asm volatile("bar.sync %0, %1;" ::"r"(barrier), "r"(BLOCK) : "memory");
#if DECLARED
    if (i < N) y[i] = shared[threadIdx.x] + kept[i % 64];
#else
    if (i < N) y[i] = x[i] + kept[i % 64];
#endif
}
