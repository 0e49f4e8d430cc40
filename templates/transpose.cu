// Transposition of a matrix with conversion: out[j][i] = (OUT)in[i][j].
//
//   in  [M][N], out [N][M]   row-major; ld_in and ld_out elements from one row to the
//            next. M, N from 1 to 2^31 - 512; in and out must not overlap
//   TYPE     of in, OUT of out: f32, f16, bf16; rounded to nearest even
//   grid     x: ceil(M / TILE_M) * ceil(N / TILE_N), below 2^31
//   block    x: THREADS = TILE_M * TILE_N / (VEC_IN * VEC_OUT * ITEMS)
//   shared   bytes of OUT times (TILE_M * TILE_N, and with SPREAD 1
//            (TILE_N / VEC_IN - 1) * VEC_OUT), dynamic
//   align    none demanded: VEC_IN and VEC_OUT elements move at once where pointers and
//            leading dimensions allow it
//   arch     sm_70 and newer; to bf16 of another type, and with PREFETCH 256, EVICT or
//            STORE 2, sm_80
//   result   every element is rounded once: equal bits at every configuration
//
// A block carries a TILE_M x TILE_N tile of in. A thread loads pieces of VEC_OUT rows and
// VEC_IN columns, which it turns in its registers: a column of a piece is a pack of
// neighbours in a row of out. Packs go through shared memory, from where threads take
// them in the order of out. So both sides move packs, and neither shared access meets in
// a bank where packs are spread (SPREAD).

#ifndef TYPE // of in
#define TYPE f32
#endif
#ifndef OUT // of out
#define OUT f32
#endif
#ifndef TILE_M // rows of in a block
#define TILE_M 64
#endif
#ifndef TILE_N // columns of in a block
#define TILE_N 64
#endif
#ifndef ITEMS // pieces a thread; their loads are in flight together
#define ITEMS 1
#endif
#ifndef VEC_IN // elements of a load
#define VEC_IN 4
#endif
#ifndef VEC_OUT // elements of a store
#define VEC_OUT 4
#endif
#ifndef SPREAD // packs in shared memory: 0 dense, 1 padded, 2 exchanged by exclusive or
#define SPREAD 2
#endif
#ifndef ORDER // blocks run along 0: rows of in, 1: rows of out, 2: diagonals
#define ORDER 0
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 4
#endif

#include "common/cache_hints.cuh"
#include "common/element.cuh"

constexpr int PACKS = TILE_M / VEC_OUT; // of a row of out
constexpr int ACROSS = TILE_N / VEC_IN; // pieces, along a row of in
constexpr int THREADS = PACKS * ACROSS / ITEMS;

static_assert(VEC_IN == 1 || VEC_IN == 2 || VEC_IN == 4 || VEC_IN == 8,
              "VEC_IN must be 1, 2, 4 or 8");
static_assert(VEC_OUT == 1 || VEC_OUT == 2 || VEC_OUT == 4 || VEC_OUT == 8,
              "VEC_OUT must be 1, 2, 4 or 8");
static_assert(VEC_IN * sizeof(TYPE) <= 16, "a load has at most 16 bytes");
static_assert(VEC_OUT * sizeof(OUT) <= 16, "a store has at most 16 bytes");
static_assert(TILE_M >= 8 && (TILE_M & (TILE_M - 1)) == 0, "TILE_M: a power of two");
static_assert(TILE_N >= 8 && (TILE_N & (TILE_N - 1)) == 0, "TILE_N: a power of two");
static_assert(ITEMS >= 1 && (ITEMS & (ITEMS - 1)) == 0, "ITEMS: a power of two");
static_assert(THREADS >= 32 && THREADS <= 1024, "a block is 1 to 32 warps");
static_assert(SPREAD >= 0 && SPREAD <= 2, "SPREAD must be 0, 1 or 2");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(ORDER >= 0 && ORDER <= 2, "ORDER must be 0, 1 or 2");

template <class T, int count> struct alignas(count * sizeof(T)) Pack {
    T element[count];
};
typedef Pack<TYPE, VEC_IN> PackIn;
typedef Pack<OUT, VEC_OUT> PackOut;

// Packs of whole tiles, with cache hints from 4 bytes on.
template <class Pack> union Words {
    unsigned word[4];
    Pack pack;

    __device__ Words() : word{} {}
};

__device__ inline PackIn load_pack(const TYPE *from)
{
    if constexpr (sizeof(PackIn) < 4) return *reinterpret_cast<const PackIn *>(from);
    Words<PackIn> x;
    load_hinted<sizeof(PackIn) < 4 ? 4 : sizeof(PackIn), Access::streamed>(x.word, from,
                                                                           true);
    return x.pack;
}

__device__ inline void store_pack(OUT *to, PackOut pack)
{
    if constexpr (sizeof(PackOut) < 4) {
        *reinterpret_cast<PackOut *>(to) = pack;
        return;
    }
    Words<PackOut> x;
    x.pack = pack;
    store_hinted<sizeof(PackOut) < 4 ? 4 : sizeof(PackOut)>(to, x.word);
}

struct Matrix {
    int rows, columns;
    long long stride;
};

