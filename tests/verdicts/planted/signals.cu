// Threads that fence while another one signals, and nothing between them: the signal tells
// what its own thread has fenced.
#define FENCE_OF(scope) asm volatile("fence.acq_rel." scope ";" ::: "memory")

// y[t] = the sum of x[i * 64 + 63 - t] over i
extern "C" __global__ void columns_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    y[t] = 0;
    for (int i = 0; i < 4; i++)
        y[t] += x[64 * i + 63 - t];
    count[0] = 0;
}
#define ADD_COLUMNS                                                                      \
    do {                                                                                 \
        int sum = 0;                                                                     \
        for (int i = 0; i < 4; i++)                                                      \
            sum += __ldcg(&parts[64 * i + 63 - t]);                                      \
        y[t] = sum;                                                                      \
        if (t == 0) *count = 0;                                                          \
    } while (0)
// Have all of the grid counted, as one thread has seen?
__device__ inline bool are_all(unsigned before, unsigned count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) last = before == count - 1;
    __syncthreads();
    return last;
}

// class: signal of a thread that does not know the others' fences

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_and_one_counts(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_and_the_last_warp_counts(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ bool last;
    const int t = threadIdx.x;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 32) last = atomicAdd(count, 1) == 3;
    __syncthreads();
    if (!last) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_and_one_releases(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
    if (!are_all(before, 4)) return;
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_fences_twice_and_counts(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// The second fence of all is behind the barrier, but the counter is before it.
// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void barrier_behind_the_counter(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t == 0) before = atomicAdd(count, 1);
    __syncthreads();
    __threadfence();
    if (!are_all(before, 4)) return;
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void lane_counts_its_warp(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    __shared__ int lasts;
    if (t == 0) lasts = 0;
    __syncthreads();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    if (t % 32 == 0 && atomicAdd(count, 1) == 7) lasts = 1;
    __syncthreads();
    if (!lasts) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// The lane meets the others, but it has fenced before.
// launch: grid 4, block 32; in x i32[128]; out y i32[32]; work parts i32[128];
//         inout count u32[1] zero
extern "C" __global__ void lane_fences_before_it_meets_others(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[32 * blockIdx.x + t] = x[32 * blockIdx.x + t]; // expect: race
    if (t == 0) __threadfence();
    __syncwarp();
    if (t == 0) before = atomicAdd(count, 1);
    before = __shfl_sync(~0u, before, 0);
    if (before < 3) return;
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += __ldcg(&parts[32 * i + 31 - t]); // expect: race
    y[t] = sum;
    if (t == 0) *count = 0;
}

extern "C" __global__ void lane_fences_before_it_meets_others_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    if (blockIdx.x) return;
    y[t] = 0;
    for (int i = 0; i < 4; i++)
        y[t] += x[32 * i + 31 - t];
    count[0] = 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_lane_a_warp_fences_before_the_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    if (t % 32 == 0) __threadfence();
    __syncthreads();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void another_warp_fences_behind_the_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __syncthreads();
    if (t >= 32) __threadfence();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void fenced_ahead_of_the_store(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    __threadfence();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __syncthreads();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// Fences of the block are none for others, though the thread that counts has heard of them.
// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_for_their_block(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    if (t == 0) __threadfence();
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence_block();
    __syncthreads();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// Only half of the warps meet before one of them counts for all.
// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void barrier_of_the_wrong_warps(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t]; // expect: race
    __threadfence();
    asm volatile("bar.sync %0, 32;" ::"r"(1 + t / 32) : "memory");
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    ADD_COLUMNS; // expect: race
}

// ---- flags ----

extern "C" __global__ void turned_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    if (t < 2) flags[t] = 1;
}

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
// on: emu:h200
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

// ---- within a block ----

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

// Two teams of a block sum parts of one tile, and one of them counts ahead of its barrier.
// launch: grid 1, block 128; in x i32[128]; out y i32[64]; work parts i32[128];
//         inout count u32[1] zero
extern "C" __global__ void team_counts_ahead_of_its_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ bool last[2];
    const int t = threadIdx.x, team = t / 64, own = t % 64;
    parts[t] = x[t]; // expect: race
    __threadfence();
    if (own == 0) last[team] = atomicAdd(count, 1) == 1;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + team) : "memory");
    if (!last[team]) return;
    __threadfence();
    y[own] = __ldcg(&parts[63 - own]) + __ldcg(&parts[127 - own]); // expect: race
    if (own == 0) *count = 0;
}

extern "C" __global__ void team_counts_ahead_of_its_barrier_reference(const int *x, int *y, int *parts, unsigned *count)
{
    if (threadIdx.x < 64) y[threadIdx.x] = x[63 - threadIdx.x] + x[127 - threadIdx.x];
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

// y = x + 3, and the last block to count itself takes the words back.
extern "C" __global__ void looks_reference(const int *x, int *y, unsigned *count, int *word)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i] + 3;
    word[threadIdx.x] = 9;
    count[0] = 5;
}

// class: look behind the signal that is to tell of it

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void looks_behind_its_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1) v = word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1) v = word[t]; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void one_warp_looks_behind_the_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1 || t < 32) v = word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1 && t >= 32) v = word[t - 32] + word[t] - 3; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void strong_look_behind_its_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1) v = *(volatile int *)&word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1) v = *(volatile int *)&word[t]; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// The same of warps of a block: the last one to count takes go back.
// launch: grid 1, block 96; out y i32[1]
// reference: go_reference
extern "C" __global__ void first_warp_looks_behind_its_count(int *y)
{
    __shared__ int go, count;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) go = 2, count = 0;
    __syncthreads();
    if (threadIdx.x % 32) return;
    int seen = warp ? *(volatile int *)&go : 0;
    __threadfence_block();
    const bool last = atomicAdd(&count, 1) == 2;
    if (warp == 0) seen = *(volatile int *)&go; // expect: race
    if (last) {
        __threadfence_block();
        go = 0; // expect: race
    }
    if (warp == 0) *y = seen;
}
extern "C" __global__ void go_reference(int *y)
{
    if (threadIdx.x == 0) *y = 2;
}

// launch: grid 1, block 256; out y i32[1]
// reference: go_reference
extern "C" __global__ void one_warp_of_eight_looks_behind_its_count(int *y)
{
    __shared__ int go, count;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) go = 2, count = 0;
    __syncthreads();
    if (threadIdx.x % 32) return;
    int seen = warp == 3 ? 0 : *(volatile int *)&go;
    __threadfence_block();
    const bool last = atomicAdd(&count, 1) == 7;
    if (warp == 3) seen = *(volatile int *)&go; // expect: race
    if (last) {
        __threadfence_block();
        go = 0; // expect: race
    }
    if (warp == 3) *y = seen;
}
