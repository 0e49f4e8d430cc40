// Flags, locks and states that tell what other threads did: to another block, to the grid,
// to another warp.
// on: emu:h200

#define FENCE_OF(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")

extern "C" __global__ void turned_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    if (t < 2) flags[t] = 1;
}

// Each warp has its flag, and a lane waits for each.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] zero; work z i32[64]
// reference: turned_reference, grid 1
extern "C" __global__ void a_flag_for_each_warp(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __threadfence();
        __syncwarp();
        if (t % 32 == 0) ((volatile int *)flags)[t / 32] = 1;
    } else {
        if (t < 2)
            while (((volatile int *)flags)[t] == 0) {}
        __threadfence();
        __syncthreads();
        y[t] = z[63 - t];
    }
}

// A warp needs what one other warp stored, and waits for its flag alone.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout flags i32[2] zero; work z i32[64]
// reference: turned_reference, grid 1
extern "C" __global__ void warps_wait_for_one_flag_each(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __threadfence();
        __syncwarp();
        if (t % 32 == 0) ((volatile int *)flags)[t / 32] = 1;
    } else {
        while (((volatile int *)flags)[1 - t / 32] == 0) {}
        __threadfence();
        __syncwarp();
        y[t] = z[63 - t];
    }
}

// launch: grid 2, block 64, cluster 2; in x i32[64]; out y i32[64]; inout flags i32[2] zero; work z i32[64]
// reference: turned_reference, grid 1
extern "C" __global__ void flags_of_a_cluster(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __syncthreads();
        FENCE_OF("cluster");
        if (t < 2) asm volatile("st.relaxed.cluster.global.u32 [%0], 1;" ::"l"(flags + t) : "memory");
    } else {
        int seen = 0;
        while (!seen)
            asm volatile("ld.relaxed.cluster.global.u32 %0, [%1];" : "=r"(seen) : "l"(flags + t % 2) : "memory");
        FENCE_OF("cluster");
        y[t] = z[63 - t];
    }
}

// As the groups of CUDA wait for their grid: one thread for its block, and a bit that turns.
// launch: grid 4, block 64, cooperative; in x i32[256]; out y i32[256]; inout barrier u32[1] zero; work z i32[256]
extern "C" __global__ void grid_meets_twice(const int *x, int *y, unsigned *barrier, int *z)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    int v = x[i];
    for (int k = 0; k < 2; k++) {
        z[i] = v + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned more = blockIdx.x ? 1u : 0x80000000u - (gridDim.x - 1);
            __threadfence();
            const unsigned old = atomicAdd(barrier, more);
            while (((old ^ *(volatile unsigned *)barrier) & 0x80000000u) == 0) {}
            __threadfence();
        }
        __syncthreads();
        v = __ldcg(&z[255 - i]);
        __syncthreads();
        if (threadIdx.x == 0) {
            const unsigned more = blockIdx.x ? 1u : 0x80000000u - (gridDim.x - 1);
            __threadfence();
            const unsigned old = atomicAdd(barrier, more);
            while (((old ^ *(volatile unsigned *)barrier) & 0x80000000u) == 0) {}
            __threadfence();
        }
        __syncthreads();
    }
    y[i] = v;
}

extern "C" __global__ void grid_meets_twice_reference(const int *x, int *y, unsigned *barrier, int *z)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i] + 2;
}

// A lock that one thread takes for its block, and tries again where it fails.
// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero; inout lock u32[1] zero
extern "C" __global__ void lock_of_a_block(const int *x, int *y, unsigned *lock)
{
    const int t = threadIdx.x;
    bool got = false;
    while (!__syncthreads_or(got))
        if (t == 0) got = atomicCAS(lock, 0u, 1u) == 0;
    __threadfence();
    y[63 - t] += x[64 * blockIdx.x + t];
    __threadfence();
    __syncthreads();
    if (t == 0) atomicExch(lock, 0u);
}

