// Bulk copies that are waited for, fenced and reused as PTX wants it; the fixed forms of bugs
// that others have shipped are among them.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// y[i] = x[i]
extern "C" __global__ void copy_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}
// y[t] = the sum of (k + 1) x[64 k + t] over five tiles
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}
// y[i] = 2 x[i] + 1
extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i] + 1;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bulk_load_of_a_tile(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) BAR_INIT(&full, 1);
    __syncthreads();
    if (threadIdx.x == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x, 256, &full);
    }
    BAR_WAIT(&full, 0);
    y[threadIdx.x] = s[threadIdx.x];
}

// The copy may land before its bytes are expected: the arrival holds the phase open.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void bytes_are_expected_after_the_copy(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BULK_LOAD(s, x, 128, &full);
        BULK_LOAD(s + 32, x + 32, 128, &full);
        BAR_EXPECT(&full, 256);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    y[threadIdx.x] = s[threadIdx.x];
}

// A ring of two stages, refilled behind a barrier of the block and a fence of the readers.
// launch: grid 1, block 64; in x i32[320]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void ring_with_a_fence_of_the_readers(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) {
        for (int k = 0; k < 2; k++) {
            BAR_INIT(&full[k], 1);
            BAR_EXPECT(&full[k], 256);
            BULK_LOAD(s[k], x + k * 64, 256, &full[k]);
        }
    }
    __syncthreads();
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0 && k + 2 < 5) {
            BAR_EXPECT(&full[k % 2], 256);
            BULK_LOAD(s[k % 2], x + (k + 2) * 64, 256, &full[k % 2]);
        }
    }
    y[t] = sum;
}

// A producer warp and a consumer warp with full and empty objects; the reader fences before it
// releases the stage.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void ring_of_a_producer_warp(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// The same with the fence in the thread that refills the stage.
// launch: grid 1, block 96; in x i32[320]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void ring_with_a_fence_of_the_producer(const int *x, int *y)
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
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                FENCE_ASYNC();
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        sum += s[k % 2][t] * (k + 1);
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// A fence for another buffer covers the row that comes along in the stage (as in
// flash-attention #2462, where a missing fence was suspected).
// launch: grid 1, block 96; in x i32[320]; out y i32[64]; out z i32[320]
// reference: row_beside_a_tile_reference, block 64
extern "C" __global__ void fence_for_another_buffer_covers_a_row(const int *x, int *y, int *z)
{
    __shared__ alignas(16) int s[2][64], out[64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 5; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        const int row = s[k % 2][t];
        sum += row * (k + 1);
        if (t == 0) BULK_WAIT_READ(0);
        NAMED_SYNC(1, 64);
        out[t] = 2 * row;
        FENCE_ASYNC(); // for the copy of out, and it comes after the load of the row
        NAMED_SYNC(1, 64);
        if (t == 0) {
            BULK_STORE(z + k * 64, out, 256);
            BULK_COMMIT();
        }
        BAR_ARRIVE(&empty[k % 2]);
    }
    if (t == 0) BULK_WAIT(0);
    y[t] = sum;
}
extern "C" __global__ void row_beside_a_tile_reference(const int *x, int *y, int *z)
{
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        sum += x[k * 64 + threadIdx.x] * (k + 1);
        z[k * 64 + threadIdx.x] = 2 * x[k * 64 + threadIdx.x];
    }
    y[threadIdx.x] = sum;
}

// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bulk_store_behind_a_fence(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// Memory is used again when the copy has read it; only its issuer can know.
// launch: grid 1, block 64; in x i32[256]; out y i32[256]
// reference: scaled_reference, grid 4
extern "C" __global__ void bulk_stores_from_one_buffer(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) BULK_WAIT_READ(0);
        __syncthreads();
        s[t] = 2 * x[k * 64 + t] + 1;
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(y + k * 64, s, 256);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// Two buffers in turns: the last group may still read.
// launch: grid 1, block 64; in x i32[320]; out y i32[320]
// reference: scaled_reference, grid 5
extern "C" __global__ void bulk_stores_from_two_buffers(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++) {
        if (t == 0) BULK_WAIT_READ(1);
        __syncthreads();
        s[k % 2][t] = 2 * x[k * 64 + t] + 1;
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(y + k * 64, s[k % 2], 256);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// What came by a copy leaves by a copy: both are of one proxy.
// launch: grid 1, block 32; in x i32[320]; out y i32[320]
// reference: copy_reference, block 320
extern "C" __global__ void bulk_load_and_store_without_a_thread_between(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2];
    if (threadIdx.x) return;
    for (int k = 0; k < 2; k++)
        BAR_INIT(&full[k], 1);
    FENCE_INIT();
    for (int k = 0; k < 5; k++) {
        BULK_WAIT_READ(1);
        BAR_EXPECT(&full[k % 2], 256);
        BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        BULK_STORE(y + k * 64, s[k % 2], 256);
        BULK_COMMIT();
    }
    BULK_WAIT(0);
}

// Sums of blocks by copies that add.
// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero
// reference: sum_of_blocks_reference, grid 1
extern "C" __global__ void bulk_sums_of_blocks(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_ADD(y, s, 256, "s32");
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void sum_of_blocks_reference(const int *x, int *y)
{
    for (int k = 0; k < 4; k++)
        y[threadIdx.x] += x[k * 64 + threadIdx.x];
}

// All that is written is fenced by its writer, also where the loop before has no round.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]; i32 rounds 0
// reference: state_reference
extern "C" __global__ void state_that_no_round_changes(const int *x, int *y, int rounds)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 7;
    FENCE_ASYNC();
    for (int k = 0; k < rounds; k++) {
        s[t] += x[first + t];
        FENCE_ASYNC();
    }
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void state_reference(const int *x, int *y, int rounds)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = 7 + rounds * x[i];
}

// Rows of a tensor map, swizzled by 128 bytes, undone by each reader; what lies outside is zero.
// launch: grid 1, block 64; in x i32[960] map 32/32 30/16 swizzle 128; out y i32[1024]
// reference: rows_and_zeros_reference
extern "C" __global__ void rows_of_a_map_and_zeros_behind_them(
    const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(1024) int s[2][16 * 32];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    if (t == 0) {
        for (int k = 0; k < 2; k++)
            BAR_INIT(&full[k], 1);
        FENCE_INIT();
        for (int k = 0; k < 2; k++) {
            BAR_EXPECT(&full[k], 2048); // rows that are not there count as well
            TMA_LOAD_2D(s[k], &x, 0, k * 16, &full[k]);
        }
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        BAR_WAIT(&full[k], 0);
        for (int i = t; i < 512; i += 64)
            y[k * 512 + i] = s[k][i ^ (i / 32 % 8) << 2];
    }
}
extern "C" __global__ void rows_and_zeros_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 1024; i += 64)
        y[i] = i < 960 ? x[i] : 0;
}

// A box that leaves the tensor is cut when it is stored.
// launch: grid 4, block 64; in x i32[1024]; out y i32[900] map 36/32 25/16
// reference: cut_boxes_reference
extern "C" __global__ void boxes_cut_at_the_edges(const int *x,
                                                  const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[16 * 32];
    const int t = threadIdx.x, column = blockIdx.x % 2 * 32, row = blockIdx.x / 2 * 16;
    for (int i = t; i < 512; i += 64)
        s[i] = (row + i / 32) * 100 + column + i % 32 + x[0];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        TMA_STORE_2D(&y, column, row, s);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}
extern "C" __global__ void cut_boxes_reference(const int *x, int *y)
{
    if (blockIdx.x == 0)
        for (int i = threadIdx.x; i < 900; i += 64)
            y[i] = i / 36 * 100 + i % 36 + x[0];
}
