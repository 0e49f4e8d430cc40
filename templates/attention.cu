// Attention forward on the tensor cores of sm_80 and newer, for each sequence and head
// O = softmax(scale * Q * K^T) * V, as FlashAttention-2: no score leaves the block.
//
//   Q, O     [tokens][heads][HEAD], K, V [tokens][heads / group][HEAD], of type TYPE:
//            query heads h * group and on share key head h. *_token, *_head: elements
//            from one token, and from one head, to the next
//   lse      [heads][lse_head]: logarithm of the sum of exp(score) for each token; may be
//            null
//   tokens   sequence b has tokens b * seq_q and on of Q and O, b * seq_k and on of K and
//            V. With VARLEN starts_q[b] * unit .. starts_q[b + 1] * unit - 1, those of K
//            and V by starts_k, and seq_q is the largest number of queries. Lengths from
//            0 to 2^30 - 512
//   masks    query i of n stands at position i + m - n of m keys. CAUSAL: it sees no key
//            behind its position; LOCAL: none further than window away
//   SOFTCAP  a score is cap * tanh(scale * q * k / cap); scale and cap are positive
//   grid     x: ceil(seq_q / BLOCK_M) * heads * sequences
//   block    x: THREADS = 32 * WARPS
//   shared   2 * HEAD * (BLOCK_M + 2 * STAGES * BLOCK_N) bytes, dynamic; with KEEP_Q
//            2 * HEAD * max(BLOCK_M, 2 * STAGES * BLOCK_N)
//   align    none demanded; rows that begin at multiples of 16 bytes are moved faster
//   result   a query that sees no key has outputs 0 and lse minus infinity. Sums in fp32,
//            powers are rounded to TYPE before they meet V; order depends on BLOCK_N
//
// A block computes BLOCK_M queries of a head. It walks tiles of BLOCK_N keys from the
// last to the first and keeps the softmax online. Tiles of K and V come by cp.async into
// two rings of STAGES, swizzled; the next tile of V arrives while scores are computed,
// that of K while outputs are.

#ifndef CAUSAL // no query sees keys behind its position
#define CAUSAL 1
#endif
#ifndef VARLEN // sequences begin where starts_q and starts_k say
#define VARLEN 0
#endif

#ifndef BLOCK_M // queries a block
#define BLOCK_M 128
#endif
#ifndef BLOCK_N // keys a tile
#define BLOCK_N 32
#endif
#ifndef WARPS
#define WARPS 4
#endif
#ifndef STAGES // tiles of K, and of V, in shared memory
#define STAGES 2
#endif
#ifndef KEEP_Q // in registers, else in shared memory
#define KEEP_Q 0
#endif
#ifndef PEEL // code of its own for tiles that need no mask
#define PEEL 1
#endif
#ifndef HEAD_GROUP // heads whose blocks run together, for the reuse of K and V in L2
#define HEAD_GROUP 8
#endif
#ifndef LONGEST_FIRST // of a causal head the blocks with most keys begin
#define LONGEST_FIRST 1
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef EVICT // copies leave L2 0 as usual, 1 first, 2 last
#define EVICT 0
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif

#include "common/attention_mask.cuh"
#include "common/attention_output.cuh"
#include "common/attention_parameters.cuh"
#include "common/attention_sequence.cuh"
#include "common/attention_tile.cuh"
#include "common/attention_walk.cuh"
#include "common/cache_hints.cuh"
#include "common/head_rows.cuh"
#include "common/raster.cuh"

constexpr int THREADS = 32 * WARPS;
constexpr int WARP_ROWS = BLOCK_M / WARPS;

static_assert(BLOCK_M % (16 * WARPS) == 0, "each warp has a multiple of 16 queries");
static_assert(BLOCK_N % 16 == 0, "BLOCK_N must be a multiple of 16");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(WARPS >= 1, "WARPS must be at least 1");
static_assert(THREADS <= 1024, "at most 1024 threads a block");
static_assert(KEEP_Q == 0 || KEEP_Q == 1, "KEEP_Q must be 0 or 1");
static_assert(PEEL == 0 || PEEL == 1, "PEEL must be 0 or 1");
static_assert(LONGEST_FIRST == 0 || (LONGEST_FIRST == 1 && CAUSAL),
              "LONGEST_FIRST must be 0 or 1, and 0 without CAUSAL");
static_assert(HEAD_GROUP >= 1, "HEAD_GROUP must be at least 1");

