// libcu++'s barriers and pipelines, which are mbarrier objects.
// needs: cuda/barrier
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>
#pragma nv_diag_suppress static_var_with_dynamic_init

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Two halves of a block hand eight tiles over.
// launch: grid 1, block 128; in x i32[512]; out y i32[64]
// reference: halves_reference, grid 1, block 64
extern "C" __global__ void halves(const int *x, int *y)
{
    __shared__ block_barrier full, empty;
    __shared__ int tile[64];
    const int t = threadIdx.x % 64;
    if (threadIdx.x == 0) init(&full, 128), init(&empty, 128);
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 8; k++) {
        if (threadIdx.x < 64) {
            empty.arrive_and_wait();
            tile[t] = x[64 * k + t];
            (void)full.arrive();
        } else {
            (void)empty.arrive();
            full.arrive_and_wait();
            sum += tile[63 - t];
        }
    }
    if (threadIdx.x >= 64) y[t] = sum;
}

extern "C" __global__ void halves_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += x[64 * k + 63 - threadIdx.x];
    y[threadIdx.x] = sum;
}

// A pipeline of two stages of asynchronous copies.
// launch: grid 2, block 128; in x i32[1024]; out y i32[128]
// reference: staged_reference, grid 1, block 128
extern "C" __global__ void staged(const int *x, int *y)
{
    constexpr int stages = 2;
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
    __shared__ int tiles[stages][128];
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0, next = 0; k < 8; k++) {
        for (; next < 8 && next < k + stages; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tiles[next % stages][t], x + 128 * next + t, sizeof(int),
                               pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tiles[k % stages][127 - t];
        pipe.consumer_release();
    }
    if (blockIdx.x == 0) y[t] = sum;
}

extern "C" __global__ void staged_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += x[128 * k + 127 - threadIdx.x];
    y[threadIdx.x] = sum;
}

// Threads leave the barrier one after another.
// launch: grid 1, block 64; out y i32[64]
// reference: leaving_reference, grid 1, block 64
extern "C" __global__ void leaving(int *y)
{
    __shared__ block_barrier all;
    __shared__ int last;
    if (threadIdx.x == 0) init(&all, 64), last = 0;
    __syncthreads();
    for (unsigned k = 0; k < threadIdx.x % 8; k++)
        all.arrive_and_wait();
    atomicMax(&last, (int)(threadIdx.x % 8));
    all.arrive_and_drop();
    __syncthreads();
    y[threadIdx.x] = last;
}

extern "C" __global__ void leaving_reference(int *y)
{
    y[threadIdx.x] = 7;
}
