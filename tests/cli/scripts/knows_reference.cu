// y[i] = x[i] for i < N.
extern "C" __global__ void knows_reference(const int *x, int *y, int N)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < N) y[i] = x[i];
}
