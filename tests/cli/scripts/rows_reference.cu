extern "C" __global__ void rows_reference(const float *const *x, float *const *y, int n)
{
    for (int k = 0; k < n; k++)
        y[blockIdx.x][k] = 2 * x[blockIdx.x][k];
}
