// Kernels of correct/hopper_producers.cu, each with one thing wrong.
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

extern "C" __global__ void scaled_product_reference(const unsigned char *a, const unsigned char *b,
                                                    const float *sa, const float *sb, float *c)
{
    const int row = threadIdx.x;
    for (int j = 0; j < 64; j++) {
        float total = 0;
        for (int k = 0; k < 4; k++) {
            float sum = 0;
            for (int i = 128 * k; i < 128 * k + 128; i++)
                sum += wide_e4m3(a[512 * row + i]) * wide_e4m3(b[512 * j + i]);
            total += sum * sa[64 * k + row] * sb[k];
        }
        c[64 * row + j] = total;
    }
}

extern "C" __global__ void drawn_product_reference(const bf16 *a, const bf16 *b, float *c, int *next)
{
    product(a, b, c, 64, 256);
    if (blockIdx.x == 0 && threadIdx.x == 0) *next = 8; // both blocks have found none
}

// class: bytes of a phase counted wrong

// The scales are not expected.
// launch: grid 1, block 160, shared 34816;
//         in a e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in b e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in sa f32[256]; in sb f32[4]; out c f32[4096]; tolerance 0.0001
// reference: scaled_product_reference, block 64
extern "C" __global__ void scales_that_are_not_expected(const __grid_constant__ tensor_map a,
                                                   const __grid_constant__ tensor_map b,
                                                   const float *sa, const float *sb, float *c)
{
    enum { STAGES = 2, BLOCKS = 4, BYTES = 8192 };
    extern __shared__ bf16 memory[];
    __shared__ alignas(16) float scales[STAGES][64];
    __shared__ float scale_b[BLOCKS];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const tiles = aligned(memory);
    const int t = threadIdx.x;
    if (t == 128) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 4);
        }
        FENCE_INIT();
        FENCE_ASYNC_ALL();
    }
    if (t < BLOCKS) scale_b[t] = sb[t];
    __syncthreads();
    if (t >= 128) {
        if (t > 128) return;
        for (int k = 0; k < BLOCKS; k++) {
            const int s = k % STAGES;
            BAR_WAIT(&empty[s], k / STAGES % 2 ^ 1);
            BULK_LOAD(scales[s], sa + 64 * k, 256, &full[s]);
            TMA_LOAD_2D(tiles + s * BYTES, &a, 128 * k, 0, &full[s]);
            TMA_LOAD_2D(tiles + s * BYTES + BYTES / 2, &b, 128 * k, 0, &full[s]);
            BAR_EXPECT(&full[s], 2 * BYTES);
        }
        return;
    }
    float d[32], total[32] = {0};
    for (int k = 0; k < BLOCKS; k++) {
        const int s = k % STAGES;
        const bf16 *const at = tiles + s * BYTES;
        BAR_WAIT(&full[s], k / STAGES % 2); // expect: tx_bytes or deadlock or phase
        const float low = scales[s][row_of(0)], high = scales[s][row_of(2)]; // expect: missing_wait
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64_E4M3(d, tile_of_rows(at) + 2 * i, tile_of_rows(at + BYTES / 2) + 2 * i, i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        FENCE_ASYNC(); // the scales were read by threads
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[s]);
        for (int i = 0; i < 32; i++)
            total[i] += d[i] * (i % 4 / 2 ? high : low) * scale_b[k];
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = total[i];
}

// class: threads read, a copy writes over it, no fence of the proxies

