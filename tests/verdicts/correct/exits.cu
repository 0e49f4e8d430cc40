// Tails, early exits, breaks, and barriers that some threads or warps do not reach.

// launch: grid 3, block 64; in x f32[150]; out y f32[150]; i32 n 150
// launch: grid 2, block 64; in x f32[128]; out y f32[128]; i32 n 128
extern "C" __global__ void return_behind_the_end(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];
}

extern "C" __global__ void return_behind_the_end_reference(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

// Warps without an element leave before the barrier of the block.
// launch: grid 1, block 128; in x i32[64]; out y i32[64]; i32 n 64
extern "C" __global__ void whole_warps_leave_before_a_barrier(const int *x, int *y, int n)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    if (t >= n) return;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[n - 1 - t];
}

extern "C" __global__ void whole_warps_leave_before_a_barrier_reference(const int *x, int *y, int n)
{
    if ((int)threadIdx.x < n) y[threadIdx.x] = x[n - 1 - threadIdx.x];
}

// launch: grid 1, block 128; in x i32[64]; out y i32[64]; i32 n 64
// reference: whole_warps_leave_before_a_barrier_reference
extern "C" __global__ void those_who_stay_use_a_named_barrier(const int *x, int *y, int n)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    if (t >= 64) return;
    s[t] = x[t];
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[t] = s[n - 1 - t];
}

// Threads behind the end do not leave but idle through the barriers.
// launch: grid 2, block 64; in x i32[100]; out y i32[2]; i32 n 100
extern "C" __global__ void idle_threads_go_through_barriers(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int half = 32; half; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}

extern "C" __global__ void idle_threads_go_through_barriers_reference(const int *x, int *y, int n)
{
    int sum = 0;
    for (int i = blockIdx.x * 64; i < min(n, (int)blockIdx.x * 64 + 64); i++)
        sum += x[i];
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// launch: grid 1, block 64; in x i32[64] integers 0 9; out y i32[64]
extern "C" __global__ void loop_with_a_break_and_a_continue(const int *x, int *y)
{
    int found = -1;
    for (int i = threadIdx.x; i < 64; i++) {
        if (x[i] < 3) continue;
        if (x[i] == 7) {
            found = i;
            break;
        }
    }
    y[threadIdx.x] = found;
}

extern "C" __global__ void loop_with_a_break_and_a_continue_reference(const int *x, int *y)
{
    int i = threadIdx.x;
    while (i < 64 && x[i] != 7)
        i++;
    y[threadIdx.x] = i < 64 ? i : -1;
}

// All threads leave the loop together, by a vote of the block.
// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void loop_until_the_block_agrees(const float *x, float *y)
{
    float v = x[threadIdx.x] * 100;
    while (__syncthreads_or(fabsf(v) > 1))
        if (fabsf(v) > 1) v *= 0.5f;
    y[threadIdx.x] = v;
}

extern "C" __global__ void loop_until_the_block_agrees_reference(const float *x, float *y)
{
    float v = x[threadIdx.x] * 100;
    while (fabsf(v) > 1)
        v *= 0.5f;
    y[threadIdx.x] = v;
}

// A flag in shared memory ends the loop of all; all store the same value to it.
// launch: grid 1, block 96; in x i32[384]; out y i32[1]
extern "C" __global__ void search_that_anyone_may_end(const int *x, int *y)
{
    __shared__ int found, at;
    if (threadIdx.x == 0) found = 0, at = 9999;
    __syncthreads();
    for (int k = 0; k < 4; k++) {
        const int i = k * 96 + threadIdx.x;
        if (x[i] == 5) {
            found = 1;
            atomicMin(&at, i);
        }
        __syncthreads();
        const int done = found;
        __syncthreads();
        if (done) break;
    }
    if (threadIdx.x == 0) y[0] = at;
}

extern "C" __global__ void search_that_anyone_may_end_reference(const int *x, int *y)
{
    int i = 0;
    while (i < 384 && x[i] != 5)
        i++;
    if (threadIdx.x == 0) y[0] = i < 384 ? i : 9999;
}

// launch: grid 1, block 32; in x f32[37]; out y f32[37]; i32 n 37
extern "C" __global__ void vectors_then_a_tail(const float *x, float *y, int n)
{
    const int whole = n / 4;
    for (int i = threadIdx.x; i < whole; i += 32) {
        float4 v = ((const float4 *)x)[i];
        v.x += 1, v.y += 1, v.z += 1, v.w += 1;
        ((float4 *)y)[i] = v;
    }
    for (int i = 4 * whole + threadIdx.x; i < n; i += 32)
        y[i] = x[i] + 1;
}

extern "C" __global__ void vectors_then_a_tail_reference(const float *x, float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += 32)
        y[i] = x[i] + 1;
}

