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

struct alignas(sizeof(TYPE) * VEC) Pack {
    TYPE v[VEC];
};

// What the compiler makes of it, or with hints; packs of whole tiles only.
__device__ inline Pack load_pack(const TYPE *from)
{
    if (LOAD == 1 && PREFETCH == 0) return *reinterpret_cast<const Pack *>(from);
    union {
        unsigned word[4];
        Pack pack;
    } x = {};
    load_hinted<sizeof(Pack), Access::streamed>(x.word, from, true);
    return x.pack;
}

__device__ inline bool is_aligned(const TYPE *p, int stride)
{
    return stride % VEC == 0 && (unsigned long long)p % sizeof(Pack) == 0;
}

// A row-major matrix in global memory.
struct Matrix {
    const TYPE *data;
    int rows, cols, stride;
    bool aligned; // every VEC-th element of a row may be read as a Pack
};

// The part of a ROWS x COLS tile that one thread carries.
template <int ROWS, int COLS> struct Tile {
    static constexpr int PACKS = COLS / VEC; // of a row
    static constexpr int COUNT = ROWS * COLS / VEC / THREADS;
    Pack pack[COUNT];

    // Threads lie along the rows, pack 0 at row(), col(). All sizes are powers of two, so
    // the steps to the other packs never carry and are the same for all threads.
    __device__ static int row()
    {
        return threadIdx.x / PACKS;
    }
    __device__ static int col()
    {
        return threadIdx.x % PACKS * VEC;
    }
    __device__ static constexpr int row_step(int i)
    {
        return i * THREADS / PACKS;
    }
    __device__ static constexpr int col_step(int i)
    {
        return i * THREADS % PACKS * VEC;
    }

    __device__ static const TYPE *first(const Matrix &m, int row0, int col0)
    {
        return m.data + (long long)(row0 + row()) * m.stride + col0 + col();
    }

    // The tile at row0, col0; zero where it reaches past the matrix.
    __device__ void load(const Matrix &m, int row0, int col0)
    {
        const TYPE *from = first(m, row0, col0);
        // The same for all threads of the block.
        const bool inside = m.rows - row0 >= ROWS && m.cols - col0 >= COLS;
        if (m.aligned && inside) {
#pragma unroll
            for (int i = 0; i < COUNT; i++)
                pack[i] =
                    load_pack(from + (long long)row_step(i) * m.stride + col_step(i));
            return;
        }
        const int rows_left = m.rows - row0 - row(), cols_left = m.cols - col0 - col();
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int j = 0; j < VEC; j++) {
                const bool valid = row_step(i) < rows_left && col_step(i) + j < cols_left;
                const TYPE *at =
                    from + (long long)row_step(i) * m.stride + col_step(i) + j;
                pack[i].v[j] = valid ? *at : TYPE{};
            }
    }

    // The same by cp.async to tile[ROWS][COLS], or to the skewed tile[COLS][ROWS].
    template <bool TRANSPOSED>
    __device__ static void copy(TYPE *tile, const Matrix &m, int row0, int col0)
    {
        const TYPE *from = first(m, row0, col0);
        const int rows_left = m.rows - row0 - row(), cols_left = m.cols - col0 - col();
        const bool inside = m.rows - row0 >= ROWS && m.cols - col0 >= COLS;
        const bool vectors = VEC == PIECE && !TRANSPOSED && m.aligned && inside;
#pragma unroll
        for (int i = 0; i < COUNT; i++) {
            const TYPE *at = from + (long long)row_step(i) * m.stride + col_step(i);
            if (vectors) {
                copy_async<PREFETCH>(shared_address(tile + place<false>(i, 0)), at);
                continue;
            }
#pragma unroll
            for (int j = 0; j < VEC; j++) {
                const bool valid = row_step(i) < rows_left && col_step(i) + j < cols_left;
                copy_async_one<sizeof(TYPE)>(
                    shared_address(tile + place<TRANSPOSED>(i, j)),
                    valid ? at + j : m.data, valid);
            }
        }
    }

    // Of element j of pack i.
    template <bool TRANSPOSED> __device__ static int place(int i, int j)
    {
        if (TRANSPOSED)
            return (col() + col_step(i) + j) * ROWS + (col() + col_step(i)) / VEC * SKEW +
                   row() + row_step(i);
        return (row() + row_step(i)) * COLS + col() + col_step(i) + j;
    }

    // To tile[ROWS][COLS].
    __device__ void store(TYPE *tile) const
    {
        TYPE *to = tile + row() * COLS + col();
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            *reinterpret_cast<Pack *>(to + row_step(i) * COLS + col_step(i)) = pack[i];
    }

    // To the skewed tile[COLS][ROWS].
    __device__ void store_transposed(TYPE *tile) const
    {
        TYPE *to = tile + col() * ROWS + col() / VEC * SKEW + row();
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int j = 0; j < VEC; j++)
                to[(col_step(i) + j) * ROWS + col_step(i) / VEC * SKEW + row_step(i)] =
                    pack[i].v[j];
    }
};

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

