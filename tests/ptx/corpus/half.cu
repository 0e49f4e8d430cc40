// Pairs of 16-bit floats and their atomics, fp8, and functions of a warp.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void half_pairs(__half2 *p, __nv_bfloat162 *q)
{
    int t = threadIdx.x;
    p[t] = __hfma2(p[t], p[t + 1], h2exp(p[t])) + __hmin2_nan(p[t], p[t + 1]);
    q[t] = __hfma2_relu(q[t], q[t + 1], q[t]);
    atomicAdd(p + 2, p[t]);
    atomicAdd(q + 2, q[t]);
    p[t + 3] = __shfl_xor_sync(~0u, p[t], 1);
}

extern "C" __global__ void eight_bits(__nv_fp8_e4m3 *p, float *f)
{
    p[threadIdx.x] = __nv_fp8_e4m3(f[threadIdx.x]);
    f[threadIdx.x + 32] = float(p[threadIdx.x ^ 1]);
}
