// Plain stores that an atomic of the same warp or block follows: others meet the store.

// class: plain store and an atomic of others, hidden by an atomic of the same thread

// launch: grid 4, block 64; in x i32[256] integers 1 9; inout y i32[1] zero
extern "C" __global__ void sum_zeroed_by_the_first_block(const int *x, int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *y = 0; // expect: race
    __syncthreads();
    atomicAdd(y, x[blockIdx.x * 64 + threadIdx.x]); // expect: race
}

extern "C" __global__ void sum_zeroed_by_the_first_block_reference(const int *x, int *y)
{
    atomicAdd(y, x[blockIdx.x * 64 + threadIdx.x]);
}

// launch: grid 4, block 64; in x i32[256] integers 1 9; inout y i32[1] zero
// reference: sum_zeroed_by_the_first_block_reference
extern "C" __global__ void sum_zeroed_behind_a_fence(const int *x, int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *y = 0; // expect: race
        __threadfence();
    }
    __syncthreads();
    atomicAdd(y, x[blockIdx.x * 64 + threadIdx.x]); // expect: race
}

// launch: grid 4, block 32; in x i32[4] integers 1 9; out y i32[1]
extern "C" __global__ void highest_stored_then_raised(const int *x, int *y)
{
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) *y = 0; // expect: race
    atomicMax(y, x[blockIdx.x]); // expect: race
}

extern "C" __global__ void highest_stored_then_raised_reference(const int *x, int *y)
{
    int most = 0;
    for (int i = 0; i < 4; i++)
        most = max(most, x[i]);
    *y = most;
}

// launch: grid 4, block 64; in x i32[256] integers 1 9; out y i32[4]
extern "C" __global__ void shared_sum_zeroed_for_one_warp(const int *x, int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = 0; // expect: race
    __syncwarp();
    atomicAdd(&s, x[blockIdx.x * 64 + threadIdx.x]); // expect: race
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = s;
}

extern "C" __global__ void shared_sum_zeroed_for_one_warp_reference(const int *x, int *y)
{
    if (threadIdx.x != 0) return;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[blockIdx.x * 64 + i];
    y[blockIdx.x] = sum;
}

// launch: grid 2, block 96; in x i32[192]; out y i32[2]
extern "C" __global__ void shared_highest_set_for_one_warp(const int *x, int *y)
{
    __shared__ volatile int m;
    if (threadIdx.x == 0) *(int *)&m = -1000000; // expect: race
    __syncwarp();
    atomicMax((int *)&m, x[blockIdx.x * 96 + threadIdx.x]); // expect: race
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = m;
}

extern "C" __global__ void shared_highest_set_for_one_warp_reference(const int *x, int *y)
{
    if (threadIdx.x != 0) return;
    int most = -1000000;
    for (int i = 0; i < 96; i++)
        most = max(most, x[blockIdx.x * 96 + i]);
    y[blockIdx.x] = most;
}
