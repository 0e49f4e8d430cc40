// Blocks that are right in any order in which those that are resident together may run.

// Each waits for the one before it, which has begun: no tickets, as where blocks begin in
// the order of their numbers.
// launch: grid 20, block 64; in x i32[20] integers 1 9; out y i32[20]; inout told i32[20] zero
extern "C" __global__ void prefix_by_numbers(const int *x, int *y, int *told)
{
    const int b = blockIdx.x;
    __shared__ int before;
    if (threadIdx.x == 0) {
        int v = 0;
        while (b && (v = atomicAdd(&told[b - 1], 0)) == 0) {
        }
        atomicExch(&told[b], v + x[b]);
        before = v;
    }
    __syncthreads();
    if (threadIdx.x == 32) y[b] = before + x[b];
}

extern "C" __global__ void prefix_by_numbers_reference(const int *x, int *y, int *told)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i <= blockIdx.x; i++)
        sum += x[i];
    y[blockIdx.x] = told[blockIdx.x] = sum;
}

// launch: grid 20, block 64; in x i32[20] integers 1 9; out y i32[20];
//     inout next i32[1] zero; inout told i32[20] zero
extern "C" __global__ void prefix_by_tickets(const int *x, int *y, int *next, int *told)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
    __syncthreads();
    if (threadIdx.x) return;
    const int b = ticket;
    int v = 0;
    while (b && (v = atomicAdd(&told[b - 1], 0)) == 0) {
    }
    atomicExch(&told[b], v + x[b]);
    y[b] = v + x[b];
}

extern "C" __global__ void prefix_by_tickets_reference(const int *x, int *y, int *next, int *told)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i <= blockIdx.x; i++)
        sum += x[i];
    y[blockIdx.x] = told[blockIdx.x] = sum;
    *next = 20;
}

// All blocks meet, twice: the first of them waits for the last.
// launch: grid 20, block 64; in x i32[20] integers 1 9; out y i32[20];
//     inout sum i32[1] zero; inout here i32[1] zero
extern "C" __global__ void sum_of_all_at_a_barrier_of_all(const int *x, int *y, int *sum, int *here)
{
    __shared__ int all;
    if (threadIdx.x == 0) {
        atomicAdd(sum, x[blockIdx.x]);
        __threadfence();
        atomicAdd(here, 1);
        while (atomicAdd(here, 0) < gridDim.x) {
        }
        __threadfence();
        all = atomicAdd(sum, 0);
    }
    __syncthreads();
    if (threadIdx.x == 33) y[blockIdx.x] = all;
}

extern "C" __global__ void sum_of_all_at_a_barrier_of_all_reference(const int *x, int *y, int *sum, int *here)
{
    if (threadIdx.x) return;
    int all = 0;
    for (int i = 0; i < 20; i++)
        all += x[i];
    y[blockIdx.x] = *sum = all;
    *here = 20;
}

// Whoever comes last adds up; slots in any order, their sum the same.
// launch: grid 9, block 64; in x i32[576] integers -9 9; out y i32[1];
//     work slots i32[9]; inout next i32[1] zero; inout done i32[1] zero
extern "C" __global__ void sum_by_the_last_block(const int *x, int *y, int *slots, int *next, int *done)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x) return;
    slots[atomicAdd(next, 1)] = sum;
    __threadfence();
    if (atomicAdd(done, 1) != gridDim.x - 1) return;
    __threadfence();
    int all = 0;
    for (int i = 0; i < 9; i++)
        all += ((volatile int *)slots)[i];
    *y = all;
}

extern "C" __global__ void sum_by_the_last_block_reference(const int *x, int *y, int *slots, int *next,
                                                           int *done)
{
    if (blockIdx.x || threadIdx.x) return;
    int all = 0;
    for (int i = 0; i < 576; i++)
        all += x[i];
    *y = all;
    *next = *done = 9;
}

// More of them than begin together: the one before may be of an earlier group.
// launch: grid 1000, block 64; in x i32[1000] integers 1 9; out y i32[1000];
//     inout told i32[1000] zero
extern "C" __global__ void prefix_by_many_numbers(const int *x, int *y, int *told)
{
    const int b = blockIdx.x;
    __shared__ int before;
    if (threadIdx.x == 0) {
        int v = 0;
        while (b && (v = atomicAdd(&told[b - 1], 0)) == 0) {
        }
        atomicExch(&told[b], v + x[b]);
        before = v;
    }
    __syncthreads();
    if (threadIdx.x == 32) y[b] = before + x[b];
}