// Addresses of a tail are clamped, its results are the last element's own.
// launch: grid 2, block 64; in x f32[100]; out y f32[100]; i32 n 100
extern "C" __global__ void clamped_tail_stores_equal_values(const float *x, float *y, int n)
{
    const int i = min((int)(blockIdx.x * 64 + threadIdx.x), n - 1);
    y[i] = x[i] * x[i];
}

extern "C" __global__ void clamped_tail_stores_equal_values_reference(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = x[i] * x[i];
}

// launch: grid 2, block 32; in x f32[200]; out y f32[200]; i32 n 200
// launch: grid 2, block 32; in x f32[1]; out y f32[1]; i32 n 1
extern "C" __global__ void grid_stride_unrolled_by_four(const float *x, float *y, int n)
{
    const int stride = gridDim.x * blockDim.x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (; i + 3 * stride < n; i += 4 * stride) {
        float v[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            v[k] = x[i + k * stride];
#pragma unroll
        for (int k = 0; k < 4; k++)
            y[i + k * stride] = 3 * v[k];
    }
    for (; i < n; i += stride)
        y[i] = 3 * x[i];
}

extern "C" __global__ void grid_stride_unrolled_by_four_reference(const float *x, float *y, int n)
{
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += 64)
        y[i] = 3 * x[i];
}

// One warp produces and another consumes, by two named barriers.
// launch: grid 1, block 64; in x i32[128]; out y i32[128]
extern "C" __global__ void producer_and_consumer_by_named_barriers(const int *x, int *y)
{
    __shared__ int s[2][32];
    const int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        for (int k = 0; k < 4; k++) {
            if (k >= 2) asm volatile("bar.sync %0, 64;" ::"r"(3 + k % 2) : "memory");
            s[k % 2][lane] = x[k * 32 + lane] + k;
            asm volatile("bar.arrive %0, 64;" ::"r"(1 + k % 2) : "memory");
        }
    } else {
        for (int k = 0; k < 4; k++) {
            asm volatile("bar.sync %0, 64;" ::"r"(1 + k % 2) : "memory");
            y[k * 32 + lane] = s[k % 2][31 - lane];
            if (k < 2) asm volatile("bar.arrive %0, 64;" ::"r"(3 + k % 2) : "memory");
        }
    }
}

extern "C" __global__ void producer_and_consumer_by_named_barriers_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 128; i += 64)
        y[i] = x[i / 32 * 32 + 31 - i % 32] + i / 32;
}

// Only the first warp goes on after the barrier; the others have left.
// launch: grid 2, block 96; in x i32[192]; out y i32[2]
extern "C" __global__ void first_warp_finishes_alone(const int *x, int *y)
{
    __shared__ int sums[3];
    int v = x[blockIdx.x * 96 + threadIdx.x];
    v = __reduce_add_sync(~0u, v);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    v = threadIdx.x < 3 ? sums[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x == 0) y[blockIdx.x] = v;
}

extern "C" __global__ void first_warp_finishes_alone_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 96; i++)
        sum += x[blockIdx.x * 96 + i];
    if (threadIdx.x == 0) y[blockIdx.x] = sum;
}

// Rows of unequal length, each thread its own number of turns.
// launch: grid 1, block 32; in ptr i32[33] offsets; in column i32[320] integers 0 31;
//         in x i32[32]; out y i32[32]
extern "C" __global__ void sparse_rows_of_a_thread(const int *ptr, const int *column, const int *x, int *y)
{
    int sum = 0;
    for (int k = ptr[threadIdx.x]; k < ptr[threadIdx.x + 1]; k++)
        sum += x[column[k]];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void sparse_rows_of_a_thread_reference(const int *ptr, const int *column, const int *x, int *y)
{
    int sum = 0;
    for (int k = ptr[threadIdx.x + 1] - 1; k >= ptr[threadIdx.x]; k--)
        sum += x[column[k]];
    y[threadIdx.x] = sum;
}
