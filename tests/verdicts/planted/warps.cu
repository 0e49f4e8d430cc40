// Lanes of a warp that take one another for granted.

// y[t] = x[t ^ 1]
extern "C" __global__ void swapped_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1];
}

// class: no __syncwarp between lanes

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: swapped_reference
extern "C" __global__ void swap_without_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];     // expect: race
    y[t] = s[t ^ 1]; // expect: race
}

// launch: grid 1, block 32; in x i32[32]; out y i32[1]
// reference: sum_reference, block 1
extern "C" __global__ void last_steps_of_a_tree_without_syncwarp(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncwarp();
    s[t] += s[t + 16]; // expect: race
    s[t] += s[t + 8];  // expect: race
    s[t] += s[t + 4];  // expect: race
    s[t] += s[t + 2];  // expect: race
    s[t] += s[t + 1];  // expect: race
    if (t == 0) y[0] = s[0];
}

extern "C" __global__ void sum_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[0] = sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: swapped_reference
extern "C" __global__ void shuffle_taken_for_a_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t]; // expect: race
    const int one = __shfl_sync(~0u, 1, 0);
    y[t] = s[t ^ one]; // expect: race
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: swapped_reference
extern "C" __global__ void syncwarp_of_half_the_lanes(const int *x, int *y)
{
    __shared__ int s[32]; // the halves are synchronised each for itself
    const int t = threadIdx.x;
    s[t] = x[t]; // expect: race or order
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    y[t ^ 17] = s[t ^ 16]; // expect: race or order
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: broadcast_reference
extern "C" __global__ void lane_0_stores_for_all(const int *x, int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0) s = x[5]; // expect: race
    y[threadIdx.x] = s;             // expect: race
}

extern "C" __global__ void broadcast_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[5];
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: swapped_reference
extern "C" __global__ void swap_through_global_memory(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t ^ 3] = x[t]; // expect: race
    const int v = y[t ^ 2]; // expect: race
    __syncwarp();
    y[t] = v;
}

// class: fence in place of a synchronisation

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: swapped_reference
extern "C" __global__ void fence_in_place_of_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];        // expect: race or order
    __threadfence_block();
    y[t] = s[t ^ 1];    // expect: race or order
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: far_swap_reference
extern "C" __global__ void fence_in_place_of_syncthreads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];      // expect: race or order
    __threadfence_block();
    y[t] = s[t ^ 32]; // expect: race or order or unwritten
}

extern "C" __global__ void far_swap_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 32];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: far_swap_reference
extern "C" __global__ void device_fence_in_place_of_syncthreads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];      // expect: race or order
    __threadfence();
    y[t] = s[t ^ 32]; // expect: race or order or unwritten
}

// launch: grid 1, block 32; in x i32[32]; out y i32[1]
// reference: sum_reference, block 1
extern "C" __global__ void tree_with_fences(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        const int v = s[t + d]; // expect: race or order
        __threadfence_block();
        s[t] += v;              // expect: race or order
        __threadfence_block();
    }
    if (t == 0) y[0] = s[0];
}

// class: volatile in place of a synchronisation

// launch: grid 1, block 32; in x i32[32]; out y i32[1]
// reference: sum_reference, block 1
extern "C" __global__ void volatile_tree(const int *x, int *y)
{
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    s[t] += s[t + 16]; // expect: race or order
    s[t] += s[t + 8];  // expect: race or order
    s[t] += s[t + 4];  // expect: race or order
    s[t] += s[t + 2];  // expect: race or order
    s[t] += s[t + 1];  // expect: race or order
    if (t == 0) y[0] = s[0];
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: swapped_reference
extern "C" __global__ void volatile_swap(const int *x, int *y)
{
    __shared__ volatile int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];     // expect: race or order
    y[t] = s[t ^ 1]; // expect: race or order
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: scan_reference, block 1
extern "C" __global__ void volatile_scan(const int *x, int *y)
{
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = 0;
    s[t + 32] = x[t];
    for (int d = 1; d < 32; d *= 2)
        s[t + 32] += s[t + 32 - d]; // expect: race or order
    y[t] = s[t + 32];
}

extern "C" __global__ void scan_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        y[i] = sum += x[i];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: far_swap_reference
extern "C" __global__ void volatile_swap_between_warps(const int *x, int *y)
{
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];      // expect: race or order
    y[t] = s[t ^ 32]; // expect: race or order or unwritten
}

// class: shuffle, vote or mask of lanes that do not take part

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void shuffle_from_lanes_that_left(const int *x, int *y)
{
    int v = x[threadIdx.x];
    if (threadIdx.x >= 24) {
        y[threadIdx.x] = v;
        return;
    }
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0x00ffffffu, v, d); // expect: unwritten or member_mask
    y[threadIdx.x] = v;                           // expect: unwritten
}

extern "C" __global__ void shuffle_from_lanes_that_left_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = t; i < 24; i++)
        sum += x[i];
    y[t] = t < 24 ? sum : x[t];
}

// launch: grid 1, block 32; in x i32[32] integers 1 9; out y i32[32]
extern "C" __global__ void ballot_in_a_branch_with_the_whole_mask(const int *x, int *y)
{
    int count = -1;
    if (threadIdx.x < 20)
        count = __popc(__ballot_sync(~0u, x[threadIdx.x] > 4)); // expect: member_mask or deadlock or divergence
    __syncwarp(); // expect: member_mask or deadlock or divergence
    y[threadIdx.x] = count;
}

extern "C" __global__ void ballot_in_a_branch_with_the_whole_mask_reference(const int *x, int *y)
{
    int count = 0;
    for (int i = 0; i < 20; i++)
        count += x[i] > 4;
    y[threadIdx.x] = threadIdx.x < 20 ? count : -1;
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: broadcast_reference
extern "C" __global__ void shuffle_by_a_lane_outside_its_mask(const int *x, int *y)
{
    const int v = x[threadIdx.x];
    y[threadIdx.x] = __shfl_sync(0x0000ffffu, v, 5); // expect: member_mask
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void shuffle_of_a_lane_in_the_other_branch(const int *x, int *y)
{
    const int t = threadIdx.x, v = x[t];
    int got;
    if (t < 16)
        got = __shfl_sync(0x0000ffffu, v, 20 - 16);
    else
        asm volatile("shfl.sync.idx.b32 %0, %1, 4, 0x1f, 0xffff0000;" : "=r"(got) : "r"(v)); // expect: unwritten or member_mask
    y[t] = got; // expect: unwritten
}

extern "C" __global__ void shuffle_of_a_lane_in_the_other_branch_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[4];
}

// launch: grid 1, block 48; in x i32[48]; out y i32[2]
extern "C" __global__ void reduction_of_half_a_warp_with_all_lanes(const int *x, int *y)
{
    int v = x[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d); // expect: unwritten or member_mask
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v; // expect: unwritten
}

extern "C" __global__ void reduction_of_half_a_warp_with_all_lanes_reference(const int *x, int *y)
{
    int sum[2] = {0, 0};
    for (int i = 0; i < 48; i++)
        sum[i / 32] += x[i];
    if (threadIdx.x < 2) y[threadIdx.x] = sum[threadIdx.x];
}
