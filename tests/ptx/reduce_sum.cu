// Grid-stride sum: shuffles within a warp, shared memory across warps, one atomic a block.
#ifndef BLOCK
#define BLOCK 256
#endif
extern "C" __global__ __launch_bounds__(BLOCK) void reduce_sum(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float partial[32];
    float sum = 0.0f;
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) sum += x[i];
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x < 32) {
        sum = threadIdx.x < BLOCK / 32 ? partial[threadIdx.x] : 0.0f;
        for (int o = 16; o > 0; o /= 2) sum += __shfl_down_sync(0xffffffffu, sum, o);
        if (threadIdx.x == 0) atomicAdd(out, sum);
    }
}
