// Bugs that a compiler of tiles put into kernels, as its public threads describe them;
// correct/hopper_generated.cu has the kernels as they should have been.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

// Where a tile that is swizzled by 128 bytes has an element.
__device__ inline int in_tile(int row, int column)
{
    return row * 64 + ((column / 8 ^ row % 8) * 8 | column % 8);
}

extern "C" __global__ void product_64_128_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 128; j++) {
        float sum = 0;
        for (int i = 0; i < 128; i++)
            sum += wide(a[threadIdx.x * 128 + i]) * wide(b[j * 128 + i]);
        c[threadIdx.x * 128 + j] = sum;
    }
}
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
extern "C" __global__ void sums_of_pairs_reference(const int *x, const int *w, int *y)
{
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[k * 64 + threadIdx.x] * w[k * 64 + (threadIdx.x ^ 32)];
    y[threadIdx.x] = sum;
}
extern "C" __global__ void rounds_of_neighbours_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + (threadIdx.x ^ 33)] * (k + 1);
    y[threadIdx.x] = sum;
}
extern "C" __global__ void product_64_64_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[threadIdx.x * 256 + i]) * wide(b[j * 256 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}
extern "C" __global__ void product_64_32_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 32; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[threadIdx.x * 256 + i]) * wide(b[j * 256 + i]);
        c[threadIdx.x * 32 + j] = sum;
    }
}
extern "C" __global__ void sparse_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 16; j++) {
        float sum = 0;
        for (int i = 0; i < 32; i++)
            sum += wide(a[threadIdx.x * 32 + i]) * wide(b[j * 64 + i / 2 * 4 + i % 2]);
        c[threadIdx.x * 16 + j] = sum;
    }
}
extern "C" __global__ void neighbours_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1];
}
extern "C" __global__ void factors_reference(const int *x, const int *w, int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[k * 64 + threadIdx.x] * w[k * 64 + (threadIdx.x ^ 32)];
    y[threadIdx.x] = sum;
}
extern "C" __global__ void sums_of_columns_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = threadIdx.x % 8; i < 64; i += 8)
        sum += x[i];
    y[threadIdx.x] = sum;
}
extern "C" __global__ void sums_of_tiles_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 3; k++)
        sum += x[(blockIdx.x * 3 + k) * 64 + threadIdx.x] * (k + 1);
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

// class: stage that is filled while a product reads it

// As tilelang #2613: all threads bring the tile that both warp groups read, and each group
// waits for its own products alone before the next one is brought.
// launch: grid 1, block 256, shared 41984; in a bf16[8192] integers -3 3;
//         in b bf16[16384] integers -3 3; out c f32[8192]
// reference: product_64_128_reference, block 64
extern "C" __global__ void tile_of_both_groups_replaced_behind_one(const bf16 *a, const bf16 *b, float *c)
{
    extern __shared__ bf16 memory[];
    bf16 *const shared_a = aligned(memory), *const shared_b = shared_a + TILE;
    const int t = threadIdx.x, group = t / 128;
    for (int i = t; i < 128 * 128; i += 256) {
        const int row = i / 128, column = i % 128;
        shared_b[(row / 64 * 2 + column / 64) * TILE + in_tile(row % 64, column % 64)] = b[i];
    }
    float d[32];
    for (int k = 0; k < 2; k++) {
        for (int i = t; i < TILE; i += 256)
            shared_a[in_tile(i / 64, i % 64)] = a[i / 64 * 128 + k * 64 + i % 64]; // expect: race or in_flight
        FENCE_ASYNC();
        __syncthreads();
        WGMMA_FENCE();
        WGMMA_TILE(d, shared_a, shared_b + (group * 2 + k) * TILE, k > 0); // expect: race or in_flight
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 128 + group * 64 + column_of(i)] = d[i];
}

// class: wait for a phase that ended long ago

// As tilelang #2927: each round has an object of its own, which is asked for the parity that
// one object of all rounds would have.
// launch: grid 4, block 64; in x i32[256] map 64/64 4/1; out y i32[256]
// reference: rounds_reference
extern "C" __global__ void __cluster_dims__(2) objects_of_rounds_with_the_parity_of_one(const __grid_constant__
                                                                                    tensor_map x, int *y)
{
    __shared__ alignas(128) int s[4][64];
    __shared__ u64 full[4];
    const int t = threadIdx.x;
    if (t < 4) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        if (t == 0) BAR_EXPECT(&full[k], 256);
        if (t == 0 && cluster_rank() == 0) TMA_LOAD_2D_TO(s[k], &x, 0, k, &full[k], 3);
        BAR_WAIT_CLUSTER(&full[k], k & 1); // expect: phase
        sum += s[k][t] * (k + 1); // expect: phase
    }
    y[blockIdx.x * 64 + t] = sum;
    CLUSTER_SYNC();
}

