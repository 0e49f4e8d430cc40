// Matrix product in fp32 or fp64 on the CUDA cores: D = epilogue(A * B).
//
//   A [M][K], B [K][N], C and D [M][N]   row-major; lda .. ldd elements from one row to
//            the next. M, N from 1, K from 0 to 2^31 - 512
//   TYPE     of A, B and sums: f32, or f64, then OUT too. WIDTH is its bytes
//   epilogue alpha, beta, C, bias, residual, scales: common/epilogue.cuh; what it does
//            not read may be null
//   partials with SPLIT_K > 1: WIDTH * SPLIT_K * BM * BN bytes a tile of D, of any
//            contents
//   counters with SPLIT_K > 1: one a tile of D, 0 before and after
//   grid     x: ceil(M / BM) * ceil(N / BN), y: SPLIT_K
//   block    x: THREADS = 32 * (BM / WM) * (BN / WN)
//   shared   WIDTH * STAGES * (BK * BM + BK / VEC * SKEW + BK * BN) bytes, dynamic
//   align    none demanded: VEC elements move at once where sizes and pointers allow it
//   arch     sm_70 and newer, with ASYNC sm_80
//   result   sums by fma over k = 0, 1, ... K - 1: equal bits at every configuration
//            without split-K
//
// A block computes a BM x BN tile of D, a warp WM x WN of it, a thread TM x TN of that.
// Tiles of A and B pass through registers to shared memory ahead of their use, or are
// copied there by cp.async; the fragments of one step k are read from there while the
// step before is multiplied. With SPLIT_K blocks share the k of a tile.

#ifndef BM // rows of D a block
#define BM 128
#endif
#ifndef BN // columns of D a block
#define BN 128
#endif
#ifndef BK // depth of a tile
#define BK 8
#endif
#ifndef WM // rows of D a warp
#define WM 64
#endif
#ifndef WN // columns of D a warp
#define WN 32
#endif
#ifndef TM // rows of D a thread
#define TM 8
#endif
#ifndef TN // columns of D a thread
#define TN 8
#endif
#ifndef TYPE // of A and B
#define TYPE f32
#endif
#ifndef OUT // type of D
#define OUT TYPE
#endif
#ifndef ASYNC // copies by cp.async
#define ASYNC 0
#endif
#ifndef STAGES // tiles in shared memory; with 3 the next tile is there before the barrier
#define STAGES 2
#endif
#ifndef SPLIT_K // blocks a tile of D
#define SPLIT_K 1
#endif
#ifndef GROUP_M // rows of blocks that run together, for reuse of B in L2
#define GROUP_M 8
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 2
#endif
#ifndef VEC // elements of a global access
#define VEC 4
#endif

#ifndef LOAD // loads through registers: 1 ld.global.nc, 2 with L1::no_allocate too
#define LOAD 1
#endif

#include "common/async_copy.cuh"
#include "common/cache_hints.cuh"
#include "common/epilogue.cuh"
#include "common/raster.cuh"
#include "common/split_k.cuh"

__device__ constexpr bool is_pow2(int n)
{
    return n > 0 && (n & (n - 1)) == 0;
}

constexpr int PIECE = 16 / (int)sizeof(TYPE); // elements of an access to shared memory
constexpr int LANES_M = WM / TM;
constexpr int LANES_N = WN / TN;
constexpr int WARPS_N = BN / WN;
constexpr int THREADS = 32 * (BM / WM) * WARPS_N;
// A is stored transposed, and skewed by SKEW elements every VEC rows: the stores of a
// warp (in fp64 of half a one), which go to BANKS * VEC / BK columns in BK / VEC of these
// groups, then fall into different banks.
constexpr int BANKS = 128 / (int)sizeof(TYPE); // of the width of an element
constexpr int SKEW = BANKS * VEC / BK > PIECE ? BANKS *VEC / BK : PIECE;
constexpr int A_SIZE = BK * BM + BK / VEC * SKEW; // in elements, as all here
constexpr int STAGE_SIZE = A_SIZE + BK * BN;
// Steps of k whose code is there once for all of a tile: 512 products, or fewer.
constexpr int CHUNK = TM * TN > 64 ? 4 : 8;
constexpr int CHUNKS = BK / CHUNK;
static_assert(BK % CHUNK == 0, "BK must be a multiple of 8, of 4 with more than 64 sums");
constexpr int A_CHUNK = A_SIZE / CHUNKS, B_CHUNK = CHUNK * BN;
constexpr int AHEAD = STAGES > 1 ? STAGES - 1 : 1; // tiles stored before their use

