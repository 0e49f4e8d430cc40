// y[i] = x[i], by blocks that must all run at once: K values a thread want so
// many registers that not all do. WAIT 1: each block waits until all of its launch have
// come; else the launch is cooperative.
#ifndef K
#define K 16
#endif
#ifndef WAIT
#define WAIT 0
#endif

__device__ unsigned come; // a whole number of launches between them

extern "C" __global__ void __launch_bounds__(256) together(const float *x, float *y, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v[K], sum = 0;
#pragma unroll
    for (int k = 0; k < K; k++)
        v[k] = x[(i + k * 64) % N];
    if (WAIT && threadIdx.x == 0) {
        const unsigned ticket = atomicAdd(&come, 1);
        const unsigned last = (ticket / gridDim.x + 1) * gridDim.x;
        while (atomicAdd(&come, 0) < last) {
        }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < K; k++)
        sum += v[k] * v[(k + 1) % K];
    if (i < N) y[i] = x[i] + (sum > 1e30f);
}

extern "C" __global__ void together_reference(const float *x, float *y, int N)
{
    for (int i = 0; i < N; i++)
        y[i] = x[i];
}
