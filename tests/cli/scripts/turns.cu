// y[i]: how many turns x[i] takes to pass LIMIT, each thread on its own: x decides how
// long a warp runs.
#ifndef LIMIT
#define LIMIT 64
#endif
extern "C" __global__ void turns(const float *x, float *y, int n)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    const float step = x[i] > 0 ? x[i] : -x[i];
    float at = 0;
    int count = 0;
    while (at < LIMIT && count < 4096) {
        at += step;
        count++;
    }
    y[i] = (float)count;
}
