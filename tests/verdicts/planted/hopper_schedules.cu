// Kernels of correct/hopper_schedules.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define STORE_OF(how, at, v) asm volatile("st." how ".global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory")
#define LOAD_OF(how, seen, at)                                                           \
    asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory")
#define ADD_OF(how, at) asm volatile("red." how ".global.add.u32 [%0], 1;" ::"l"(at) : "memory")
#define FENCE_GPU() asm volatile("fence.acq_rel.gpu;" ::: "memory")
#define WAIT_WHILE(how, at, low)                                                         \
    do {                                                                                 \
        int seen;                                                                        \
        do                                                                               \
            LOAD_OF(how, seen, at);                                                      \
        while (seen < (int)(low));                                                       \
    } while (0)

extern "C" __global__ void turns_reference(const int *x, int *y, int *state)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t];
    state[0] = 4;
}

extern "C" __global__ void pieces_reference(const int *x, int *y, int *flags, int *work)
{
    const int t = threadIdx.x, tile = blockIdx.x, turned = t / 128 * 128 + 127 - t % 128;
    const int *const mine = x + 768 * tile;
    y[256 * tile + t] = mine[512 + t] + mine[turned] + mine[256 + turned];
    if (t < 2) flags[2 * tile + t] = 2;
}

extern "C" __global__ void levels_reference(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[64 * b + t] = x[64 * ((b + 3) % 8) + 63 - t] + 1;
    count[0] = 4;
}

extern "C" __global__ void slots_reference(const int *x, int *y, int *counts, int *slots)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++)
        y[64 * k + t] = x[64 * k + 63 - t] + k;
    counts[0] = counts[1] = 5;
}

extern "C" __global__ void words_reference(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    z[2 * t] = x[t] + 1;
    z[2 * t + 1] = 7;
}

// class: flag or ticket without its fence

// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero; inout state i32[1] zero
// reference: turns_reference, grid 1
extern "C" __global__ void semaphore_without_a_release(const int *x, int *y, int *state)
{
    const int t = threadIdx.x, split = blockIdx.x;
    int seen = -1;
    while (__syncthreads_and(seen != split))
        if (t == 0) LOAD_OF("acquire.gpu", seen, state);
    __syncthreads();
    y[t] += x[64 * split + t]; // expect: race
    __syncthreads();
    if (t == 0) STORE_OF("relaxed.gpu", state, split + 1);
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero; inout state i32[1] zero
// reference: turns_reference, grid 1
extern "C" __global__ void semaphore_without_an_acquire(const int *x, int *y, int *state)
{
    const int t = threadIdx.x, split = blockIdx.x;
    int seen = -1;
    while (__syncthreads_and(seen != split))
        if (t == 0) LOAD_OF("relaxed.gpu", seen, state);
    __syncthreads();
    y[t] += x[64 * split + t]; // expect: race
    __syncthreads();
    if (t == 0) STORE_OF("release.gpu", state, split + 1);
}

// launch: grid 8, block 64, cluster 2; in x i32[512]; out y i32[512]; inout count i32[1] zero; work z i32[512]
// reference: levels_reference
extern "C" __global__ void barrier_whose_count_tells_nothing(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    z[64 * b + t] = x[64 * b + t] + 1; // expect: race
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        ADD_OF("relaxed.gpu", count);
        WAIT_WHILE("acquire.gpu", count, 4);
    }
    CLUSTER_SYNC();
    y[64 * b + t] = z[64 * ((b + 3) % 8) + 63 - t]; // expect: race
}

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout z i32[128] zero
// reference: words_reference, grid 1
extern "C" __global__ void words_stored_beside_their_flags(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        const int v = x[t] + 1;
        z[2 * t] = v; // expect: race
        ((volatile int *)z)[2 * t + 1] = 7;
    } else {
        int v, flag;
        do
            v = z[2 * (63 - t)], flag = ((volatile int *)z)[2 * (63 - t) + 1]; // expect: race
        while (flag != 7);
        y[t] = v;
    }
}

// class: signal of a thread that does not know the others' fences

// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero; inout state i32[1] zero
// reference: turns_reference, grid 1
extern "C" __global__ void semaphore_ahead_of_the_barrier(const int *x, int *y, int *state)
{
    const int t = threadIdx.x, split = blockIdx.x;
    int seen = -1;
    while (__syncthreads_and(seen != split))
        if (t == 0) LOAD_OF("acquire.gpu", seen, state);
    __syncthreads();
    y[t] += x[64 * split + t]; // expect: race
    __syncwarp();
    if (t == 0) STORE_OF("release.gpu", state, split + 1);
}

