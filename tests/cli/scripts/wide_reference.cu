extern "C" __global__ void wide_reference(const float *x, float *y, float a, int N)
{
    for (int i = threadIdx.x; i < N; i += blockDim.x) y[i] = a * x[i];
}
