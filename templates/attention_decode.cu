// Attention of few new queries to a long cache of keys (decoding), on the tensor cores of
// sm_80 and newer: O = softmax(scale * Q * K^T) * V for each sequence and head.
//
//   Q, O     [sequences * seq_q][heads][HEAD] of type TYPE. *_token, *_head: elements
//            from one token, and from one head, to the next
//   K, V     [page][PAGE][heads / group][HEAD] of type CACHE; kv_page, kv_token, kv_head:
//            elements from one to the next. Keys p * PAGE and on of sequence b are in
//            page table[b * table_row + p]; with PAGE = 0 all of them in page b, without
//            table
//   scales   of e4m3, which must be finite: k_scale, v_scale [heads / group], positive
//            factors of keys, and factors of values; each may be null: 1
//   lengths  sequence b has lengths[b] * unit + more keys, from 0 to 2^30 - 512. Query i
//            stands at position i + keys - seq_q and sees no key behind it; with LOCAL
//            none further than window away
//   lse      [heads][lse_head]: logarithm of the sum of exp(score) for each token; may
//            be null
//   SOFTCAP  a score is cap * tanh(scale * q * k / cap); scale and cap are positive
//   partials with several splits: 64 * (HEAD + 1) bytes for each block of the grid, of
//            any contents
//   counters with several splits: one for each y and z, 0 before and after
//   grid     x: splits, blocks that share the keys of a sequence, from 1 on; y: heads /
//            group * ceil(group * seq_q / 16), z: sequences
//   block    x: THREADS = 32 * WARPS
//   shared   32 * HEAD + WARPS * max(2 * STAGES * KEYS * HEAD * (bytes of a CACHE),
//            64 * (HEAD + 8)) bytes, dynamic
//   align    Q, K, V, O: rows of HEAD elements begin at multiples of 16 bytes
//   result   a query that sees no key has outputs 0 and lse minus infinity. Sums in fp32,
//            powers are rounded to TYPE before they meet V; order depends on the
//            parameters, not on which block comes last
//
// All heads that share a key head, and all new tokens, are rows of one product: up to 16
// fill mma's M. The keys of a sequence are split over the blocks of x, and those of a
// block over warps: each warp walks tiles of its own, copied into rings of its own,
// without waiting for the others. Then the warps of a block join what they have, and the
// last of the blocks what all have (FlashDecoding).

#ifndef CACHE // of keys and values: TYPE or e4m3
#define CACHE TYPE
#endif
#ifndef PAGE // keys a page; 0: no pages
#define PAGE 16
#endif

#ifndef KEYS // of a warp's tile
#define KEYS 16
#endif
#ifndef WARPS
#define WARPS 4
#endif
#ifndef STAGES // tiles of K, and of V, of a warp in shared memory
#define STAGES 2
#endif
#ifndef KEEP_Q // queries in registers, else in shared memory
#define KEEP_Q 1
#endif
#ifndef PEEL // code of its own for tiles that need no mask
#define PEEL 0
#endif
#ifndef PREFETCH // bytes that a copy may bring to L2
#define PREFETCH 128
#endif
#ifndef EVICT // what is copied leaves L2 0 as usual, 1 first
#define EVICT 1
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 1
#endif

#include "common/attention_parameters.cuh"
#include "common/attention_tile_fp8.cuh"
#include "common/attention_walk.cuh"
#include "common/cache_hints.cuh"
#include "common/decode_join.cuh"
#include "common/paged_tiles.cuh"
#include "common/split_k.cuh"
#include "common/write_sums.cuh"

constexpr int THREADS = 32 * WARPS;
constexpr bool EIGHT = same_type<CACHE, e4m3>::value; // bits
constexpr int ROWS = 16;                              // a block
constexpr int STAGING = ROWS * staging_width<HEAD>(); // floats of a warp

static_assert(KEYS % 16 == 0 && (KEYS & (KEYS - 1)) == 0,
              "KEYS: a power of two from 16 on");
