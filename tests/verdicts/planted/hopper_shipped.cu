// Bugs that libraries of kernels shipped, as their public threads describe them;
// correct/hopper_shipped.cu has the kernels as they should have been.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void ranks_reference(const int *x, int *y)
{
    for (int k = 0; k < 4; k++)
        for (int rank = 0; rank < 2; rank++)
            y[(k * 2 + rank) * 64 + threadIdx.x] = x[k * 64 + (threadIdx.x ^ 1)] + rank;
}
extern "C" __global__ void tiles_from_one_on_reference(const int *x, int *y, int first)
{
    for (int k = 0; k < 4; k++)
        y[k * 32 + threadIdx.x] = k < first ? 0 : x[k * 32 + (threadIdx.x ^ 1)];
}
extern "C" __global__ void pairs_of_warps_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 33];
}
extern "C" __global__ void turns_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[k * 32 + (threadIdx.x ^ 1)] * (k + 1);
    y[threadIdx.x] = sum;
}
extern "C" __global__ void parts_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 12 * 64; i += 64)
        y[i] = x[i] + 1;
}
extern "C" __global__ void shifted_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 3; k++)
        sum += x[k * 128 + ((blockIdx.x ^ 1) * 64 + (threadIdx.x ^ 33))];
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}
extern "C" __global__ void product_of_rounds_reference(const bf16 *a, const bf16 *b, const float *f, float *c)
{
    for (int j = 0; j < 16; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 16 + j] = sum * (f[threadIdx.x] + f[64 + threadIdx.x]);
    }
}
extern "C" __global__ void neighbours_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1];
}

// class: other block's memory without order

// As humming #56: one block brings tiles for both into memory that their results leave from, and
// waits for its own results alone.
// launch: grid 2, block 64; in x i32[256] map 64/64 4/1; out y i32[512]
// reference: ranks_reference, grid 1
extern "C" __global__ void __cluster_dims__(2) tiles_brought_over_results_of_the_other_block(
    const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full, done;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_INIT(&done, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    for (int k = 0; k < 4; k++) {
        if (t == 0) BAR_EXPECT(&full, 256); // expect: barrier
        if (t == 0 && rank == 0) {
            if (k) BAR_WAIT_CLUSTER(&done, (k - 1) & 1);
            TMA_LOAD_2D_TO(s, &x, 0, k, &full, 3); // expect: race or in_flight or missing_wait
        }
        BAR_WAIT_CLUSTER(&full, k & 1);
        const int value = s[t ^ 1] + (int)rank; // expect: race or in_flight or missing_wait
        __syncthreads();
        s[t] = value; // expect: race or in_flight or missing_wait
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_STORE(y + (k * 2 + rank) * 64, s, 256); // expect: race or in_flight or missing_wait
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            if (rank == 0) BAR_ARRIVE(&done);
        }
    }
    if (t == 0) BULK_WAIT(0);
    CLUSTER_SYNC();
}

// As triton #11404: a barrier of the cluster that releases nothing, ahead of the next use of memory
// that the other block has read.
// launch: grid 2, block 64; in x i32[384]; out y i32[128]
// reference: shifted_reference
extern "C" __global__ void __cluster_dims__(2) scratch_used_again_behind_a_relaxed_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    const unsigned other = cluster_rank() ^ 1;
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        s[t] = x[k * 128 + blockIdx.x * 64 + t]; // expect: race
        CLUSTER_SYNC();
        sum += load_at(at_rank(&s[t ^ 33], other)); // expect: race
        asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
        CLUSTER_WAIT();
    }
    y[blockIdx.x * 64 + t] = sum;
}

// class: wait that cannot end

// As vllm #26026: who has nothing to compute for a tile arrives at the barrier of its end and goes
// on, so two such tiles end what the loading warp waits for.
// launch: grid 1, block 64; in x i32[128]; out y i32[128]; i32 first 2
// reference: tiles_from_one_on_reference, block 32
extern "C" __global__ void arrivals_for_tiles_without_work(const int *x, int *y, int first)
{
    __shared__ int s[32];
    const int t = threadIdx.x % 32;
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x >= 32) {
            if (k >= first) {
                s[t] = x[k * 32 + t];
                NAMED_ARRIVE(1, 64);
            }
            NAMED_SYNC(2, 64); // expect: deadlock or barrier
            continue;
        }
        if (k < first) {
            y[k * 32 + t] = 0;
            NAMED_ARRIVE(2, 64); // expect: deadlock or barrier
            continue;
        }
        NAMED_SYNC(1, 64); // expect: deadlock or barrier
        y[k * 32 + t] = s[t ^ 1];
        NAMED_SYNC(2, 64); // expect: deadlock or barrier
    }
}

// class: source of a copy that is overwritten too early

