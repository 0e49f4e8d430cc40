// Multi-head latent attention of few new queries to a long cache (decoding, DeepSeek), on
// the tensor cores of sm_80 and newer: O = softmax(scale * Q * K^T) * V for each sequence
// and head, where all heads share one latent key of HEAD elements, of which the first
// HEAD_V are the value.
//
//   Q        [sequences * seq_q][heads][HEAD] of type TYPE, O the same of HEAD_V.
//            *_token, *_head: elements from one token, and from one head, to the next
//   K        [page][PAGE][HEAD]; kv_page, kv_token elements from one to the next. Keys
//            p * PAGE and on of sequence b are in page table[b * table_row + p]; with
//            PAGE = 0 all of them in page b, without table
//   lengths  sequence b has lengths[b] * unit + more keys, from 0 to 2^30 - 512. Query i
//            stands at position i + keys - seq_q and sees no key behind it
//   lse      [heads][lse_head]: logarithm of the sum of exp(score) for each token; may
//            be null. scale is positive
//   partials with several splits: 4 * ROWS * (HEAD_V + 1) bytes for each block of the
//            grid, of any contents
//   counters with several splits: one for each y and z, 0 before and after
//   grid     x: splits, blocks that share the keys of a sequence, from 1 on; y: ceil(
//            heads * seq_q / ROWS), z: sequences
//   block    x: THREADS = 32 * WARPS
//   shared   2 * HEAD * (ROWS + STAGES * KEYS) + 2 * ROWS * KEYS + 64 * WARPS + 4 * ROWS
//            bytes, dynamic
//   align    Q, K, O: rows of HEAD, HEAD_V elements begin at multiples of 16 bytes
//   result   a query that sees no key has outputs 0 and lse minus infinity. Sums in fp32,
//            powers are rounded to TYPE before they meet V; order depends on the
//            parameters, not on which block comes last
//
// Heads and new tokens are rows of one product, ROWS a block. A block walks tiles of KEYS
// keys, which all warps copy and all read, once from global memory for both products: for
// scores a warp has 16 rows and some of the keys, for outputs all rows and HEAD_V / WARPS
// columns. Powers go through shared memory between. The last of the blocks that share a
// sequence joins what all have (FlashDecoding).

#ifndef HEAD // elements of a query and of a key
#define HEAD 576
#endif
#ifndef HEAD_V // of a value, the first of its key, and of an output
#define HEAD_V 512
#endif
#ifndef PAGE // keys a page; 0: no pages
#define PAGE 64
#endif

#ifndef ROWS // heads of new tokens that a block has
#define ROWS 64
#endif
#ifndef KEYS // of a tile
#define KEYS 32
#endif
#ifndef WARPS
#define WARPS 8
#endif
#ifndef STAGES // tiles in shared memory
#define STAGES 2
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef EVICT // what is copied leaves L2 0 as usual, 1 first
#define EVICT 0
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif

#include "common/attention_output.cuh"
#include "common/attention_scores.cuh"
#include "common/attention_tile.cuh"
#include "common/cache_hints.cuh"
#include "common/decode_join.cuh"
#include "common/paged_tiles.cuh"
#include "common/split_k.cuh"

constexpr int THREADS = 32 * WARPS;
constexpr int PIECES = ROWS / 16;     // of rows
constexpr int PARTS = WARPS / PIECES; // of keys: warps that share a piece's scores
constexpr int WARP_KEYS = KEYS / PARTS;
constexpr int WARP_COLUMNS = HEAD_V / WARPS; // of outputs

static_assert(ROWS == 16 || ROWS == 32 || ROWS == 64, "ROWS must be 16, 32 or 64");
static_assert(WARPS >= PIECES && WARPS <= 16 && (WARPS & (WARPS - 1)) == 0,
              "WARPS: a power of two up to 16, one at least for 16 rows");
static_assert(KEYS >= 16 && (KEYS & (KEYS - 1)) == 0 && WARP_KEYS >= 16,
              "KEYS: a power of two, 16 at least for each warp of 16 rows");
