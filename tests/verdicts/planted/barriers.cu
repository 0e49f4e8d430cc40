// Barriers of a block that are missing, in the wrong place or of the wrong number.

// What most kernels here compute: y[t] = x[63 - t].
extern "C" __global__ void mirror_reference(const float *x, float *y)
{
    for (int i = 0; i < 64; i++)
        y[i] = x[63 - i];
}

// class: no barrier between a store to shared memory and a load of it

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: mirror_reference, grid 1, block 1
extern "C" __global__ void mirror_without_barrier(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t];         // expect: race or unwritten
    y[t] = s[63 - t];    // expect: race or unwritten
}

// launch: grid 1, block 128; in x i32[128]; out y i32[1]
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void tree_without_barrier_in_the_loop(const int *x, int *y)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
        if (t < half) s[t] += s[t + half]; // expect: race or unwritten
    if (t == 0) y[0] = s[0];
}

extern "C" __global__ void sum_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += x[i];
    y[0] = sum;
}

// launch: grid 1, block 128; in x i32[128]; out y i32[1]
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void sums_of_warps_without_barrier(const int *x, int *y)
{
    __shared__ int sums[4];
    int v = x[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v; // expect: race or unwritten
    if (threadIdx.x == 0) y[0] = sums[0] + sums[1] + sums[2] + sums[3]; // expect: race or unwritten
}

// launch: grid 1, block 64; in x i32[64] index; out y i32[64]
// reference: filled_reference, grid 1, block 1
extern "C" __global__ void histogram_not_cleared_before_use(const int *x, int *y)
{
    __shared__ int bins[64];
    const int t = threadIdx.x;
    bins[t] = 0;                        // expect: race or unwritten
    atomicAdd(&bins[63 - x[t]], x[t]);  // expect: race or unwritten
    __syncthreads();
    y[t] = bins[t];
}

extern "C" __global__ void filled_reference(const int *x, int *y)
{
    for (int i = 0; i < 64; i++)
        y[63 - x[i]] = x[i];
}

// launch: grid 1, block 96; in x f32[96]; out y f32[96]
extern "C" __global__ void scale_by_broadcast_without_barrier(const float *x, float *y)
{
    __shared__ float scale;
    if (threadIdx.x == 0) scale = x[0] * 2; // expect: race or unwritten
    y[threadIdx.x] = x[threadIdx.x] * scale; // expect: race or unwritten
}

extern "C" __global__ void scale_by_broadcast_without_barrier_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] * (x[0] * 2);
}

// launch: grid 1, block 32x4; in x f32[128]; out y f32[128]
// reference: transpose_reference, grid 1, block 1
extern "C" __global__ void transpose_without_barrier(const float *x, float *y)
{
    __shared__ float tile[4][33];
    const int t = threadIdx.y * 32 + threadIdx.x;
    tile[threadIdx.y][threadIdx.x] = x[t]; // expect: race or unwritten
    y[t] = tile[t % 4][t / 4];             // expect: race or unwritten
}

extern "C" __global__ void transpose_reference(const float *x, float *y)
{
    for (int i = 0; i < 128; i++)
        y[i] = x[i % 4 * 32 + i / 4];
}

// class: no barrier between a load of shared memory and the next store to it

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference, grid 1, block 1
extern "C" __global__ void tile_overwritten_while_read(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        s[t] = x[k * 64 + t]; // expect: race
        __syncthreads();
        sum += s[63 - t] * (k + 1); // expect: race
    }
    y[t] = sum;
}

extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    for (int t = 0; t < 64; t++) {
        int sum = 0;
        for (int k = 0; k < 4; k++)
            sum += x[k * 64 + 63 - t] * (k + 1);
        y[t] = sum;
    }
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference, grid 1, block 1
extern "C" __global__ void two_buffers_with_too_few_barriers(const int *x, int *y)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    s[0][t] = x[t];
    for (int k = 0; k < 4; k++) {
        if (k % 2 == 0) __syncthreads();
        sum += s[k % 2][63 - t] * (k + 1);                      // expect: race
        if (k < 3) s[(k + 1) % 2][t] = x[(k + 1) * 64 + t];     // expect: race
    }
    y[t] = sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: scan_reference, grid 1, block 1
extern "C" __global__ void scan_in_place_with_half_its_barriers(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < 64; d *= 2) {
        const int before = t >= d ? s[t - d] : 0; // expect: race
        s[t] += before;                           // expect: race
        __syncthreads();
    }
    y[t] = s[t];
}

extern "C" __global__ void scan_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        y[i] = sum += x[i];
}

// launch: grid 1, block 64; in x i32[256]; out y i32[256]
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void broadcast_slot_reused_at_once(const int *x, int *y)
{
    __shared__ int slot;
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 0) slot = x[k * 64]; // expect: race
        __syncthreads();
        y[k * 64 + threadIdx.x] = x[k * 64 + threadIdx.x] + slot - x[k * 64]; // expect: race
    }
}

