// Grids of more blocks than are watched at first: one of them forgets its fence, or what
// it forgets shows only where others are ahead of it.

// y[i] = x[0] + ... + x[i]
extern "C" __global__ void scan_reference(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    int sum = 0;
    for (int i = 0; i < 32 * 40; i++)
        y[i] = sum += x[i];
    for (int b = 0; b < 40; b++)
        flags[b] = 2;
}
__device__ inline int scan_warp(int value)
{
    for (int d = 1; d < 32; d *= 2) {
        const int below = __shfl_up_sync(~0u, value, d);
        if (threadIdx.x >= d) value += below;
    }
    return value;
}
// A scan in one pass (Merrill and Garland, 2016): a block gives its own sum (1), then that
// of all up to it (2), and looks back for those of others.
#define SCAN(part_fence, sum_fence, look_fence)                                          \
    const int t = threadIdx.x, b = blockIdx.x;                                           \
    const int value = scan_warp(x[32 * b + t]);                                          \
    int before = 0;                                                                      \
    if (t == 31) {                                                                       \
        parts[b] = value;                                                                \
        part_fence;                                                                      \
        flags[b] = 1;                                                                    \
        for (int k = b - 1, seen = 0; k >= 0 && seen != 2; k--) {                        \
            while ((seen = flags[k]) == 0) {}                                            \
            look_fence;                                                                  \
            before += seen == 2 ? sums[k] : parts[k];                                    \
        }                                                                                \
        sums[b] = before + value;                                                        \
        sum_fence;                                                                       \
        flags[b] = 2;                                                                    \
    }                                                                                    \
    y[32 * b + t] = value + __shfl_sync(~0u, before, 31)

// class: flag or ticket without its fence, in a grid of many blocks

// launch: grid 40, block 32; in x i32[1280]; out y i32[1280]; inout flags i32[40] zero;
//         work parts i32[40]; work sums i32[40]
// reference: scan_reference, grid 1, block 1
extern "C" __global__ void scan_whose_first_block_does_not_fence(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    SCAN(__threadfence(), if (b) __threadfence(), __threadfence()); // expect: race
}

// launch: grid 40, block 32; in x i32[1280]; out y i32[1280]; inout flags i32[40] zero;
//         work parts i32[40]; work sums i32[40]
// reference: scan_reference, grid 1, block 1
extern "C" __global__ void scan_whose_parts_nobody_fences(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    SCAN((void)0, __threadfence(), __threadfence()); // expect: race
}

// launch: grid 40, block 32; in x i32[1280]; out y i32[1280]; inout flags i32[40] zero;
//         work parts i32[40]; work sums i32[40]
// reference: scan_reference, grid 1, block 1
extern "C" __global__ void scan_that_looks_back_without_a_fence(const int *x, int *y, volatile int *flags, int *parts, int *sums)
{
    SCAN(__threadfence(), __threadfence(), (void)0); // expect: race
}

// y[t] = the sum of x[32 * b + t]
extern "C" __global__ void columns_of_50_reference(const int *x, int *y, int *parts, unsigned *count)
{
    y[threadIdx.x] = 0;
    for (int b = 0; b < 50; b++)
        y[threadIdx.x] += x[32 * b + threadIdx.x];
    count[0] = 0;
}

// launch: grid 50, block 32; in x i32[1600]; out y i32[32]; work parts i32[1600];
//         inout count u32[1] zero
// reference: columns_of_50_reference, grid 1
extern "C" __global__ void last_block_where_one_does_not_fence(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    unsigned before = 0;
    parts[32 * b + t] = x[32 * b + t]; // expect: race
    if (b != 23) __threadfence();
    __syncwarp();
    if (t == 0) before = atomicAdd(count, 1);
    if (__shfl_sync(~0u, before, 0) != 49) return;
    __threadfence();
    int sum = 0;
    for (int k = 0; k < 50; k++)
        sum += __ldcg(&parts[32 * k + t]); // expect: race
    y[t] = sum;
    if (t == 0) *count = 0;
}

// y[t] = the sum of x[32 * b + t], a block at a time
extern "C" __global__ void turns_reference(const int *x, int *y, int *turn)
{
    const int t = threadIdx.x;
    for (int b = 0; b < 60; b++)
        y[t] += x[32 * b + t];
    *turn = 60;
}

// launch: grid 60, block 32; in x i32[1920]; inout y i32[32] zero; inout turn i32[1] zero
// reference: turns_reference, grid 1
extern "C" __global__ void turns_of_which_one_is_not_released(const int *x, int *y, int *turn)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int seen = 0;
    do
        asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(seen) : "l"(turn) : "memory");
    while (seen != b);
    y[t] += x[32 * b + t]; // expect: race
    __syncwarp();
    if (t) return;
    if (b == 33)
        asm volatile("st.relaxed.gpu.s32 [%0], %1;" ::"l"(turn), "r"(b + 1) : "memory");
    else
        asm volatile("st.release.gpu.s32 [%0], %1;" ::"l"(turn), "r"(b + 1) : "memory");
}

// y[i] = x of the next block
extern "C" __global__ void neighbours_reference(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[32 * b + t] = x[32 * ((b + 1) % 45) + t];
    if (b == 0 && t == 0) *count = 45;
}

// launch: grid 45, block 32; in x i32[1440]; out y i32[1440]; work parts i32[1440];
//         inout count u32[1] zero
// reference: neighbours_reference, grid 45
extern "C" __global__ void barrier_of_all_where_one_does_not_fence(const int *x, int *y, int *parts, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    parts[32 * b + t] = x[32 * b + t]; // expect: race
    if (b != 30) __threadfence();
    __syncwarp();
    if (t == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) < 45) {}
    }
    __syncwarp();
    __threadfence();
    y[32 * b + t] = parts[32 * ((b + 1) % 45) + t]; // expect: race
}

extern "C" __global__ void taken_back_reference(const int *x, int *y, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[32 * b + t] = x[32 * b + t];
    if (b == 0 && t == 0) *count = 0;
}

// launch: grid 24, block 32; in x i32[768]; out y i32[768]; inout count u32[1] zero
// reference: taken_back_reference, grid 24
extern "C" __global__ void taken_back_while_it_is_looked_at(const int *x, int *y, unsigned *count)
{
    const int t = threadIdx.x, b = blockIdx.x;
    unsigned all = 0;
    y[32 * b + t] = x[32 * b + t];
    __threadfence();
    __syncwarp();
    if (t == 0 && b == 22) all = atomicAdd(count, 1) + *(volatile unsigned *)count; // expect: race
    if (t == 0 && b != 22 && atomicAdd(count, 1) == 23) *count = 0; // expect: race
    if (all > 100) y[32 * b] = 0;
}