static_assert(BM % WM == 0 && BN % WN == 0, "warp tiles must fill the block tile");
static_assert(WM % TM == 0 && WN % TN == 0, "thread tiles must fill the warp tile");
static_assert(LANES_M * LANES_N == 32, "a warp tile must hold 32 thread tiles");
static_assert(same_type<TYPE, f32>::value || same_type<TYPE, f64>::value,
              "TYPE must be f32 or f64");
static_assert(same_type<TYPE, f64>::value == same_type<OUT, f64>::value,
              "OUT is f64 where TYPE is");
static_assert(TM % PIECE == 0 && TN % PIECE == 0,
              "thread tiles are made of pieces of 16 bytes");
static_assert(VEC == 1 || VEC == 2 || VEC == 4, "VEC must be 1, 2 or 4");
static_assert(VEC <= PIECE, "an access has at most 16 bytes");
static_assert(ASYNC == 0 || ASYNC == 1, "ASYNC must be 0 or 1");
static_assert(STAGES >= 1 + ASYNC && STAGES <= 3 + ASYNC,
              "STAGES must be 1, 2 or 3, with ASYNC 2, 3 or 4");
static_assert(LOAD == 1 || (LOAD == 2 && !ASYNC), "LOAD must be 1, without ASYNC 1 or 2");
static_assert(SPLIT_K >= 1, "SPLIT_K must be at least 1");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(is_pow2(BM) && is_pow2(BN) && is_pow2(BK), "tiles must be powers of two");
static_assert(is_pow2(THREADS), "the number of warps must be a power of two");
static_assert(BM % 32 == 0 && BN % 4 == 0 && BK % 4 == 0, "a tile is too small");
static_assert(THREADS <= 1024, "at most 1024 threads a block");
static_assert(BM * BK % (THREADS * VEC) == 0, "loads of A must spread evenly");
static_assert(BN * BK % (THREADS * VEC) == 0, "loads of B must spread evenly");

#include "common/sgemm_tile.cuh"

struct alignas(16) Piece {
    TYPE v[PIECE];
};

// A thread's rows or columns of one step: SIZE / PIECE pieces, STRIDE apart.
template <int SIZE, int STRIDE>
__device__ inline void load_fragment(TYPE (&out)[SIZE], const TYPE *from)
{
#pragma unroll
    for (int i = 0; i < SIZE; i += PIECE)
        *reinterpret_cast<Piece *>(&out[i]) =
            *reinterpret_cast<const Piece *>(from + i / PIECE * STRIDE);
}

struct Fragments {
    alignas(16) TYPE a[TM];
    alignas(16) TYPE b[TN];

    // a and b: where this thread's first row and column lie in the stage.
    __device__ void load(const TYPE *a_tile, const TYPE *b_tile, int k)
    {
        load_fragment<TM, PIECE * LANES_M>(a, a_tile + k * BM + k / VEC * SKEW);
        load_fragment<TN, PIECE * LANES_N>(b, b_tile + k * BN);
    }
};

typedef TYPE Sums[TM][TN / PIECE][PIECE];

__device__ inline void multiply(Sums &sum, const Fragments &f)
{
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN; j++)
            sum[i][j / PIECE][j % PIECE] =
                multiply_add(f.a[i], f.b[j], sum[i][j / PIECE][j % PIECE]);
}

struct Place {
    int row, col;
};

// Where a thread's first piece lies in the block's tile. Rows change with the lane's
// lowest bit and columns with the next, so that a 16-byte load from shared memory finds
// equal addresses in neighbouring lanes and takes half as many passes (CUTLASS's
// interleaved lanes).
__device__ inline Place thread_place()
{
    constexpr int ROWS = LANES_M > 1 ? 2 : 1; // that interleave
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int lane_row = lane / (ROWS * LANES_N) * ROWS + lane % ROWS;
    const int lane_col = lane % (ROWS * LANES_N) / ROWS;
    return {warp / WARPS_N * WM + lane_row * PIECE,
            warp % WARPS_N * WN + lane_col * PIECE};
}