static_assert(STAGES >= 1, "STAGES must be at least 1");
static_assert(PAGE == 0 || (PAGE >= 8 && (PAGE & (PAGE - 1)) == 0),
              "PAGE: 0 or a power of two from 8 on");
static_assert(HEAD_V <= HEAD && HEAD_V % 256 == 0,
              "HEAD_V: a multiple of 256 up to HEAD");
static_assert(EVICT == 0 || EVICT == 1, "EVICT must be 0 or 1");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");

typedef Operand<TYPE, ROWS, HEAD, 16, true, true> Queries;
typedef Operand<TYPE, KEYS, HEAD, WARP_KEYS, true, false> Keys;
typedef Operand<TYPE, HEAD, KEYS, WARP_COLUMNS, false, false> Values;
typedef Operand<TYPE, ROWS, KEYS, ROWS, true, true> Powers;
typedef Keys::Shared KeyTile;
typedef Splits<ROWS, HEAD_V> BlockSplits;
typedef LineCopier<TYPE, Queries::Shared, THREADS, 0, false> QueryCopier;
typedef LineCopier<TYPE, KeyTile, THREADS, PREFETCH, EVICT != 0> KeyCopier;

// Shared memory: queries, tiles of keys, powers, a float for each row of each part (the
// highest score, at the end the sum of powers), and one for each row (what outputs are
// multiplied by, at the end the logarithm of what powers were divided by).
struct Memory {
    unsigned char *first;

    __device__ unsigned queries() const
    {
        return shared_address(first);
    }
    __device__ unsigned tile(int stage) const
    {
        return queries() + Queries::Shared::bytes + stage * KeyTile::bytes;
    }
    __device__ unsigned char *powers() const
    {
        return first + Queries::Shared::bytes + STAGES * KeyTile::bytes;
    }
    __device__ float *of_part(int part, int row) const
    {
        return reinterpret_cast<float *>(powers() + Powers::Shared::bytes) + part * ROWS +
               row;
    }
    __device__ float *of_row(int row) const
    {
        return of_part(PARTS, row);
    }
};

// Tiles of a sequence from the last to the first, copied by the whole block.
struct Tiles {
    PagedTiles<KeyCopier, PAGE, KEYS, 1> tiles;
    const TYPE *start; // this thread's
    int first;

    // A group of copies, which may be of nothing.
    __device__ void copy(unsigned to, int tile)
    {
        if (tile >= first) tiles.copy(to, start, tile);
        commit_copies();
    }
};

struct Walk {
    Memory memory;
    RowMask mask;
    float factor; // of scores, whose powers are of 2
    int piece, part;
    Queries queries;
    Keys keys;
    Values values;
    Powers powers;
    OnlineSoftmax<1> softmax;
    float outputs[PIECES][WARP_COLUMNS / 8][4];
    typedef float Scores[1][WARP_KEYS / 8][4];

    __device__ Walk(const Memory &memory, const RowMask &mask, float factor)
        : memory(memory), mask(mask), factor(factor), piece(threadIdx.x / 32 % PIECES),
          part(threadIdx.x / 32 / PIECES), queries(16 * piece), keys(WARP_KEYS * part),
          values(first_column()), powers(0), outputs{}
    {
    }
    __device__ static int first_column() // of the warp's outputs
    {
        return threadIdx.x / 32 * WARP_COLUMNS;
    }
    __device__ int row(int half) const // of the lane's scores
    {
        return 16 * piece + 8 * half + threadIdx.x % 32 / 4;
    }

    __device__ void absorb(unsigned tile, int number, bool hides)
    {
        Scores scores = {};
        score(scores, tile);
        if (hides)
            hide_keys<false>(scores[0], mask, row(0), number * KEYS + WARP_KEYS * part);
        float scale[2];
        take_powers(scores[0], scale);
        put_powers(scores[0], scale);
        if (__syncthreads_or(scale[0] != 1 || scale[1] != 1)) rescale();
        weigh(tile);
    }