extern "C" __global__ void lock_of_a_block_reference(const int *x, int *y, unsigned *lock)
{
    if (blockIdx.x) return;
    for (int i = 0; i < 4; i++)
        y[63 - threadIdx.x] += x[64 * i + threadIdx.x];
}

// Value and state of a tile are two words; a warp looks back at those before its own.
// launch: grid 4, block 64; in x i32[256] integers 0 100; out y i32[256];
//         inout state u32[4] zero; inout next u32[1] zero; work value i32[4]
extern "C" __global__ void looks_back_at_states_beside_values(const int *x, int *y, unsigned *state, unsigned *next, int *value)
{
    __shared__ int tile, before, s[64];
    const int t = threadIdx.x;
    if (t == 0) tile = (int)atomicAdd(next, 1u);
    __syncthreads();
    const int own = tile;
    s[t] = x[64 * own + t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 63) {
        value[own] = s[63];
        __threadfence();
        ((volatile unsigned *)state)[own] = 1;
    }
    if (t < 32) {
        int sum = 0;
        if (t < own) {
            while (((volatile unsigned *)state)[t] == 0) {}
            __threadfence();
            sum = ((volatile int *)value)[t];
        }
        __syncwarp();
        sum = __reduce_add_sync(~0u, sum);
        if (t == 0) before = sum;
    }
    __syncthreads();
    y[64 * own + t] = before + s[t];
}

extern "C" __global__ void looks_back_at_states_beside_values_reference(const int *x, int *y, unsigned *state, unsigned *next, int *value)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k <= i; k++)
        sum += x[k];
    y[i] = sum;
    if (threadIdx.x == 0) state[blockIdx.x] = 1;
    if (i == 0) *next = 4;
}

// launch: grid 1, block 96; in x i32[64]; out y i32[64]
extern "C" __global__ void two_warps_each_tell_a_third(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ volatile int ready[2];
    const int t = threadIdx.x;
    if (t < 2) ready[t] = 0;
    __syncthreads();
    if (t < 64) {
        s[t] = x[t] + 1;
        __threadfence_block();
        __syncwarp();
        if (t % 32 == 0) ready[t / 32] = 1;
    } else {
        while (ready[0] == 0 || ready[1] == 0) {}
        __threadfence_block();
        y[t - 64] = s[95 - t];
        y[t - 32] = s[127 - t];
    }
}

extern "C" __global__ void two_warps_each_tell_a_third_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    if (t < 32) y[t] = x[31 - t] + 1;
    if (t >= 32 && t < 64) y[t] = x[95 - t] + 1;
}

// What the first warp told the second, the second tells the third; and so on, ten times.
// launch: grid 1, block 96; in x i32[32]; out y i32[32]
extern "C" __global__ void word_goes_around_three_warps(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ volatile int turn;
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    if (t == 0) turn = 0;
    if (t < 32) s[t] = x[t];
    __syncthreads();
    for (int k = warp; k < 30; k += 3) {
        while (turn != k) {}
        __threadfence_block();
        s[(lane + k) % 32]++;
        __threadfence_block();
        __syncwarp();
        if (lane == 0) turn = k + 1;
    }
    __syncthreads();
    if (t < 32) y[t] = s[t];
}

extern "C" __global__ void word_goes_around_three_warps_reference(const int *x, int *y)
{
    if (threadIdx.x < 32) y[threadIdx.x] = x[threadIdx.x] + 30;
}

// Fenced for the block, told on by a barrier to who raises the flag.
// launch: grid 1, block 96; in x i32[32]; out y i32[32]
extern "C" __global__ void one_warp_fences_and_another_tells(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 32) {
        s[t] = x[t] + 1;
        __threadfence_block();
    }
    if (t < 64) asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t == 32) ready = 1;
    if (t < 64) return;
    while (ready == 0) {}
    __threadfence_block();
    y[t - 64] = s[95 - t];
}

extern "C" __global__ void one_warp_fences_and_another_tells_reference(const int *x, int *y)
{
    if (threadIdx.x < 32) y[threadIdx.x] = x[31 - threadIdx.x] + 1;
}
