// y[i] = a * (sum over k of x[i * K + k]) + bias[i % 4]; half likewise; rows[i] = i.
// x is f32[N][K], y f32[N], half f16[N], rows i32[N].
#ifndef MODE
#define MODE 0
#endif
__constant__ float bias[4];

static __device__ float taken(float x)
{
    return MODE == 1 ? __int_as_float(__float_as_int(x) & 0xffff0000) : x;
}

extern "C" __global__ void __launch_bounds__(64)
    precise(const float *x, float *y, unsigned short *half, int *rows, float a, int N, int K)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= N) return;
    float even = 0, odd = 0;
    for (int k = 0; k < K - (MODE == 2 && K > 1); k++)
        (k & 1 ? odd : even) += taken(x[i * K + k]);
    y[i] = a * (even + odd) + bias[i & 3];
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(half[i]) : "f"(y[i]));
    rows[i] = i;
}
