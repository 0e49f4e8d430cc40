// Blocks that work together: flags, tickets, locks, barriers of the grid, looks back.

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; i32 n 256;
//         work parts i32[4]
// reference: parts_reference, grid 1, block 1
extern "C" __global__ void last_block_adds_the_parts(const int *x, int *y, int *count, int n, int *parts)
{
    __shared__ int sum, last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(count, 1) == (int)gridDim.x - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    if (threadIdx.x == 0) {
        int total = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            total += parts[b];
        y[0] = total;
        *count = 0;
    }
}

extern "C" __global__ void parts_reference(const int *x, int *y, int *count, int n, int *parts)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    y[0] = sum;
    *count = 0;
}

// The counter wraps to 0 by itself.
// launch: grid 4, block 32; in x i32[128]; out y i32[1]; inout count u32[1] zero; i32 n 128;
//         work parts i32[4]
// reference: parts_reference, grid 1, block 1
extern "C" __global__ void ticket_that_wraps(const int *x, int *y, unsigned *count, int n, int *parts)
{
    int v = x[blockIdx.x * 32 + threadIdx.x];
    v = __reduce_add_sync(~0u, v);
    unsigned before = 0;
    if (threadIdx.x == 0) {
        ((volatile int *)parts)[blockIdx.x] = v;
        __threadfence();
        before = atomicInc(count, gridDim.x - 1);
    }
    before = __shfl_sync(~0u, before, 0);
    if (before != gridDim.x - 1) return;
    __threadfence();
    v = threadIdx.x < 4 ? ((volatile int *)parts)[threadIdx.x] : 0;
    v = __reduce_add_sync(~0u, v);
    if (threadIdx.x == 0) y[0] = v;
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; work z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void volatile_flag_with_fences(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __threadfence();
        __syncthreads();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        if (t == 0)
            while (*(volatile int *)flag == 0)
                ;
        __syncthreads();
        __threadfence();
        y[t] = z[31 - t];
    }
}

extern "C" __global__ void handed_reference(const int *x, int *y, int *flag, int *z)
{
    y[threadIdx.x] = x[31 - threadIdx.x] + 1;
    *flag = 1;
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; work z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void release_and_acquire(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1;
        __syncthreads();
        if (t == 0) asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
    } else {
        if (t == 0) {
            int seen = 0;
            while (!seen)
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        }
        __syncthreads();
        y[t] = z[31 - t];
    }
}

// launch: grid 3, block 64; in x i32[192]; inout y i32[2] zero; inout lock i32[1] zero
extern "C" __global__ void spin_lock_around_two_words(const int *x, int *y, int *lock)
{
    if (threadIdx.x % 32) return;
    int v = 0;
    for (int k = 0; k < 32; k++)
        v += x[blockIdx.x * 64 + threadIdx.x + k];
    while (atomicCAS(lock, 0, 1))
        __nanosleep(20);
    __threadfence();
    y[0] += v;
    y[1] += 1;
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void spin_lock_around_two_words_reference(const int *x, int *y, int *lock)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 192; i++)
        y[0] += x[i];
    y[1] += 6;
}

// Every thread of a warp takes the lock in turn, without a loop that lanes wait in.
// launch: grid 1, block 32; in x i32[32]; inout y i32[1] zero; inout lock i32[1] zero
extern "C" __global__ void lock_taken_by_lanes_in_turn(const int *x, int *y, int *lock)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int *)y = *(volatile int *)y + x[threadIdx.x];
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

extern "C" __global__ void lock_taken_by_lanes_in_turn_reference(const int *x, int *y, int *lock)
{
    atomicAdd(y, x[threadIdx.x]);
}

// launch: grid 3, block 32; in x i32[96]; out y i32[96]; inout count i32[1] zero; work z i32[96]
extern "C" __global__ void barrier_of_the_grid(const int *x, int *y, int *count, int *z)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    z[i] = 3 * x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(count, 1);
        while (*(volatile int *)count < (int)gridDim.x)
            ;
        __threadfence();
    }
    __syncthreads();
    y[i] = z[95 - i];
}

extern "C" __global__ void barrier_of_the_grid_reference(const int *x, int *y, int *count, int *z)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = 3 * x[95 - i];
    *count = 3;
}

// Blocks draw their number from a counter, so that those before one have begun; state and
// sum travel in one word.
// launch: grid 4, block 32; in x i32[128] integers 0 100; out y i32[128];
//         inout state u64[4] zero; inout next i32[1] zero
extern "C" __global__ void scan_that_looks_back(const int *x, int *y, unsigned long long *state, int *next)
{
    __shared__ int tile, before;
    const int t = threadIdx.x;
    if (t == 0) tile = atomicAdd(next, 1);
    __syncthreads();
    int v = x[tile * 32 + t];
    for (int d = 1; d < 32; d *= 2) {
        const int left = __shfl_up_sync(~0u, v, d);
        if (t >= d) v += left;
    }
    if (t == 31) {
        int sum = 0;
        if (tile == 0) {
            atomicExch(&state[0], 2ull << 32 | (unsigned)v);
        } else {
            atomicExch(&state[tile], 1ull << 32 | (unsigned)v);
            for (int k = tile - 1; k >= 0;) {
                const unsigned long long word = *(volatile unsigned long long *)&state[k];
                if (word >> 32 == 0) continue;
                sum += (int)(unsigned)word;
                if (word >> 32 == 2) break;
                k--;
            }
            atomicExch(&state[tile], 2ull << 32 | (unsigned)(sum + v));
        }
        before = sum;
    }
    __syncthreads();
    y[tile * 32 + t] = before + v;
}

