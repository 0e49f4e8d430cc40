// Kernels as a compiler of tiles should have made them; planted/hopper_generated.cu has them
// with the bugs that its public threads describe.
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

// As tilelang #2613: all threads bring the tile that both warp groups read, once both are done
// with the last one.
// launch: grid 1, block 256, shared 41984; in a bf16[8192] integers -3 3;
//         in b bf16[16384] integers -3 3; out c f32[8192]
// reference: product_64_128_reference, block 64
extern "C" __global__ void tile_of_both_groups_replaced_behind_both(const bf16 *a, const bf16 *b, float *c)
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
            shared_a[in_tile(i / 64, i % 64)] = a[i / 64 * 128 + k * 64 + i % 64];
        FENCE_ASYNC();
        __syncthreads();
        WGMMA_FENCE();
        WGMMA_TILE(d, shared_a, shared_b + (group * 2 + k) * TILE, k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 128 + group * 64 + column_of(i)] = d[i];
}

// As tilelang #2927: each round has an object of its own, whose first phase is waited for.
// launch: grid 4, block 64; in x i32[256] map 64/64 4/1; out y i32[256]
// reference: rounds_reference
extern "C" __global__ void __cluster_dims__(2) objects_of_rounds_with_their_own_parity(const __grid_constant__
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
        BAR_WAIT_CLUSTER(&full[k], 0);
        sum += s[k][t] * (k + 1);
    }
    y[blockIdx.x * 64 + t] = sum;
    CLUSTER_SYNC();
}

// As tilelang #2674: rounds are counted on from tile to tile.
// launch: grid 2, block 96; in x i32[1536]; out y i32[512]
// reference: sums_of_tiles_reference, grid 8, block 64
extern "C" __global__ void parities_that_go_on_from_tile_to_tile(const int *x, int *y)
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
    for (int tile = blockIdx.x, round = 0; tile < 8; tile += 2) {
        int sum = 0;
        for (int k = 0; k < 3; k++, round++) {
            if (t == 64) {
                BAR_WAIT(&empty[round % 2], round / 2 % 2 ^ 1);
                BAR_EXPECT(&full[round % 2], 256);
                BULK_LOAD(s[round % 2], x + (tile * 3 + k) * 64, 256, &full[round % 2]);
            } else if (t < 64) {
                BAR_WAIT(&full[round % 2], round / 2 % 2);
                sum += s[round % 2][t] * (k + 1);
                FENCE_ASYNC();
                BAR_ARRIVE(&empty[round % 2]);
            }
        }
        if (t < 64) y[tile * 64 + t] = sum;
    }
}

// As tilelang #2166: the wait is for what a copy brings and for what threads of the producer
// store.
// launch: grid 1, block 128; in x i32[384]; in w i32[384]; out y i32[64]
// reference: sums_of_pairs_reference, block 64
extern "C" __global__ void stored_words_used_below_the_wait_for_copies(const int *x, const int *w, int *y)
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
            v[k % 2][t - 64] = w[k * 64 + t - 64];
            BAR_ARRIVE(&full[k % 2]);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const int factor = v[k % 2][t ^ 32];
        sum += factor * s[k % 2][t];
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// As tilelang #2668: a loop reads a buffer and then fills it again.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_of_neighbours_reference
extern "C" __global__ void copies_behind_the_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        sum += s[t ^ 33] * (k + 1);
        __syncthreads();
        if (k < 4) COPY_WORD(&s[t], x + (k + 1) * 64 + t);
        COPIES_COMMIT();
        COPIES_WAIT_FOR(0);
        __syncthreads();
    }
    y[t] = sum;
}

// As tilelang #2566: who expects the bytes of the only round arrives, too.
// launch: grid 1, block 128; in x i32[64]; out y i32[64]
// reference: neighbours_reference, block 64
extern "C" __global__ void only_round_that_one_thread_arrives_for(const int *x, int *y)
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
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    } else if (t < 64) {
        BAR_WAIT(&full, 0);
        y[t] = s[t ^ 1];
    }
}