static_assert(PAGE == 0 || (PAGE >= 8 && (PAGE & (PAGE - 1)) == 0),
              "PAGE: 0 or a power of two from 8 on");
static_assert(WARPS >= 1 && WARPS <= 16, "WARPS must be 1 to 16");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(KEEP_Q == 0 || KEEP_Q == 1, "KEEP_Q must be 0 or 1");
static_assert(PEEL == 0 || PEEL == 1, "PEEL must be 0 or 1");
static_assert(EVICT == 0 || EVICT == 1, "EVICT must be 0 or 1");

template <class Cache> struct WarpTile {
    typedef AttentionTile<TYPE, ROWS, ROWS, KEYS, HEAD, KEEP_Q> Of;
    static_assert(same_type<Cache, TYPE>::value, "CACHE: TYPE or e4m3");
};
template <> struct WarpTile<e4m3> {
    typedef AttentionTileFp8<TYPE, ROWS, KEYS, HEAD, KEEP_Q> Of;
};
typedef WarpTile<CACHE>::Of Warp;
typedef Warp::Queries::Shared QueryTile;
typedef Warp::Keys::Shared KeyTile;

constexpr int TILE_BYTES = KeyTile::bytes;
constexpr int RINGS_BYTES = 2 * STAGES * TILE_BYTES;
constexpr int WARP_BYTES = RINGS_BYTES > 4 * STAGING ? RINGS_BYTES : 4 * STAGING;

// Tiles of one key head of a sequence, of which a warp copies its own: K and V of a tile
// one after the other.
struct PagedHead {
    static constexpr int step = WARPS; // tiles from one to the next
    typedef LineCopier<CACHE, KeyTile, 32, PREFETCH, EVICT != 0> Copier;
    typedef PagedTiles<Copier, PAGE, KEYS, step> Tiles;
    Tiles tiles;
    const CACHE *k, *v; // this lane's start

    __device__ PagedHead(const CACHE *keys, const CACHE *values, const Tiles &tiles)
        : tiles(tiles), k(tiles.start(keys)), v(tiles.start(values))
    {
    }
    __device__ void copy(unsigned to, bool values, int tile)
    {
        tiles.copy(to, values ? v : k, tile);
    }
    __device__ static void sync()
    {
        __syncwarp();
    }
};

typedef AttentionRings<PagedHead, STAGES, TILE_BYTES> Rings;
typedef AttentionWalk<Warp, Rings, RowMask> Walk;
typedef Splits<ROWS, HEAD> BlockSplits;
typedef LineCopier<TYPE, QueryTile, THREADS, 0, false> QueryCopier;

// What scores and outputs are multiplied by where the cache has 8 bits.
struct Factors {
    float key = Warp::unit, value = Warp::unit;

    __device__ Factors(const float *keys, const float *values, int key_head)
    {
        if (!EIGHT) return;
        if (keys) key *= keys[key_head];
        if (values) value *= values[key_head];
    }
};

// What the warps of a block have of each row: outputs not yet divided, highest score
// (times factor), sum of powers.
struct Joint {
    float *outputs, *highest, *sum; // [WARPS][ROWS][..], the first in rows of the staging

    __device__ Joint(unsigned char *shared)
        : outputs(reinterpret_cast<float *>(shared + QueryTile::bytes)),
          highest(reinterpret_cast<float *>(shared)), sum(highest + WARPS * ROWS)
    {
        static_assert(2 * WARPS * ROWS * 4 <= QueryTile::bytes,
                      "sums take the queries' place");
    }

    // All warps are through with queries and rings.
    __device__ void put(const Walk &walk, float factor) const
    {
        const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        float *stage = outputs + warp * (WARP_BYTES / 4);
#pragma unroll
        for (int half = 0; half < 2; half++) {
            const int row = lane / 4 + 8 * half;
            const float total = sum_of_row(walk.softmax.sum[0][half]);
            if (lane % 4 == 0) {
                highest[warp * ROWS + row] = walk.softmax.base[0][half];
                sum[warp * ROWS + row] = total;
            }
            Warp::store(stage + row * staging_width<HEAD>(), walk.outputs, half, factor);
        }
    }

