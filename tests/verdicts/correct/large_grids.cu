// More blocks than are watched: what those hear of each other often came by others.

// y[t] = the sum of x[64 * b + t] over the 32 blocks
extern "C" __global__ void chain_reference(const int *x, int *y, int *flags)
{
    const int t = threadIdx.x;
    for (int b = 0; b < 32; b++)
        y[t] += x[64 * b + t];
    if (t < 32) flags[t] = 1;
}

// launch: grid 32, block 64; in x i32[2048]; inout y i32[64] zero; inout flags i32[32] zero
// reference: chain_reference, grid 1
extern "C" __global__ void chain_of_blocks(const int *x, int *y, int *flags)
{
    const int t = threadIdx.x, b = blockIdx.x;
    if (b > 0 && t == 0)
        while (((volatile int *)flags)[b - 1] == 0) {}
    __syncthreads();
    __threadfence();
    y[t] += x[64 * b + t];
    __threadfence();
    __syncthreads();
    if (t == 0) ((volatile int *)flags)[b] = 1;
}

// launch: grid 32, block 64; in x i32[2048]; inout y i32[64] zero; inout flags i32[32] zero
// reference: chain_reference, grid 1
extern "C" __global__ void chain_of_releases(const int *x, int *y, int *flags)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int seen = b == 0;
    while (t == 0 && !seen)
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flags + b - 1) : "memory");
    __syncthreads();
    y[t] += x[64 * b + t];
    __syncthreads();
    if (t == 0) asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flags + b) : "memory");
}

// Whoever stores last goes by another: a tree of flags, the root first.
// launch: grid 48, block 32; in x i32[32]; out y i32[1536]; inout flags i32[48] zero; work z i32[1536]
extern "C" __global__ void tree_of_flags(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x, up = (b - 1) / 2;
    if (b > 0) {
        while (((volatile int *)flags)[up] == 0) {}
        __threadfence();
    }
    z[32 * b + t] = b ? z[32 * up + 31 - t] + 1 : x[t];
    __syncwarp();
    y[32 * b + t] = z[31 - t] + (b ? z[32 * up + t] : 0); // of the root, and the parent
    __threadfence();
    __syncwarp();
    if (t == 0) ((volatile int *)flags)[b] = 1;
}

extern "C" __global__ void tree_of_flags_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int depth = 0;
    for (int k = b; k > 0; k = (k - 1) / 2)
        depth++;
    const int up = (depth - 1) % 2 ? x[31 - t] : x[t];
    y[32 * b + t] = x[31 - t] + (b ? up + depth - 1 : 0);
    if (t == 0) flags[b] = 1;
}

// Each four blocks count, the last of them counts for all, and the last of those says go.
// launch: grid 32, block 64, cooperative; in x i32[2048]; out y i32[2048]; inout count u32[9] zero;
//         inout go u32[1] zero; work z i32[2048]
extern "C" __global__ void grid_meets_in_two_levels(const int *x, int *y, unsigned *count, unsigned *go, int *z)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    int v = x[i];
    for (unsigned k = 1; k <= 4; k++) {
        z[k % 2 ? i : 2047 - i] = v + 1;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            if (atomicAdd(&count[blockIdx.x / 4], 1) == 4 * k - 1) {
                __threadfence();
                if (atomicAdd(&count[8], 1) == 8 * k - 1) {
                    __threadfence();
                    *(volatile unsigned *)go = k;
                }
            }
            while (*(volatile unsigned *)go < k) {}
            __threadfence();
        }
        __syncthreads();
        v = k % 2 ? __ldcg(&z[2047 - i]) : __ldcg(&z[i]);
    }
    y[i] = v;
}

extern "C" __global__ void grid_meets_in_two_levels_reference(const int *x, int *y, unsigned *count, unsigned *go, int *z)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i] + 4;
    if (i < 8) count[i] = 16;
    if (i == 8) count[8] = 32;
    if (i == 9) *go = 4;
}

// Value and state of a tile are two words; a thread looks back, a tile at a time, as far
// as one that knows all before it.
// launch: grid 64, block 32; in x i32[2048] integers 0 100; out y i32[2048];
//         inout state u32[64] zero; inout next u32[1] zero; work own i32[64]; work all i32[64]
extern "C" __global__ void looks_back_over_many_tiles(const int *x, int *y, unsigned *state, unsigned *next, int *own, int *all)
{
    const int t = threadIdx.x;
    int tile = 0, before = 0;
    if (t == 0) tile = (int)atomicAdd(next, 1u);
    tile = __shfl_sync(~0u, tile, 0);
    int v = x[32 * tile + t];
    for (int d = 1; d < 32; d *= 2) {
        const int low = __shfl_up_sync(~0u, v, d);
        if (t >= d) v += low;
    }
    const int sum = __shfl_sync(~0u, v, 31);
    if (t == 0) {
        own[tile] = sum;
        __threadfence();
        ((volatile unsigned *)state)[tile] = 1;
        for (int k = tile - 1; k >= 0; k--) {
            unsigned found = 0;
            while ((found = ((volatile unsigned *)state)[k]) == 0) {}
            __threadfence();
            before += found == 2 ? all[k] : own[k];
            if (found == 2) break;
        }
        all[tile] = before + sum;
        __threadfence();
        ((volatile unsigned *)state)[tile] = 2;
    }
    y[32 * tile + t] = __shfl_sync(~0u, before, 0) + v;
}

