// y[i] = a * x[i] for i < N; x and y are f32[N].
#ifndef BLOCK
#define BLOCK 32
#endif
#ifndef MODE
#define MODE 0
#endif
static_assert(MODE != 1, "this mode is illegal");

extern "C" __global__ void __launch_bounds__(BLOCK)
    scale(const float *x, float *y, float a, int N)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (MODE == 3 || i < N) y[i] = a * x[i] + (MODE == 2 && i == 77 ? 1.0f : 0.0f);
}
