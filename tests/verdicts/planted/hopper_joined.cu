// Kernels of correct/hopper_kernels.cu, each with one thing wrong: parts of K, a cluster of
// four, results that leave from the ring.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

#define D_32(d) ALL_8("+f", d, 0), ALL_8("+f", d, 8), ALL_8("+f", d, 16), ALL_8("+f", d, 24)
#define D_LIST                                                                           \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "    \
    "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"

// Four products of 16 of k; the tiles have 64. A macro, so that lines are the kernels'.
#define multiply(d, a, b, keep)                                                          \
    for (int slice = 0; slice < 4; slice++)                                              \
        WGMMA_64(d, tile_of_rows(a) + 2 * slice, tile_of_rows(b) + 2 * slice, (keep) || slice)

__device__ inline bf16 *aligned(bf16 *p)
{
    return p + (-AT(p) & 1023) / 2;
}

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

extern "C" __global__ void tiled_product_reference(const bf16 *a, const bf16 *b, bf16 *c)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[row * 256 + i]) * wide(b[j * 256 + i]);
        c[row * 64 + j] = narrow(sum);
    }
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
    multiply(d, sa[0], sb[0], false);
    multiply(d, sa[1], sb[1], true);
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
    multiply(d, sa[0], sb[0], false);
    multiply(d, sa[1], sb[1], true);
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
    multiply(d, sa[0], sb[0], false);
    multiply(d, sa[1], sb[1], true);
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
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
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
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0); // expect: missing_wait
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
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t < 4 && ((in_row | in_column) >> t & 1)) BAR_ARRIVE_AT(&empty[stage], t); // expect: peer
        }
        for (int i = 0; i < 32; i++)
            c[(64 * y + row_of(i)) * 128 + 64 * x + column_of(i)] = d[i];
    }
} // expect: peer

// class: threads write, a copy reads, no fence of the proxies