extern "C" __global__ void looks_back_over_many_tiles_reference(const int *x, int *y, unsigned *state, unsigned *next, int *own, int *all)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    int sum = 0;
    for (int k = 0; k <= i; k++)
        sum += x[k];
    y[i] = sum;
    if (threadIdx.x == 0) state[blockIdx.x] = 2;
    if (i == 0) *next = 64;
}

// launch: grid 40, block 64; in x i32[2560]; inout y i32[64] zero; inout ticket u32[2] zero
extern "C" __global__ void lock_with_tickets(const int *x, int *y, unsigned *ticket)
{
    const int t = threadIdx.x;
    unsigned own = 0;
    if (t == 0) {
        own = atomicAdd(&ticket[0], 1u);
        while (((volatile unsigned *)ticket)[1] != own) {}
        __threadfence();
    }
    __syncthreads();
    y[63 - t] += x[64 * blockIdx.x + t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        ((volatile unsigned *)ticket)[1] = own + 1;
    }
}

extern "C" __global__ void lock_with_tickets_reference(const int *x, int *y, unsigned *ticket)
{
    if (blockIdx.x) return;
    for (int b = 0; b < 40; b++)
        y[63 - threadIdx.x] += x[64 * b + threadIdx.x];
    if (threadIdx.x < 2) ticket[threadIdx.x] = 40;
}

// Blocks draw what they do: the first half makes parts, the other takes each behind its
// flag, from the last on.
// launch: grid 48, block 64; in x i32[1536]; out y i32[1536]; inout next u32[1] zero;
//         inout flags i32[24] zero; work parts i32[1536]
extern "C" __global__ void queue_with_flags(const int *x, int *y, unsigned *next, int *flags, int *parts)
{
    __shared__ int drawn;
    const int t = threadIdx.x;
    if (t == 0) drawn = (int)atomicAdd(next, 1u);
    __syncthreads();
    if (drawn < 24) {
        parts[64 * drawn + t] = x[64 * drawn + t] * 3;
        __threadfence();
        __syncthreads();
        if (t == 0) atomicExch(&flags[drawn], 1);
    } else {
        const int part = 47 - drawn;
        if (t == 0)
            while (atomicAdd(&flags[part], 0) == 0) {}
        __threadfence();
        __syncthreads();
        y[64 * part + t] = parts[64 * part + 63 - t];
    }
}

extern "C" __global__ void queue_with_flags_reference(const int *x, int *y, unsigned *next, int *flags, int *parts)
{
    const int t = threadIdx.x, b = blockIdx.x;
    if (b >= 24) return;
    y[64 * b + t] = x[64 * b + 63 - t] * 3;
    if (t == 0) flags[b] = 1;
    if (b == 0 && t == 0) *next = 48;
}

// The last of each eight blocks adds their parts, the last of those adds these.
// launch: grid 64, block 64; in x i32[4096]; out y i32[64]; inout count u32[9] zero;
//         work parts i32[4096]; work sums i32[512]
extern "C" __global__ void last_blocks_add_in_two_levels(const int *x, int *y, unsigned *count, int *parts, int *sums)
{
    __shared__ bool last;
    const int t = threadIdx.x, b = blockIdx.x, group = b / 8;
    parts[64 * b + t] = x[64 * b + t] * 2;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&count[group], 1) == 7;
    __syncthreads();
    if (!last) return;
    __threadfence();
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += parts[64 * (8 * group + k) + 63 - t];
    sums[64 * group + t] = sum;
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(&count[8], 1) == 7;
    __syncthreads();
    if (!last) return;
    __threadfence();
    sum = 0;
    for (int k = 0; k < 8; k++)
        sum += sums[64 * k + 63 - t];
    y[t] = sum;
}

extern "C" __global__ void last_blocks_add_in_two_levels_reference(const int *x, int *y, unsigned *count, int *parts, int *sums)
{
    if (blockIdx.x) return;
    int sum = 0;
    for (int b = 0; b < 64; b++)
        sum += x[64 * b + threadIdx.x] * 2;
    y[threadIdx.x] = sum;
    if (threadIdx.x < 9) count[threadIdx.x] = 8;
}

// y[i] = x[0] + ... + x[i], by blocks that look back (Merrill and Garland, 2016)
extern "C" __global__ void scan_of_80_reference(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    int sum = 0;
    for (int i = 0; i < 32 * 80; i++)
        y[i] = sum += x[i];
    for (int b = 0; b < 80; b++)
        flags[b] = 2;
}

