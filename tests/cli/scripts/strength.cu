// Warps add to a sum in turns that nobody gives them: 0 atomically, 1 by volatile accesses,
// between which another warp may come, 2 by plain ones, of which ptxas makes the code that
// it makes of 1.
#ifndef WAY
#define WAY 0
#endif

extern "C" __global__ void __launch_bounds__(128) strength(const int *x, int *y)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        const int n = x[threadIdx.x];
        volatile int *const strong = &sum;
        if (WAY == 0) atomicAdd(&sum, n);
        if (WAY == 1) *strong = *strong + n;
        if (WAY == 2) sum = sum + n;
    }
    __syncthreads();
    if (threadIdx.x == 0) y[0] = sum;
}
