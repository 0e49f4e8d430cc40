// y[i] = x[i] + 1 for i < N; x and y are f32[N]. WAY 1 asks for an instruction of sm_90;
// WAY 2 does not say that its blocks have 1024 threads. That there is inline PTX shows in
// the compiler's output alone; __ldg is of its own header.
#define JOINED(A, B) A##B
#ifndef WAY
#define WAY 0
#endif
#if WAY == 2
#define BOUNDS
#else
#define BOUNDS __launch_bounds__(64)
#endif

extern "C" __global__ void BOUNDS ptxas(const float *x, float *y, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#if WAY == 1
    JOINED(as, m) volatile("{ .reg .pred p; elect.sync _|p, 0xffffffff; }");
#endif
    if (i < N) y[i] = __ldg(&x[i]) + 1;
}
