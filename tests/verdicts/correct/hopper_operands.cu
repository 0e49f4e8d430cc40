// Operands of products that do not come as rows by a tensor map: rows by cp.async, tiles
// along their outer axes.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

// A comes by cp.async of a warp group, which swizzles it by hand and fills with zeros behind
// the last row; B by tensor map. The consumers fence for both.
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

// launch: grid 1, block 256, shared 33792; in a bf16[12800] integers -3 3;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_of_50_rows_reference, block 64
extern "C" __global__ void rows_brought_by_threads(const bf16 *a, const __grid_constant__ tensor_map b,
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

// Both operands along their outer axes in memory.
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

// launch: grid 1, block 128; in a bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128;
//         in b bf16[8192] integers -3 3 map 64/64 128/64 swizzle 128; out c f32[4096]
// reference: product_of_columns_reference, block 64
extern "C" __global__ void operands_along_their_outer_axes(const __grid_constant__ tensor_map a,
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
            TMA_LOAD_2D(sa, &a, 0, 64 * k, &full);
            TMA_LOAD_2D(sb, &b, 0, 64 * k, &full);
        }
        BAR_WAIT(&full, k);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64_T(d, tile_of_rows(sa) + 128 * i, tile_of_rows(sb) + 128 * i, k || i);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
