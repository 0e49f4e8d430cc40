// Kernels of correct/hopper_joined.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

// c[m][n] = the sum of a[m][k] b[n][k]; a thread has a row.
__device__ inline void product(const bf16 *a, const bf16 *b, float *c, int n, int k)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < k; i++)
            sum += wide(a[row * k + i]) * wide(b[j * k + i]);
        c[row * n + j] = sum;
    }
}
extern "C" __global__ void shared_product_reference(const bf16 *a, const bf16 *b, float *c,
                                                    float *part, unsigned *flag)
{
    product(a, b, c, 64, 256);
}

extern "C" __global__ void square_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 128, 256);
}

// class: flag or ticket without its fence

// The flag releases nothing.
// launch: grid 2, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096];
//         work part f32[4096]; inout flag u32[1] zero
// reference: shared_product_reference, grid 1, block 64
extern "C" __global__ void a_flag_that_releases_nothing(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b, float *c,
                                                       float *part, unsigned *flag)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full;
    const int t = threadIdx.x, rank = blockIdx.x;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 8 * TILE);
        for (int k = 0; k < 2; k++) {
            TMA_LOAD_2D(sa[k], &a, 64 * k + 128 * rank, 0, &full);
            TMA_LOAD_2D(sb[k], &b, 64 * k + 128 * rank, 0, &full);
        }
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    WGMMA_FENCE();
    WGMMA_TILE(d, sa[0], sb[0], false);
    WGMMA_TILE(d, sa[1], sb[1], true);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    if (rank == 1) {
        for (int i = 0; i < 32; i++)
            part[128 * i + t] = d[i]; // expect: race
        __syncthreads();
        if (t == 0) asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    if (t == 0) {
        unsigned seen;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        *flag = 0; // expect: race
    }
    __syncthreads();
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i] + part[128 * i + t]; // expect: race
}

// The flag acquires nothing.
// launch: grid 2, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096];
//         work part f32[4096]; inout flag u32[1] zero
// reference: shared_product_reference, grid 1, block 64
extern "C" __global__ void a_flag_that_acquires_nothing(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b, float *c,
                                                       float *part, unsigned *flag)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full;
    const int t = threadIdx.x, rank = blockIdx.x;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 8 * TILE);
        for (int k = 0; k < 2; k++) {
            TMA_LOAD_2D(sa[k], &a, 64 * k + 128 * rank, 0, &full);
            TMA_LOAD_2D(sb[k], &b, 64 * k + 128 * rank, 0, &full);
        }
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    WGMMA_FENCE();
    WGMMA_TILE(d, sa[0], sb[0], false);
    WGMMA_TILE(d, sa[1], sb[1], true);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    if (rank == 1) {
        for (int i = 0; i < 32; i++)
            part[128 * i + t] = d[i]; // expect: race
        __syncthreads();
        if (t == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    if (t == 0) {
        unsigned seen;
        do asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        *flag = 0; // expect: race
    }
    __syncthreads();
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i] + part[128 * i + t]; // expect: race
}

// The others may not have stored.
// launch: grid 2, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096];
//         work part f32[4096]; inout flag u32[1] zero
// reference: shared_product_reference, grid 1, block 64
extern "C" __global__ void a_flag_of_one_thread_for_all(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b, float *c,
                                                       float *part, unsigned *flag)
{
    __shared__ alignas(1024) bf16 sa[2][TILE], sb[2][TILE];
    __shared__ u64 full;
    const int t = threadIdx.x, rank = blockIdx.x;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 8 * TILE);
        for (int k = 0; k < 2; k++) {
            TMA_LOAD_2D(sa[k], &a, 64 * k + 128 * rank, 0, &full);
            TMA_LOAD_2D(sb[k], &b, 64 * k + 128 * rank, 0, &full);
        }
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    WGMMA_FENCE();
    WGMMA_TILE(d, sa[0], sb[0], false);
    WGMMA_TILE(d, sa[1], sb[1], true);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    if (rank == 1) {
        for (int i = 0; i < 32; i++)
            part[128 * i + t] = d[i]; // expect: race
        if (t == 0) asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    if (t == 0) {
        unsigned seen;
        do asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
        while (seen == 0);
        *flag = 0;
    }
    __syncthreads();
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i] + part[128 * i + t]; // expect: race
}

// class: arrivals counted wrong

