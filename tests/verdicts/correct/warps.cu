// Lanes of a warp that exchange values by shuffles, votes and shared memory.

// launch: grid 1, block 64; in x i32[64]; out y i32[2]
extern "C" __global__ void sum_by_shuffles(const int *x, int *y)
{
    int v = x[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

extern "C" __global__ void sum_by_shuffles_reference(const int *x, int *y)
{
    if (threadIdx.x >= 2) return;
    y[threadIdx.x] = 0;
    for (int i = 0; i < 32; i++)
        y[threadIdx.x] += x[threadIdx.x * 32 + i];
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void sum_of_the_first_lanes_by_their_mask(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    const unsigned mask = __ballot_sync(~0u, t < n);
    int r = -1;
    if (t < n) {
        int v = x[t];
        for (int d = 16; d; d /= 2) {
            const int other = __shfl_down_sync(mask, v, d);
            if (t + d < n) v += other;
        }
        r = __shfl_sync(mask, v, 0);
    }
    y[t] = r;
}

extern "C" __global__ void sum_of_the_first_lanes_by_their_mask_reference(const int *x, int *y, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    y[threadIdx.x] = (int)threadIdx.x < n ? sum : -1;
}

// Groups of 8 lanes each sum for themselves, with masks of their own.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void sums_of_eighths_with_masks_of_their_own(const int *x, int *y)
{
    const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
    int v = x[threadIdx.x];
    for (int d = 4; d; d /= 2)
        v += __shfl_xor_sync(mask, v, d, 8);
    y[threadIdx.x] = v;
}

extern "C" __global__ void sums_of_eighths_with_masks_of_their_own_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += x[threadIdx.x / 8 * 8 + i];
    y[threadIdx.x] = sum;
}

// Halves of a warp are synchronised each for itself, in one instruction.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void halves_synchronised_by_masks(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
    y[t] = s[t ^ 15];
}

extern "C" __global__ void halves_synchronised_by_masks_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 15];
}

// launch: grid 1, block 32; in x i32[32]; out y i32[1]
extern "C" __global__ void tree_with_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    for (int d = 16; d; d /= 2) {
        __syncwarp();
        if (t < d) s[t] += s[t + d];
    }
    if (t == 0) y[0] = s[0];
}

extern "C" __global__ void tree_with_syncwarp_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[0] = sum;
}

// launch: grid 1, block 32; in x i32[32]; out y i32[1]
// reference: tree_with_syncwarp_reference
extern "C" __global__ void volatile_tree_with_syncwarp(const int *x, int *y)
{
    __shared__ volatile int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = 0;
    __syncwarp();
    for (int d = 16; d; d /= 2) {
        const int v = s[t + d];
        __syncwarp();
        s[t] = s[t] + v;
        __syncwarp();
    }
    if (t == 0) y[0] = s[0];
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]; out count i32[1]
extern "C" __global__ void compaction_by_ballot(const int *x, int *y, int *count)
{
    const int t = threadIdx.x, v = x[t];
    const unsigned kept = __ballot_sync(~0u, v > 0);
    y[t] = 0;
    __syncwarp();
    if (v > 0) y[__popc(kept & ((1u << t) - 1))] = v;
    if (t == 0) count[0] = __popc(kept);
}

extern "C" __global__ void compaction_by_ballot_reference(const int *x, int *y, int *count)
{
    if (threadIdx.x) return;
    int n = 0;
    for (int i = 0; i < 32; i++)
        if (x[i] > 0) y[n++] = x[i];
    *count = n;
    while (n < 32)
        y[n++] = 0;
}

// One atomic for all lanes of a warp that have the same key.
// launch: grid 1, block 64; in x i32[64] integers 0 5; inout bins i32[6] zero; out rank i32[6]
extern "C" __global__ void aggregated_by_match(const int *x, int *bins, int *rank)
{
    const int key = x[threadIdx.x], lane = threadIdx.x % 32;
    const unsigned same = __match_any_sync(~0u, key);
    const int leader = __ffs(same) - 1;
    int base = 0;
    if (lane == leader) base = atomicAdd(&bins[key], __popc(same));
    base = __shfl_sync(same, base, leader);
    __syncthreads();
    if (base + __popc(same & ((1u << lane) - 1)) == 0) rank[key] = key * 10;
    if (threadIdx.x < 6 && bins[threadIdx.x] == 0) rank[threadIdx.x] = threadIdx.x * 10;
}

