// Rows of a matrix, each worked on by ROW_THREADS threads of a block of ROWS times that.
//
// A row is a series of chunks of PER elements that begin at multiples of VEC bytes; where
// the row does not, its first chunk and its last lie partly outside. Whole chunks move
// as vectors, the others element by element. CHUNKS chunks of each thread of a row make
// a tile: a row of one tile is read once and stays in registers, a longer one is read
// again.
#pragma once

#include "cache_hints.cuh"
#include "element.cuh"

#ifndef TYPE // of the input: f32, f16, bf16
#define TYPE bf16
#endif
#ifndef ROW_THREADS // threads a row
#define ROW_THREADS 512
#endif
#ifndef ROWS // rows a block
#define ROWS 1
#endif
#ifndef CHUNKS // vectors that a thread loads at once and keeps
#define CHUNKS 8
#endif
#ifndef VEC // bytes of a vector
#define VEC 16
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 2
#endif

static_assert(same_type<TYPE, f32>::value || same_type<TYPE, f16>::value ||
                  same_type<TYPE, bf16>::value,
              "TYPE must be f32, f16 or bf16");
static_assert(VEC == 4 || VEC == 8 || VEC == 16, "VEC must be 4, 8 or 16 bytes");
static_assert(CHUNKS >= 1, "CHUNKS must be at least 1");
static_assert(ROW_THREADS >= 1 && (ROW_THREADS & (ROW_THREADS - 1)) == 0,
              "ROW_THREADS must be a power of two");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(ROWS >= 1, "ROWS must be at least 1");
static_assert(ROW_THREADS * ROWS % 32 == 0 && ROW_THREADS * ROWS <= 1024,
              "a block is 1 to 32 warps");

constexpr int BLOCK = ROW_THREADS * ROWS;
constexpr int PER = VEC / (int)sizeof(TYPE);     // elements of a chunk
constexpr int TILE = ROW_THREADS * CHUNKS * PER; // elements of a tile

// Where a row lies in its chunks: elements skip to end - 1 of them are its own.
struct Span {
    int skip, end;

    // A row of cols elements from data on; cols may be 0.
    __device__ Span(const TYPE *data, int cols)
        : skip((unsigned long long)data % VEC / sizeof(TYPE)), end(skip + cols)
    {
    }
    __device__ int tiles() const
    {
        return (end + TILE - 1) / TILE;
    }
    __device__ bool has(int at) const
    {
        return at >= skip && at < end;
    }
    __device__ bool has_chunk(int at) const
    {
        return at >= skip && at + PER <= end;
    }
    // Some of its chunks are not whole.
    __device__ bool ragged() const
    {
        return skip != 0 || end % PER != 0;
    }
};

// The row that a block's thread works on; rows of the last block may not exist.
__device__ inline long long row_of_thread()
{
    return (long long)blockIdx.x * ROWS + threadIdx.x / ROW_THREADS;
}

// This thread's chunks of a tile: where the first begins, and from one to the next.
constexpr int STEP = ROW_THREADS * PER;
__device__ inline int chunks_start(int tile)
{
    return tile * TILE + threadIdx.x % ROW_THREADS * PER;
}

// What lies beside the row in a matrix of elements of T, in the row's chunks.
template <class T> struct Line {
    T *origin; // of the first chunk
    bool aligned;

    // data: the row's first element
    __device__ Line(T *data, const Span &span)
        : origin(data - span.skip),
          aligned((unsigned long long)origin % min(16, PER * (int)sizeof(T)) == 0)
    {
    }
};

// Elements as words of registers: what is packed stays so, two 16-bit elements in a word.
struct Chunk {
    unsigned word[4]; // the first VEC / 4 of them

    __device__ TYPE element(int j) const
    {
        return element_of(word, j, TYPE());
    }
    __device__ void set(int j, TYPE x)
    {
        set_element(word, j, x);
    }

