// Threads that fence while another one counts, and nothing between them: the signal tells
// what its own thread has fenced.
// on: emu:h200

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
