// Tiles of sgemm.cu's operands on their way to shared memory: whole vectors by way of
// registers or by cp.async, from pointers that advance, and cut tiles by elements. Sizes
// are those of the template.
#pragma once

#include "async_copy.cuh"
#include "cache_hints.cuh"

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

// A row-major matrix in global memory.
struct Matrix {
    const TYPE *data;
    int rows, cols, stride;

    // Every VEC-th element of a row may be read as a Pack.
    __device__ bool is_aligned() const
    {
        return stride % VEC == 0 && (unsigned long long)data % sizeof(Pack) == 0;
    }
};

// A ROWS x COLS tile in shared memory, or TRANSPOSED, as the skewed tile[COLS][ROWS], and
// the part of it that one thread carries.
template <int ROWS, int COLS, bool TRANSPOSED> struct Tile {
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
    __device__ static constexpr int place(int row, int col)
    {
        return TRANSPOSED ? col * ROWS + col / VEC * SKEW + row : row * COLS + col;
    }

    // from: at(i) is pack i.
    template <class Walk> __device__ void load(const Walk &from)
    {
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            pack[i] = load_pack(from.at(i));
    }
    __device__ void store(TYPE *tile) const
    {
        TYPE *to = tile + place(row(), col());
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            if (TRANSPOSED) {
#pragma unroll
                for (int j = 0; j < VEC; j++)
                    to[place(row_step(i), col_step(i) + j)] = pack[i].v[j];
            } else
                *reinterpret_cast<Pack *>(to + place(row_step(i), col_step(i))) = pack[i];
    }
    // The same by cp.async.
    static constexpr bool WHOLE = VEC == PIECE && !TRANSPOSED; // packs in one copy
    template <class Walk> __device__ static void copy(TYPE *tile, const Walk &from)
    {
        const unsigned to = shared_address(tile + place(row(), col()));
#pragma unroll
        for (int i = 0; i < COUNT; i++)
#pragma unroll
            for (int j = 0; j < (WHOLE ? 1 : VEC); j++) {
                const unsigned at =
                    to + place(row_step(i), col_step(i) + j) * (int)sizeof(TYPE);
                if (WHOLE)
                    copy_async<PREFETCH>(at, from.at(i));
                else
                    copy_async_one<sizeof(TYPE)>(at, from.at(i) + j, true);
            }
    }

    // Loads of a cut tile in flight: sums leave few registers.
    static constexpr int MOST = TM * TN > 32 ? 2 : 4;
    static constexpr int FLIGHT = ASYNC ? 1 : COUNT * VEC < MOST ? COUNT * VEC : MOST;

    // Any tile of m, element by element; zeros where it reaches past m. In a loop: few
    // tiles come here, so their code should be small.
    __device__ static void copy_cut(TYPE *tile, const Matrix &m, int row0, int col0)
    {
#pragma unroll 1
        for (unsigned begin = threadIdx.x; begin < ROWS * COLS;
             begin += FLIGHT * THREADS) {
            TYPE x[FLIGHT];
#pragma unroll
            for (int i = 0; i < FLIGHT; i++) {
                const unsigned at = begin + i * THREADS;
                const int row = row0 + at / COLS, col = col0 + at % COLS;
                const bool valid = row < m.rows && col < m.cols;
                const TYPE *from =
                    valid ? m.data + (long long)row * m.stride + col : m.data;
                if (ASYNC)
                    copy_async_one<sizeof(TYPE)>(
                        shared_address(tile + place(at / COLS, at % COLS)), from, valid);
                else
                    x[i] = valid ? *from : TYPE{};
            }
            if (ASYNC) continue;
#pragma unroll
            for (int i = 0; i < FLIGHT; i++) {
                const unsigned at = begin + i * THREADS;
                tile[place(at / COLS, at % COLS)] = x[i];
            }
        }
    }
};
typedef Tile<BM, BK, true> TileA;
typedef Tile<BK, BN, false> TileB;

// Where this thread's packs of a tile lie, from tile to tile. Rows of A and columns of B
// that are past the matrix stand for sums that nobody writes: the last one is read again.
struct WalkA {
    const TYPE *from; // pack 0
    int stride, last; // row of the matrix, counted from that of pack 0

    __device__ WalkA(const Matrix &a, int row0, int k)
    {
        const int row = min(row0 + TileA::row(), a.rows - 1);
        from = a.data + (long long)row * a.stride + k + TileA::col();
        stride = a.stride;
        last = a.rows - 1 - row;
    }
    __device__ const TYPE *at(int i) const
    {
        static_assert(TileA::col_step(1) == 0, "a row of A has fewer packs than threads");
        return i ? from + (long long)min(TileA::row_step(i), last) * stride : from;
    }
    __device__ void next()
    {
        from += BK;
    }
};
struct WalkB {
    const TYPE *from;
    int stride, last; // column at which a pack may begin, counted likewise

    __device__ WalkB(const Matrix &b, int k, int col0)
    {
        const int col = min(col0 + TileB::col(), b.cols - VEC);
        from = b.data + (long long)(k + TileB::row()) * b.stride + col;
        stride = b.stride;
        last = b.cols - VEC - col;
    }
    __device__ const TYPE *at(int i) const
    {
        const int right = TileB::col_step(i) ? min(TileB::col_step(i), last) : 0;
        return from + (long long)TileB::row_step(i) * stride + right;
    }
    __device__ void next()
    {
        from += (long long)stride * BK;
    }
};
