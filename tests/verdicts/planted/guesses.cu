// A plain load beside atomic operations whose value decides more than whether one of them
// is worth its while.

// class: plain look before an atomic operation

// Blocks that come between count two last ones.
// launch: grid 4, block 32; inout count i32[1] zero; inout ends i32[1] zero
extern "C" __global__ void last_block_by_a_look_after_its_count(int *count, int *ends)
{
    if (threadIdx.x) return;
    atomicAdd(count, 1);                             // expect: race
    if (*count == gridDim.x) atomicAdd(ends, 1);     // expect: race
}

extern "C" __global__ void last_block_by_a_look_after_its_count_reference(int *count, int *ends)
{
    if (blockIdx.x || threadIdx.x) return;
    *count = gridDim.x;
    *ends = 1;
}

// launch: grid 8, block 32; in x i32[8]; inout n i32[1] zero; inout y i32[4] zero
extern "C" __global__ void places_are_bounded_by_a_look(const int *x, int *n, int *y)
{
    if (threadIdx.x) return;
    if (*n < 4)                                // expect: race
        y[atomicAdd(n, 1)] = x[blockIdx.x];    // expect: race
}

extern "C" __global__ void places_are_bounded_by_a_look_reference(const int *x, int *n, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 4; i++)
        y[i] = x[i];
    *n = 4;
}

// launch: grid 8, block 32; inout most i32[1] zero; inout updates i32[1] zero
extern "C" __global__ void updates_are_counted_by_a_look(int *most, int *updates)
{
    const int v = 100 - blockIdx.x;
    if (threadIdx.x) return;
    if (*most < v) {            // expect: race
        atomicMax(most, v);     // expect: race
        atomicAdd(updates, 1);
    }
}

extern "C" __global__ void updates_are_counted_by_a_look_reference(int *most, int *updates)
{
    if (blockIdx.x || threadIdx.x) return;
    *most = 100;
    *updates = 1;
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[1] constant -9
extern "C" __global__ void look_is_the_wrong_way_round(const int *x, int *y)
{
    const int v = x[blockIdx.x * 64 + threadIdx.x];
    if (*y >= v) atomicMax(y, v); // expect: race or mismatch
}

extern "C" __global__ void look_is_the_wrong_way_round_reference(const int *x, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 256; i++)
        y[0] = max(y[0], x[i]);
}

// launch: grid 4, block 32; in x i32[128]; inout done i32[1] zero; inout y i32[128] zero
extern "C" __global__ void blocks_end_early_by_a_look(const int *x, int *done, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (*done) return;                             // expect: race
    y[i] = x[i];
    if (i == 127) atomicExch(done, 1);             // expect: race
}

extern "C" __global__ void blocks_end_early_by_a_look_reference(const int *x, int *done, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = x[i];
    if (i == 127) *done = 1;
}

// launch: grid 2, block 64; in x i32[128]; inout y i32[1] constant -9; out old i32[128]
extern "C" __global__ void what_a_look_gave_is_kept(const int *x, int *y, int *old)
{
    const int i = blockIdx.x * 64 + threadIdx.x, there = *y; // expect: race or order
    if (there < x[i]) atomicMax(y, x[i]);                    // expect: race or order
    old[i] = there;
}

extern "C" __global__ void what_a_look_gave_is_kept_reference(const int *x, int *y, int *old)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    atomicMax(y, x[i]);
    old[i] = -9;
}

// launch: grid 1, block 96; in x i32[96]; out y i32[96]
extern "C" __global__ void shared_count_decides_without_a_barrier(const int *x, int *y)
{
    __shared__ int count;
    const int t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    if (t < 32) atomicAdd(&count, 1);    // expect: race
    y[t] = count >= 32 ? x[t] : 0;       // expect: race
}

extern "C" __global__ void shared_count_decides_without_a_barrier_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// A value that was never written beside the guess is no guess.
// launch: grid 2, block 64; in x i32[128]; inout y i32[1] constant -9; out z i32[128]; i32 n 64
extern "C" __global__ void unwritten_value_beside_a_look(const int *x, int *y, int *z, int n)
{
    __shared__ int s[64];
    const int i = blockIdx.x * 64 + threadIdx.x, v = x[i];
    if (threadIdx.x < n - 1) s[threadIdx.x] = v;
    __syncthreads();
    z[i] = v;
    if (*y < v + (s[threadIdx.x] & 1)) atomicMax(y, v); // expect: unwritten
    if (s[threadIdx.x] > 100) z[i] = 0;                 // expect: unwritten
}

