// libcu++'s barrier and pipeline in shared memory, which are mbarrier objects from sm_80 on.
// nvcc -arch=sm_80 -ptx -lineinfo barriers.cu
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cooperative_groups.h>

#pragma nv_diag_suppress static_var_with_dynamic_init
using block_barrier = cuda::barrier<cuda::thread_scope_block>;

// Two halves of a block hand 8 tiles over.
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

// A pipeline of two stages of asynchronous copies.
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
            cuda::memcpy_async(&tiles[next % stages][t], x + 128 * next + t, sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        sum += tiles[k % stages][127 - t];
        pipe.consumer_release();
    }
    y[t] = sum;
}

// Threads leave the barrier one after another.
extern "C" __global__ void leaving(int *y)
{
    __shared__ block_barrier all;
    __shared__ int last;
    if (threadIdx.x == 0) init(&all, 64), last = 0;
    __syncthreads();
    for (unsigned k = 0; k < threadIdx.x % 8; k++) all.arrive_and_wait();
    atomicMax(&last, (int)(threadIdx.x % 8));
    all.arrive_and_drop();
    __syncthreads();
    y[threadIdx.x] = last;
}
