// Small kernels with a known effect, for the tests that need a GPU.

extern "C" __global__ void add_one(float *p, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] += 1.0f;
}

// n float4; any grid.
extern "C" __global__ void copy(float4 *to, const float4 *from, long long n)
{
    long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        to[i] = from[i];
}

// Busy for this many clock ticks.
extern "C" __global__ void spin(long long ticks)
{
    long long start = clock64();
    while (clock64() - start < ticks) {
    }
}

// One block; the last 4 * blockDim.x of the dynamic shared bytes carry p in reverse.
extern "C" __global__ void reverse(int *p, int bytes)
{
    extern __shared__ int buffer[];
    int *end = buffer + bytes / 4 - blockDim.x;
    end[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = end[blockDim.x - 1 - threadIdx.x];
}

// 96 live values.
extern "C" __global__ void wide(float *p, int n)
{
    float a[96];
#pragma unroll
    for (int i = 0; i < 96; i++) a[i] = p[i * n + threadIdx.x];
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < 96; i++) a[i] = a[i] * a[(i + 1) % 96] + p[k];
    }
#pragma unroll
    for (int i = 0; i < 96; i++) p[i * n + threadIdx.x] = a[i];
}

extern "C" __global__ void tile(float *p)
{
    __shared__ float buffer[5000];
    for (int i = threadIdx.x; i < 5000; i += blockDim.x) buffer[i] = p[i];
    __syncthreads();
    p[threadIdx.x] = buffer[4999 - threadIdx.x];
}

extern "C" __global__ void touch(int *p)
{
    *p = 1;
}

extern "C" __global__ void misaligned(char *p)
{
    *(volatile long long *)(p + 4) = 1;
}

extern "C" __global__ void trap_now()
{
    asm volatile("trap;");
}