// Threads have read the scales, behind the products.
// launch: grid 1, block 160, shared 34816;
//         in a e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in b e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in sa f32[256]; in sb f32[4]; out c f32[4096]; tolerance 0.0001
// reference: scaled_product_reference, block 64
extern "C" __global__ void scales_read_without_a_fence(const __grid_constant__ tensor_map a,
                                                   const __grid_constant__ tensor_map b,
                                                   const float *sa, const float *sb, float *c)
{
    enum { STAGES = 2, BLOCKS = 4, BYTES = 8192 };
    extern __shared__ bf16 memory[];
    __shared__ alignas(16) float scales[STAGES][64];
    __shared__ float scale_b[BLOCKS];
    __shared__ u64 full[STAGES], empty[STAGES];
    bf16 *const tiles = aligned(memory);
    const int t = threadIdx.x;
    if (t == 128) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 4);
        }
        FENCE_INIT();
        FENCE_ASYNC_ALL();
    }
    if (t < BLOCKS) scale_b[t] = sb[t];
    __syncthreads();
    if (t >= 128) {
        if (t > 128) return;
        for (int k = 0; k < BLOCKS; k++) {
            const int s = k % STAGES;
            BAR_WAIT(&empty[s], k / STAGES % 2 ^ 1);
            BULK_LOAD(scales[s], sa + 64 * k, 256, &full[s]); // expect: proxy_fence
            TMA_LOAD_2D(tiles + s * BYTES, &a, 128 * k, 0, &full[s]);
            TMA_LOAD_2D(tiles + s * BYTES + BYTES / 2, &b, 128 * k, 0, &full[s]);
            BAR_EXPECT(&full[s], 2 * BYTES + 256);
        }
        return;
    }
    float d[32], total[32] = {0};
    for (int k = 0; k < BLOCKS; k++) {
        const int s = k % STAGES;
        const bf16 *const at = tiles + s * BYTES;
        BAR_WAIT(&full[s], k / STAGES % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64_E4M3(d, tile_of_rows(at) + 2 * i, tile_of_rows(at + BYTES / 2) + 2 * i, i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        const float low = scales[s][row_of(0)], high = scales[s][row_of(2)];
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[s]);
        for (int i = 0; i < 32; i++)
            total[i] += d[i] * (i % 4 / 2 ? high : low) * scale_b[k];
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = total[i];
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// Nobody waits for the number.
// launch: grid 2, block 160, shared 33792;
//         in a bf16[98304] integers -3 3 map 256/64 384/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[24576];
//         inout next i32[1] zero; deadline 2
// reference: drawn_product_reference, grid 6, block 64
extern "C" __global__ void number_read_before_it_is_drawn(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       float *c, int *next)
{
    enum { STAGES = 2, TILES = 6, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], drawn, taken;
    __shared__ volatile int number;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&drawn, 1);
        BAR_INIT(&taken, 128);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        if (t > 128) return;
        for (int turn = 0, k = 0;; turn++) {
            const int tile = atomicAdd(next, 1);
            BAR_WAIT(&taken, turn % 2 ^ 1);
            number = tile; // expect: race or order
            BAR_ARRIVE(&drawn);
            if (tile >= TILES) break;
            for (int i = 0; i < BLOCKS; i++, k++) {
                const int stage = k % STAGES;
                BAR_WAIT(&empty[stage], k / STAGES % 2 ^ 1);
                BAR_EXPECT(&full[stage], 4 * TILE);
                TMA_LOAD_2D(s + 2 * stage * TILE, &a, 64 * i, 64 * tile, &full[stage]);
                TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, 64 * i, 0, &full[stage]);
            }
        }
        return;
    }
    for (int turn = 0, k = 0;; turn++) {
        float d[32];
        const int tile = number; // expect: race or unwritten or order
        BAR_ARRIVE(&taken);
        if (tile >= TILES) break; // expect: race or unwritten
        for (int i = 0; i < BLOCKS; i++, k++) {
            const int stage = k % STAGES;
            BAR_WAIT(&full[stage], k / STAGES % 2);
            WGMMA_FENCE();
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * tile + row_of(i)) * 64 + column_of(i)] = d[i]; // expect: unwritten
    }
}

// class: wrong parity

// A new object is at its first phase.
// launch: grid 2, block 160, shared 33792;
//         in a bf16[98304] integers -3 3 map 256/64 384/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[24576];
//         inout next i32[1] zero; deadline 1
// reference: drawn_product_reference, grid 6, block 64
extern "C" __global__ void empty_stages_that_are_waited_for(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       float *c, int *next)
{
    enum { STAGES = 2, TILES = 6, BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 full[STAGES], empty[STAGES], drawn, taken;
    __shared__ volatile int number;
    bf16 *const s = aligned(memory);
    const int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < STAGES; i++) {
            BAR_INIT(&full[i], 1);
            BAR_INIT(&empty[i], 1);
        }
        BAR_INIT(&drawn, 1);
        BAR_INIT(&taken, 128);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        if (t > 128) return;
        for (int turn = 0, k = 0;; turn++) {
            const int tile = atomicAdd(next, 1);
            BAR_WAIT(&taken, turn % 2 ^ 1);
            number = tile;
            BAR_ARRIVE(&drawn);
            if (tile >= TILES) break;
            for (int i = 0; i < BLOCKS; i++, k++) {
                const int stage = k % STAGES;
                BAR_WAIT(&empty[stage], k / STAGES % 2); // expect: deadlock or timeout
                BAR_EXPECT(&full[stage], 4 * TILE);
                TMA_LOAD_2D(s + 2 * stage * TILE, &a, 64 * i, 64 * tile, &full[stage]);
                TMA_LOAD_2D(s + (2 * stage + 1) * TILE, &b, 64 * i, 0, &full[stage]);
            }
        }
        return;
    }
    for (int turn = 0, k = 0;; turn++) {
        float d[32];
        BAR_WAIT(&drawn, turn % 2);
        const int tile = number;
        BAR_ARRIVE(&taken);
        if (tile >= TILES) break;
        for (int i = 0; i < BLOCKS; i++, k++) {
            const int stage = k % STAGES;
            BAR_WAIT(&full[stage], k / STAGES % 2); // expect: deadlock or timeout
            WGMMA_FENCE();
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * tile + row_of(i)) * 64 + column_of(i)] = d[i];
    }
}
