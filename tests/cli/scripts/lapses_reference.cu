extern "C" __global__ void lapses_reference(const float *x, float *y, int N, int)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) y[i] = x[i] + x[i % 64 % N];
}
