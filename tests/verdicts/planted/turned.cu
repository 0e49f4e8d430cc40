// Results that depend on which block comes first, where blocks that are resident together
// may come in any order.

// class: result that depends on the order of blocks

// launch: grid 4, block 64; in x i32[256] integers -9 9; inout y i32[256] zero;
//     inout count i32[1] zero
extern "C" __global__ void kept_in_the_order_of_blocks(const int *x, int *y, int *count)
{
    __shared__ int sums[2], base;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const bool keep = x[i] > 0;
    const unsigned kept = __ballot_sync(~0u, keep);
    if (t % 32 == 0) sums[t / 32] = __popc(kept);
    __syncthreads();
    if (t == 0) base = atomicAdd(count, sums[0] + sums[1]);
    __syncthreads();
    const int before = t < 32 ? 0 : sums[0];
    if (keep) y[base + before + __popc(kept & ((1u << t % 32) - 1))] = x[i]; // expect: order
}

extern "C" __global__ void kept_in_the_order_of_blocks_reference(const int *x, int *y, int *count)
{
    if (blockIdx.x || threadIdx.x) return;
    int kept = 0;
    for (int i = 0; i < 256; i++)
        if (x[i] > 0) y[kept++] = x[i];
    *count = kept;
}

// launch: grid 5, block 32; out y i32[5]; inout next i32[1] zero
extern "C" __global__ void slot_of_a_block(int *y, int *next)
{
    if (threadIdx.x == 0) y[atomicAdd(next, 1)] = blockIdx.x; // expect: order
}

extern "C" __global__ void slot_of_a_block_reference(int *y, int *next)
{
    if (threadIdx.x == 0) y[blockIdx.x] = blockIdx.x;
    *next = 5;
}

// launch: grid 6, block 32; in x i32[6]; out y i32[6]; work part i32[6]
extern "C" __global__ void sum_with_the_block_before(const int *x, int *y, volatile int *part)
{
    const int b = blockIdx.x;
    if (threadIdx.x) return;
    part[b] = x[b];
    __threadfence();
    y[b] = x[b] + (b ? part[b - 1] : 0); // expect: order or unwritten
}

extern "C" __global__ void sum_with_the_block_before_reference(const int *x, int *y, volatile int *part)
{
    const int b = blockIdx.x;
    if (threadIdx.x == 0) y[b] = x[b] + (b ? x[b - 1] : 0);
}

// A block with a later ticket looks at what an earlier one has not told yet.
// launch: grid 8, block 64; in x i32[8] integers 1 9; out y i32[8];
//     inout next i32[1] zero; inout told i32[8] zero
extern "C" __global__ void prefix_by_tickets_without_a_wait(const int *x, int *y, int *next,
                                                            volatile int *told)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
    __syncthreads();
    if (threadIdx.x) return;
    const int b = ticket, sum = x[b] + (b ? told[b - 1] : 0); // expect: order
    told[b] = sum;
    y[b] = sum;
}

extern "C" __global__ void prefix_by_tickets_without_a_wait_reference(const int *x, int *y, int *next,
                                                                      volatile int *told)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i <= blockIdx.x; i++)
        sum += x[i];
    y[blockIdx.x] = told[blockIdx.x] = sum;
    *next = 8;
}

// The first block to come is waited for by all, and by itself, unless it is the first.
// launch: grid 6, block 32; in x i32[6]; out y i32[6]; inout first i32[1] constant -1
extern "C" __global__ void first_block_must_come_first(const int *x, int *y, int *first)
{
    if (threadIdx.x) return;
    atomicCAS(first, -1, (int)blockIdx.x);
    while (atomicAdd(first, 0) != 0) { // expect: deadlock
    }
    y[blockIdx.x] = x[blockIdx.x];
}

extern "C" __global__ void first_block_must_come_first_reference(const int *x, int *y, int *first)
{
    if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x];
    *first = 0;
}

extern "C" __global__ void turn_by_a_swap_reference(const int *x, int *y, int *part, unsigned *turn)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1] + 1;
    turn[0] = turn[1] = 0;
}

// class: flag or ticket without its fence

// A swap that fails stores nothing, so that it tells of no fence.
// launch: grid 2, block 32; in x i32[32]; out y i32[32]; work part i32[32];
//         inout turn u32[2] zero
// reference: turn_by_a_swap_reference, grid 1
extern "C" __global__ void told_by_a_swap_that_fails(const int *x, int *y, int *part, unsigned *turn)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        part[t] = x[t] + 1; // expect: race
        __syncwarp();
        if (t == 0) {
            atomicAdd(&turn[0], 1);
            __threadfence();
            atomicCAS(&turn[1], 5, 1);
        }
        return;
    }
    if (t == 0) {
        while (atomicAdd(&turn[0], 0) == 0) {
        }
        atomicAdd(&turn[1], 0);
        __threadfence();
    }
    __syncwarp();
    y[t] = __ldcg(&part[t ^ 1]); // expect: race
    if (t == 0) turn[0] = turn[1] = 0;
}

// class: result that depends on the order of warps

// Parts are taken from blocks that are not waited for, too, where no result needs them.
// launch: grid 3, block 64; in x i32[192]; out y i32[192]; inout part i32[192] zero;
//     inout come i32[3] zero; inout turn i32[1] zero; i32 none 0
extern "C" __global__ void warps_number_themselves_beside_blocks_out_of_turn(const int *x, int *y, int *part, int *come, int *turn, int none)
{
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int seen = 0, warp = 0;
    if (t % 32 == 0) warp = atomicAdd(&come[blockIdx.x], 1);
    warp = __shfl_sync(~0u, warp, 0);
    if (t == 0) seen = *(volatile int *)turn;
    __threadfence();
    __syncthreads();
    const int before = i < 64 ? 0 : part[i - 64];
    part[i] = x[i];
    __threadfence();
    __syncthreads();
    if (t == 0) atomicAdd(turn, 1);
    y[i] = x[i] + warp + min(abs(before), none) + min(seen, none); // expect: order
}
extern "C" __global__ void warps_number_themselves_beside_blocks_out_of_turn_reference(const int *x, int *y, int *part, int *come, int *turn, int none)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i] + threadIdx.x / 32;
    part[i] = x[i];
    come[blockIdx.x] = 2;
    if (i == 0) *turn = gridDim.x;
}

// launch: grid 2, block 64; in x i32[128] integers -9 9; out y i32[128];
//     inout come i32[2] zero
extern "C" __global__ void warps_put_down_as_they_come(const int *x, int *y, int *come)
{
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int place = 0;
    if (t % 32 == 0) place = atomicAdd(&come[blockIdx.x], 1);
    place = __shfl_sync(~0u, place, 0);
    y[blockIdx.x * 64 + place * 32 + t % 32] = x[i]; // expect: order
}
extern "C" __global__ void warps_put_down_as_they_come_reference(const int *x, int *y, int *come)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
    come[blockIdx.x] = 2;
}

// launch: grid 2, block 96; in x i32[192] integers -9 9; out y i32[192]
extern "C" __global__ void the_last_warp_gives_its_number(const int *x, int *y)
{
    __shared__ int last;
    const int t = threadIdx.x, i = blockIdx.x * 96 + t;
    if (t % 32 == 0) atomicExch(&last, t / 32);
    __syncthreads();
    y[i] = x[i] + last; // expect: order
}
extern "C" __global__ void the_last_warp_gives_its_number_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 96 + threadIdx.x;
    y[i] = x[i] + 2;
}