extern "C" __global__ void copy_reference(const int *x, int *y)
{
    for (int i = 0; i < 256; i++)
        y[i] = x[i];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: shifted_reference, grid 1, block 1
extern "C" __global__ void shift_in_place(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const int next = s[(t + 1) % 64]; // expect: race
    s[t] = next;                      // expect: race
    __syncthreads();
    y[t] = s[t];
}

extern "C" __global__ void shifted_reference(const int *x, int *y)
{
    for (int i = 0; i < 64; i++)
        y[i] = x[(i + 1) % 64];
}

// class: barrier that not all threads reach

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: mirror_reference, grid 1, block 1
extern "C" __global__ void barrier_in_an_odd_lane_branch(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    float v = 0;
    if (t % 2) {
        __syncthreads(); // expect: divergence or deadlock
        v = s[63 - t];
    }
    __syncthreads(); // expect: divergence or deadlock
    y[t] = t % 2 ? v : s[63 - t];
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: mirror_reference, grid 1, block 1
extern "C" __global__ void two_barriers_of_two_branches(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    if (t % 32 < 7) {
        __syncthreads(); // expect: divergence
        y[t] = s[63 - t];
    } else {
        __syncthreads(); // expect: divergence
        y[t] = s[63 - t] + 0.0f * t;
    }
}

// launch: grid 1, block 64; in x f32[64]; in n i32[64] integers 1 4; out y f32[64]
extern "C" __global__ void barrier_in_a_loop_of_unequal_turns(const float *x, const int *n, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < n[t]; i++) {
        s[t] = x[t] * (i + 1);
        __syncthreads(); // expect: divergence or deadlock
        sum += s[t];
    }
    __syncthreads(); // expect: divergence or deadlock
    y[t] = sum + s[63 - t] * 0;
}

extern "C" __global__ void barrier_in_a_loop_of_unequal_turns_reference(const float *x, const int *n, float *y)
{
    float sum = 0;
    for (int i = 0; i < n[threadIdx.x]; i++)
        sum += x[threadIdx.x] * (i + 1);
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 64; in x f32[50]; out y f32[50]; i32 n 50
extern "C" __global__ void barrier_behind_a_guard_by_lane(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) {
        s[t] = x[t];
        asm volatile("barrier.sync.aligned 0;" ::: "memory"); // expect: divergence or deadlock
        y[t] = s[n - 1 - t];
    } else {
        asm volatile("bar.warp.sync 0xfffc0000;" ::: "memory");
        asm volatile("barrier.sync.aligned 0;" ::: "memory"); // expect: divergence or deadlock
    }
}

extern "C" __global__ void barrier_behind_a_guard_by_lane_reference(const float *x, float *y, int n)
{
    if (threadIdx.x < n) y[threadIdx.x] = x[n - 1 - threadIdx.x];
}

// class: named barrier of a wrong number

// launch: grid 1, block 128; in x f32[128]; out y f32[128]
// reference: swapped_halves_reference
extern "C" __global__ void named_barrier_counts_half_of_its_threads(const float *x, float *y)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = x[t];                                      // expect: race or order
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[t] = s[(t + 64) % 128];                         // expect: race or order or unwritten
}

extern "C" __global__ void swapped_halves_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[(threadIdx.x + 64) % 128];
}

// launch: grid 1, block 128; in x f32[128]; out y f32[128]
// reference: swapped_halves_reference
extern "C" __global__ void two_halves_wait_at_two_barriers(const float *x, float *y)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = x[t];                                                          // expect: race
    asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
    y[t] = s[(t + 64) % 128];                                             // expect: race or unwritten
}

// launch: grid 1, block 128; in x f32[128]; out y f32[128]
// reference: swapped_halves_reference
extern "C" __global__ void named_barrier_counts_more_than_come(const float *x, float *y)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    if (t < 96) asm volatile("bar.sync 3, 128;" ::: "memory"); // expect: deadlock
    __syncthreads();                                           // expect: deadlock
    y[t] = s[(t + 64) % 128];
}

// launch: grid 1, block 128; in x f32[128]; out y f32[128]
// reference: swapped_halves_reference
extern "C" __global__ void consumers_wait_where_nobody_arrives(const float *x, float *y)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    s[t] = x[t];
    if (t < 64)
        asm volatile("bar.arrive 1, 128;" ::: "memory");
    else
        asm volatile("bar.sync 2, 128;" ::: "memory"); // expect: deadlock
    __syncthreads();                                   // expect: deadlock
    y[t] = s[(t + 64) % 128];
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference, grid 1, block 1
extern "C" __global__ void producer_does_not_wait_for_an_empty_slot(const int *x, int *y)
{
    __shared__ int s[32];
    const int lane = threadIdx.x % 32;
    int sum = 0, other = 0;
    for (int k = 0; k < 4; k++) {
        for (int half = 0; half < 2; half++) {
            if (threadIdx.x < 32) {
                s[lane] = x[k * 64 + half * 32 + lane]; // expect: race
                asm volatile("bar.arrive 1, 64;" ::: "memory");
            } else {
                asm volatile("bar.sync 1, 64;" ::: "memory"); // expect: deadlock or barrier
                const int v = s[31 - lane] * (k + 1); // expect: race
                if (half) sum += v;
                else other += v;
            }
        }
    }
    if (threadIdx.x >= 32) y[lane] = sum, y[32 + lane] = other;
}

// Each warp arrives and then waits for as many as there are threads: with both of its own
// a warp alone opens the barrier.
// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: mirror_reference, grid 1, block 1
extern "C" __global__ void mirror_behind_two_arrivals_of_each_warp(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t]; // expect: race or unwritten
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[t] = s[63 - t]; // expect: race or unwritten
}
