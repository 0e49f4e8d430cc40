// A thread that counts for others: it knows of their fences, or of what they did ahead of
// its own.
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
__device__ inline void add_columns(int *y, const int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += __ldcg(&parts[64 * i + 63 - t]);
    y[t] = sum;
    if (t == 0) *count = 0;
}
// Have all of the grid counted, as thread 0 has seen?
__device__ inline bool are_all(unsigned before, unsigned count)
{
    return __syncthreads_or(threadIdx.x == 0 && before == count - 1);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void all_fence_ahead_of_a_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    __syncthreads();
    if (t == 0) before = atomicAdd(count, 1);
    if (!are_all(before, 4)) return;
    __threadfence();
    add_columns(y, parts, count);
}

// Who counts has nothing to fence; the fences are others'.
// launch: grid 4, block 96; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1, block 64
extern "C" __global__ void a_warp_counts_what_others_fenced(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    bool last = false;
    if (t < 64) {
        parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
        __threadfence();
    }
    __syncthreads();
    if (t == 64) last = atomicAdd(count, 1) == 3;
    if (!__syncthreads_or(last) || t >= 64) return;
    __threadfence();
    add_columns(y, parts, count);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_fences_behind_the_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
        __threadfence();
    }
    if (!are_all(before, 4)) return;
    add_columns(y, parts, count);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void one_releases_behind_the_barrier(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    unsigned before = 0;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __syncthreads();
    if (t == 0) asm volatile("atom.add.acq_rel.gpu.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
    if (!are_all(before, 4)) return;
    add_columns(y, parts, count);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void lane_counts_its_warp_behind_a_syncwarp(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    __syncwarp();
    if (t % 32 == 0) last = atomicAdd(count, 1) == 7;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    add_columns(y, parts, count);
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void lane_fences_for_its_warp(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __syncwarp();
    if (t % 32 == 5) {
        __threadfence();
        last = atomicAdd(count, 1) == 7;
    }
    if (!__syncthreads_or(last)) return;
    __threadfence();
    add_columns(y, parts, count);
}

// Each half of a warp has its own lane that counts.
// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void lanes_count_their_halves(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    bool last = false;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    __syncwarp(t % 32 < 16 ? 0xffffu : 0xffff0000u);
    if (t % 16 == 0) last = atomicAdd(count, 1) == 15;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    add_columns(y, parts, count);
}

// Every thread counts itself.
// launch: grid 4, block 64; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1
extern "C" __global__ void threads_count_themselves(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x;
    parts[64 * blockIdx.x + t] = x[64 * blockIdx.x + t];
    __threadfence();
    const bool last = atomicAdd(count, 1) == 255;
    if (!__syncthreads_or(last)) return;
    __threadfence();
    add_columns(y, parts, count);
}

// Teams of a warp each sum parts of one tile, those of one block too.
// launch: grid 2, block 128; in x i32[256]; out y i32[64]; work parts i32[256];
//         inout count u32[1] zero
// reference: columns_reference, grid 1, block 64
extern "C" __global__ void teams_of_two_warps_join(const int *x, int *y, int *parts, unsigned *count)
{
    __shared__ bool last[2];
    const int t = threadIdx.x, team = t / 64, own = t % 64;
    parts[128 * blockIdx.x + t] = x[128 * blockIdx.x + t];
    __threadfence();
    asm volatile("bar.sync %0, 64;" ::"r"(1 + team) : "memory");
    if (own == 0) last[team] = atomicAdd(count, 1) == 3;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + team) : "memory");
    if (!last[team]) return;
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum += __ldcg(&parts[64 * i + 63 - own]);
    y[own] = sum;
    if (own == 0) *count = 0;
}