// launch: grid 80, block 32; in x i32[2560]; out y i32[2560]; inout flags i32[80] zero;
//         work parts i32[80]; work sums i32[80]
// reference: scan_of_80_reference, grid 1, block 1
extern "C" __global__ void scan_of_80(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int value = x[32 * b + t], before = 0;
    for (int d = 1; d < 32; d *= 2) {
        const int below = __shfl_up_sync(~0u, value, d);
        if (t >= d) value += below;
    }
    if (t == 31) {
        parts[b] = value;
        __threadfence();
        flags[b] = 1;
        for (int k = b - 1, seen = 0; k >= 0 && seen != 2; k--) {
            while ((seen = flags[k]) == 0) {}
            __threadfence();
            before += seen == 2 ? sums[k] : parts[k];
        }
        sums[b] = before + value;
        __threadfence();
        flags[b] = 2;
    }
    y[32 * b + t] = value + __shfl_sync(~0u, before, 31);
}

// The same in words of a flag and a value, which need no fence.
extern "C" __global__ void scan_by_words_reference(const int *x, int *y, volatile unsigned long long *words)
{
    int sum = 0;
    for (int b = 0; b < 70; b++) {
        for (int t = 0; t < 32; t++)
            y[32 * b + t] = sum += x[32 * b + t];
        words[b] = 2ull << 32 | (unsigned)sum;
    }
}

// launch: grid 70, block 32; in x i32[2240]; out y i32[2240]; inout words u64[70] zero
// reference: scan_by_words_reference, grid 1, block 1
extern "C" __global__ void scan_by_words(const int *x, int *y, volatile unsigned long long *words)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int value = x[32 * b + t], before = 0;
    for (int d = 1; d < 32; d *= 2) {
        const int below = __shfl_up_sync(~0u, value, d);
        if (t >= d) value += below;
    }
    if (t == 31) {
        unsigned long long word = 0;
        words[b] = (b ? 1ull : 2ull) << 32 | (unsigned)value;
        for (int k = b - 1; k >= 0 && word >> 32 != 2; k--) {
            while ((word = words[k]) == 0) {}
            before += (int)(unsigned)word;
        }
        if (b) words[b] = 2ull << 32 | (unsigned)(before + value);
    }
    y[32 * b + t] = value + __shfl_sync(~0u, before, 31);
}

// A block waits for all others, twice, with a counter and a fence on both sides.
extern "C" __global__ void twice_around_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[32 * b + t] = x[32 * ((b + 9) % 90) + t] + 1;
    if (b == 0 && t == 0) *count = 180;
}
__device__ inline void wait_for_90(unsigned *count, unsigned turn)
{
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (*(volatile unsigned *)count < 90 * turn) {}
    }
    __syncwarp();
    __threadfence();
}
// launch: grid 90, block 32; in x i32[2880]; out y i32[2880]; work parts i32[5760];
//         inout count u32[1] zero
// reference: twice_around_reference, grid 90
extern "C" __global__ void twice_around(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    parts[32 * b + t] = x[32 * b + t];
    wait_for_90(count, 1);
    parts[2880 + 32 * b + t] = parts[32 * ((b + 4) % 90) + t] + 1;
    wait_for_90(count, 2);
    y[32 * b + t] = parts[2880 + 32 * ((b + 5) % 90) + t];
}

// Two phases in one launch: those of the second wait for all of the first. The last one
// takes the counter back without a fence: who waited for it has counted itself behind that.
extern "C" __global__ void two_phases_reference(const int *x, int *y, int *parts, unsigned *counters)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[32 * b + t] = x[32 * ((b + 3) % 12) + t] + 1;
}

// launch: grid 24, block 32; in x i32[384]; out y i32[384]; work parts i32[384];
//         inout counters u32[2] zero
// reference: two_phases_reference, grid 12
extern "C" __global__ void two_phases(const int *x, int *y, int *parts, unsigned *counters)
{
    __shared__ int ticket;
    const int t = threadIdx.x;
    if (t == 0) ticket = atomicInc(counters, 23);
    __syncthreads();
    if (ticket < 12) {
        parts[32 * ticket + t] = x[32 * ticket + t] + 1;
    } else {
        unsigned seen = 0;
        while (t == 0 && seen < 12)
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(counters + 1) : "memory");
        __syncthreads();
        int value = __ldcg(&parts[32 * ((ticket - 9) % 12) + t]);
#pragma unroll 1
        for (int k = 0; k < 600; k++) // longer than its turn
            value ^= __shfl_xor_sync(~0u, value, 1) & 0;
        y[32 * (ticket - 12) + t] = value;
    }
    __threadfence();
    __syncthreads();
    if (t == 0 && atomicAdd(counters + 1, 1) == 23) counters[1] = 0;
}
