// Plain stores that atomics follow, in the order that a barrier or a flag gives.

// launch: grid 4, block 64; in x i32[256] integers 1 9; out y i32[4]
extern "C" __global__ void shared_sum_zeroed_before_a_barrier(const int *x, int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}

extern "C" __global__ void shared_sum_zeroed_before_a_barrier_reference(const int *x, int *y)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[blockIdx.x * 64 + i];
    y[blockIdx.x] = sum;
}

// launch: grid 2, block 64; in x i32[512] integers 1 9; out y i32[8]
extern "C" __global__ void shared_sum_zeroed_again_each_round(const int *x, int *y)
{
    __shared__ int s;
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 32) s = 0;
        __syncthreads();
        atomicAdd(&s, x[(blockIdx.x * 4 + k) * 64 + threadIdx.x]);
        __syncthreads();
        if (threadIdx.x == 0) y[blockIdx.x * 4 + k] = s;
        __syncthreads();
    }
}

extern "C" __global__ void shared_sum_zeroed_again_each_round_reference(const int *x, int *y)
{
    if (threadIdx.x >= 4) return;
    const int row = blockIdx.x * 4 + threadIdx.x;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[row * 64 + i];
    y[row] = sum;
}

// The first block stores, fences and raises a flag that the others wait for.
// launch: grid 4, block 64; in x i32[256] integers 1 9; out y i32[1]; inout flag i32[1] zero
extern "C" __global__ void sum_zeroed_before_a_flag(const int *x, int *y, int *flag)
{
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) {
            *y = 0;
            __threadfence();
            atomicExch(flag, 1);
        } else {
            while (atomicAdd(flag, 0) == 0) {
            }
            __threadfence();
        }
    }
    __syncthreads();
    atomicAdd(y, x[blockIdx.x * 64 + threadIdx.x]);
}

extern "C" __global__ void sum_zeroed_before_a_flag_reference(const int *x, int *y, int *flag)
{
    if (blockIdx.x || threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 256; i++)
        sum += x[i];
    *y = sum;
    *flag = 1;
}

// Each block zeroes a sum of its own.
// launch: grid 4, block 64; in x i32[256] integers 1 9; out y i32[4]
// reference: shared_sum_zeroed_before_a_barrier_reference
extern "C" __global__ void sum_zeroed_by_its_block(const int *x, int *y)
{
    if (threadIdx.x == 0) y[blockIdx.x] = 0;
    __syncthreads();
    atomicAdd(&y[blockIdx.x], x[blockIdx.x * 64 + threadIdx.x]);
}
