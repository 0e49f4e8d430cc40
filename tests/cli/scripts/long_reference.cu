extern "C" __global__ void long_reference(const float *x, float *y, int N)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    float value = x[i];
    for (int step = 0; step < N; step++) asm volatile("" : "+f"(value));
    y[i] = value;
}
