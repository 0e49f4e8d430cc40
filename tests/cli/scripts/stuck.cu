// y[i] = x[i] for i < N; x and y are f32[N].
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef MODE
#define MODE 0
#endif

// So much text that the compiler is busy for long.
__device__ float long_to_compile(float v)
{
#if MODE == 2
#define FOUR(text) text text text text
    FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(FOUR(v = sinf(v) * cosf(v + 1.0f);)))))))
#endif
    return v;
}

extern "C" __global__ void __launch_bounds__(BLOCK) stuck(const float *x, float *y, int N)
{
    int i = blockIdx.x * BLOCK + threadIdx.x, rounds = 0;
    if (MODE == 1 && threadIdx.x % 2)
        while (N > 0) rounds += *(volatile const float *)x < 1e30f;
    if (i < N) y[i] = long_to_compile(x[i]) + rounds;
}