// A tile of both on its way through registers.
struct Packs {
    TileA a;
    TileB b;

    __device__ void store(TYPE *stage) const
    {
        a.store(stage);
        b.store(stage + A_SIZE);
    }
};

// Where tiles come from, one after another.
struct Source {
    const Matrix a, b;
    const Place at;  // of D
    const int first; // tile along k
    WalkA a_walk;
    WalkB b_walk;

    __device__ Source(const Matrix &a, const Matrix &b, Place at, int first)
        : a(a), b(b), at(at), first(first), a_walk(a, at.row, first * BK),
          b_walk(b, first * BK, at.col)
    {
    }
    // How many tiles from the first on consist of packs.
    __device__ int count_walked() const
    {
        const bool packs = (ASYNC || a.is_aligned()) &&
                           ((ASYNC && !TileB::WHOLE) || b.is_aligned()) &&
                           (b.cols % VEC == 0 || b.cols - at.col >= BN);
        return packs ? max(a.cols / BK - first, 0) : 0;
    }
    // The next tile to registers, or with ASYNC towards stage.
    __device__ void walk(Packs &packs, TYPE *stage)
    {
        if (ASYNC) {
            TileA::copy(stage, a_walk);
            TileB::copy(stage + A_SIZE, b_walk);
        } else {
            packs.a.load(a_walk);
            packs.b.load(b_walk);
        }
        a_walk.next();
        b_walk.next();
    }
    // Any tile.
    __device__ void copy_cut(TYPE *stage, int t) const
    {
        TileA::copy_cut(stage, a, at.row, (first + t) * BK);
        TileB::copy_cut(stage + A_SIZE, b, (first + t) * BK, at.col);
    }
    // The first tiles, up to where the loop goes on.
    __device__ void begin(TYPE *shared, int tiles, int walked)
    {
#pragma unroll 1
        for (int t = 0; t < AHEAD; t++) {
            TYPE *const stage = shared + t * STAGE_SIZE;
            if (t < walked) {
                Packs packs;
                walk(packs, stage);
                if (!ASYNC) packs.store(stage);
            } else if (t < tiles)
                copy_cut(stage, t);
            if (ASYNC)
                commit_copies(); // of nothing too: their number tells what is there
        }
        if (ASYNC) wait_for_copies<AHEAD - 1>();
        __syncthreads();
    }
};

// Where a thread reads the steps of a tile, CHUNK at a time, and the next tile's.
struct Reader {
    const TYPE *a, *b; // of the chunk
    int stage;

    __device__ Reader(const TYPE *shared, Place thread)
        : a(shared + thread.row), b(shared + A_SIZE + thread.col), stage(0)
    {
    }
    __device__ void next_chunk()
    {
        a += A_CHUNK;
        b += B_CHUNK;
    }
    // After the last chunk of a tile.
    __device__ void next_tile()
    {
        const bool wraps = ++stage == STAGES;
        const int ahead = wraps ? (1 - STAGES) * STAGE_SIZE : STAGE_SIZE;
        if (wraps) stage = 0;
        a += ahead - (CHUNKS - 1) * A_CHUNK;
        b += ahead - (CHUNKS - 1) * B_CHUNK;
    }
};