extern "C" __global__ void unwritten_value_beside_a_look_reference(const int *x, int *y, int *z, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    atomicMax(y, x[i]);
    z[i] = x[i];
}

// The head of a queue passes its tail where the two looks are of different times.
// launch: grid 2, block 32; inout ends i32[2] zero; inout bad i32[1] zero
extern "C" __global__ void head_is_looked_at_after_its_tail(int *ends, int *bad)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 1) {
        for (int k = 0; k < 4; k++) {
            atomicAdd(&ends[1], 1); // expect: race
            atomicAdd(&ends[0], 1); // expect: race
        }
        return;
    }
    const int tail = ends[1]; // expect: race
    asm volatile("" ::: "memory");
    const int head = ends[0];            // expect: race
    if (head > tail) atomicAdd(bad, 1);
}

extern "C" __global__ void head_is_looked_at_after_its_tail_reference(int *ends, int *bad)
{
    if (blockIdx.x || threadIdx.x) return;
    ends[0] = ends[1] = 4;
}

// launch: grid 2, block 32; inout p i32[2] zero; inout y i32[1] zero
extern "C" __global__ void looks_at_two_places_differ(int *p, int *y)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 1) {
        atomicExch(&p[0], 1); // expect: race
        atomicExch(&p[1], 1); // expect: race
        return;
    }
    const int a = p[0];             // expect: race
    const int b = p[1];             // expect: race
    if (a != b) atomicAdd(y, 1);
}

extern "C" __global__ void looks_at_two_places_differ_reference(int *p, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    p[0] = p[1] = 1;
}

// launch: grid 2, block 32; inout p i32[1] zero; inout y i32[1] zero
extern "C" __global__ void two_looks_at_a_place_disagree(int *p, int *y)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 1) {
        atomicExch(p, 1); // expect: race
        return;
    }
    const bool first = *p == 0; // expect: race
    asm volatile("" ::: "memory");
    const bool second = *p == 0; // expect: race
    if (first != second) atomicAdd(y, 1);
}

extern "C" __global__ void two_looks_at_a_place_disagree_reference(int *p, int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *p = 1;
}

// launch: grid 2, block 32; inout p i32[1] zero; inout y i32[1] zero
extern "C" __global__ void only_a_value_between_is_wrong(int *p, int *y)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 1) {
        atomicExch(p, 1); // expect: race
        atomicExch(p, 2); // expect: race
        atomicExch(p, 3); // expect: race
        atomicExch(p, 0); // expect: race
        return;
    }
    if (*p == 2) atomicAdd(y, 1); // expect: race
}

extern "C" __global__ void only_a_value_between_is_wrong_reference(int *p, int *y)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *p = 0;
}

// The swap compares one word of the two that it was made of.
// launch: grid 20, block 32; inout cell i32[2] zero
extern "C" __global__ void swap_from_a_word_beside(int *cell)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        const int2 c = *(int2 *)cell;                 // expect: race
        atomicCAS(&cell[0], c.x, c.x + c.y + 1);      // expect: race
    }
    if (blockIdx.x == 19)
        atomicAdd((unsigned long long *)cell, 5ull << 32); // expect: race
}

extern "C" __global__ void swap_from_a_word_beside_reference(int *cell)
{
    if (blockIdx.x || threadIdx.x) return;
    cell[0] = 1;
    cell[1] = 5;
}

// The same of two rounds of a loop.
// launch: grid 20, block 32; in w i32[2] constant 1; inout cell i32[2] zero
extern "C" __global__ void swap_from_an_earlier_round(const int *w, int *cell)
{
    if (threadIdx.x > 1) return;
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        int sum = 1, first = 0;
#pragma unroll 1
        for (int k = 1; k >= 0; k--) {
            first = cell[k]; // expect: race
            sum += first * w[k];
        }
        atomicCAS(&cell[0], first, sum); // expect: race
    }
    if (blockIdx.x == 19) atomicAdd(&cell[threadIdx.x], 5 * threadIdx.x); // expect: race
}

extern "C" __global__ void swap_from_an_earlier_round_reference(const int *w, int *cell)
{
    if (blockIdx.x || threadIdx.x) return;
    cell[0] = 1;
    cell[1] = 5;
}