// As tilelang #2674: a block that goes on to a next tile begins with the parities of the first.
// launch: grid 2, block 96; in x i32[1536]; out y i32[512]
// reference: sums_of_tiles_reference, grid 8, block 64
extern "C" __global__ void parities_that_begin_anew_with_each_tile(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    for (int tile = blockIdx.x; tile < 8; tile += 2) {
        int sum = 0;
        for (int k = 0; k < 3; k++) {
            if (t == 64) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1); // expect: phase or deadlock
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + (tile * 3 + k) * 64, 256, &full[k % 2]); // expect: phase or race or in_flight
            } else if (t < 64) {
                BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: phase
                sum += s[k % 2][t] * (k + 1); // expect: phase or race or in_flight
                FENCE_ASYNC();
                BAR_ARRIVE(&empty[k % 2]);
            }
        }
        if (t < 64) y[tile * 64 + t] = sum;
    }
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// As tilelang #2166: the wait stands before the first use of what a copy brings; what threads
// of the producer store is used above it.
// launch: grid 1, block 128; in x i32[384]; in w i32[384]; out y i32[64]
// reference: sums_of_pairs_reference, block 64
extern "C" __global__ void stored_words_used_above_the_wait_for_copies(const int *x, const int *w, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ int v[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 65);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            if (t == 64) {
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
            v[k % 2][t - 64] = w[k * 64 + t - 64]; // expect: race
            BAR_ARRIVE(&full[k % 2]);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        const int factor = v[k % 2][t ^ 32]; // expect: race or unwritten
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += factor * s[k % 2][t];
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// class: no barrier between a load of shared memory and the next store to it

// As tilelang #2668: a loop reads a buffer and then fills it again; the copies were moved ahead
// of the reads.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_of_neighbours_reference
extern "C" __global__ void copies_moved_ahead_of_the_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        if (k < 4) COPY_WORD(&s[t], x + (k + 1) * 64 + t); // expect: race or in_flight or missing_wait
        COPIES_COMMIT();
        sum += s[t ^ 33] * (k + 1); // expect: race or in_flight or missing_wait
        COPIES_WAIT_FOR(0);
        __syncthreads();
    }
    y[t] = sum;
}

// class: arrivals counted wrong

// As tilelang #2566: the only round is a bulk copy whose bytes are expected by nobody who
// arrives.
// launch: grid 1, block 128; in x i32[64]; out y i32[64]
// reference: neighbours_reference, block 64
extern "C" __global__ void only_round_that_nobody_arrives_for(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 64) {
        EXPECT_BYTES(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    } else if (t < 64) {
        BAR_WAIT(&full, 0); // expect: deadlock
        y[t] = s[t ^ 1];
    }
}

// class: wait that cannot end

