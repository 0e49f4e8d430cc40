#ifndef BLOCK
#define BLOCK 64
#endif

extern "C" __global__ void long_kernel(const float *x, float *y, int N)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < N) y[i] = x[i];
}
