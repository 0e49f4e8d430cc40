// y[i] = a * x[i]; the parameters A, B and C decide nothing but the grid.
#ifndef A
#define A 0
#endif
#ifndef B
#define B 0
#endif
#ifndef C
#define C 0
#endif
extern "C" __global__ void lab(const float *x, float *y, float a, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i];
}