// launch: grid 6, block 256; in x i32[1536]; out y i32[512]; inout flags i32[4] zero; work work i32[1536]
// reference: pieces_reference, grid 2
extern "C" __global__ void pieces_told_without_their_barrier(const int *x, int *y, int *flags, int *work)
{
    const int t = threadIdx.x, tile = blockIdx.x / 3, piece = blockIdx.x % 3, g = t / 128, i = t % 128;
    int *const mine = work + 768 * tile + 128 * g, *const flag = flags + 2 * tile + g;
    int v = x[256 * blockIdx.x + t];
    if (piece < 2) {
        mine[256 * piece + i] = v; // expect: race
        if (i == 0) {
            FENCE_GPU();
            ADD_OF("relaxed.gpu", flag);
        }
    } else {
        if (i == 0) WAIT_WHILE("acquire.gpu", flag, 2);
        NAMED_SYNC(1 + g, 128);
        for (int p = 0; p < 2; p++)
            v += mine[256 * p + 127 - i]; // expect: race
        y[256 * tile + t] = v;
    }
}

// launch: grid 6, block 256; in x i32[1536]; out y i32[512]; inout flags i32[4] zero; work work i32[1536]
// reference: pieces_reference, grid 2
extern "C" __global__ void pieces_heard_without_a_barrier(const int *x, int *y, int *flags, int *work)
{
    const int t = threadIdx.x, tile = blockIdx.x / 3, piece = blockIdx.x % 3, g = t / 128, i = t % 128;
    int *const mine = work + 768 * tile + 128 * g, *const flag = flags + 2 * tile + g;
    int v = x[256 * blockIdx.x + t];
    if (piece < 2) {
        mine[256 * piece + i] = v; // expect: race
        NAMED_SYNC(1 + g, 128);
        if (i == 0) {
            FENCE_GPU();
            ADD_OF("relaxed.gpu", flag);
        }
    } else {
        if (i == 0) WAIT_WHILE("acquire.gpu", flag, 2);
        __syncwarp();
        for (int p = 0; p < 2; p++)
            v += mine[256 * p + 127 - i]; // expect: race
        y[256 * tile + t] = v;
    }
}

// launch: grid 2, block 64; in x i32[320]; out y i32[320]; inout counts i32[2] zero; work slots i32[128]
// reference: slots_reference, grid 1
extern "C" __global__ void slots_given_back_too_early(const int *x, int *y, int *counts, int *slots)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int *const slot = slots + 64 * (k % 2);
        if (blockIdx.x == 0) {
            if (t == 0) WAIT_WHILE("acquire.gpu", counts + 1, k - 1);
            __syncthreads();
            slot[t] = x[64 * k + t] + k; // expect: race
            __syncthreads();
            if (t == 0) STORE_OF("release.gpu", counts, k + 1);
        } else {
            if (t == 0) WAIT_WHILE("acquire.gpu", counts, k + 1);
            __syncthreads();
            y[64 * k + t] = slot[63 - t]; // expect: race
            if (t == 0) STORE_OF("release.gpu", counts + 1, k + 1);
        }
    }
}

// class: scope of a cluster between blocks of different ones

// launch: grid 8, block 64, cluster 2; in x i32[512]; out y i32[512]; inout count i32[1] zero; work z i32[512]
// reference: levels_reference
extern "C" __global__ void barrier_whose_count_is_of_the_cluster(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    z[64 * b + t] = x[64 * b + t] + 1; // expect: race
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        ADD_OF("release.cluster", count); // expect: scope
        WAIT_WHILE("acquire.gpu", count, 4); // expect: scope
    }
    CLUSTER_SYNC();
    y[64 * b + t] = z[64 * ((b + 3) % 8) + 63 - t]; // expect: race
}

// launch: grid 8, block 64, cluster 2; in x i32[512]; out y i32[512]; inout count i32[1] zero; work z i32[512]
// reference: levels_reference
extern "C" __global__ void barrier_that_waits_for_the_cluster(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    z[64 * b + t] = x[64 * b + t] + 1; // expect: race
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        ADD_OF("release.gpu", count); // expect: scope
        WAIT_WHILE("acquire.cluster", count, 4); // expect: scope
    }
    CLUSTER_SYNC();
    y[64 * b + t] = z[64 * ((b + 3) % 8) + 63 - t]; // expect: race
}

// class: race between blocks

// launch: grid 2, block 64; in x i32[320]; out y i32[320]; inout counts i32[2] zero; work slots i32[128]
// reference: slots_reference, grid 1
extern "C" __global__ void slots_filled_without_waiting(const int *x, int *y, int *counts, int *slots)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int *const slot = slots + 64 * (k % 2);
        if (blockIdx.x == 0) {
            __syncthreads();
            slot[t] = x[64 * k + t] + k; // expect: race
            __syncthreads();
            if (t == 0) STORE_OF("release.gpu", counts, k + 1);
        } else {
            if (t == 0) WAIT_WHILE("acquire.gpu", counts, k + 1);
            __syncthreads();
            y[64 * k + t] = slot[63 - t]; // expect: race or mismatch
            __syncthreads();
            if (t == 0) STORE_OF("release.gpu", counts + 1, k + 1);
        }
    }
}
