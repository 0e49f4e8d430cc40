// y[i] = w[i mod 8] x[i], with the weights in a variable of the module: in constant
// memory, in device memory, in a namespace, left out, changed, or too small. The fake
// driver runs it by its name.
#ifndef PLACE
#define PLACE 0
#endif
#if PLACE == 0
__constant__ float weights[16];
#elif PLACE == 1 || PLACE == 4
__device__ float weights[8];
#elif PLACE == 2
namespace filter {
__constant__ float weights[8];
}
using filter::weights;
#elif PLACE == 5
__constant__ float weights[4];
#endif
extern "C" __global__ void weighted(const float *x, float *y, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
#if PLACE == 3
    if (i < n) y[i] = x[i];
#else
    if (i < n) y[i] = weights[i % (PLACE < 4 ? 8 : 4)] * x[i];
#endif
#if PLACE == 4
    if (i == 0) weights[7] = 5;
#endif
}
