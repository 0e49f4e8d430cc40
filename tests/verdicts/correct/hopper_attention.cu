// Attention in the style of FlashAttention-3, small: a product runs beside the softmax of
// another one.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

__device__ inline unsigned pack(float low, float high)
{
    unsigned out;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(out) : "f"(high), "f"(low));
    return out;
}

// Over the four lanes that have a row.
__device__ inline float most_of_row(float x)
{
    x = fmaxf(x, __shfl_xor_sync(~0u, x, 1));
    return fmaxf(x, __shfl_xor_sync(~0u, x, 2));
}
__device__ inline float sum_of_row(float x)
{
    x += __shfl_xor_sync(~0u, x, 1);
    return x + __shfl_xor_sync(~0u, x, 2);
}

// Online softmax of s, whose rows have more columns than before: p gets the weights, o is
// to be multiplied by scale.
__device__ inline void soften(float *s, float *most, float *sum, float *scale, unsigned *p)
{
    for (int half = 0; half < 2; half++) {
        float top = most[half], total = 0;
        for (int i = 0; i < 32; i++)
            if (i % 4 / 2 == half) top = fmaxf(top, s[i]);
        top = most_of_row(top);
        scale[half] = exp2f(most[half] - top);
        for (int i = 0; i < 32; i++)
            if (i % 4 / 2 == half) total += s[i] = exp2f(s[i] - top);
        sum[half] = sum[half] * scale[half] + total;
        most[half] = top;
    }
    for (int i = 0; i < 16; i++)
        p[i] = pack(s[2 * i], s[2 * i + 1]);
}

extern "C" __global__ void attention_reference(const bf16 *q, const bf16 *k, const bf16 *v, float *o)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    float s[256], most = -1e30f, sum = 0;
    for (int j = 0; j < 256; j++) {
        s[j] = 0;
        for (int i = 0; i < 64; i++)
            s[j] += wide(q[64 * row + i]) * wide(k[64 * j + i]);
        most = fmaxf(most, s[j]);
    }
    for (int j = 0; j < 256; j++)
        sum += s[j] = exp2f(s[j] - most);
    for (int i = 0; i < 64; i++) {
        float total = 0;
        for (int j = 0; j < 256; j++)
            total += s[j] * wide(v[64 * j + i]);
        o[64 * row + i] = total / sum;
    }
}

// Two consumers, each with 64 queries of its own, take turns at issuing by named barriers;
// the next scores are multiplied while the last ones are softened, K and V have rings and
// objects of their own, and the last arrival for a turn is left over.
// launch: grid 1, block 288, shared 54272;
//         in q bf16[8192] map 64/64 128/128 swizzle 128;
//         in k bf16[16384] map 64/64 256/64 swizzle 128;
//         in v bf16[16384] map 64/64 256/64 swizzle 128; out o f32[8192]; tolerance 0.02
// reference: attention_reference, block 128
extern "C" __global__ void __launch_bounds__(288, 1) attention_with_products_beside_softmax(
    const __grid_constant__ tensor_map q, const __grid_constant__ tensor_map k,
    const __grid_constant__ tensor_map v, float *o)
{
    enum { BLOCKS = 4 };
    extern __shared__ bf16 memory[];
    __shared__ u64 q_full, k_full[2], k_empty[2], v_full[2], v_empty[2];
    bf16 *const sq = aligned(memory), *const sk = sq + 2 * TILE, *const sv = sk + 2 * TILE;
    const int t = threadIdx.x, group = t / 128;
    if (t == 0) {
        BAR_INIT(&q_full, 1);
        for (int i = 0; i < 2; i++) {
            BAR_INIT(&k_full[i], 1);
            BAR_INIT(&v_full[i], 1);
            BAR_INIT(&k_empty[i], 2);
            BAR_INIT(&v_empty[i], 2);
        }
        FENCE_INIT();
    }
    __syncthreads();
    if (group == 2) {
        if (t != 256) return;
        BAR_EXPECT(&q_full, 4 * TILE);
        TMA_LOAD_2D(sq, &q, 0, 0, &q_full);
        for (int j = 0; j < BLOCKS; j++) {
            const int s = j % 2;
            BAR_WAIT(&k_empty[s], j / 2 % 2 ^ 1);
            BAR_EXPECT(&k_full[s], 2 * TILE);
            TMA_LOAD_2D(sk + s * TILE, &k, 0, 64 * j, &k_full[s]);
            BAR_WAIT(&v_empty[s], j / 2 % 2 ^ 1);
            BAR_EXPECT(&v_full[s], 2 * TILE);
            TMA_LOAD_2D(sv + s * TILE, &v, 0, 64 * j, &v_full[s]);
        }
        return;
    }
    float s[32], out[32], most[2] = {-1e30f, -1e30f}, sum[2] = {0, 0}, scale[2];
    unsigned p[16];
    if (group == 1) NAMED_ARRIVE(1, 256); // the first one begins
    BAR_WAIT(&q_full, 0);
    BAR_WAIT(&k_full[0], 0);
    NAMED_SYNC(1 + group, 256);
    WGMMA_FENCE();
    WGMMA_TILE(s, sq + group * TILE, sk, false);
    WGMMA_COMMIT();
    NAMED_ARRIVE(2 - group, 256);
    WGMMA_WAIT(0);
    if (t % 128 == 0) BAR_ARRIVE(&k_empty[0]);
    soften(s, most, sum, scale, p);
    for (int j = 1; j <= BLOCKS; j++) {
        const int stage = j % 2, last = 1 - stage;
        if (j < BLOCKS) BAR_WAIT(&k_full[stage], j / 2 % 2);
        NAMED_SYNC(1 + group, 256);
        WGMMA_FENCE();
        if (j < BLOCKS) {
            WGMMA_TILE(s, sq + group * TILE, sk + stage * TILE, false);
            WGMMA_COMMIT();
        }
        BAR_WAIT(&v_full[last], (j - 1) / 2 % 2);
        for (int i = 0; i < 4; i++)
            WGMMA_64_A(out, p + 4 * i, tile_of_rows(sv + last * TILE) + 128 * i, j > 1 || i);
        WGMMA_COMMIT();
        NAMED_ARRIVE(2 - group, 256);
        if (j == BLOCKS) break;
        WGMMA_WAIT(1);
        if (t % 128 == 0) BAR_ARRIVE(&k_empty[stage]);
        unsigned next[16];
        soften(s, most, sum, scale, next);
        WGMMA_WAIT(0);
        for (int i = 0; i < 16; i++)
            asm volatile("" : "+r"(p[i])); // or the compiler gives next the same registers
        if (t % 128 == 0) BAR_ARRIVE(&v_empty[last]);
        for (int i = 0; i < 32; i++)
            out[i] *= scale[i % 4 / 2];
        for (int i = 0; i < 16; i++)
            p[i] = next[i];
    }
    WGMMA_WAIT(0);
    for (int half = 0; half < 2; half++)
        sum[half] = sum_of_row(sum[half]);
    for (int i = 0; i < 32; i++)
        o[(64 * group + row_of(i)) * 64 + column_of(i)] = out[i] / sum[i % 4 / 2];
}