extern "C" __global__ void prefix_by_many_numbers_reference(const int *x, int *y, int *told)
{
    if (threadIdx.x || blockIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum += x[i];
        y[i] = told[i] = sum;
    }
}

// The same by tickets, which blocks get in the order in which they begin.
// launch: grid 1000, block 64; in x i32[1000] integers 1 9; out y i32[1000];
//     inout next i32[1] zero; inout told i32[1000] zero
extern "C" __global__ void prefix_by_many_tickets(const int *x, int *y, int *next, int *told)
{
    __shared__ int ticket;
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1);
    __syncthreads();
    if (threadIdx.x) return;
    const int b = ticket;
    int v = 0;
    while (b && (v = atomicAdd(&told[b - 1], 0)) == 0) {
    }
    atomicExch(&told[b], v + x[b]);
    y[b] = v + x[b];
}

extern "C" __global__ void prefix_by_many_tickets_reference(const int *x, int *y, int *next, int *told)
{
    if (threadIdx.x || blockIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 1000; i++) {
        sum += x[i];
        y[i] = told[i] = sum;
    }
    *next = 1000;
}

// A scan with a look back, as CUB has it: each block tells its sum, then the one up to it,
// and goes back over those before it until one has told that. Few blocks, and more than
// are all watched in turns.
// launch: grid 12, block 64; in x i32[768] integers -9 9; out y i32[768]; inout told i32[12] zero; work parts i32[24]
// launch: grid 300, block 64; in x i32[19200] integers -9 9; out y i32[19200]; inout told i32[300] zero; work parts i32[600]
extern "C" __global__ void scan_that_looks_back(const int *x, int *y, int *told, int *parts)
{
    __shared__ int sums[64], before;
    const int t = threadIdx.x, b = blockIdx.x;
    sums[t] = x[64 * b + t];
    for (int step = 1; step < 64; step *= 2) {
        __syncthreads();
        const int more = t >= step ? sums[t - step] : 0;
        __syncthreads();
        sums[t] += more;
    }
    if (t == 63) {
        volatile int *status = told;
        int back = 0;
        parts[2 * b] = sums[63];
        __threadfence();
        status[b] = 1;
        for (int k = b - 1, is = 0; k >= 0 && is != 2; k--) {
            while ((is = status[k]) == 0) {
            }
            __threadfence();
            back += ((volatile int *)parts)[2 * k + (is == 2)];
        }
        parts[2 * b + 1] = back + sums[63];
        __threadfence();
        status[b] = 2;
        before = back;
    }
    __syncthreads();
    y[64 * b + t] = before + sums[t];
}

extern "C" __global__ void scan_that_looks_back_reference(const int *x, int *y, int *told, int *parts)
{
    int sum = 0;
    for (int i = 0; i <= 64 * blockIdx.x + threadIdx.x; i++)
        sum += x[i];
    y[64 * blockIdx.x + threadIdx.x] = sum;
    told[blockIdx.x] = 2;
}

extern "C" __global__ void turn_by_a_swap_reference(const int *x, int *y, int *part, unsigned *turn)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1] + 1;
    turn[0] = turn[1] = 0;
}

// A swap that is made tells of the fence before it; looks by swaps that fail are no signals.
// launch: grid 2, block 32; in x i32[32]; out y i32[32]; work part i32[32];
//         inout turn u32[2] zero
// reference: turn_by_a_swap_reference, grid 1
extern "C" __global__ void told_by_a_swap_that_is_made(const int *x, int *y, int *part, unsigned *turn)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        part[t] = x[t] + 1;
        __syncwarp();
        if (t == 0) {
            atomicAdd(&turn[0], 1);
            __threadfence();
            atomicCAS(&turn[1], 0, 1);
        }
        return;
    }
    if (t == 0) {
        while (atomicAdd(&turn[0], 0) == 0) {
        }
        while (atomicCAS(&turn[1], 7, 8) == 0) {
        }
        __threadfence();
    }
    __syncwarp();
    y[t] = __ldcg(&part[t ^ 1]);
    if (t == 0) turn[0] = turn[1] = 0;
}
