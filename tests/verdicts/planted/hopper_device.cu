// Device memory that threads and copies of one launch use in turn, without the fence between them.
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

// class: threads store to device memory, a copy loads it, no fence of the proxies

// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void stores_without_a_fence_for_a_copy(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    y[first + t] = 2 * x[first + t] + 1; // expect: proxy_fence
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y + first, 256, &full); // expect: proxy_fence
    }
    BAR_WAIT(&full, 0);
    z[first + t] = s[t] + 1;
}

// The fence is one of shared memory.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; out z i32[128]
// reference: twice_reference
extern "C" __global__ void stores_with_a_fence_of_shared_memory(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&full, 1);
    y[first + t] = 2 * x[first + t] + 1; // expect: proxy_fence
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y + first, 256, &full); // expect: proxy_fence
    }
    BAR_WAIT(&full, 0);
    z[first + t] = s[t] + 1;
}

// The flag orders what threads do, not copies.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; out z i32[64]; inout flag i32[1] zero
// reference: twice_of_one_reference, grid 1
extern "C" __global__ void stores_of_another_block_without_a_fence(const int *x, int *y, int *z, int *flag)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        y[t] = 2 * x[t] + 1; // expect: proxy_fence
        __syncthreads();
        if (t == 0) SIGNAL(flag);
        return;
    }
    if (t == 0) {
        BAR_INIT(&full, 1);
        while (seen(flag) == 0) {
        }
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, y, 256, &full); // expect: proxy_fence
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

// class: copies and other blocks meet in device memory

extern "C" __global__ void sums_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t];
    count[0] = 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: sums_reference, grid 1
extern "C" __global__ void bulk_store_of_sums_that_nothing_orders(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) last = atomicAdd(count, 1) == 3;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    s[t] = 0;
    for (int i = 0; i < 4; i++)
        s[t] += __ldcg(&parts[64 * i + t]); // expect: race
    FENCE_ASYNC();
    __syncthreads();
    if (t > 0) return;
    *count = 0;
    BULK_STORE(y, s, 256);
    BULK_COMMIT();
    BULK_WAIT(0);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64] map 64/64 1/1; work parts i32[256];
//         inout count u32[1] zero
// reference: sums_reference, grid 1
extern "C" __global__ void tile_of_sums_that_nothing_orders(const int *x, const __grid_constant__ tensor_map y, int *parts, unsigned *count)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) last = atomicAdd(count, 1) == 3;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    s[t] = 0;
    for (int i = 0; i < 4; i++)
        s[t] += __ldcg(&parts[64 * i + t]); // expect: race
    FENCE_ASYNC();
    __syncthreads();
    if (t > 0) return;
    *count = 0;
    TMA_STORE_2D(&y, 0, 0, s);
    BULK_COMMIT();
    BULK_WAIT(0);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: sums_reference, grid 1
extern "C" __global__ void bulk_store_of_sums_without_fences(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __syncthreads();
    if (t == 0) last = atomicAdd(count, 1) == 3;
    if (!__syncthreads_or(last)) return;
    s[t] = 0;
    for (int i = 0; i < 4; i++)
        s[t] += __ldcg(&parts[64 * i + t]); // expect: race
    FENCE_ASYNC();
    __syncthreads();
    if (t > 0) return;
    *count = 0;
    BULK_STORE(y, s, 256);
    BULK_COMMIT();
    BULK_WAIT(0);
}