extern "C" __global__ void aggregated_by_match_reference(const int *x, int *bins, int *rank)
{
    if (threadIdx.x >= 6) return;
    rank[threadIdx.x] = threadIdx.x * 10;
    for (int i = 0; i < 64; i++)
        bins[threadIdx.x] += x[i] == (int)threadIdx.x;
}

// Lanes that are here now take part, whoever they are.
// launch: grid 1, block 32; in x i32[32]; inout y i32[1] zero
extern "C" __global__ void aggregated_by_active_lanes(const int *x, int *y)
{
    if (x[threadIdx.x] > 0) {
        const unsigned active = __activemask();
        const int leader = __ffs(active) - 1;
        if ((int)threadIdx.x % 32 == leader) atomicAdd(y, __popc(active));
    }
}

extern "C" __global__ void aggregated_by_active_lanes_reference(const int *x, int *y)
{
    if (x[threadIdx.x] > 0) atomicAdd(y, 1);
}

// launch: grid 1, block 96; in x i32[96]; out y i32[96]
extern "C" __global__ void scan_of_warps_and_of_their_sums(const int *x, int *y)
{
    __shared__ int sums[3];
    const int t = threadIdx.x, lane = t % 32;
    int v = x[t];
    for (int d = 1; d < 32; d *= 2) {
        const int left = __shfl_up_sync(~0u, v, d);
        if (lane >= d) v += left;
    }
    if (lane == 31) sums[t / 32] = v;
    __syncthreads();
    for (int w = 0; w < t / 32; w++)
        v += sums[w];
    y[t] = v;
}

extern "C" __global__ void scan_of_warps_and_of_their_sums_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i <= (int)threadIdx.x; i++)
        sum += x[i];
    y[threadIdx.x] = sum;
}

// The second warp has only 16 lanes: masks name those that there are.
// launch: grid 1, block 48; in x i32[48]; out y i32[2]
extern "C" __global__ void block_that_is_no_whole_number_of_warps(const int *x, int *y)
{
    const unsigned mask = threadIdx.x < 32 ? ~0u : 0xffffu;
    const int v = __reduce_add_sync(mask, x[threadIdx.x]);
    if (threadIdx.x % 32 == 0) y[threadIdx.x / 32] = v;
}

extern "C" __global__ void block_that_is_no_whole_number_of_warps_reference(const int *x, int *y)
{
    if (threadIdx.x >= 2) return;
    y[threadIdx.x] = 0;
    for (int i = threadIdx.x * 32; i < min(48, (int)threadIdx.x * 32 + 32); i++)
        y[threadIdx.x] += x[i];
}

// All lanes vote whether to go on; lanes that are done idle.
// launch: grid 1, block 32; in x i32[32] integers 1 20; out y i32[32]
extern "C" __global__ void warp_goes_on_while_any_lane_must(const int *x, int *y)
{
    int v = x[threadIdx.x], turns = 0;
    while (__any_sync(~0u, v > 1)) {
        if (v > 1) {
            v = v % 2 ? 3 * v + 1 : v / 2;
            turns++;
        }
    }
    y[threadIdx.x] = turns;
}

extern "C" __global__ void warp_goes_on_while_any_lane_must_reference(const int *x, int *y)
{
    int v = x[threadIdx.x], turns = 0;
    for (; v > 1; turns++)
        v = v % 2 ? 3 * v + 1 : v / 2;
    y[threadIdx.x] = turns;
}

// Lanes take two ways and meet again before they exchange.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void exchange_after_a_branch(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t % 3 == 0) {
        s[t] = x[t] * 2;
    } else {
        int v = x[t];
        for (int k = 0; k < t % 5; k++)
            v = v * 3 + 1;
        s[t] = v;
    }
    __syncwarp();
    y[t] = s[31 - t];
}

extern "C" __global__ void exchange_after_a_branch_reference(const int *x, int *y)
{
    const int t = 31 - threadIdx.x;
    int v = x[t];
    if (t % 3 == 0)
        v *= 2;
    else
        for (int k = 0; k < t % 5; k++)
            v = v * 3 + 1;
    y[threadIdx.x] = v;
}

// What a lane takes from one behind the end is thrown away.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void difference_to_the_next_lane(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if (t < n) v = x[t];
    const int next = __shfl_down_sync(~0u, v, 1);
    y[t] = t + 1 < n ? next - v : 0;
}

extern "C" __global__ void difference_to_the_next_lane_reference(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    y[t] = t + 1 < n ? x[t + 1] - x[t] : 0;
}