// As tilelang #2567: a buffer is given back before the copy into it is waited for.
// launch: grid 1, block 96; in x i32[256]; in w i32[256]; out y i32[64]
// reference: factors_reference, block 64
extern "C" __global__ void buffer_given_back_before_its_next_copy(const int *x, const int *w, int *y)
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
            BAR_WAIT(&empty, k % 2);
            BAR_EXPECT(&full, 256);
            BULK_LOAD(s, x + k * 64, 256, &full);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        FENCE_ASYNC();
        BAR_ARRIVE(&empty);
        BAR_WAIT(&full, k % 2);
        const int value = s[t];
        v[t] = w[k * 64 + t];
        NAMED_SYNC(3, 64);
        sum += value * v[t ^ 32];
        NAMED_SYNC(3, 64);
    }
    y[t] = sum;
}

// As tilelang #2634: sparse products read what threads have stored and fenced.
// launch: grid 1, block 128; in a bf16[2048] integers -3 3; in b bf16[1024] integers -3 3;
//         out c f32[1024]
// reference: sparse_product_reference, block 64
extern "C" __global__ void sparse_product_behind_a_fence(const bf16 *a, const bf16 *b, float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[16 * 64];
    const int t = threadIdx.x;
    for (int i = t; i < 64 * 32; i += 128)
        sa[in_tile(i / 32, i % 32)] = a[i];
    for (int i = t; i < 16 * 64; i += 128)
        sb[in_tile(i / 64, i % 64)] = b[i];
    FENCE_ASYNC();
    __syncthreads();
    float d[8];
    WGMMA_FENCE();
    for (int i = 0; i < 2; i++)
        WGMMA_SPARSE_16(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 4 * i, i);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}

// As tilelang #2699 and #3042: memory of a tile serves for sums behind its last loads.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: sums_of_columns_reference
extern "C" __global__ void sums_cleared_over_a_tile_that_was_read(const int *x, int *y)
{
    __shared__ int memory[64];
    int *const tile = memory, *const sums = memory + 32;
    const int t = threadIdx.x;
    tile[t] = x[t];
    __syncthreads();
    const int value = tile[t ^ 33];
    __syncthreads();
    if (t < 8) sums[t] = 0;
    __syncthreads();
    atomicAdd(&sums[(t ^ 33) % 8], value);
    __syncthreads();
    y[t] = sums[t % 8];
}

// As Fuser #3561: the products of a stage are committed and waited for before it is given back.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_64_64_reference, block 64
extern "C" __global__ void stages_given_back_behind_the_wait_for_their_products(
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
            TMA_LOAD_2D(sa[k % 2], &a, k * 64, 0, &full[k % 2]);
            TMA_LOAD_2D(sb[k % 2], &b, k * 64, 0, &full[k % 2]);
        }
        return;
    }
    float d[32];
    for (int k = 0; k < 4; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        WGMMA_TILE(d, sa[k % 2], sb[k % 2], k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        BAR_ARRIVE(&empty[k % 2]);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// As Fuser #4151: a barrier behind the wait for the products, ahead of the next filling.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 256/64 32/32 swizzle 128; out c f32[2048]
// reference: product_64_32_reference, block 64
extern "C" __global__ void stage_filled_behind_the_waits_of_both_groups(
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
            TMA_LOAD_2D(sa[s], &a, (k + 1) * 64, 0, &full[s]);
            TMA_LOAD_2D(sb[s], &b, (k + 1) * 64, 0, &full[s]);
        }
        if (k < 0) continue;
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(sa[k % 2]) + 2 * i, tile_of_rows(sb[k % 2] + group * 1024) + 2 * i, k || i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 32 + group * 16 + column_of(i)] = d[i];
}

// As Fuser #3865: the wait for the products stands before the barrier.
// launch: grid 1, block 256; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 256/64 32/32 swizzle 128; out c f32[2048]
// reference: product_64_32_reference, block 64
extern "C" __global__ void stage_filled_behind_a_barrier_behind_the_wait(
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
            TMA_LOAD_2D(sa[s], &a, (k + 1) * 64, 0, &full[s]);
            TMA_LOAD_2D(sb[s], &b, (k + 1) * 64, 0, &full[s]);
        }
        if (k < 0) continue;
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(sa[k % 2]) + 2 * i, tile_of_rows(sb[k % 2] + group * 1024) + 2 * i, k || i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 32 + group * 16 + column_of(i)] = d[i];
}
