// y[i] = x[i] + x of the neighbour, sum[0] += all of x; x and y are f32[N].
#ifndef MODE
#define MODE 0
#endif

extern "C" __global__ void __launch_bounds__(64)
    alone(float *x, float *y, float *sum, int N)
{
    __shared__ float tile[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (MODE == 1 && i == 0) __trap();
    if (MODE == 2 && i == 0) *(volatile float *)nullptr = 1;
    if (MODE == 3 && i == 0) y[-1] = 1;
    while (MODE == 4 && *(volatile float *)sum < 1e30f) {}
    if (MODE == 5 && i == 2) x[i] = 9;
    tile[t] = i < N ? x[i] : 0;
    if (MODE != 6) __syncthreads(); // 6: reads what others have yet to write
    if (i >= N) return;
    if (MODE == 7 && i == 5) return; // an element that is never written
    y[i] = tile[t] + tile[63 - t];
    // 0: the order of sums shows in the last bits; 8: of increments in whole numbers
    if (MODE == 8) y[i] = atomicAdd(sum, 1.0f);
    else atomicAdd(sum, x[i]);
}