extern "C" __global__ void scan_that_looks_back_reference(const int *x, int *y, unsigned long long *state, int *next)
{
    if (blockIdx.x || threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 128; i++) {
        y[i] = sum += x[i];
        if (i % 32 == 31) state[i / 32] = 2ull << 32 | (unsigned)sum;
    }
    *next = 4;
}

// Slices of a sum are added in order, block by block, by a semaphore that ends as it began.
// launch: grid 4, block 32; in x f32[128]; out y f32[32]; inout turn i32[1] zero
extern "C" __global__ void semaphore_in_order(const float *x, float *y, int *turn)
{
    const int t = threadIdx.x, b = blockIdx.x;
    if (t == 0)
        while (*(volatile int *)turn != b)
            ;
    __syncthreads();
    __threadfence();
    float sum = x[b * 32 + t];
    if (b) sum += ((volatile float *)y)[t];
    y[t] = sum;
    __threadfence();
    __syncthreads();
    if (t == 0) *(volatile int *)turn = b == 3 ? 0 : b + 1;
}

extern "C" __global__ void semaphore_in_order_reference(const float *x, float *y, int *turn)
{
    float sum = x[threadIdx.x];
    for (int b = 1; b < 4; b++)
        sum = x[b * 32 + threadIdx.x] + sum;
    if (blockIdx.x == 0) y[threadIdx.x] = sum;
}

// Every block writes the same header; any of them may be last.
// launch: grid 4, block 32; in x i32[128]; out y i32[129]
extern "C" __global__ void all_blocks_store_the_same_value(const int *x, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x == 0) y[128] = (int)gridDim.x;
    y[i] = x[i];
}

extern "C" __global__ void all_blocks_store_the_same_value_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = x[i];
    y[128] = 4;
}

// The read-only path for one part of a buffer, stores to the other.
// launch: grid 4, block 32; inout y i32[256]
extern "C" __global__ void read_only_loads_beside_stores(int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[128 + i] = 2 * __ldg(&y[127 - i]);
}

extern "C" __global__ void read_only_loads_beside_stores_reference(int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[128 + i] = 2 * y[127 - i];
}

extern "C" __global__ void turned_back_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

// A flag that a plain store takes back, by who has seen it: in the block, by way of shared
// memory, and a store behind a barrier by another thread than the one that saw it.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: turned_back_reference
extern "C" __global__ void flag_taken_back_by_a_plain_store(const int *x, int *y)
{
    __shared__ int s[64], flag;
    const int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (t < 32) {
            s[t + 32 * k] = x[t + 32 * k];
            __syncwarp();
            if (t == 0) {
                __threadfence_block();
                atomicExch(&flag, 1);
            }
        } else {
            if (t == 32) {
                while (*(volatile int *)&flag == 0) {}
                __threadfence_block();
            }
            __syncwarp();
            if (t == 33) flag = 0;
            y[t - 32 + 32 * k] = s[t - 32 + 32 * k] + 1;
        }
        __syncthreads();
    }
}

extern "C" __global__ void both_turned_reference(const int *x, int *y, int *flags, int *given)
{
    const int t = threadIdx.x;
    if (t > 0 && t < 4) y[t - 1] = x[0] + t;
    if (t < 3) flags[t] = 0;
    given[0] = x[0];
}

// One fence, and a flag for each who waits: the warps of the block and the next block take
// theirs back, each after a plain look at it.
// launch: grid 2, block 96; in x i32[1]; out y i32[3]; inout flags i32[3] zero;
//         inout given i32[1] zero
// reference: both_turned_reference, grid 1, block 4
extern "C" __global__ void flags_behind_one_fence_are_taken_back(const int *x, int *y, int *flags,
                                                                 int *given)
{
    const int w = threadIdx.x / 32, b = blockIdx.x;
    if (threadIdx.x % 32) return;
    if (b == 0 && w == 0) {
        given[0] = x[0];
        __threadfence();
        for (int k = 0; k < 3; k++)
            *(volatile int *)&flags[k] = 1;
    } else if (b == 0 || w == 0) {
        const int k = b ? 2 : w - 1;
        while (*(volatile int *)&flags[k] == 0) {}
        __threadfence();
        y[k] = given[0] + flags[k] * (k + 1);
        flags[k] = 0;
    }
}

extern "C" __global__ void all_see_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

// A flag that two warps wait for, and that both then read by a plain load.
// launch: grid 1, block 96; in x i32[96]; out y i32[96]
// reference: all_see_reference
extern "C" __global__ void flag_that_two_warps_see_is_read_plain(const int *x, int *y)
{
    __shared__ int flag;
    const int t = threadIdx.x;
    if (t == 0) flag = 0;
    __syncthreads();
    int one = 1;
    if (t < 32) {
        __threadfence_block();
        __syncwarp();
        if (t == 0) *(volatile int *)&flag = 1;
    } else {
        while (*(volatile int *)&flag == 0) {}
        __threadfence_block();
        one = flag;
    }
    y[t] = x[t] + one;
}
