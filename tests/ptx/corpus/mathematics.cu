// Functions of the library that come as inlined PTX: argument reduction with carries,
// double precision, division of 64-bit integers.
extern "C" __global__ void mathematics(float *f, double *d, long long *l, int n)
{
    int t = threadIdx.x;
    f[t] = sinf(f[t]) + expf(f[t]) + tanhf(f[t]) + powf(f[t], 1.5f) + erff(f[t]);
    d[t] = exp(d[t]) + log(d[t]) + sqrt(d[t]) + d[t] / 3.0;
    l[t] = l[t] / (n + 1) + l[t] % (t + 1);
}

// Recursion, which is refused.
__noinline__ __device__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void recursion(int *p)
{
    *p = fibonacci(*p);
}
