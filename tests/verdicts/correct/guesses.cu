// A plain load beside atomic operations may be out of date. It is a guess that these
// prove, so whatever of its past values it gives, memory ends the same.

// launch: grid 4, block 64; in x i32[256] integers 0 99; inout best i32[8] constant 1000
extern "C" __global__ void distances_are_relaxed_after_a_look(const int *x, int *best)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    int *cell = &best[i % 8];
    const int distance = x[i] + i;
    if (*cell > distance) atomicMin(cell, distance);
}

extern "C" __global__ void distances_are_relaxed_after_a_look_reference(const int *x, int *best)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 256; i++)
        best[i % 8] = min(best[i % 8], x[i] + i);
}

// launch: grid 2, block 128; in x i32[256] integers 0 15; inout seen i32[16] zero;
//   inout count i32[1] zero
extern "C" __global__ void first_of_its_kind_after_a_look(const int *x, int *seen, int *count)
{
    int *cell = &seen[x[blockIdx.x * 128 + threadIdx.x]];
    if (*cell == 0 && atomicExch(cell, 1) == 0) atomicAdd(count, 1);
}

extern "C" __global__ void first_of_its_kind_after_a_look_reference(const int *x, int *seen, int *count)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 256; i++) {
        count[0] += seen[x[i]] == 0;
        seen[x[i]] = 1;
    }
}

// launch: grid 1, block 128; in x i32[128]; out y i32[4]
extern "C" __global__ void maxima_of_shared_memory_after_a_look(const int *x, int *y)
{
    __shared__ int most[4];
    const int t = threadIdx.x;
    if (t < 4) most[t] = -100;
    __syncthreads();
    if (most[t % 4] < x[t]) atomicMax(&most[t % 4], x[t]);
    __syncthreads();
    if (t < 4) y[t] = most[t];
}

extern "C" __global__ void maxima_of_shared_memory_after_a_look_reference(const int *x, int *y)
{
    if (threadIdx.x > 3) return;
    int most = -100;
    for (int i = threadIdx.x; i < 128; i += 4)
        most = max(most, x[i]);
    y[threadIdx.x] = most;
}

// Value and place in one word of 64 bits.
// launch: grid 3, block 64; in x i32[192] integers 0 1000; inout y i64[1] zero
extern "C" __global__ void place_of_the_maximum_after_a_look(const int *x, unsigned long long *y)
{
    const unsigned i = blockIdx.x * 64 + threadIdx.x;
    const unsigned long long v = (unsigned long long)x[i] << 32 | i;
    if (*y < v) atomicMax(y, v);
}

extern "C" __global__ void place_of_the_maximum_after_a_look_reference(const int *x, unsigned long long *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (unsigned i = 0; i < 192; i++)
        y[0] = max(y[0], (unsigned long long)x[i] << 32 | i);
}

// Keys of 1 and more; 0 is a free place. Which key lies where is left open.
// launch: grid 2, block 64; in x i32[128] integers 1 30; inout table i32[64] zero;
//   inout count i32[1] zero
// reference: keys_are_looked_up_before_they_are_inserted_reference
extern "C" __global__ void keys_are_looked_up_before_they_are_inserted(const int *x, int *table, int *count)
{
    const int key = x[blockIdx.x * 64 + threadIdx.x];
    for (int at = key * 2;; at = (at + 1) % 64) {
        const int there = table[at];
        if (there == key) return;
        if (there != 0) continue;
        const int old = atomicCAS(&table[at], 0, key);
        if (old == 0) atomicAdd(count, 1);
        if (old == 0 || old == key) return;
    }
}

extern "C" __global__ void keys_are_looked_up_before_they_are_inserted_reference(const int *x, int *table, int *count)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 128; i++) {
        count[0] += table[x[i] * 2] == 0;
        table[x[i] * 2] = x[i];
    }
}

// launch: grid 4, block 32; in x i32[128]; inout lock i32[1] zero; inout sum i32[1] zero
extern "C" __global__ void lock_is_looked_at_before_it_is_tried(const int *x, int *lock, int *sum)
{
    if (threadIdx.x) return;
    for (;;)
        if (*lock == 0 && atomicCAS(lock, 0, 1) == 0) break;
    __threadfence();
    *(volatile int *)sum += x[blockIdx.x * 32];
    __threadfence();
    atomicExch(lock, 0);
}

extern "C" __global__ void lock_is_looked_at_before_it_is_tried_reference(const int *x, int *lock, int *sum)
{
    if (threadIdx.x == 0) atomicAdd(sum, x[blockIdx.x * 32]);
}

// A vote saves the atomic operations of a whole warp.
// launch: grid 2, block 64; in x i32[128]; inout y i32[1] constant -9
extern "C" __global__ void warps_vote_on_a_look(const int *x, int *y)
{
    const int v = x[blockIdx.x * 64 + threadIdx.x];
    if (__any_sync(~0u, *y < v)) atomicMax(y, v);
}

extern "C" __global__ void warps_vote_on_a_look_reference(const int *x, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 128; i++)
        y[0] = max(y[0], x[i]);
}