// No fence before the results leave.
// launch: grid 1, block 160, shared 33792;
//         in a bf16[49152] integers -3 3 map 256/64 192/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[12288] map 64/64 192/64
// reference: tiled_product_reference, grid 3, block 64
extern "C" __global__ void results_without_a_fence(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       const __grid_constant__ tensor_map c)
{
    enum { STAGES = 2, TILES = 3, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], left;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&left, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < TILES * BLOCKS; k++) {
            const int stage = k % STAGES, tile = k / BLOCKS;
            if (k % BLOCKS == 0) BAR_WAIT(&left, tile % 2 ^ 1);
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D(s + 2 * stage * TILE, &a, k % BLOCKS * 64, 64 * tile, &full[stage]);
            TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, k % BLOCKS * 64, 0, &full[stage]);
        }
        return;
    }
    for (int k = 0; k < TILES * BLOCKS; k += BLOCKS) {
        float d[32];
        for (int i = 0; i < BLOCKS; i++) {
            const int stage = (k + i) % STAGES;
            BAR_WAIT(&full[stage], (k + i) / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        NAMED_SYNC(2, 128); // all have multiplied
        for (int i = 0; i < 32; i++)
            s[row_of(i) * 64 + column_of(i)] = narrow(d[i]);
        NAMED_SYNC(2, 128);
        if (t == 0) {
            TMA_STORE_2D(&c, 0, 16 * k, s); // expect: proxy_fence
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// class: source of a copy that is overwritten too early

// The ring is filled while the results leave.
// launch: grid 1, block 160, shared 33792;
//         in a bf16[49152] integers -3 3 map 256/64 192/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[12288] map 64/64 192/64
// reference: tiled_product_reference, grid 3, block 64
extern "C" __global__ void the_ring_filled_while_results_leave(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       const __grid_constant__ tensor_map c)
{
    enum { STAGES = 2, TILES = 3, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], left;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&left, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < TILES * BLOCKS; k++) {
            const int stage = k % STAGES, tile = k / BLOCKS;
            if (k % BLOCKS == 0) BAR_WAIT(&left, tile % 2 ^ 1);
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D(s + 2 * stage * TILE, &a, k % BLOCKS * 64, 64 * tile, &full[stage]); // expect: in_flight
            TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, k % BLOCKS * 64, 0, &full[stage]);
        }
        return;
    }
    for (int k = 0; k < TILES * BLOCKS; k += BLOCKS) {
        float d[32];
        for (int i = 0; i < BLOCKS; i++) {
            const int stage = (k + i) % STAGES;
            BAR_WAIT(&full[stage], (k + i) / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        NAMED_SYNC(2, 128); // all have multiplied
        for (int i = 0; i < 32; i++)
            s[row_of(i) * 64 + column_of(i)] = narrow(d[i]);
        FENCE_ASYNC();
        NAMED_SYNC(2, 128);
        if (t == 0) {
            TMA_STORE_2D(&c, 0, 16 * k, s);
            BULK_COMMIT();
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// class: no barrier between a store to shared memory and a load of it

// Some may not have stored theirs.
// launch: grid 1, block 160, shared 33792;
//         in a bf16[49152] integers -3 3 map 256/64 192/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[12288] map 64/64 192/64
// reference: tiled_product_reference, grid 3, block 64
extern "C" __global__ void results_leave_before_all_are_there(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       const __grid_constant__ tensor_map c)
{
    enum { STAGES = 2, TILES = 3, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], left;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&left, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < TILES * BLOCKS; k++) {
            const int stage = k % STAGES, tile = k / BLOCKS;
            if (k % BLOCKS == 0) BAR_WAIT(&left, tile % 2 ^ 1);
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D(s + 2 * stage * TILE, &a, k % BLOCKS * 64, 64 * tile, &full[stage]);
            TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, k % BLOCKS * 64, 0, &full[stage]);
        }
        return;
    }
    for (int k = 0; k < TILES * BLOCKS; k += BLOCKS) {
        float d[32];
        for (int i = 0; i < BLOCKS; i++) {
            const int stage = (k + i) % STAGES;
            BAR_WAIT(&full[stage], (k + i) / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        NAMED_SYNC(2, 128); // all have multiplied
        for (int i = 0; i < 32; i++)
            s[row_of(i) * 64 + column_of(i)] = narrow(d[i]); // expect: race or in_flight
        FENCE_ASYNC();
        if (t == 0) {
            TMA_STORE_2D(&c, 0, 16 * k, s); // expect: race or proxy_fence
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// class: stage that is filled while a product reads it

// The producer does not wait until results have left.
// launch: grid 1, block 160, shared 33792;
//         in a bf16[49152] integers -3 3 map 256/64 192/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[12288] map 64/64 192/64
// reference: tiled_product_reference, grid 3, block 64
extern "C" __global__ void results_over_a_stage_that_is_filled(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       const __grid_constant__ tensor_map c)
{
    enum { STAGES = 2, TILES = 3, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], left;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&left, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < TILES * BLOCKS; k++) {
            const int stage = k % STAGES, tile = k / BLOCKS;
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            BAR_EXPECT(&full[stage], 4 * TILE);
            TMA_LOAD_2D(s + 2 * stage * TILE, &a, k % BLOCKS * 64, 64 * tile, &full[stage]); // expect: in_flight or race or proxy_fence
            TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, k % BLOCKS * 64, 0, &full[stage]);
        }
        return;
    }
    for (int k = 0; k < TILES * BLOCKS; k += BLOCKS) {
        float d[32];
        for (int i = 0; i < BLOCKS; i++) {
            const int stage = (k + i) % STAGES;
            BAR_WAIT(&full[stage], (k + i) / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        NAMED_SYNC(2, 128); // all have multiplied
        for (int i = 0; i < 32; i++)
            s[row_of(i) * 64 + column_of(i)] = narrow(d[i]); // expect: in_flight or race or proxy_fence
        FENCE_ASYNC();
        NAMED_SYNC(2, 128);
        if (t == 0) {
            TMA_STORE_2D(&c, 0, 16 * k, s);
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}
