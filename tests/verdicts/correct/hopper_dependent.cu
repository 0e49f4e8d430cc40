// Launches that may begin before the one before them has ended: what that one writes is
// used behind griddepcontrol.wait alone.
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

// Those behind it may begin at once: they wait for the end of this one in any case.
// launch: grid 4, block 64, dependent; in w f32[256]; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void waited_for_at_once(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    GRID_TRIGGER();
    GRID_WAIT();
    y[i] = w[i] * x[i];
}

// Weights are there before: only what the launch before computes is waited for.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void weights_loaded_ahead(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float factor = w[i];
    GRID_WAIT();
    GRID_TRIGGER();
    y[i] = factor * x[i];
}

// launch: grid 4, block 64, dependent; in w f32[256]; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void one_thread_waits_for_its_block(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) GRID_WAIT();
    __syncthreads();
    y[i] = w[i] * x[i];
}

// launch: grid 4, block 64, dependent; in w f32[256]; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void one_lane_waits_for_its_warp(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x % 32 == 7) GRID_WAIT();
    __syncwarp();
    y[i] = w[i] * x[i];
}

// Barriers, weights and the trigger ahead; who issues the other copy waits before it, and
// those behind the barrier object know of that.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void the_issuer_waits(const float *w, const float *x, float *y)
{
    __shared__ alignas(16) float ws[64], xs[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 512);
        BULK_LOAD(ws, w + first, 256, &full);
        GRID_WAIT();
        BULK_LOAD(xs, x + first, 256, &full);
    }
    GRID_TRIGGER();
    BAR_WAIT(&full, 0);
    if (t == 0) GRID_WAIT(); // once more does no harm
    ws[t] = ws[t] * xs[t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, ws, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// What the consumers store directly comes behind the wait of the producer, which the
// object tells them of.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void an_arrival_tells_of_the_wait(const float *w, const float *x, float *y)
{
    __shared__ u64 ready;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) BAR_INIT(&ready, 1);
    __syncthreads();
    const float factor = w[i];
    if (t == 32) {
        GRID_WAIT();
        BAR_ARRIVE(&ready);
    }
    BAR_WAIT(&ready, 0);
    y[i] = factor * x[i];
}

// The producer arrives before it waits, and copies behind that: whoever waits for the copy
// comes behind the launch before, too.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void a_copy_tells_of_the_wait(const float *w, const float *x, float *y)
{
    __shared__ alignas(16) float ws[64], xs[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 32) {
        BAR_EXPECT(&full, 512);
        BULK_LOAD(ws, w + first, 256, &full);
    }
    if (t >= 32) GRID_WAIT();
    if (t == 32) BULK_LOAD(xs, x + first, 256, &full);
    BAR_WAIT(&full, 0);
    y[first + t] = ws[t] * xs[t];
}

// One block of the cluster waits for both.
// launch: grid 4, block 64, cluster 2, dependent; in w f32[256]; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void one_block_waits_for_its_cluster(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (cluster_rank() == 0 && threadIdx.x == 0) GRID_WAIT();
    CLUSTER_SYNC();
    y[i] = w[i] * x[i];
}

// A tile is made in shared memory, and names are worked out, while the launch before runs.
// launch: grid 4, block 64, dependent; in w f32[256] early; in x f32[256]; out y f32[256]
// reference: scaled_reference
extern "C" __global__ void prepared_ahead(const float *w, const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t ^ 63] = w[i ^ 63];
    __syncthreads();
    const float factor = s[t];
    GRID_WAIT();
    y[i] = factor * x[i];
    GRID_TRIGGER();
}

extern "C" __global__ void counted_reference(const float *x, float *y, float *sums, unsigned *done)
{
    if (threadIdx.x != 0) return;
    for (int b = 0; b < 4; b++)
        y[b] = x[64 * b] + x[64 * b + 63];
}

// The workspace is given back as it was found, for the launch behind.
// launch: grid 4, block 64, dependent; in x f32[256]; out y f32[4]; work sums f32[4]; inout done u32[1] zero
// reference: counted_reference, grid 1
extern "C" __global__ void last_block_of_a_chain(const float *x, float *y, float *sums, unsigned *done)
{
    __shared__ bool last;
    const int t = threadIdx.x;
    GRID_WAIT();
    GRID_TRIGGER();
    if (t == 0) {
        sums[blockIdx.x] = x[64 * blockIdx.x] + x[64 * blockIdx.x + 63];
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    if (t < 4) y[t] = ((volatile float *)sums)[t];
    if (t == 0) *done = 0;
}

extern "C" __global__ void chained_reference(const float *w, const float *x, float *y, int *flags)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = w[i] * x[i];
    if (threadIdx.x == 0) flags[blockIdx.x] = 1;
}

// The first block waits for the launch before, the others each for the one ahead: few of
// them are watched.
// launch: grid 40, block 64, dependent; in w f32[2560]; in x f32[2560]; out y f32[2560];
//         inout flags i32[40] early zero
// reference: chained_reference
extern "C" __global__ void each_waits_for_the_block_ahead(const float *w, const float *x, float *y, int *flags)
{
    const int b = blockIdx.x, i = b * 64 + threadIdx.x;
    if (threadIdx.x == 0) {
        if (b == 0)
            GRID_WAIT();
        else
            while (((volatile int *)flags)[b - 1] == 0) {}
        __threadfence();
        ((volatile int *)flags)[b] = 1;
    }
    __syncthreads();
    y[i] = w[i] * x[i];
}

// Nobody watches the one that waits, and those that are watched tell nobody.
// launch: grid 40, block 64, dependent; in w f32[2560]; in x f32[2560]; out y f32[2560];
//         inout flags i32[40] early zero
// reference: flagged_reference
extern "C" __global__ void one_waits_for_all_blocks(const float *w, const float *x, float *y, int *flags)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) {
        if (blockIdx.x == 1) {
            GRID_WAIT();
            __threadfence();
            *(volatile int *)flags = 1;
        }
        while (*(volatile int *)flags == 0) {}
        __threadfence();
    }
    __syncthreads();
    y[i] = w[i] * x[i];
}

extern "C" __global__ void flagged_reference(const float *w, const float *x, float *y, int *flags)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = w[i] * x[i];
    if (i == 0) *flags = 1;
}

// One block of each cluster waits for both; not all blocks are watched.
// launch: grid 64, block 64, cluster 2, dependent; in w f32[4096]; in x f32[4096]; out y f32[4096]
// reference: scaled_reference
extern "C" __global__ void block_of_each_cluster_waits_for_both(const float *w, const float *x, float *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (cluster_rank() == 0) GRID_WAIT();
    CLUSTER_SYNC();
    y[i] = w[i] * x[i];
}