// The column is not told.
// launch: grid 2x2, block 160, cluster 2x2, shared 33792;
//         in a bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128;
//         in b bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128; out c f32[16384]
// reference: square_product_reference, grid 1, block 128
extern "C" __global__ void stages_given_back_to_the_row_alone(const __grid_constant__ tensor_map a,
                                                                  const __grid_constant__ tensor_map b,
                                                                  float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x, x = cluster_rank() % 2, y = cluster_rank() / 2;
    const unsigned in_row = 3u << 2 * y, in_column = 5u << x; // blocks that share rows, columns
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 3);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t == 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT_CLUSTER(&empty[stage], k / STAGES % 2 ^ 1); // expect: deadlock
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D_TO(to + x * TILE / 2, &a, 64 * k, 64 * y + 32 * x, &full[stage], in_row);
            TMA_LOAD_2D_TO(to + TILE + y * TILE / 2, &b, 64 * k, 64 * x + 32 * y, &full[stage], in_column);
        }
    }
    if (t < 128) {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            BAR_WAIT_CLUSTER(&full[stage], k / STAGES % 2); // expect: deadlock
            WGMMA_FENCE();
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t < 4 && (in_row >> t & 1)) BAR_ARRIVE_AT(&empty[stage], t);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * y + row_of(i)) * 128 + 64 * x + column_of(i)] = d[i];
    }
    CLUSTER_SYNC();
}

// class: bytes of a phase counted wrong

// What the neighbours bring is not expected.
// launch: grid 2x2, block 160, cluster 2x2, shared 33792;
//         in a bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128;
//         in b bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128; out c f32[16384]
// reference: square_product_reference, grid 1, block 128
extern "C" __global__ void own_copies_are_expected_alone(const __grid_constant__ tensor_map a,
                                                                  const __grid_constant__ tensor_map b,
                                                                  float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x, x = cluster_rank() % 2, y = cluster_rank() / 2;
    const unsigned in_row = 3u << 2 * y, in_column = 5u << x; // blocks that share rows, columns
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 3);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t == 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT_CLUSTER(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 2 * TILE);
            TMA_LOAD_2D_TO(to + x * TILE / 2, &a, 64 * k, 64 * y + 32 * x, &full[stage], in_row); // expect: tx_bytes
            TMA_LOAD_2D_TO(to + TILE + y * TILE / 2, &b, 64 * k, 64 * x + 32 * y, &full[stage], in_column); // expect: tx_bytes
        }
    }
    if (t < 128) {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            BAR_WAIT_CLUSTER(&full[stage], k / STAGES % 2); // expect: tx_bytes or deadlock or phase
            WGMMA_FENCE();
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0); // expect: missing_wait
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t < 4 && ((in_row | in_column) >> t & 1)) BAR_ARRIVE_AT(&empty[stage], t);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * y + row_of(i)) * 128 + 64 * x + column_of(i)] = d[i];
    }
    CLUSTER_SYNC();
}

// class: other block that has not begun, or has ended

// A block leaves while neighbours give stages back to it.
// launch: grid 2x2, block 160, cluster 2x2, shared 33792;
//         in a bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128;
//         in b bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128; out c f32[16384]
// reference: square_product_reference, grid 1, block 128
extern "C" __global__ void a_block_that_leaves_while_it_is_told(const __grid_constant__ tensor_map a,
                                                                  const __grid_constant__ tensor_map b,
                                                                  float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x, x = cluster_rank() % 2, y = cluster_rank() / 2;
    const unsigned in_row = 3u << 2 * y, in_column = 5u << x; // blocks that share rows, columns
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 3);
        }
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    if (t == 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT_CLUSTER(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D_TO(to + x * TILE / 2, &a, 64 * k, 64 * y + 32 * x, &full[stage], in_row);
            TMA_LOAD_2D_TO(to + TILE + y * TILE / 2, &b, 64 * k, 64 * x + 32 * y, &full[stage], in_column);
        }
    }
    if (t < 128) {
        float d[32];
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            BAR_WAIT_CLUSTER(&full[stage], k / STAGES % 2);
            WGMMA_FENCE();
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t < 4 && ((in_row | in_column) >> t & 1)) BAR_ARRIVE_AT(&empty[stage], t); // expect: peer
        }
        for (int i = 0; i < 32; i++)
            c[(64 * y + row_of(i)) * 128 + 64 * x + column_of(i)] = d[i];
    }
} // expect: peer