    __device__ Part take(int row, int column) const
    {
        float top = minus_infinity();
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            top = fmaxf(top, highest[w * ROWS + row]);
        Joiner joiner(top);
#pragma unroll
        for (int w = 0; w < WARPS; w++) {
            float x[8];
            read_staging(x, outputs + w * (WARP_BYTES / 4) + row * staging_width<HEAD>() +
                                column);
            joiner.add(x, highest[w * ROWS + row], sum[w * ROWS + row]);
        }
        return joiner.finish();
    }
};

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    attention_decode(const TYPE *__restrict__ Q, const CACHE *__restrict__ K,
                     const CACHE *__restrict__ V, TYPE *O, float *lse,
                     const int *__restrict__ table, const int *__restrict__ lengths,
                     const float *k_scale, const float *v_scale, float *partials,
                     unsigned *counters, int unit, int more, int seq_q, int heads,
                     int group, int table_row, int q_token, int q_head, long long kv_page,
                     int kv_token, int kv_head, int o_token, int o_head,
                     long long lse_head, int window, float scale, float cap)
{
    extern __shared__ __align__(128) unsigned char shared[];
    const int b = blockIdx.z, warp = threadIdx.x / 32;
    const int key_head = blockIdx.y % (heads / group);
    const Rows rows = {group, group * seq_q, (int)blockIdx.y / (heads / group) * ROWS};
    const Places places = {(long long)b * seq_q, key_head * group};
    const int length = lengths[b] * unit + more;
    const RowMask mask = {{seq_q, length, LOCAL ? window : NO_LIMIT, 0}, rows};
    const KeyTiles needed = mask.tiles(ROWS, KEYS);
    const Share share(needed, blockIdx.x, gridDim.x);
    if (blockIdx.x >= share.blocks) return;

    const unsigned address = shared_address(shared);
    const long long start = (PAGE ? 0 : b * kv_page) + (long long)key_head * kv_head;
    const int last = share.end - 1 - warp;
    const PagedHead::Tiles tiles = {
        {table + (long long)b * table_row, length, share.first, last},
        kv_page,
        kv_token,
        l2_policy<EVICT>()};
    Rings rings = {{K + start, V + start, tiles},
                   address + QueryTile::bytes + warp * WARP_BYTES,
                   share.first};
    copy_rows<QueryCopier>(address, Q, rows, places, q_token, q_head);
    commit_copies();
    rings.begin(last);
    wait_for_copies<2 * STAGES - 1>();
    __syncthreads();
    const Factors factors(k_scale, v_scale, key_head);
    Walk walk(address, 0, 0, Scoring(scale * factors.key, cap));
    walk.tile.take_queries();
    walk.run<PEEL>(rings, mask, needed, last);

    __syncthreads();
    const Joint joint(shared);
    joint.put(walk, factors.value);
    __syncthreads();
    const Outputs outputs = {rows, places, O, lse, o_token, o_head, lse_head};
    if (share.blocks == 1) {
        for_parts<THREADS, ROWS, HEAD>(rows, [&](int row, int column) {
            outputs.put(row, column, joint.take(row, column));
        });
        return;
    }
    const int tile = blockIdx.z * gridDim.y + blockIdx.y;
    const BlockSplits splits = {partials +
                                (long long)tile * gridDim.x * BlockSplits::size};
    for_parts<THREADS, ROWS, HEAD>(rows, [&](int row, int column) {
        splits.put(blockIdx.x, row, column, joint.take(row, column));
    });
    if (!comes_last(&counters[tile], share.blocks)) return;
    for_parts<THREADS, ROWS, HEAD>(rows, [&](int row, int column) {
        outputs.put(row, column, splits.take(share.blocks, row, column));
    });
}