// Adds the products of tiles 0 .. tiles - 1 of source.
__device__ inline void sum_tiles(Sums &sum, Source &source, Place thread, TYPE *shared,
                                 int tiles)
{
    const int walked = min(source.count_walked(), tiles);
    source.begin(shared, tiles, walked);
    Fragments fragments[2];
    Reader from(shared, thread);
    fragments[0].load(from.a, from.b, 0);
    int to = AHEAD % STAGES; // stage to write
    for (int t = 0; t < tiles; t++) {
        TYPE *const stage = shared + to * STAGE_SIZE;
        const bool walks = t < walked - AHEAD, cut = !walks && t < tiles - AHEAD;
        Packs packs;
        if (walks) source.walk(packs, stage);
        if (STAGES > 1 && cut) source.copy_cut(stage, t + AHEAD);
        if (ASYNC) commit_copies();
#pragma unroll 1
        for (int chunk = 0; chunk < CHUNKS; chunk++) {
#pragma unroll
            for (int k = 0; k < CHUNK - 1; k++) {
                fragments[(k + 1) % 2].load(from.a, from.b, k + 1);
                multiply(sum, fragments[k % 2]);
            }
            if (chunk < CHUNKS - 1) {
                from.next_chunk();
            } else {
                if (STAGES == 1) __syncthreads(); // all have read the stage
                if (!ASYNC && walks) packs.store(stage);
                if (STAGES == 1 && cut) source.copy_cut(stage, t + AHEAD);
                if (ASYNC) wait_for_copies<AHEAD - 1>();
                if (ASYNC || STAGES < 3) __syncthreads(); // the next tile can be seen
                from.next_tile();
            }
            fragments[0].load(from.a, from.b, 0); // unused after the last tile
            multiply(sum, fragments[1]);          // CHUNK is even
        }
        to = to + 1 == STAGES ? 0 : to + 1;
        if (!ASYNC && STAGES == 3) __syncthreads(); // the tile after the next, too
    }
}

// Of piece p of a thread's sums: in D, counted from its first.
__device__ inline Place piece_place(int p)
{
    const int row = p / (TN / PIECE), col = p % (TN / PIECE);
    return {row / PIECE * PIECE * LANES_M + row % PIECE, col * PIECE * LANES_N};
}

// at: of this thread's sums. A tile that is cut or not aligned takes long code, which is
// there once: it gets a piece after another.
__device__ inline void write(const Epilogue<OUT> &epilogue, Place block, Place at,
                             Sums &sum)
{
    constexpr int PIECES = TM * TN / PIECE;
    TYPE(&piece)[PIECES][PIECE] = reinterpret_cast<TYPE(&)[PIECES][PIECE]>(sum);
    if (epilogue.rows - block.row >= BM && epilogue.columns - block.col >= BN &&
        epilogue.is_aligned<PIECE>()) {
#pragma unroll
        for (int p = 0; p < PIECES; p++) {
            const Place by = piece_place(p);
            epilogue.finish_aligned(piece[p], at.row + by.row, at.col + by.col);
        }
        return;
    }
#pragma unroll 1
    for (int p = 0; p < PIECES; p++) {
        TYPE x[PIECE] = {};
#pragma unroll
        for (int q = 0; q < PIECES; q++)
#pragma unroll
            for (int i = 0; i < PIECE; i++)
                if (p == q) x[i] = piece[q][i];
        const Place by = piece_place(p);
        epilogue.finish(x, at.row + by.row, at.col + by.col);
    }
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    sgemm(const TYPE *__restrict__ A, const TYPE *__restrict__ B,
          const Side<OUT>::type *C, OUT *D, const Side<OUT>::type *bias,
          const Side<OUT>::type *residual, const float *row_scale,
          const float *column_scale, float4 *partials, unsigned *counters, int M, int N,
          int K, int lda, int ldb, int ldc, int ldd, TYPE alpha, TYPE beta)
{
    extern __shared__ float4 shared_vectors[]; // float4 for its alignment
    const TileIndex tile =
        tile_of_block<GROUP_M>(blockIdx.x, (M - 1) / BM + 1, (N - 1) / BN + 1);
    const Place block = {tile.row * BM, tile.column * BN}, thread = thread_place();
    int tiles = K / BK + (K % BK != 0), first = 0;
    if (SPLIT_K > 1) {
        const int share = (tiles - 1) / SPLIT_K + 1;
        first = min(blockIdx.y * share, tiles);
        tiles = min(share, tiles - first);
    }
    Source source({A, M, K, lda}, {B, K, N, ldb}, block, first);
    alignas(16) Sums sum = {};
    sum_tiles(sum, source, thread, reinterpret_cast<TYPE *>(shared_vectors), tiles);
    if constexpr (SPLIT_K > 1)
        if (!join_splits<SPLIT_K, THREADS>(sum, {partials, counters}, blockIdx.x,
                                           blockIdx.y))
            return;
    const Epilogue<OUT> epilogue = {D, C, bias, residual, row_scale, column_scale,
                                    M, N, ldc,  ldd,      alpha,     beta};
    write(epilogue, block, {block.row + thread.row, block.col + thread.col}, sum);
}
