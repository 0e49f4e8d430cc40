// Whole kernels in the styles of FlashAttention-3, DeepGEMM, CUTLASS and Triton, small: what
// they do that the plain GEMMs do not.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 }; // elements of 64 rows of 128 bytes

#define D_32(d) ALL_8("+f", d, 0), ALL_8("+f", d, 8), ALL_8("+f", d, 16), ALL_8("+f", d, 24)
#define D_LIST                                                                           \
    "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, "    \
    "%18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
// d (64 x 64, f32) += a b, a and b along M and N in memory.
#define WGMMA_64_T(d, a, b, keep)                                                        \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %34, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D_LIST          \
                 ", %32, %33, keep, 1, 1, 1, 1;\n}"                                      \
                 : D_32(d) : "l"(a), "l"(b), "r"((int)(keep)) : "memory")
// The same with a in registers, four words of two, and b along N.
#define WGMMA_64_A(d, a, b, keep)                                                        \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %37, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 " D_LIST          \
                 ", {%32, %33, %34, %35}, %36, keep, 1, 1, 1;\n}"                        \
                 : D_32(d) : ALL_4("r", a, 0), "l"(b), "r"((int)(keep)) : "memory")
// Of e4m3, 32 along K.
#define WGMMA_64_E4M3(d, a, b, keep)                                                     \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %34, 0;\n"                      \
                 "wgmma.mma_async.sync.aligned.m64n64k32.f32.e4m3.e4m3 " D_LIST          \
                 ", %32, %33, keep, 1, 1;\n}"                                            \
                 : D_32(d) : "l"(a), "l"(b), "r"((int)(keep)) : "memory")

// Four products of 16 of k; the tiles have 64.
__device__ inline void multiply(float *d, const bf16 *a, const bf16 *b, bool keep)
{
    for (int i = 0; i < 4; i++)
        WGMMA_64(d, tile_of_rows(a) + 2 * i, tile_of_rows(b) + 2 * i, keep || i);
}

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
// ---- attention ----

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
    multiply(s, sq + group * TILE, sk, false);
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
            multiply(s, sq + group * TILE, sk + stage * TILE, false);
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

// ---- fp8 with scales ----

__device__ inline float wide_e4m3(unsigned char x)
{
    const int exponent = x >> 3 & 15, mantissa = x & 7;
    const float size = exponent ? ldexpf(8 + mantissa, exponent - 10) : ldexpf(mantissa, -9);
    return x & 128 ? -size : size;
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

// Scales ride in the stage, and are read before the products begin; the sums of 128 of k
// are added up by the threads. Copies come before their bytes are expected.
// launch: grid 1, block 160, shared 34816;
//         in a e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in b e4m3[32768] integers -3 3 map 512/128 64/64 swizzle 128;
//         in sa f32[256]; in sb f32[4]; out c f32[4096]; tolerance 0.0001
// reference: scaled_product_reference, block 64
extern "C" __global__ void sums_promoted_by_scales(const __grid_constant__ tensor_map a,
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
            BAR_EXPECT(&full[s], 2 * BYTES + 256);
        }
        return;
    }
    float d[32], total[32] = {0};
    for (int k = 0; k < BLOCKS; k++) {
        const int s = k % STAGES;
        const bf16 *const at = tiles + s * BYTES;
        BAR_WAIT(&full[s], k / STAGES % 2);
        const float low = scales[s][row_of(0)], high = scales[s][row_of(2)];
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

// ---- products ----

extern "C" __global__ void drawn_product_reference(const bf16 *a, const bf16 *b, float *c, int *next)
{
    product(a, b, c, 64, 256);
    if (blockIdx.x == 0 && threadIdx.x == 0) *next = 8; // both blocks have found none
}

// A dynamic order of tiles: the producer draws one and tells the consumers its number by a
// pair of objects of its own.
// launch: grid 2, block 160, shared 33792;
//         in a bf16[98304] integers -3 3 map 256/64 384/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[24576];
//         inout next i32[1] zero
// reference: drawn_product_reference, grid 6, block 64
extern "C" __global__ void tiles_drawn_by_the_producer(const __grid_constant__ tensor_map a,
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
        BAR_WAIT(&drawn, turn % 2);
        const int tile = number;
        BAR_ARRIVE(&taken);
        if (tile >= TILES) break;
        for (int i = 0; i < BLOCKS; i++, k++) {
            const int stage = k % STAGES;
            BAR_WAIT(&full[stage], k / STAGES % 2);
            WGMMA_FENCE();
            multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, i > 0);
            WGMMA_COMMIT();
            WGMMA_WAIT(0);
            if (t == 0) BAR_ARRIVE(&empty[stage]);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * tile + row_of(i)) * 64 + column_of(i)] = d[i];
    }
}

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
        multiply(d, s + 2 * stage * TILE, s + (2 * stage + 1) * TILE, k > 0);
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

extern "C" __global__ void shared_product_reference(const bf16 *a, const bf16 *b, float *c,
                                                    float *part, unsigned *flag)
{
    product(a, b, c, 64, 256);
}

// Two blocks share a tile: the second one's part of K goes to the first by a workspace and
// a flag, which one thread waits for.
// launch: grid 2, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096];
//         work part f32[4096]; inout flag u32[1] zero
// reference: shared_product_reference, grid 1, block 64
extern "C" __global__ void parts_of_k_joined_by_a_flag(const __grid_constant__ tensor_map a,
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
            part[128 * i + t] = d[i];
        __syncthreads();
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
        c[row_of(i) * 64 + column_of(i)] = d[i] + part[128 * i + t];
}

// Four blocks have four tiles of rows and columns: each loads half of its rows for its row
// of the cluster, half of its columns for its column, and is given its stages back by both
// neighbours and itself.
extern "C" __global__ void square_product_reference(const bf16 *a, const bf16 *b, float *c)
{
    product(a, b, c, 128, 256);
}
// launch: grid 2x2, block 160, cluster 2x2, shared 33792;
//         in a bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128;
//         in b bf16[32768] integers -3 3 map 256/64 128/32 swizzle 128; out c f32[16384]
// reference: square_product_reference, grid 1, block 128
extern "C" __global__ void rows_and_columns_shared_by_four_blocks(const __grid_constant__ tensor_map a,
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
            if (t < 4 && ((in_row | in_column) >> t & 1)) BAR_ARRIVE_AT(&empty[stage], t);
        }
        for (int i = 0; i < 32; i++)
            c[(64 * y + row_of(i)) * 128 + 64 * x + column_of(i)] = d[i];
    }
    CLUSTER_SYNC();
}

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
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&left);
        }
    }
    if (t == 0) BULK_WAIT(0);
}
