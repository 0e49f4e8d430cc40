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
