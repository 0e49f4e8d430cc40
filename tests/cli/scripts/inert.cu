// y[i] = 1 for i < N; y is f32[N].
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef IDLE
#define IDLE 0
#endif
#ifndef SAME
#define SAME 0
#endif

extern "C" __global__ void __launch_bounds__(BLOCK) fill(float *y, int N)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < N) y[i] = SAME > 5 ? 2.0f : 1.0f;
}
