// Products of a warp group whose registers or tiles are used too early, or told wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

// c[m][n] = the sum of a[m][k] b[n][k], 64 of k, n columns
__device__ inline void product(const bf16 *a, const bf16 *b, float *c, int n)
{
    for (int j = 0; j < n; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * n + j] = sum;
    }
}
extern "C" __global__ void product_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 64);
}
extern "C" __global__ void narrow_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 16);
}

// Both tiles by copies that all threads wait for.
#define LOAD_TILES()                                                                     \
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];                                    \
    __shared__ u64 full;                                                                 \
    if (threadIdx.x == 0) {                                                              \
        BAR_INIT(&full, 1);                                                              \
        FENCE_INIT();                                                                    \
        BAR_EXPECT(&full, 2 * TILE * 2);                                                 \
        TMA_LOAD_2D(sa, &a, 0, 0, &full);                                                \
        TMA_LOAD_2D(sb, &b, 0, 0, &full);                                                \
    }                                                                                    \
    __syncthreads();                                                                     \
    BAR_WAIT(&full, 0)

// What was written to d stands before what follows.
#define KEEP_BEFORE(d)                                                                   \
    for (int i = 0; i < 32; i++)                                                         \
    asm volatile("" : "+f"(d[i])::"memory")

// class: register of a product that is used before its wait

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void sums_stored_without_a_wait(const __grid_constant__ tensor_map a,
                                                      const __grid_constant__ tensor_map b,
                                                      float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: missing_wait
    WGMMA_COMMIT();
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i]; // expect: missing_wait
    WGMMA_WAIT(0);
}

// A wait that allows the group that it should wait for.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void sums_stored_behind_a_wait_for_older_ones(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++) {
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: missing_wait
        WGMMA_COMMIT();
    }
    WGMMA_WAIT(1);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i]; // expect: missing_wait
    WGMMA_WAIT(0);
}

// What is in no group is in no wait.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void products_of_no_group(const __grid_constant__ tensor_map a,
                                                const __grid_constant__ tensor_map b, float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: missing_wait
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i]; // expect: missing_wait
}

// The words of A change while the product may still read them.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3;
//         in b bf16[1024] integers -3 3 map 64/64 16/16 swizzle 128; out c f32[1024]
// reference: narrow_product_reference, block 64
extern "C" __global__ void words_of_a_that_change_in_flight(const bf16 *a,
                                                            const __grid_constant__ tensor_map b,
                                                            float *c)
{
    __shared__ alignas(1024) bf16 sb[16 * 64];
    __shared__ u64 full;
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 16 * 64 * 2);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    float d[8];
    unsigned r[4];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            const void *at = &a[(row + j % 2 * 8) * 64 + i * 16 + j / 2 * 8 + t % 4 * 2];
            asm volatile("ld.global.u32 %0, [%1];" : "+r"(r[j]) : "l"(at) : "memory"); // expect: in_flight
        }
        WGMMA_FENCE();
        WGMMA_16_A(d, r, tile_of_rows(sb) + 2 * i, i > 0); // expect: in_flight
        WGMMA_COMMIT();
    }
    WGMMA_WAIT(0);
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}

// class: registers of a product without their fence

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void sums_cleared_without_a_fence(const __grid_constant__ tensor_map a,
                                                        const __grid_constant__ tensor_map b,
                                                        float *c)
{
    LOAD_TILES();
    float d[32];
    for (int i = 0; i < 32; i++)
        d[i] = 0;
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, true); // expect: wgmma_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// launch: grid 1, block 128; in a bf16[4096] integers -3 3;
//         in b bf16[1024] integers -3 3 map 64/64 16/16 swizzle 128; out c f32[1024]
// reference: narrow_product_reference, block 64
extern "C" __global__ void words_of_a_without_a_fence(const bf16 *a,
                                                      const __grid_constant__ tensor_map b,
                                                      float *c)
{
    __shared__ alignas(1024) bf16 sb[16 * 64];
    __shared__ u64 full;
    const int t = threadIdx.x, row = t / 32 * 16 + t % 32 / 4;
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_EXPECT(&full, 16 * 64 * 2);
        TMA_LOAD_2D(sb, &b, 0, 0, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    float d[8];
    unsigned r[4][4];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            r[i][j] = *(const unsigned *)&a[(row + j % 2 * 8) * 64 + i * 16 + j / 2 * 8 + t % 4 * 2];
    for (int i = 0; i < 4; i++)
        WGMMA_16_A(d, r[i], tile_of_rows(sb) + 2 * i, i > 0); // expect: wgmma_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 8; i++)
        c[row_of(i) * 16 + column_of(i)] = d[i];
}

// Scaled between two products, without a fence before the second.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: tripled_product_reference, block 64
extern "C" __global__ void sums_scaled_without_a_fence(const __grid_constant__ tensor_map a,
                                                       const __grid_constant__ tensor_map b,
                                                       float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i);
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        d[i] *= 2;
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, true); // expect: wgmma_fence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}
extern "C" __global__ void tripled_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 64; i++)
            sum += wide(a[threadIdx.x * 64 + i]) * wide(b[j * 64 + i]);
        c[threadIdx.x * 64 + j] = 3 * sum;
    }
}

