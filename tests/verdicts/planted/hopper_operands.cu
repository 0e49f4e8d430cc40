// Kernels of correct/hopper_operands.cu, each with one thing wrong.
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
extern "C" __global__ void product_of_50_rows_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; row < 50 && i < 256; i++)
            sum += wide(a[row * 256 + i]) * wide(b[j * 256 + i]);
        c[row * 64 + j] = sum;
    }
}

extern "C" __global__ void product_of_columns_reference(const bf16 *a, const bf16 *b, float *c)
{
    const int row = threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 128; i++)
            sum += wide(a[i * 64 + row]) * wide(b[i * 64 + j]);
        c[row * 64 + j] = sum;
    }
}

// class: threads write, a product reads, no fence of the proxies

// Copies of threads are writes of theirs.
// launch: grid 1, block 256, shared 33792; in a bf16[12800] integers -3 3;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_of_50_rows_reference, block 64
extern "C" __global__ void rows_brought_without_a_fence(const bf16 *a, const __grid_constant__ tensor_map b,
                                                   float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 129);
            BAR_INIT(&empty[i], 1);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            if (t == 128) {
                BAR_EXPECT(&full[stage], 2 * TILE);
                TMA_LOAD_2D(to + TILE, &b, 64 * k, 0, &full[stage]);
            }
            for (int i = t - 128; i < 512; i += 128) {
                const int row = i / 8, chunk = i % 8;
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                                 AT(to + row * 64 + (chunk ^ row % 8) * 8)),
                             "l"(a + min(row, 49) * 256 + 64 * k + 8 * chunk), "r"(row < 50 ? 16 : 0)
                             : "memory");
            }
            asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(AT(&full[stage]))
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        return;
    }
    float d[32];
    for (int k = 0; k < BLOCKS; k++) {
        const int stage = k % STAGES;
        BAR_WAIT(&full[stage], k / STAGES % 2);
        WGMMA_FENCE();
        WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0); // expect: proxy_fence
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t == 0) BAR_ARRIVE(&empty[stage]);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// class: arrivals counted wrong

// Arrivals that count themselves are not to be counted.
// launch: grid 1, block 256, shared 33792; in a bf16[12800] integers -3 3;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_of_50_rows_reference, block 64
extern "C" __global__ void arrivals_that_count_themselves(const bf16 *a, const __grid_constant__ tensor_map b,
                                                   float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 129);
            BAR_INIT(&empty[i], 1);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            if (t == 128) {
                BAR_EXPECT(&full[stage], 2 * TILE);
                TMA_LOAD_2D(to + TILE, &b, 64 * k, 0, &full[stage]);
            }
            for (int i = t - 128; i < 512; i += 128) {
                const int row = i / 8, chunk = i % 8;
                asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                                 AT(to + row * 64 + (chunk ^ row % 8) * 8)),
                             "l"(a + min(row, 49) * 256 + 64 * k + 8 * chunk), "r"(row < 50 ? 16 : 0)
                             : "memory");
            }
            asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(AT(&full[stage]))
                         : "memory");
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        return;
    }
    float d[32];
    for (int k = 0; k < BLOCKS; k++) {
        const int stage = k % STAGES;
        BAR_WAIT(&full[stage], k / STAGES % 2); // expect: deadlock
        FENCE_ASYNC();
        WGMMA_FENCE();
        WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t == 0) BAR_ARRIVE(&empty[stage]);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// class: asynchronous copy without its wait

// A plain arrival does not wait for copies.
// launch: grid 1, block 256, shared 33792; in a bf16[12800] integers -3 3;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_of_50_rows_reference, block 64
extern "C" __global__ void arrivals_ahead_of_the_copies(const bf16 *a, const __grid_constant__ tensor_map b,
                                                   float *c)
{
    enum { STAGES = 2, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 129);
            BAR_INIT(&empty[i], 1);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; k < BLOCKS; k++) {
            const int stage = k % STAGES;
            bf16 *const to = s + 2 * stage * TILE;
            BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
            if (t == 128) {
                BAR_EXPECT(&full[stage], 2 * TILE);
                TMA_LOAD_2D(to + TILE, &b, 64 * k, 0, &full[stage]);
            }
            for (int i = t - 128; i < 512; i += 128) {
                const int row = i / 8, chunk = i % 8;
                asm volatile(
                    "cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                                 AT(to + row * 64 + (chunk ^ row % 8) * 8)),
                             "l"(a + min(row, 49) * 256 + 64 * k + 8 * chunk), "r"(row < 50 ? 16 : 0) // expect: missing_wait
                             : "memory");
            }
            BAR_ARRIVE(&full[stage]);
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        return;
    }
    float d[32];
    for (int k = 0; k < BLOCKS; k++) {
        const int stage = k % STAGES;
        BAR_WAIT(&full[stage], k / STAGES % 2);
        FENCE_ASYNC();
        WGMMA_FENCE();
        WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0); // expect: missing_wait or proxy_fence
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        if (t == 0) BAR_ARRIVE(&empty[stage]);
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// class: wrong parity

// The parity does not turn.
// launch: grid 1, block 128; in a bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128; out c f32[4096]
// reference: product_of_columns_reference, block 64
extern "C" __global__ void the_first_phase_is_waited_for_again(const __grid_constant__ tensor_map a,
                                                           const __grid_constant__ tensor_map b,
                                                           float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    __shared__ u64 full;
    const int t = threadIdx.x;
    float d[32];
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int k = 0; k < 2; k++) {
        if (t == 0) {
            BAR_EXPECT(&full, 4 * TILE);
            TMA_LOAD_2D(sa, &a, 0, 64 * k, &full); // expect: in_flight
            TMA_LOAD_2D(sb, &b, 0, 64 * k, &full);
        }
        BAR_WAIT(&full, 0); // expect: phase
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64_T(d, tile_of_rows(sa) + 128 * i, tile_of_rows(sb) + 128 * i, k || i); // expect: missing_wait or phase
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