typedef AttentionTile<TYPE, BLOCK_M, WARP_ROWS, BLOCK_N, HEAD, KEEP_Q> Warp;
constexpr int Q_BYTES = Warp::Queries::Shared::bytes;
constexpr int TILE_BYTES = Warp::Keys::Shared::bytes;

typedef LineCopier<TYPE, Warp::Queries::Shared, THREADS, PREFETCH, false> CopierQ;
typedef LineCopier<TYPE, Warp::Keys::Shared, THREADS, PREFETCH, EVICT != 0> CopierKV;

// Tiles of one key head, which all threads copy.
struct KeyHead {
    static constexpr int step = 1; // tiles from one to the next
    HeadTiles<CopierKV, BLOCK_N> k, v;
    unsigned long long policy;

    __device__ void copy(unsigned to, bool values, int tile)
    {
        (values ? v : k).copy(to, tile, policy);
    }
    __device__ static void sync()
    {
        __syncthreads();
    }
};

typedef AttentionRings<KeyHead, STAGES, TILE_BYTES> Rings;
typedef AttentionWalk<Warp, Rings, KeyMask> Walk;

// The block's queries to shared memory, with KEEP_Q on to registers, and the first tiles.
__device__ inline void begin(Walk &walk, Rings &rings,
                             const HeadRows<const TYPE> &queries, int row, int last)
{
    const unsigned address = walk.tile.query_address;
    queries.copy<CopierQ>(address, row, 0);
    if (KEEP_Q) {
        commit_copies();
        wait_for_copies<0>();
        __syncthreads();
        walk.tile.take_queries();
        __syncthreads(); // the rings lie where the queries were
    }
    rings.begin(last);
}

__device__ inline void write(Walk &walk, const HeadRows<TYPE> &outputs, float *lse,
                             int row, unsigned char *shared)
{
    const int first = threadIdx.x / 32 * WARP_ROWS;
    const RowWriter<TYPE, Warp::Queries::Shared> writer = {shared, first};
    walk.softmax.finish(walk.outputs);
    if (KEEP_Q) __syncthreads(); // others may still read the rings
    writer.stage(walk.outputs);
    __syncwarp();
    writer.write<WARP_ROWS>(outputs, row + first);
    if (!lse || threadIdx.x % 4 != 0) return;
#pragma unroll
    for (int i = 0; i < 2 * Warp::pieces; i++)
        if (walk.row + 8 * i < outputs.count)
            lse[walk.row + 8 * i] = walk.softmax.sum[i / 2][i % 2];
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    attention(const TYPE *__restrict__ Q, const TYPE *__restrict__ K,
              const TYPE *__restrict__ V, TYPE *O, float *lse, const int *starts_q,
              const int *starts_k, int unit, int seq_q, int seq_k, int heads, int group,
              int q_token, int q_head, int k_token, int k_head, int v_token, int v_head,
              int o_token, int o_head, long long lse_head, int window, float scale,
              float cap)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int tiles = (seq_q - 1) / BLOCK_M + 1;
    const TileIndex at = tile_of_block<HEAD_GROUP>(blockIdx.x, gridDim.x / tiles, tiles);
    const int row = (LONGEST_FIRST ? tiles - 1 - at.column : at.column) * BLOCK_M;
    const long long head = at.row % heads, key_head = head / group;
    const Sequence queries(starts_q, unit, at.row / heads, seq_q);
    const Sequence keys(starts_k, unit, at.row / heads, seq_k);
    if (row >= queries.count) return;

    const int ahead = CAUSAL ? 0 : LOCAL ? window : NO_LIMIT;
    const KeyMask mask = {queries.count, keys.count, LOCAL ? window : NO_LIMIT, ahead};
    const KeyTiles needed(mask, row, min(row + BLOCK_M, queries.count) - 1, BLOCK_N);
    const unsigned address = shared_address(shared);
    const int last = needed.end - 1;
    Rings rings = {{{keys.head(K, k_token, key_head * k_head), last},
                    {keys.head(V, v_token, key_head * v_head), last},
                    l2_policy<EVICT>()},
                   address + (KEEP_Q ? 0 : Q_BYTES),
                   needed.first};
    Walk walk(address, threadIdx.x / 32 * WARP_ROWS, row, Scoring(scale, cap));
    if (needed.end > needed.first) {
        const auto q = queries.head(Q, q_token, head * q_head);
        begin(walk, rings, q, row, last);
        walk.run<PEEL>(rings, mask, needed, last);
    }
    write(walk, queries.head(O, o_token, head * o_head),
          lse ? lse + head * lse_head + queries.first : nullptr, row, shared);
}