// Rows first .. of a matrix that begins at data may be read or written in packs.
template <class Pack, class T> __device__ inline bool is_aligned(const T *data, Matrix m)
{
    return (unsigned long long)data % sizeof(Pack) == 0 &&
           m.stride * sizeof(T) % sizeof(Pack) == 0;
}

// Where the pack of row (of out) and of its place in it lies. Lanes that store have
// neighbouring pieces, VEC_IN rows apart; lanes that load have neighbouring packs. Both
// are then distinct modulo the banks.
__device__ inline int place(int row, int pack)
{
    if (SPREAD == 1) return row * PACKS + row / VEC_IN + pack;
    if (SPREAD == 2) return row * PACKS + (pack ^ row / VEC_IN % PACKS);
    return row * PACKS + pack;
}

template <class To, class From, int count>
__device__ inline void convert(To (&to)[count], const From (&from)[count])
{
    if constexpr (same_type<To, From>::value) {
#pragma unroll
        for (int i = 0; i < count; i++)
            to[i] = from[i];
    } else {
        float x[count];
#pragma unroll
        for (int i = 0; i < count; i++)
            x[i] = to_float(from[i]);
        narrow(to, x);
    }
}

// VEC_OUT rows of VEC_IN elements.
struct Piece {
    PackIn row[VEC_OUT];

    // From row i, column j of in; what lies outside is not read.
    template <bool inside> __device__ void load(const TYPE *in, Matrix m, int i, int j)
    {
        const TYPE *from = in + i * m.stride + j;
#pragma unroll
        for (int k = 0; k < VEC_OUT; k++, from += m.stride) {
            if (inside) {
                row[k] = load_pack(from);
                continue;
            }
#pragma unroll
            for (int l = 0; l < VEC_IN; l++)
                row[k].element[l] =
                    i + k < m.rows && j + l < m.columns ? from[l] : TYPE{};
        }
    }

    __device__ PackOut column(int l) const
    {
        TYPE x[VEC_OUT];
        PackOut pack;
#pragma unroll
        for (int k = 0; k < VEC_OUT; k++)
            x[k] = row[k].element[l];
        convert(pack.element, x);
        return pack;
    }
};

template <bool inside>
__device__ inline void load_tile(PackOut *tile, const TYPE *in, Matrix m, int i0, int j0)
{
    Piece piece[ITEMS];
#pragma unroll
    for (int n = 0; n < ITEMS; n++) {
        const int at = n * THREADS + threadIdx.x;
        piece[n].load<inside>(in, m, i0 + at / ACROSS * VEC_OUT,
                              j0 + at % ACROSS * VEC_IN);
    }
#pragma unroll
    for (int n = 0; n < ITEMS; n++) {
        const int at = n * THREADS + threadIdx.x;
#pragma unroll
        for (int l = 0; l < VEC_IN; l++)
            tile[place(at % ACROSS * VEC_IN + l, at / ACROSS)] = piece[n].column(l);
    }
}

// m is out's: rows of out are columns of in.
template <bool inside>
__device__ inline void store_tile(OUT *out, Matrix m, const PackOut *tile, int i0, int j0)
{
#pragma unroll
    for (int n = 0; n < ITEMS * VEC_IN; n++) {
        const int at = n * THREADS + threadIdx.x;
        const int row = at / PACKS, pack = at % PACKS;
        const PackOut x = tile[place(row, pack)];
        OUT *to = out + (i0 + row) * m.stride + j0 + pack * VEC_OUT;
        if (inside) {
            store_pack(to, x);
            continue;
        }
#pragma unroll
        for (int k = 0; k < VEC_OUT; k++)
            if (i0 + row < m.rows && j0 + pack * VEC_OUT + k < m.columns)
                to[k] = x.element[k];
    }
}

struct TileIndex {
    int row, column; // in tiles of in
};

__device__ inline TileIndex tile_of_block(int block, int rows, int columns)
{
    if (ORDER == 0) return {block / columns, block % columns};
    const int row = block % rows, column = block / rows;
    return {row, ORDER == 1 ? column : (column + row) % columns};
}

extern "C" __global__ void __launch_bounds__(THREADS, MIN_BLOCKS)
    transpose(const TYPE *__restrict__ in, OUT *__restrict__ out, int M, int N, int ld_in,
              int ld_out)
{
    extern __shared__ __align__(16) unsigned char shared[];
    PackOut *const tile = reinterpret_cast<PackOut *>(shared);
    const TileIndex at =
        tile_of_block(blockIdx.x, (M - 1) / TILE_M + 1, (N - 1) / TILE_N + 1);
    const int i0 = at.row * TILE_M, j0 = at.column * TILE_N;
    const Matrix from = {M, N, ld_in}, to = {N, M, ld_out};
    const bool inside = M - i0 >= TILE_M && N - j0 >= TILE_N;
    if (inside && is_aligned<PackIn>(in, from))
        load_tile<true>(tile, in, from, i0, j0);
    else
        load_tile<false>(tile, in, from, i0, j0);
    __syncthreads();
    if (inside && is_aligned<PackOut>(out, to))
        store_tile<true>(out, to, tile, j0, i0);
    else
        store_tile<false>(out, to, tile, j0, i0);
}
