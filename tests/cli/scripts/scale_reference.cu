extern "C" __global__ void scale_reference(const float *x, float *y, float a, int N)
{
    for (int i = 0; i < N; i++) y[i] = a * x[i];
}
