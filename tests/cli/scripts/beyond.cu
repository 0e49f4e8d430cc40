// y[i] = 2 * x[i] for i < n; x and y are f32[n].
#ifndef BLOCK
#define BLOCK 256
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
    beyond(const float *x, float *y, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

extern "C" __global__ void beyond_reference(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
    if (n == 777 && i == 0) y[n + 5] = 1;
}
