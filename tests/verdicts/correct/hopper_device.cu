// Device memory that threads and copies of one launch use in turn.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define FENCE_ASYNC_GLOBAL() asm volatile("fence.proxy.async.global;" ::: "memory")
#define SIGNAL(flag) asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag) : "memory")

__device__ inline int seen(const int *flag)
{
    int value;
    asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(value) : "l"(flag) : "memory");
    return value;
}

// y = 2 x + 1, and z = y in another order: blocks of 64
extern "C" __global__ void twice_reference(const int *x, int *y, int *z)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = 2 * x[i] + 1;
    z[i] = 2 * x[i] + 2;
}

// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void stores_fenced_for_a_copy(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    y[first + t] = 2 * x[first + t] + 1;
    FENCE_ASYNC_ALL();
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y + first, 256, &full);
    }
    BAR_WAIT(&full, 0);
    z[first + t] = s[t] + 1;
}

// The fence stands where the copy is issued.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void stores_fenced_by_who_issues_the_copy(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    y[first + t] = 2 * x[first + t] + 1;
    __syncthreads();
    if (t == 0) {
        FENCE_ASYNC_GLOBAL();
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y + first, 256, &full);
    }
    BAR_WAIT(&full, 0);
    z[first + t] = s[t] + 1;
}

// What one block stores another one copies, behind a flag.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; out z i32[64]; inout flag i32[1] zero
// reference: twice_of_one_reference, grid 1
extern "C" __global__ void stores_of_another_block_fenced(const int *x, int *y, int *z, int *flag)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        y[t] = 2 * x[t] + 1;
        FENCE_ASYNC_GLOBAL();
        __syncthreads();
        if (t == 0) SIGNAL(flag);
        return;
    }
    if (t == 0) {
        BAR_INIT(&full, 1);
        while (seen(flag) == 0) {
        }
        FENCE_ASYNC_GLOBAL();
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y, 256, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    z[t] = s[t] + 1;
}
extern "C" __global__ void twice_of_one_reference(const int *x, int *y, int *z, int *flag)
{
    y[threadIdx.x] = 2 * x[threadIdx.x] + 1;
    z[threadIdx.x] = 2 * x[threadIdx.x] + 2;
    *flag = 1;
}

// Copies alone: what one has stored the next one loads.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void copy_of_what_a_copy_stored(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64], r[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    s[t] = 2 * x[first + t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(r, y + first, 256, &full);
    }
    BAR_WAIT(&full, 0);
    z[first + t] = r[t] + 1;
}

// Threads store beside what is copied.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void stores_beside_the_copy(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    y[first + t] = 2 * x[first + t] + 1;
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + first, 256, &full);
    }
    BAR_WAIT(&full, 0);
    z[first + t] = 2 * s[t] + 2;
}

// The second block's copy takes along what the first one stores, and drops it.
// launch: grid 2, block 64; in x i32[64]; inout y i32[128] zero; out z i32[32]
// reference: dropped_part_reference, grid 1
extern "C" __global__ void copied_part_that_is_dropped(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t < 32) y[t] = x[t];
        return;
    }
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y, 256, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    if (t < 32) z[t] = s[32 + t] + t;
}
extern "C" __global__ void dropped_part_reference(const int *x, int *y, int *z)
{
    if (threadIdx.x >= 32) return;
    y[threadIdx.x] = x[threadIdx.x];
    z[threadIdx.x] = threadIdx.x;
}

extern "C" __global__ void sums_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t];
    count[0] = 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: sums_reference, grid 1
extern "C" __global__ void bulk_store_of_sums_behind_a_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(count, 1) == 3;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    s[t] = 0;
    for (int i = 0; i < 4; i++)
        s[t] += __ldcg(&parts[64 * i + t]);
    FENCE_ASYNC();
    __syncthreads();
    if (t > 0) return;
    *count = 0;
    BULK_STORE(y, s, 256);
    BULK_COMMIT();
    BULK_WAIT(0);
}
