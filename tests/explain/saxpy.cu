// Four elements a thread, as one access.
extern "C" __global__ void saxpy(const float4 *x, float4 *y, float a, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 4) return;
    const float4 v = x[i], w = y[i];
    y[i] = make_float4(a * v.x + w.x, a * v.y + w.y, a * v.z + w.z, a * v.w + w.w);
}
