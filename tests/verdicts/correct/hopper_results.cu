// Results that leave from the ring that brought the operands.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

// Tiles leave from where the ring was: the producer waits until they have been read, and
// those of the last tile are waited for.
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

// launch: grid 1, block 160, shared 33792;
//         in a bf16[49152] integers -3 3 map 256/64 192/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         out c bf16[12288] map 64/64 192/64
// reference: tiled_product_reference, grid 3, block 64
extern "C" __global__ void results_leave_from_the_ring(const __grid_constant__ tensor_map a,
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
            WGMMA_TILE(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
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
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}