    // Sums and logarithms for all; outputs are not divided yet.
    __device__ void finish() const
    {
        __syncthreads(); // all have read what they multiply outputs by
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const float sum = sum_of_row(softmax.sum[0][half]);
            if (threadIdx.x % 4 != 0) continue;
            *memory.of_part(part, row(half)) = sum;
            if (part == 0) *memory.of_row(row(half)) = softmax.base[0][half];
        }
        __syncthreads();
    }

  private:
    __device__ void score(Scores &scores, unsigned tile) const
    {
#pragma unroll
        for (int step = 0; step < HEAD / 16; step++) {
            unsigned a[1][4];
            queries.load(a, memory.queries(), step);
#pragma unroll
            for (int j = 0; j < WARP_KEYS / 16; j++) {
                unsigned b[4];
                keys.load_piece(b, tile, j, step);
                multiply<TYPE>(scores, j, a, b);
            }
        }
    }

    // Scores become powers. Their base moves only when they grew by more than
    // 2^8, which every TYPE holds, so that outputs are seldom multiplied.
    __device__ void take_powers(float (&scores)[WARP_KEYS / 8][4], float (&scale)[2])
    {
        float now[2];
#pragma unroll
        for (int half = 0; half < 2; half++)
            now[half] = softmax.highest_of(scores, half) * factor;
        if (PARTS > 1) meet(now);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const float before = softmax.base[0][half];
            if (now[half] <= before + 8) now[half] = before;
            scale[half] =
                softmax.template take_row<true>(scores, 0, half, factor, now[half]);
        }
    }
    // The highest of all parts of the keys.
    __device__ void meet(float (&now)[2]) const
    {
        float *const first = memory.of_part(0, row(0));
        if (threadIdx.x % 4 == 0) {
            first[part * ROWS] = now[0];
            first[part * ROWS + 8] = now[1];
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < PARTS; i++) {
            now[0] = fmaxf(now[0], first[i * ROWS]);
            now[1] = fmaxf(now[1], first[i * ROWS + 8]);
        }
    }
    __device__ void put_powers(const float (&scores)[WARP_KEYS / 8][4],
                               const float (&scale)[2]) const
    {
        const RowWriter<TYPE, Powers::Shared> writer = {memory.powers(), 0};
        const int column = WARP_KEYS * part + threadIdx.x % 4 * 2;
#pragma unroll
        for (int half = 0; half < 2; half++) {
#pragma unroll
            for (int j = 0; j < WARP_KEYS / 8; j++)
                narrow_pair(writer.at(row(half), column + 8 * j), scores[j][2 * half],
                            scores[j][2 * half + 1]);
            if (part == 0 && threadIdx.x % 4 == 0)
                *memory.of_row(row(half)) = scale[half];
        }
    }
    __device__ void rescale()
    {
#pragma unroll
        for (int i = 0; i < 2 * PIECES; i++)
            softmax.rescale(outputs[i / 2], i % 2,
                            *memory.of_row(8 * i + threadIdx.x % 32 / 4));
    }
    __device__ void weigh(unsigned tile)
    {
        const unsigned from = shared_address(memory.powers());
#pragma unroll
        for (int step = 0; step < KEYS / 16; step++) {
            unsigned a[PIECES][4];
            powers.load(a, from, step);
#pragma unroll
            for (int j = 0; j < WARP_COLUMNS / 16; j++) {
                unsigned b[4];
                values.load_piece(b, tile, j, step);
                multiply<TYPE>(outputs, j, a, b);
            }
        }
    }
};

// Tiles last .. first of the block.
__device__ inline void run(Walk &walk, Tiles &tiles, const KeyTiles &needed, int last)
{
    int stage = 0;
#pragma unroll
    for (int i = 0; i < STAGES - 1; i++)
        tiles.copy(walk.memory.tile(i), last - i);
    for (int t = last; t >= tiles.first; t--) {
        if (STAGES > 1) wait_for_copies<STAGES - 2 + (STAGES == 1)>();
        __syncthreads(); // and all have read the tile before
        const int ahead = stage == 0 ? STAGES - 1 : stage - 1;
        tiles.copy(walk.memory.tile(ahead), t - (STAGES - 1));
        if (STAGES == 1) {
            wait_for_copies<0>();
            __syncthreads();
        }
        walk.absorb(walk.memory.tile(stage), t, !needed.is_clear(t));
        stage = stage + 1 == STAGES ? 0 : stage + 1;
    }
}

