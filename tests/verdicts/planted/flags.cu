// Threads that fence while another one raises a flag, and nothing between them.
// on: emu:h200

#define FENCE_OF(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")

extern "C" __global__ void turned_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    if (t < 2) flags[t] = 1;
}

// class: signal of a thread that does not know the others' fences

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] one; work z i32[64]
// reference: raised_reference, grid 1
extern "C" __global__ void all_fence_and_one_raises_a_flag(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __threadfence();
        if (t == 0) *(volatile int *)flags = 2;
    } else {
        while (*(volatile int *)flags != 2) {}
        __threadfence();
        y[t] = z[63 - t]; // expect: race
    }
}
extern "C" __global__ void raised_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    flags[0] = 2;
}

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] one; work z i32[64]
// reference: raised_reference, grid 1
extern "C" __global__ void all_fence_and_one_reduces_a_flag(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __threadfence();
        if (t == 63) asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(flags) : "memory");
    } else {
        while (*(volatile int *)flags != 2) {}
        __threadfence();
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 2, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags i32[2] one; work z i32[64]
// reference: raised_reference, grid 1
extern "C" __global__ void all_fence_for_the_cluster_and_one_raises_a_flag(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        FENCE_OF("cluster");
        if (t == 0) asm volatile("st.relaxed.cluster.global.u32 [%0], 2;" ::"l"(flags) : "memory");
    } else {
        int seen = 0;
        while (seen != 2)
            asm volatile("ld.relaxed.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flags) : "memory");
        FENCE_OF("cluster");
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] zero; work z i32[64]
// reference: turned_reference, grid 1
extern "C" __global__ void the_flag_of_one_warp_for_both(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __threadfence();
        __syncwarp();
        if (t % 32 == 0) ((volatile int *)flags)[t / 32] = 1;
    } else {
        while (((volatile int *)flags)[0] == 0) {}
        __threadfence();
        y[t] = z[63 - t]; // expect: race
    }
}

// One thread sees the flag, and others fence.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] one; work z i32[64]
// reference: raised_reference, grid 1
extern "C" __global__ void others_than_who_saw_the_flag_fence(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __threadfence();
        __syncthreads();
        if (t == 0) *(volatile int *)flags = 2;
    } else {
        if (t == 0)
            while (*(volatile int *)flags != 2) {}
        __threadfence();
        y[t] = z[63 - t]; // expect: race
    }
}

// launch: grid 1, block 96; in x i32[64]; out y i32[64]
extern "C" __global__ void two_warps_fence_and_one_tells_a_third(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 64) {
        s[t] = x[t] + 1; // expect: race
        __threadfence_block();
        __syncwarp();
        if (t == 0) ready = 1;
    } else {
        while (ready == 0) {}
        __threadfence_block();
        y[t - 64] = s[95 - t]; // expect: race
        y[t - 32] = s[127 - t]; // expect: race
    }
}

extern "C" __global__ void two_warps_fence_and_one_tells_a_third_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    if (t < 32) y[t] = x[31 - t] + 1;
    if (t >= 32 && t < 64) y[t] = x[95 - t] + 1;
}

// Both fence, and neither tells the other.
// launch: grid 1, block 64; in x i32[32]; out y i32[32]
extern "C" __global__ void warps_that_only_fence(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < 32) s[t] = x[t] + 1; // expect: race
    __threadfence_block();
    if (t >= 32) y[t - 32] = s[63 - t]; // expect: race
}

extern "C" __global__ void warps_that_only_fence_reference(const int *x, int *y)
{
    if (threadIdx.x < 32) y[threadIdx.x] = x[31 - threadIdx.x] + 1;
}

// A chain of more blocks than are watched, where neighbours are.
// launch: grid 32, block 64; in x i32[2048]; inout y i32[64] zero; inout flags i32[32] zero
extern "C" __global__ void chain_of_blocks_that_do_not_fence(const int *x, int *y, int *flags)
{
    const int t = threadIdx.x, b = blockIdx.x;
    if (b > 0 && t == 0)
        while (((volatile int *)flags)[b - 1] == 0) {}
    __syncthreads();
    __threadfence();
    y[63 - t] += x[64 * b + t]; // expect: race
    __syncthreads();
    if (t == 0) ((volatile int *)flags)[b] = 1;
}

extern "C" __global__ void chain_of_blocks_that_do_not_fence_reference(const int *x, int *y, int *flags)
{
    if (blockIdx.x) return;
    for (int b = 0; b < 32; b++)
        y[63 - threadIdx.x] += x[64 * b + threadIdx.x];
    if (threadIdx.x < 32) flags[threadIdx.x] = 1;
}
