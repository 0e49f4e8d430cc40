// Series of elements that threads load and store together: chunks of PER elements that
// begin at multiples of VEC bytes. Where the series does not, its first chunk and its
// last lie partly outside. Whole chunks move as vectors, all of a tile at once, the
// others element by element.
#pragma once

#include "cache_hints.cuh"
#include "element.cuh"

#ifndef TYPE // of the input: f32, f16, bf16
#define TYPE bf16
#endif
#ifndef VEC // bytes of a vector
#define VEC 16
#endif

static_assert(same_type<TYPE, f32>::value || same_type<TYPE, f16>::value ||
                  same_type<TYPE, bf16>::value,
              "TYPE must be f32, f16 or bf16");
static_assert(VEC == 4 || VEC == 8 || VEC == 16, "VEC must be 4, 8 or 16 bytes");

constexpr int PER = VEC / (int)sizeof(TYPE); // elements of a chunk

// -inf in each element of a word: it raises no maximum.
__device__ inline unsigned minus_infinity()
{
    if constexpr (sizeof(TYPE) == 4) return 0xff800000;
    return same_type<TYPE, bf16>::value ? 0xff80ff80 : 0xfc00fc00;
}

// How many elements of the first chunk lie before data.
__device__ inline int elements_before(const TYPE *data)
{
    return (unsigned long long)data % VEC / sizeof(TYPE);
}

// Where a series lies in its chunks: elements skip to end - 1 of them are its own.
struct Span {
    int skip, end;

    __device__ bool has(int at) const
    {
        return at >= skip && at < end;
    }
    __device__ bool has_chunk(int at) const
    {
        return at >= skip && at + PER <= end;
    }
    // Some chunks are not whole.
    __device__ bool ragged() const
    {
        return skip != 0 || end % PER != 0;
    }
};

// Elements of T that lie beside the series, in the series' chunks.
template <class T> struct Line {
    T *origin; // of the first chunk
    bool aligned;

    // data: what lies beside the first element
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

// What a thread holds of a tile: chunks of it, threads of them apart.
template <int threads, int chunks> struct Tile {
    static constexpr int step = threads * PER; // elements from a chunk to the next
    static constexpr int size = chunks * step; // elements of the tile

    Chunk chunk[chunks];

    // The first element of the thread's first chunk.
    __device__ static int start(int tile)
    {
        return tile * size + threadIdx.x % threads * PER;
    }

    // A tile that begins at from, all of it whole chunks.
    template <Access access> __device__ void load_whole(const TYPE *from)
    {
        const TYPE *const first = from + start(0);
#pragma unroll
        for (int i = 0; i < chunks; i++)
            load_hinted<VEC, access>(chunk[i].word, first + i * step, true);
    }
    // First all whole chunks, at once, then what is left. outside: what elements beyond
    // the row become, one or two in a word.
    template <Access access, class T>
    __device__ void load(const Line<T> &line, const Span &span, int tile,
                         unsigned outside = 0)
    {
        const int first = start(tile);
        const T *const from = line.origin + first;
#pragma unroll
        for (int i = 0; i < chunks; i++) {
            chunk[i] = {outside, outside, outside, outside};
            load_hinted<VEC, access>(chunk[i].word, from + i * step,
                                     line.aligned && span.has_chunk(first + i * step));
        }
        if (span.ragged() || !line.aligned) load_rest(line, span, first);
    }
    template <class T>
    __device__ void load_rest(const Line<T> &line, const Span &span, int first)
    {
#pragma unroll
        for (int i = 0; i < chunks; i++) {
            const int at = first + i * step;
            if (line.aligned && span.has_chunk(at)) continue;
#pragma unroll
            for (int j = 0; j < PER; j++)
                if (span.has(at + j)) chunk[i].set(j, line.origin[at + j]);
        }
    }
    template <class T>
    __device__ void store(const Line<T> &line, const Span &span, int tile) const
    {
        const int first = start(tile);
#pragma unroll
        for (int i = 0; i < chunks; i++) {
            const int at = first + i * step;
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

    // A tile of results: element j of the thread's chunk i is result(i, j).
    template <class T, class Result>
    __device__ static void write(const Line<T> &line, const Span &span, int tile,
                                 const Result &result)
    {
        const int first = start(tile);
        T *const to = line.origin + first;
#pragma unroll
        for (int i = 0; i < chunks; i++) {
            const int at = first + i * step;
            float x[PER];
#pragma unroll
            for (int j = 0; j < PER; j++)
                x[j] = result(i, j);
            T narrowed[PER];
            narrow(narrowed, x);
            if (line.aligned && span.has_chunk(at)) {
                store_vector(to + i * step, narrowed);
                continue;
            }
#pragma unroll
            for (int j = 0; j < PER; j++)
                if (span.has(at + j)) to[i * step + j] = narrowed[j];
        }
    }
};