// The warp's columns of all rows: to outputs, or to this block's part of a
// split.
__device__ inline void write(Walk &walk, const Outputs &outputs,
                             const BlockSplits &splits, bool whole)
{
    walk.finish();
#pragma unroll
    for (int i = 0; i < 2 * PIECES; i++) {
        const int row = 8 * i + threadIdx.x % 32 / 4;
        if (!outputs.rows.has(row)) continue;
        float total = 0, top = *walk.memory.of_row(row);
#pragma unroll
        for (int part = 0; part < PARTS; part++)
            total += *walk.memory.of_part(part, row);
        if (top == minus_infinity()) top = 0;
        const float log = top + __log2f(total), inverse = 1.0f / fmaxf(total, 1e-30f);
        const int first = Walk::first_column() + threadIdx.x % 4 * 2;
        TYPE *const to = outputs.row(row) + first;
        float *const part = splits.outputs(blockIdx.x, row, first);
#pragma unroll
        for (int j = 0; j < WARP_COLUMNS / 8; j++) {
            const float *x = &walk.outputs[i / 2][j][i % 2 * 2];
            if (whole)
                narrow_pair(to + 8 * j, x[0] * inverse, x[1] * inverse);
            else
                *reinterpret_cast<float2 *>(part + 8 * j) = {x[0] * inverse,
                                                             x[1] * inverse};
        }
        if (threadIdx.x / 32 != 0 || threadIdx.x % 4 != 0) continue;
        if (whole)
            outputs.put_log(row, log);
        else
            *splits.log(blockIdx.x, row) = log;
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    mla_decode(const TYPE *__restrict__ Q, const TYPE *__restrict__ K, TYPE *O,
               float *lse, const int *__restrict__ table, const int *__restrict__ lengths,
               float *partials, unsigned *counters, int unit, int more, int seq_q,
               int heads, int table_row, int q_token, int q_head, long long kv_page,
               int kv_token, int o_token, int o_head, long long lse_head, float scale)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int b = blockIdx.z;
    const Rows rows = {heads, heads * seq_q, (int)blockIdx.y * ROWS};
    const Places places = {(long long)b * seq_q, 0};
    const int length = lengths[b] * unit + more;
    const RowMask mask = {{seq_q, length, NO_LIMIT, 0}, rows};
    const KeyTiles needed = mask.tiles(ROWS, KEYS);
    const Share share(needed, blockIdx.x, gridDim.x);
    if (blockIdx.x >= share.blocks) return;

    const Memory memory = {shared};
    const int last = share.end - 1;
    Tiles tiles = {{{table + (long long)b * table_row, length, share.first, last},
                    kv_page,
                    kv_token,
                    l2_policy<EVICT>()},
                   nullptr,
                   share.first};
    tiles.start = tiles.tiles.start(K + (PAGE ? 0 : b * kv_page));
    copy_rows<QueryCopier>(memory.queries(), Q, rows, places, q_token, q_head);
    Walk walk(memory, mask, Scoring(scale, 1).factor);
    run(walk, tiles, needed, last);

    const Outputs outputs = {rows, places, O, lse, o_token, o_head, lse_head};
    const int tile = blockIdx.z * gridDim.y + blockIdx.y;
    const BlockSplits splits = {partials +
                                (long long)tile * gridDim.x * BlockSplits::size};
    write(walk, outputs, splits, share.blocks == 1);
    if (share.blocks == 1 || !comes_last(&counters[tile], share.blocks)) return;
    for_parts<THREADS, ROWS, HEAD_V>(rows, [&](int row, int column) {
        outputs.put(row, column, splits.take(share.blocks, row, column));
    });
}