// class: descriptor that does not describe the tile

// The tiles begin where the swizzle does not.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void descriptor_of_another_swizzle(const __grid_constant__ tensor_map a,
                                                         const __grid_constant__ tensor_map b,
                                                         float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++) {
        const u64 other = (u64)3 << 62; // 64 bytes becomes 32, 128 becomes none
        WGMMA_64(d, (tile_of_rows(sa) ^ other) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: mismatch
    }
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i]; // expect: mismatch
}

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void map_without_the_swizzle_of_the_descriptor(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: mismatch
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i]; // expect: mismatch
}

// The last rows are behind the block's memory.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void descriptor_behind_the_end(const __grid_constant__ tensor_map a,
                                                     const __grid_constant__ tensor_map b,
                                                     float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i + (240 << 6), tile_of_rows(sb) + 2 * i, i); // expect: out_of_bounds
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// class: warp group that is none

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void product_that_three_warps_reach(const __grid_constant__ tensor_map a,
                                                          const __grid_constant__ tensor_map b,
                                                          float *c)
{
    LOAD_TILES();
    float d[32];
    for (int i = 0; i < 32; i++)
        d[i] = 0;
    KEEP_BEFORE(d);
    if (threadIdx.x < 96) {
        WGMMA_FENCE(); // expect: divergence
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: divergence
        WGMMA_COMMIT(); // expect: divergence
        WGMMA_WAIT(0); // expect: divergence
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void product_that_half_a_warp_reaches(const __grid_constant__ tensor_map a,
                                                            const __grid_constant__ tensor_map b,
                                                            float *c)
{
    LOAD_TILES();
    float d[32];
    for (int i = 0; i < 32; i++)
        d[i] = 0;
    KEEP_BEFORE(d);
    if (threadIdx.x % 32 < 16) {
        WGMMA_FENCE(); // expect: divergence
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, i); // expect: divergence
        WGMMA_COMMIT(); // expect: divergence
        WGMMA_WAIT(0); // expect: divergence
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// Each warp has another tile.
// launch: grid 1, block 128; in a bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128;
//         in b bf16[4096] integers -3 3 map 64/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void descriptors_that_differ_between_warps(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    LOAD_TILES();
    float d[32];
    WGMMA_FENCE();
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(sa) + 2 * i + threadIdx.x / 32 * 128, tile_of_rows(sb) + 2 * i, i); // expect: divergence
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// class: registers that the block does not have

// 24, 24 and 248 a thread are more than the block was launched with.
// launch: grid 1, block 384; in a bf16[4096] integers -3 3; out c f32[384]
// reference: pool_reference
extern "C" __global__ void __launch_bounds__(384, 1) setmaxnreg_beyond_the_pool(const bf16 *a, float *c)
{
    if (threadIdx.x < 128)
        SETMAXNREG_DEC(24);
    else
        SETMAXNREG_INC(248); // expect: deadlock
    c[threadIdx.x] = wide(a[threadIdx.x]);
}
extern "C" __global__ void pool_reference(const bf16 *a, float *c)
{
    c[threadIdx.x] = wide(a[threadIdx.x]);
}

// Nobody gives any away.
// launch: grid 1, block 384; in a bf16[4096] integers -3 3; out c f32[384]
// reference: pool_reference
extern "C" __global__ void __launch_bounds__(384, 1) setmaxnreg_that_nobody_gives(const bf16 *a, float *c)
{
    SETMAXNREG_INC(240); // expect: deadlock
    c[threadIdx.x] = wide(a[threadIdx.x]);
}

// The group that would give registers away waits for the one that needs them.
// launch: grid 1, block 384; in a bf16[4096] integers -3 3; out c f32[384]
// reference: pool_reference
extern "C" __global__ void __launch_bounds__(384, 1) setmaxnreg_given_behind_a_barrier(const bf16 *a, float *c)
{
    if (threadIdx.x < 128) {
        NAMED_SYNC(1, 384); // expect: deadlock
        SETMAXNREG_DEC(24);
    } else {
        SETMAXNREG_INC(240); // expect: deadlock
        NAMED_SYNC(1, 384);
    }
    c[threadIdx.x] = wide(a[threadIdx.x]);
}