// As cutlass #3636: three buffers in turns, by a count of parts that begins anew with each tile of
// four.
// launch: grid 1, block 64; in x i32[768]; out y i32[768]
// reference: parts_reference
extern "C" __global__ void buffers_that_begin_anew_with_each_tile(const int *x, int *y)
{
    __shared__ alignas(16) int buffers[3][64];
    const int t = threadIdx.x;
    for (int tile = 0; tile < 3; tile++)
        for (int part = 0; part < 4; part++) {
            int *const buffer = buffers[part % 3];
            const int at = (tile * 4 + part) * 64;
            if (t == 0) BULK_WAIT_READ(2);
            __syncthreads();
            buffer[t] = x[at + t] + 1; // expect: in_flight
            FENCE_ASYNC();
            __syncthreads();
            if (t == 0) {
                BULK_STORE(y + at, buffer, 256); // expect: in_flight
                BULK_COMMIT();
            }
        }
    if (t == 0) BULK_WAIT(0);
}

// As TileOPs #1550: one thread of the group waits for its copy, and the others fill the buffer
// again.
// launch: grid 1, block 64; in x i32[768]; out y i32[768]
// reference: parts_reference
extern "C" __global__ void buffer_filled_again_by_threads_that_have_not_waited(const int *x, int *y)
{
    __shared__ alignas(16) int buffer[64];
    const int t = threadIdx.x;
    for (int part = 0; part < 12; part++) {
        buffer[t] = x[part * 64 + t] + 1; // expect: in_flight or race
        FENCE_ASYNC();
        NAMED_SYNC(5, 64);
        if (t == 0) {
            BULK_STORE(y + part * 64, buffer, 256); // expect: in_flight or race
            BULK_COMMIT();
            BULK_WAIT(0);
        }
    }
}

// class: no barrier between a load of shared memory and the next store to it

// As triton #9154 proposed: a product of the warp group in the place of a barrier between loads of
// factors and the copies of the next ones.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[1024] integers -3 3 map 64/64 16/16 swizzle 128; in f f32[128] integers -3 3;
//         out c f32[1024]
// reference: product_of_rounds_reference, block 64
extern "C" __global__ void product_in_place_of_a_barrier(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, const float *f,
    float *c)
{
    __shared__ alignas(1024) bf16 sa[64 * 64], sb[16 * 64];
    __shared__ float factors[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    float sums[8] = {}, d[8];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 80 * 64 * 2);
        TMA_LOAD_2D(sa, &a, 0, 0, &full);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    for (int k = 0; k < 2; k++) {
        if (t >= 64) COPY_WORD(&factors[t - 64], f + k * 64 + t - 64); // expect: race
        COPIES_WAIT();
        __syncthreads();
        const float low = factors[row_of(0)], high = factors[row_of(2)]; // expect: race
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_16(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        for (int i = 0; i < 8; i++)
            sums[i] += d[i] * (i / 2 % 2 ? high : low);
    }
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = sums[i];
}

// class: registers that the block does not have

// As tilelang #2559: two blocks are to fit a multiprocessor, and the registers that the groups
// move are those of one.
// launch: grid 1, block 256; in x i32[64]; out y i32[64]
// reference: neighbours_reference, block 64
extern "C" __global__ void __launch_bounds__(256, 2) registers_of_one_block_where_two_fit(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        SETMAXNREG_DEC(24);
        if (t == 128) {
            BAR_EXPECT(&full, 256);
            BULK_LOAD(s, x, 256, &full);
        }
    } else {
        SETMAXNREG_INC(240); // expect: deadlock
        BAR_WAIT(&full, 0);
        if (t < 64) y[t] = s[t ^ 1];
    }
}

// class: arrival that a barrier may count for its last opening

// As flashinfer #4533: two pairs of warps that nothing orders meet at the same barrier.
// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: pairs_of_warps_reference
extern "C" __global__ void barrier_of_two_pairs_of_warps(const int *x, int *y)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t]; // expect: race
    NAMED_SYNC(1, 64); // expect: barrier or deadlock
    y[t] = s[t ^ 33]; // expect: race
}

// The second pair has heard of the first one ahead of its barrier alone.
// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: pairs_of_warps_reference
extern "C" __global__ void barrier_of_a_pair_told_of_too_early(const int *x, int *y)
{
    __shared__ int s[128];
    __shared__ u64 told;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&told, 64);
    }
    __syncthreads();
    s[t] = x[t];
    if (t < 64) {
        BAR_ARRIVE(&told);
        NAMED_SYNC(1, 64); // expect: barrier
    } else {
        BAR_WAIT(&told, 0);
        NAMED_SYNC(1, 64); // expect: barrier
    }
    y[t] = s[t ^ 33];
}

// A turn is handed back before it is taken, so who fills may come to its barrier twice.
// launch: grid 1, block 64; in x i32[128]; out y i32[32]
// reference: turns_reference, block 32
extern "C" __global__ void turn_handed_back_before_it_is_taken(const int *x, int *y)
{
    __shared__ int s[2][32];
    const int t = threadIdx.x % 32;
    int sum = 0;
    for (int k = 0; k < 4; k++)
        if (threadIdx.x < 32) {
            s[k % 2][t] = x[k * 32 + t];
            NAMED_ARRIVE(1, 64); // expect: barrier
            NAMED_SYNC(2, 64); // expect: barrier
        } else {
            NAMED_ARRIVE(2, 64); // expect: barrier
            NAMED_SYNC(1, 64); // expect: barrier
            sum += s[k % 2][t ^ 1] * (k + 1);
        }
    if (threadIdx.x >= 32) y[t] = sum;
}
