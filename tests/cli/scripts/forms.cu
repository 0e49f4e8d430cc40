// y[i] = x[i]; WAY says which instructions stand beside it. sm_80 has those of WAY 0, and
// none of the others: a modifier, a size and a barrier that it has elsewhere alone.
// Kernels of one WAY differ by AGAIN alone.
#ifndef WAY
#define WAY 0
#endif
#ifndef AGAIN
#define AGAIN 0
#endif
#define SHARED(P) ((unsigned)__cvta_generic_to_shared(P))

extern "C" __global__ void __launch_bounds__(32) forms(const float *x, float *y)
{
    __shared__ alignas(16) float copied[4];
    const float v = x[threadIdx.x];
    unsigned word;
    unsigned short half;
#if WAY == 0
    asm volatile("cvt.rna.tf32.f32 %0, %1;" : "=r"(word) : "f"(v));
    asm volatile("cvt.rn.f16.f32 %0, %1;" : "=h"(half) : "f"(v));
    if (threadIdx.x == 0)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\ncp.async.wait_all;" ::"r"(
                         SHARED(copied)),
                     "l"(x));
    asm volatile("bar.sync 1, 32;");
#elif WAY == 1
    asm volatile("cvt.rn.tf32.f32 %0, %1;" : "=r"(word) : "f"(v));
#elif WAY == 2
    asm volatile("cp.async.cg.shared.global [%0], [%1], 8;" ::"r"(SHARED(copied)), "l"(x));
#else
    asm volatile("bar.sync 16, 32;");
#endif
    y[threadIdx.x] = v + AGAIN * 0;
}

extern "C" __global__ void forms_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