// Where tiles come from, and through what.
struct Source {
    Matrix a, b;
    Place at;  // of D
    int first; // tile along k
    Tile<BM, BK> a_tile;
    Tile<BK, BN> b_tile;

    __device__ void load(int t)
    {
        a_tile.load(a, at.row, (first + t) * BK);
        b_tile.load(b, (first + t) * BK, at.col);
    }
    __device__ void store(TYPE *stage) const
    {
        a_tile.store_transposed(stage);
        b_tile.store(stage + A_SIZE);
    }
    __device__ void copy(TYPE *stage, int t) const
    {
        Tile<BM, BK>::copy<true>(stage, a, at.row, (first + t) * BK);
        Tile<BK, BN>::copy<false>(stage + A_SIZE, b, (first + t) * BK, at.col);
    }
    // The first tiles, up to where the loop goes on.
    __device__ void begin(TYPE *shared, int tiles)
    {
        for (int t = 0; t < AHEAD; t++) {
            TYPE *const stage = shared + t * STAGE_SIZE;
            if (t < tiles && ASYNC) copy(stage, t);
            if (ASYNC)
                commit_copies(); // of nothing too: their number tells what is there
            if (t < tiles && !ASYNC) {
                load(t);
                store(stage);
            }
        }
        if (ASYNC) wait_for_copies<AHEAD - 1>();
        __syncthreads();
    }
};

// Adds the products of tiles 0 .. tiles - 1 of source.
__device__ inline void sum_tiles(Sums &sum, Source &source, Place thread, TYPE *shared,
                                 int tiles)
{
    source.begin(shared, tiles);
    Fragments fragments[2];
    const TYPE *a_from = shared + thread.row;
    const TYPE *b_from = shared + A_SIZE + thread.col;
    fragments[0].load(a_from, b_from, 0);
    int from = 0, to = AHEAD % STAGES; // stages to read and to write
    for (int t = 0; t < tiles; t++) {
        const bool more = tiles - t > AHEAD;
        if (more && ASYNC) source.copy(shared + to * STAGE_SIZE, t + AHEAD);
        if (more && !ASYNC) source.load(t + AHEAD);
        if (ASYNC) commit_copies();
#pragma unroll
        for (int k = 0; k < BK - 1; k++) {
            fragments[(k + 1) % 2].load(a_from, b_from, k + 1);
            multiply(sum, fragments[k % 2]);
        }
        if (STAGES == 1) __syncthreads(); // all have read the stage
        if (more && !ASYNC) source.store(shared + to * STAGE_SIZE);
        if (ASYNC) wait_for_copies<AHEAD - 1>();
        if (ASYNC || STAGES < 3) __syncthreads(); // the next tile can be seen
        from = from + 1 == STAGES ? 0 : from + 1;
        to = to + 1 == STAGES ? 0 : to + 1;
        a_from = shared + from * STAGE_SIZE + thread.row;
        b_from = shared + from * STAGE_SIZE + A_SIZE + thread.col;
        fragments[0].load(a_from, b_from, 0);       // unused after the last tile
        multiply(sum, fragments[1]);                // BK is even
        if (!ASYNC && STAGES == 3) __syncthreads(); // the tile after the next, too
    }
}

__device__ inline void write(const Epilogue<OUT> &epilogue, Place at, const Sums &sum)
{
#pragma unroll
    for (int i = 0; i < TM; i++)
#pragma unroll
        for (int j = 0; j < TN / PIECE; j++)
            epilogue.finish(sum[i][j], at.row + i / PIECE * PIECE * LANES_M + i % PIECE,
                            at.col + j * PIECE * LANES_N);
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
    Source source = {
        {A, M, K, lda, is_aligned(A, lda)}, {B, K, N, ldb, is_aligned(B, ldb)}, block};
    int tiles = K / BK + (K % BK != 0);
    if (SPLIT_K > 1) {
        const int share = (tiles - 1) / SPLIT_K + 1;
        source.first = min(blockIdx.y * share, tiles);
        tiles = min(share, tiles - source.first);
    }
    alignas(16) Sums sum = {};
    sum_tiles(sum, source, thread, reinterpret_cast<TYPE *>(shared_vectors), tiles);
    if constexpr (SPLIT_K > 1)
        if (!join_splits<SPLIT_K, THREADS>(sum, {partials, counters}, blockIdx.x,
                                           blockIdx.y))
            return;
    const Epilogue<OUT> epilogue = {D, C, bias, residual, row_scale, column_scale,
                                    M, N, ldc,  ldd,      alpha,     beta};
    write(epilogue, {block.row + thread.row, block.col + thread.col}, sum);
}
