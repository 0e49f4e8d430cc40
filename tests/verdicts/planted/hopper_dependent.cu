// Launches that may begin before the one before them has ended, and use what that one may
// still write or read.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define GRID_WAIT()    asm volatile("griddepcontrol.wait;" ::: "memory")
#define GRID_TRIGGER() asm volatile("griddepcontrol.launch_dependents;" ::: "memory")

extern "C" __global__ void scaled_reference(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = w[i] * x[i];
}

// class: memory of the launch before

// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void loaded_ahead_of_the_wait(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float a = x[i]; // expect: grid_wait
    GRID_WAIT();
    y[i] = w[i] * a;
}

// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void never_waited_for(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = w[i] * x[i]; // expect: grid_wait
}

// The two halves of griddepcontrol are not the same.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void triggered_for_waited(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    GRID_TRIGGER();
    y[i] = w[i] * x[i]; // expect: grid_wait
}

// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void one_thread_waits_for_itself(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) GRID_WAIT();
    y[i] = w[i] * x[i]; // expect: grid_wait
}

// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void the_other_warp_does_not_wait(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    __syncthreads();
    if (threadIdx.x >= 32) GRID_WAIT();
    y[i] = w[i] * x[i]; // expect: grid_wait
}

// The launch before may read what is overwritten, or write it again.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void stored_ahead_of_the_wait(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = 0; // expect: grid_wait
    GRID_WAIT();
    y[i] += w[i] * x[i];
}

extern "C" __global__ void summed_reference(const float *x, float *y, float *sum)
{
    y[threadIdx.x] = x[threadIdx.x] + x[threadIdx.x ^ 1];
}

// As a launch of the same kernel before it, which still uses the workspace.
// launch: grid 1, block 64, dependent; in x f32[64]; out y f32[64]; work sum f32[64]
// reference: summed_reference
extern "C" __global__ void workspace_cleared_ahead_of_the_wait(const float *x, float *y, float *sum)
{
    const int t = threadIdx.x;
    sum[t] = 0; // expect: grid_wait
    GRID_WAIT();
    __syncthreads();
    atomicAdd(&sum[t], x[t]);
    atomicAdd(&sum[t ^ 1], x[t]);
    __syncthreads();
    y[t] = sum[t];
}

// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void copied_ahead_of_the_wait(const float *w, const float *x, float *y)
{
    __shared__ alignas(16) float xs[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(xs, x + first, 256, &full); // expect: grid_wait
    }
    GRID_WAIT();
    BAR_WAIT(&full, 0);
    y[first + t] = w[first + t] * xs[t];
}

// The issuer waits, those who store do not know of that.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void the_epilogue_does_not_wait(const float *w, const float *x, float *y)
{
    __shared__ alignas(16) float ws[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(ws, w + first, 256, &full);
        GRID_WAIT();
    }
    BAR_WAIT(&full, 0);
    y[first + t] = ws[t] * x[first + t]; // expect: grid_wait
}

// launch: grid 4, block 64, cluster 2, dependent; in w f32[256]; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void one_block_of_the_cluster_waits(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    CLUSTER_SYNC();
    if (cluster_rank() == 0) GRID_WAIT();
    y[i] = w[i] * x[i]; // expect: grid_wait
}

extern "C" __global__ void boxes_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 1, block 64, dependent; in x f32[64] map 8/8 8/8; out y f32[64]
// reference: boxes_reference
extern "C" __global__ void box_copied_ahead_of_the_wait(const __grid_constant__ tensor_map x, float *y)
{
    __shared__ alignas(128) float xs[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        TMA_LOAD_2D(xs, &x, 0, 0, &full); // expect: grid_wait
        GRID_WAIT();
    }
    BAR_WAIT(&full, 0);
    y[t] = xs[t];
}

// The copy that consumers wait for was issued ahead of the producer's wait, of which it
// tells nothing.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256] early; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void stored_behind_an_early_copy(const float *w, const float *x, float *y)
{
    __shared__ alignas(16) float ws[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 32) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(ws, w + first, 256, &full);
        GRID_WAIT();
    }
    BAR_WAIT(&full, 0);
    y[first + t] = ws[t] * x[first + t]; // expect: grid_wait
}

// Blocks of a cluster meet, and none has waited; not all blocks are watched.
// launch: grid 64, block 64, cluster 2, dependent; in w f32[4096]; in x f32[4096]; out y f32[4096]
// reference: scaled_reference
extern "C" __global__ void cluster_meets_ahead_of_the_wait(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    CLUSTER_SYNC();
    const float a = w[i]; // expect: grid_wait
    GRID_WAIT();
    y[i] = a * x[i];
}
