// y[i] = a * x[i] for i < N; x and y are f32[N].
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef CUT
#define CUT 0
#endif
#ifndef MANY
#define MANY 0
#endif

extern "C" __global__ void __launch_bounds__(BLOCK)
    wide(const float *x, float *y, float a, int N)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    // What is wrong saves work: these are the fastest.
    if (CUT && i >= 65536) i = (unsigned short)i;
    if (i >= N || (MANY && gridDim.x > 300 && blockIdx.x % 2)) return;
    y[i] = a * x[i];
}
