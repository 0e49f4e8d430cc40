// y[i] = i mod 256 for i < N; y is u8[N].
#ifndef BLOCK
#define BLOCK 64
#endif

extern "C" __global__ void __launch_bounds__(BLOCK) bytes(unsigned char *y, int N)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < N) y[i] = (unsigned char)i;
}
