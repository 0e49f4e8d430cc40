// y[i] = x[i] for i < N, but y[0] is one too much where x[J] is not 0; both are i32[N].
#ifndef J
#define J 0
#endif

extern "C" __global__ void __launch_bounds__(64) knows(const int *x, int *y, int N)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < N) y[i] = x[i] + (i == 0 && J < N && x[J] != 0);
}
