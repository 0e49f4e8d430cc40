// y[i] = a * x[i], unless MODE says otherwise (faulty.lua).
#ifndef BLOCK
#define BLOCK 64
#endif
#ifndef MODE
#define MODE 0
#endif
extern "C" __global__ void lab(const float *x, float *y, float a, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (MODE == 1) x += 1ll << 50;
    while (MODE == 2 && *(volatile float *)y != 12345.0f) {}
    if (MODE == 3) asm volatile("trap;");
    if (i < n) y[i] = a * x[i];
}
