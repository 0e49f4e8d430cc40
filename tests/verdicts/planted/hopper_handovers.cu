// Kernels of correct/hopper_handovers.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define STORE_OF(how, at, v) asm volatile("st." how ".global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory")
#define LOAD_OF(how, seen, at)                                                           \
    asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory")
#define WAIT_WHILE(how, at, low)                                                         \
    do {                                                                                 \
        int seen;                                                                        \
        do                                                                               \
            LOAD_OF(how, seen, at);                                                      \
        while (seen < (int)(low));                                                       \
    } while (0)

extern "C" __global__ void drawn_reference(const int *x, int *y, int *next)
{
    const int i = 128 * blockIdx.x + threadIdx.x;
    y[i] = 2 * x[i];
    next[0] = 10;
}

extern "C" __global__ void boxes_reference(const int *x, int *y)
{
    const int t = threadIdx.x, b = blockIdx.x, other = 64 * (b ^ 1);
    y[64 * b + t] = 4 * x[other + 63 - t] + 6;
}

extern "C" __global__ void sums_reference(const int *x, int *y, int *total, int *count)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + x[127 - t] + x[191 - t] + x[255 - t];
    total[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t];
    count[0] = 4;
}

extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[64 * b + t] = x[64 * (b ^ 1) + 63 - t] + x[64 * b + t] + 1;
}

extern "C" __global__ void rows_reference(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[t ^ 31] + 1;
    if (t % 32 == 0) flags[t / 32] = 1;
}

extern "C" __global__ void scan_reference(const int *x, int *y, u64 *states)
{
    const int t = threadIdx.x, b = blockIdx.x;
    int sum = 0;
    for (int i = 0; i < 64 * b; i++)
        sum += x[i];
    y[64 * b + t] = sum + x[64 * b + t];
    if (t) return;
    for (int i = 0; i < 64; i++)
        sum += x[64 * b + i];
    states[b] = (u64)2 << 32 | (unsigned)sum;
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// launch: grid 3, block 160; in x i32[896]; out y i32[896]; inout next i32[1] zero
// reference: drawn_reference, grid 7, block 128
extern "C" __global__ void tile_given_back_before_it_is_read(const int *x, int *y, int *next)
{
    enum { TILES = 7 };
    __shared__ u64 full[2], empty[2];
    __shared__ int tile[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 4);
    }
    __syncthreads();
    if (t >= 128) {
        for (int n = 0, drawn = 0; t == 128 && drawn < TILES; n++) {
            if (n >= 2) BAR_WAIT(&empty[n % 2], (n / 2 - 1) & 1);
            drawn = atomicAdd(next, 1);
            tile[n % 2] = drawn; // expect: race
            BAR_ARRIVE(&full[n % 2]);
        }
        return;
    }
    for (int n = 0;; n++) {
        BAR_WAIT(&full[n % 2], n / 2 & 1);
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[n % 2]);
        const int mine = tile[n % 2]; // expect: race
        if (mine >= TILES) break;
        y[128 * mine + t] = 2 * x[128 * mine + t];
    }
}

// class: one lane tells what lanes of its warp did that nothing orders

// launch: grid 3, block 160; in x i32[896]; out y i32[896]; inout next i32[1] zero
// reference: drawn_reference, grid 7, block 128
extern "C" __global__ void tile_given_back_for_the_warp(const int *x, int *y, int *next)
{
    enum { TILES = 7 };
    __shared__ u64 full[2], empty[2];
    __shared__ int tile[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 4);
    }
    __syncthreads();
    if (t >= 128) {
        for (int n = 0, drawn = 0; t == 128 && drawn < TILES; n++) {
            if (n >= 2) BAR_WAIT(&empty[n % 2], (n / 2 - 1) & 1);
            drawn = atomicAdd(next, 1);
            tile[n % 2] = drawn; // expect: race
            BAR_ARRIVE(&full[n % 2]);
        }
        return;
    }
    for (int n = 0;; n++) {
        BAR_WAIT(&full[n % 2], n / 2 & 1);
        const int mine = tile[n % 2]; // expect: race
        if (t % 32 == 0) BAR_ARRIVE(&empty[n % 2]);
        if (mine >= TILES) break;
        y[128 * mine + t] = 2 * x[128 * mine + t];
    }
}

// launch: grid 2, block 128; in x i32[128]; out y i32[128]; inout flags i32[4] zero; work z i32[128]
// reference: rows_reference, grid 1
extern "C" __global__ void rows_told_for_the_warp(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        if (t % 32 == 0) STORE_OF("release.sys", flags + t / 32, 1);
    } else {
        if (t % 32 == 0) WAIT_WHILE("acquire.sys", flags + t / 32, 1);
        __syncwarp();
        y[t] = z[t ^ 31]; // expect: race
    }
}