// As tilelang #2567: a buffer is given back behind the loads of threads and their barrier, for
// which the copy into that buffer is waited for.
// launch: grid 1, block 96; in x i32[256]; in w i32[256]; out y i32[64]
// reference: factors_reference, block 64
extern "C" __global__ void buffer_given_back_behind_its_next_copy(const int *x, const int *w, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ int v[64];
    __shared__ u64 full, empty;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_INIT(&empty, 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        for (int k = 0; t == 64 && k < 4; k++) {
            BAR_WAIT(&empty, k % 2); // expect: deadlock
            BAR_EXPECT(&full, 256);
            BULK_LOAD(s, x + k * 64, 256, &full);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        BAR_WAIT(&full, k % 2); // expect: deadlock
        const int value = s[t];
        v[t] = w[k * 64 + t];
        NAMED_SYNC(3, 64);
        FENCE_ASYNC();
        BAR_ARRIVE(&empty);
        sum += value * v[t ^ 32];
        NAMED_SYNC(3, 64);
    }
    y[t] = sum;
}

// class: threads write, a product reads, no fence of the proxies

// As tilelang #2634: sparse products read what threads have stored, and no fence was made for
// them.
// launch: grid 1, block 128; in a bf16[2048] integers -3 3; in b bf16[1024] integers -3 3;
//         out c f32[1024]
// reference: sparse_product_reference, block 64
extern "C" __global__ void sparse_product_without_a_fence(const bf16 *a, const bf16 *b, float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[16 * 64];
    const int t = threadIdx.x;
    for (int i = t; i < 64 * 32; i += 128)
        sa[in_tile(i / 32, i % 32)] = a[i]; // expect: proxy_fence
    for (int i = t; i < 16 * 64; i += 128)
        sb[in_tile(i / 64, i % 64)] = b[i]; // expect: proxy_fence
    __syncthreads();
    float d[8];
    WGMMA_FENCE();
    for (int i = 0; i < 2; i++)
        WGMMA_SPARSE_16(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 4 * i, i); // expect: proxy_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}

// class: no barrier between a load of shared memory and the next store to it

// As tilelang #2699 and #3042: memory of a tile serves for sums once the tile was read, without a
// barrier behind its last loads.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: sums_of_columns_reference
extern "C" __global__ void sums_cleared_over_a_tile_that_is_read(const int *x, int *y)
{
    __shared__ int memory[64];
    int *const tile = memory, *const sums = memory + 32;
    const int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    const int value = tile[t ^ 33]; // expect: race
    if (t < 8) sums[t] = 0; // expect: race
    __syncthreads();
    atomicAdd(&sums[(t ^ 33) % 8], value);
    __syncthreads();
    y[t] = sums[t % 8];
}

// class: stage that is filled while a product reads it

// As Fuser #3561: stages are given back with products in flight, which are committed and waited
// for behind the loop.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_64_64_reference, block 64
extern "C" __global__ void stages_given_back_and_products_waited_for_at_the_end(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 128);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < 4; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
            BAR_EXPECT(&full[k % 2], 2 * TILE * 2);
            TMA_LOAD_2D(sa[k % 2], &a, k * 64, 0, &full[k % 2]); // expect: in_flight
            TMA_LOAD_2D(sb[k % 2], &b, k * 64, 0, &full[k % 2]); // expect: in_flight
        }
        return;
    }
    float d[32];
    for (int k = 0; k < 4; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        WGMMA_TILE(d, sa[k % 2], sb[k % 2], k > 0); // expect: in_flight
        BAR_ARRIVE(&empty[k % 2]);
    }
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// As Fuser #4151: each group waits for its own products, and a thread of one fills the stage of
// both.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 256/64 32/32 swizzle 128; out c f32[2048]
// reference: product_64_32_reference, block 64
extern "C" __global__ void stage_filled_behind_the_wait_of_one_group(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][32 * 64];
    __shared__ u64 full[2];
    const int t = threadIdx.x, group = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    float d[8];
    for (int k = -1; k < 4; k++) {
        if (t == 0 && k < 3) {
            const int s = (k + 1) % 2;
            BAR_EXPECT(&full[s], TILE * 3);
            TMA_LOAD_2D(sa[s], &a, (k + 1) * 64, 0, &full[s]); // expect: in_flight
            TMA_LOAD_2D(sb[s], &b, (k + 1) * 64, 0, &full[s]); // expect: in_flight
        }
        if (k < 0) continue;
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(sa[k % 2]) + 2 * i, tile_of_rows(sb[k % 2] + group * 1024) + 2 * i, k || i); // expect: in_flight
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 32 + group * 16 + column_of(i)] = d[i];
}

// As Fuser #3865: the barrier stands before the wait for the products.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 256/64 32/32 swizzle 128; out c f32[2048]
// reference: product_64_32_reference, block 64
extern "C" __global__ void stage_filled_behind_a_barrier_before_the_wait(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][32 * 64];
    __shared__ u64 full[2];
    const int t = threadIdx.x, group = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    float d[8];
    for (int k = -1; k < 4; k++) {
        if (t == 0 && k < 3) {
            const int s = (k + 1) % 2;
            BAR_EXPECT(&full[s], TILE * 3);
            TMA_LOAD_2D(sa[s], &a, (k + 1) * 64, 0, &full[s]); // expect: in_flight
            TMA_LOAD_2D(sb[s], &b, (k + 1) * 64, 0, &full[s]); // expect: in_flight
        }
        if (k < 0) continue;
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(sa[k % 2]) + 2 * i, tile_of_rows(sb[k % 2] + group * 1024) + 2 * i, k || i); // expect: in_flight
        WGMMA_COMMIT();
        __syncthreads();
        WGMMA_WAIT(0);
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 32 + group * 16 + column_of(i)] = d[i];
}