  private:
    __device__ static f32 element_of(const unsigned (&word)[4], int j, f32)
    {
        return __uint_as_float(word[j]);
    }
    template <class Half>
    __device__ static Half element_of(const unsigned (&word)[4], int j, Half)
    {
        return {(unsigned short)(word[j / 2] >> j % 2 * 16)};
    }
    __device__ static void set_element(unsigned (&word)[4], int j, f32 x)
    {
        word[j] = __float_as_uint(x);
    }
    template <class Half>
    __device__ static void set_element(unsigned (&word)[4], int j, Half x)
    {
        word[j / 2] = __byte_perm(word[j / 2], x.bits, j % 2 ? 0x5410 : 0x3254);
    }
};

// A tile's elements of this thread.
struct Tile {
    Chunk chunk[CHUNKS];

    // First all whole chunks, at once, then what is left. outside: what elements beyond
    // the row become, one or two in a word.
    template <Access access, class T>
    __device__ void load(const Line<T> &line, const Span &span, int tile,
                         unsigned outside = 0)
    {
        const int start = chunks_start(tile);
        const T *const from = line.origin + start;
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            chunk[i] = {outside, outside, outside, outside};
            load_hinted<VEC, access>(chunk[i].word, from + i * STEP,
                                        line.aligned && span.has_chunk(start + i * STEP));
        }
        if (span.ragged() || !line.aligned) load_rest(line, span, start);
    }
    template <class T>
    __device__ void load_rest(const Line<T> &line, const Span &span, int start)
    {
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            const int at = start + i * STEP;
            if (line.aligned && span.has_chunk(at)) continue;
#pragma unroll
            for (int j = 0; j < PER; j++)
                if (span.has(at + j)) chunk[i].set(j, line.origin[at + j]);
        }
    }
    template <class T>
    __device__ void store(const Line<T> &line, const Span &span, int tile) const
    {
        const int start = chunks_start(tile);
#pragma unroll
        for (int i = 0; i < CHUNKS; i++) {
            const int at = start + i * STEP;
            if (line.aligned && span.has_chunk(at)) {
                store_hinted<VEC>(line.origin + at, chunk[i].word);
                continue;
            }
#pragma unroll
            for (int j = 0; j < PER; j++)
                if (span.has(at + j)) line.origin[at + j] = chunk[i].element(j);
        }
    }
    __device__ float value(int i, int j) const
    {
        return to_float(chunk[i].element(j));
    }
};

// Neighbours to memory that is aligned to all of them, or to 16 bytes.
template <class T, int count>
__device__ inline void store_vector(T *to, const T (&x)[count])
{
    constexpr int bytes = count * (int)sizeof(T);
    if constexpr (bytes < 4) {
#pragma unroll
        for (int i = 0; i < count; i++)
            to[i] = x[i];
    } else {
        constexpr int parts = (bytes + 15) / 16;
        unsigned word[parts][4] = {};
        memcpy(word, x, bytes);
#pragma unroll
        for (int i = 0; i < parts; i++)
            store_hinted<(bytes < 16 ? bytes : 16)>(to + i * count / parts, word[i]);
    }
}

// A tile of results: element j of this thread's chunk i is result(i, j).
template <class T, class Result>
__device__ inline void store_tile(const Line<T> &line, const Span &span, int tile,
                                  const Result &result)
{
    const int start = chunks_start(tile);
    T *const to = line.origin + start;
#pragma unroll
    for (int i = 0; i < CHUNKS; i++) {
        const int at = start + i * STEP;
        float x[PER];
#pragma unroll
        for (int j = 0; j < PER; j++)
            x[j] = result(i, j);
        T narrowed[PER];
        narrow(narrowed, x);
        if (line.aligned && span.has_chunk(at)) {
            store_vector(to + i * STEP, narrowed);
            continue;
        }
#pragma unroll
        for (int j = 0; j < PER; j++)
            if (span.has(at + j)) to[i * STEP + j] = narrowed[j];
    }
}
