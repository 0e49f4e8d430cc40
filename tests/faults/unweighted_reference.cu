__constant__ float weight[8];
extern "C" __global__ void weighted_reference(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = weight[i % 8] * x[i];
}
