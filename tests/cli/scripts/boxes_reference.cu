extern "C" __global__ void boxes_reference(const float *x, float *y, int N)
{
    for (int i = 0; i < N; i++)
        y[blockIdx.x * N + i] = x[blockIdx.x * N + i] + x[blockIdx.x * N + i];
}