// What a thread has added itself it must see.
// launch: grid 4, block 32; inout y i32[1] zero; inout late i32[1] zero
extern "C" __global__ void own_update_is_seen_by_a_look(int *y, int *late)
{
    if (threadIdx.x) return;
    atomicAdd(y, 1);
    if (*y == 0) atomicAdd(late, 1);
}

extern "C" __global__ void own_update_is_seen_by_a_look_reference(int *y, int *late)
{
    if (threadIdx.x == 0) atomicAdd(y, 1);
}

// In the second run blocks meet stores of some that have not begun.
// launch: grid 4x4x4, block 32; in x i32[2048] integers 0 99; inout m i32[1] zero
extern "C" __global__ void looks_in_a_cube(const int *x, int *m)
{
    const int b = blockIdx.x + 4 * (blockIdx.y + 4 * blockIdx.z);
    const int v = x[b * 32 + threadIdx.x] + b;
    if (*m < v) atomicMax(m, v);
}

extern "C" __global__ void looks_in_a_cube_reference(const int *x, int *m)
{
    if (threadIdx.x || blockIdx.x || blockIdx.y || blockIdx.z) return;
    int most = 0;
    for (int i = 0; i < 2048; i++)
        most = max(most, x[i] + i / 32);
    *m = most;
}

// Twenty-four blocks that are all watched, since they leave padding in a workspace.
// launch: grid 24, block 32; in x i32[768] integers 0 99; inout m i32[1] zero;
//     work w i32[768]; out y i32[24]
extern "C" __global__ void looks_beside_padding(const int *x, int *m, int *w, int *y)
{
    struct alignas(4) item {
        short a;
        char b;
    };
    __shared__ item s[32];
    const int i = blockIdx.x * 32 + threadIdx.x, v = x[i] + blockIdx.x;
    s[threadIdx.x].a = x[i];
    w[i] = *(const int *)&s[threadIdx.x];
    if (*m < v) atomicMax(m, v);
    __syncthreads();
    if (threadIdx.x == 0) y[blockIdx.x] = ((const item *)&w[i + 1])->a;
}

extern "C" __global__ void looks_beside_padding_reference(const int *x, int *m, int *w, int *y)
{
    if (threadIdx.x) return;
    y[blockIdx.x] = x[blockIdx.x * 32 + 1];
    if (blockIdx.x) return;
    int most = 0;
    for (int i = 0; i < 768; i++)
        most = max(most, x[i] + i / 32);
    *m = most;
}

// Eight looks and eight operations, each of which may meet each other.
// launch: grid 4, block 128; in x i32[512] integers 0 7; inout top i32[8] zero
extern "C" __global__ void eight_looks_a_thread(const int *x, int *top)
{
    const int i = blockIdx.x * 128 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        const int v = (x[i] * (k + 3) + i) % 97;
        if (v > top[(x[i] + k) & 7]) atomicMax(&top[(x[i] + k) & 7], v);
    }
}

extern "C" __global__ void eight_looks_a_thread_reference(const int *x, int *top)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 512; i++)
        for (int k = 0; k < 8; k++)
            top[(x[i] + k) & 7] = max(top[(x[i] + k) & 7], (x[i] * (k + 3) + i) % 97);
}

// launch: grid 16, block 1024; in x i32[65536] integers 0 9; inout best i32[16384] zero
extern "C" __global__ void a_place_for_each_of_many(const int *x, int *best)
{
    const int t = blockIdx.x * 1024 + threadIdx.x;
    for (int k = 0; k < 4; k++) {
        const int v = x[k * 16384 + t] + k * 10;
        int *cell = &best[t ^ (k & 1)];
        if (*cell < v) atomicMax(cell, v);
    }
}

extern "C" __global__ void a_place_for_each_of_many_reference(const int *x, int *best)
{
    const int t = blockIdx.x * 1024 + threadIdx.x;
    best[t] = max(x[2 * 16384 + t] + 20, x[3 * 16384 + (t ^ 1)] + 30);
}

// The retries of a compare and swap, after a look that may skip it.
// launch: grid 4, block 64; in x i32[512] integers 0 99; inout best i32[2] zero
extern "C" __global__ void swaps_after_looks_that_skip(const int *x, int *best)
{
    for (int k = 0; k < 2; k++) {
        const int v = x[k * 256 + blockIdx.x * 64 + threadIdx.x];
        int old = best[k];
        while (old < v) {
            const int was = atomicCAS(&best[k], old, v);
            if (was == old) break;
            old = was;
        }
    }
}

extern "C" __global__ void swaps_after_looks_that_skip_reference(const int *x, int *best)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 512; i++)
        best[i / 256] = max(best[i / 256], x[i]);
}

// Places that are looked up, so that each look may meet each operation.
// launch: grid 4, block 64; in x i32[2048] integers 0 15; in v i32[2048] integers 0 100000;
//     inout best i32[16] constant 1000000
extern "C" __global__ void eight_looks_at_any_place(const int *x, const int *v, int *best)
{
    const int t = blockIdx.x * 64 + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 8; k++) {
        int *cell = &best[x[t * 8 + k]];
        if (*cell > v[t * 8 + k]) atomicMin(cell, v[t * 8 + k]);
    }
}

extern "C" __global__ void eight_looks_at_any_place_reference(const int *x, const int *v, int *best)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 2048; i++)
        best[x[i]] = min(best[x[i]], v[i]);
}