// launch: grid 2, block 128; in x i32[128]; out y i32[128]; inout flags i32[4] zero; work z i32[128]
// reference: rows_reference, grid 1
extern "C" __global__ void rows_heard_for_the_warp(const int *x, int *y, int *flags, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncwarp();
        if (t % 32 == 0) STORE_OF("release.sys", flags + t / 32, 1);
    } else {
        if (t % 32 == 0) WAIT_WHILE("acquire.sys", flags + t / 32, 1);
        y[t] = z[t ^ 31]; // expect: race or order
    }
}

// class: other block's memory without order

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: boxes_reference
extern "C" __global__ void boxes_told_for_both_warps(const int *x, int *y)
{
    __shared__ u64 full[2], empty[2];
    __shared__ int box[2][64];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    int v = 0;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        if (k >= 2) BAR_WAIT_CLUSTER(&empty[s], (k / 2 - 1) & 1);
        STORE_AT(at_rank(&box[s][63 - t], other), x[i] + k); // expect: race
        __syncwarp();
        if (t == 0) BAR_ARRIVE_AT(&full[s], other);
        BAR_WAIT_CLUSTER(&full[s], k / 2 & 1);
        v += box[s][t]; // expect: race
        __syncthreads();
        if (t == 0) BAR_ARRIVE_AT(&empty[s], other);
    }
    y[i] = v;
    CLUSTER_SYNC();
}

// launch: grid 4, block 64, cluster 2; in x i32[256]; out y i32[256]
// reference: rounds_reference
extern "C" __global__ void rounds_that_store_between_the_halves(const int *x, int *y)
{
    __shared__ int own[64];
    const int t = threadIdx.x, i = 64 * blockIdx.x + t;
    const unsigned other = cluster_rank() ^ 1;
    own[t] = x[i];
    CLUSTER_ARRIVE();
    int v = x[i] + 1;
    CLUSTER_WAIT();
    v += load_at(at_rank(&own[63 - t], other)); // expect: race
    CLUSTER_ARRIVE();
    own[t] = v; // expect: race
    CLUSTER_WAIT();
    y[i] = v;
}

// class: copies and other blocks meet in device memory

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; inout total i32[64] zero; inout count i32[1] zero
// reference: sums_reference, grid 1
extern "C" __global__ void sums_taken_while_copies_add(const int *x, int *y, int *total, int *count)
{
    __shared__ alignas(16) int part[64];
    __shared__ int before;
    const int t = threadIdx.x;
    part[t] = x[64 * blockIdx.x + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_ADD(total, part, 256, "u32"); // expect: race or missing_wait or in_flight
        BULK_COMMIT();
        BULK_WAIT_READ(0);
        asm volatile("atom.acq_rel.gpu.global.add.u32 %0, [%1], 1;" : "=r"(before) : "l"(count) : "memory");
    }
    __syncthreads();
    if (before == 3) y[t] = __ldcg(total + 63 - t); // expect: race or missing_wait
}

// class: no barrier between a store to shared memory and a load of it

// launch: grid 12, block 64; in x i32[768] integers -9 9; out y i32[768]; inout states u64[12] zero
// reference: scan_reference
extern "C" __global__ void warp_that_looks_back_for_both(const int *x, int *y, u64 *states)
{
    __shared__ int sum, before;
    const int t = threadIdx.x, b = blockIdx.x, v = x[64 * b + t];
    if (t == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, v);
    __syncthreads();
    if (t < 32) {
        const int own = sum;
        int prefix = 0;
        if (t == 0) asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(states + b), "l"((u64)1 << 32 | (unsigned)own) : "memory");
        for (int back = b - 1 - t;; back -= 32) {
            u64 state = (u64)2 << 32;
            do
                if (back >= 0) asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(state) : "l"(states + back) : "memory");
            while (__any_sync(~0u, state >> 32 == 0));
            const unsigned ends = __ballot_sync(~0u, state >> 32 == 2);
            prefix += __reduce_add_sync(~0u, !ends || t < __ffs(ends) ? (int)state : 0);
            if (ends) break;
        }
        if (t == 0) {
            asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(states + b), "l"((u64)2 << 32 | (unsigned)(prefix + own)) : "memory");
            before = prefix; // expect: race
        }
    }
    y[64 * b + t] = before + v; // expect: race
}
