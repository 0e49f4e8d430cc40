// y[i] = x[i] + 1 for i < N; x and y are f32[N].
#ifndef MODE
#define MODE 0
#endif

extern "C" __global__ void __launch_bounds__(64) drawn(const float *x, float *y, int N)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (MODE == 1 && N != 256 && i < N) y[i] = 0; // right at the size that it knows
    if (MODE == 2 && N > 1500 && i == 7) return;  // what many sizes hide
    if (MODE == 3 && i == N && N % 2) y[i] = 1;   // past the end of odd ones
    if (MODE == 4 && N == 1) return;
    if (i < N && !(MODE == 1 && N != 256)) y[i] = x[i] + 1;
}
