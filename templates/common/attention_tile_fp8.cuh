// Attention of one warp to one tile of keys and values of e4m3, which meet queries and
// powers of 16 bits: attention_tile.cuh, but each word of four neighbours becomes two
// pairs of T in registers, that of its even elements and that of its odd ones.
//
// Of keys a lane has elements 4 c .. 4 c + 3 of each 16, where ldmatrix of 16 bits would
// give it other ones; products do not mind in which order k is, so queries are taken in
// the same one. Values are transposed two elements of the head at a time: columns of mma
// are every second element, and of outputs a lane has four neighbours of each 16.
#pragma once

#include "attention_tile.cuh"

// Pairs of e4m3, each in the upper byte of 16 bits, to T, which has all bits of
// theirs. Values come out divided by unit. NaN becomes a number.
template <class T> struct WidenedPair;
template <> struct WidenedPair<f16> {
    static constexpr float unit = 256;

    __device__ static unsigned of(unsigned x)
    {
        return (x >> 1 & 0x3f803f80) | (x & 0x80008000);
    }
};
template <> struct WidenedPair<bf16> {
    static constexpr float unit = 1;

    __device__ static unsigned of(unsigned x)
    {
        const unsigned bits = (x >> 4 & 0x07f007f0) | (x & 0x80008000);
        unsigned y; // bits times 2^120, minus 0: subnormal ones, too
        asm("fma.rn.bf16x2 %0, %1, %2, %3;"
            : "=r"(y)
            : "r"(bits), "r"(0x7b807b80), "r"(0x80008000));
        return y;
    }
};

// All rows of the block are the warp's. With kept the warp holds its queries in
// registers, else it reads them anew for each tile.
template <class T, int rows, int tile_keys, int head, bool kept> struct AttentionTileFp8 {
    static_assert(rows == 16 && tile_keys % 16 == 0 && head % 32 == 0,
                  "a warp takes 16 queries, 16 keys and 32 elements of a head");
    static constexpr int keys = tile_keys, pieces = 1, steps = head / 16;
    static constexpr float unit = WidenedPair<T>::unit; // of scores, and of outputs

    typedef Operand<T, rows, head, rows, true, true> Queries;
    typedef Operand<e4m3, keys, head, keys, true, false> Keys;
    typedef Operand<f16, head / 2, keys, head / 2, false, false> Values; // by two
    typedef Cursor<typename Queries::Shared, Queries::Shared::chunks> QueryCursor;
    typedef float Scores[1][keys / 8][4];
    typedef float Outputs[1][head / 8][4];

    QueryCursor queries;
    Keys key_tile;
    Values value_tile;
    unsigned held[kept ? steps : 2][4];
    unsigned query_address; // in shared memory, of this lane

    __device__ AttentionTileFp8(unsigned query_address, int first_row)
        : queries(first_row + threadIdx.x % 32 / 4, threadIdx.x % 4 / 2), key_tile(0),
          value_tile(0), query_address(query_address + threadIdx.x % 2 * 8)
    {
    }

    // The queries must have arrived, and with kept the place is free afterwards.
    __device__ void take_queries()
    {
        if constexpr (kept)
#pragma unroll
            for (int step = 0; step < steps; step++)
                load_queries(held[step], step);
    }

    __device__ void score(Scores &scores, unsigned tile)
    {
#pragma unroll
        for (int step = 0; step < steps; step += 2) {
            if constexpr (!kept) load_queries(held[0], step);
            if constexpr (!kept) load_queries(held[1], step + 1);
#pragma unroll
            for (int j = 0; j < keys / 16; j++) {
                unsigned x[4];
                key_tile.load_piece(x, tile, j, step / 2);
#pragma unroll
                for (int i = 0; i < 4; i++) {
                    const unsigned b[2] = {even(x[i]), odd(x[i])};
                    Mma<T>::run(scores[0][2 * j + i / 2], held[(kept ? step : 0) + i % 2],
                                b);
                }
            }
        }
    }

    __device__ void weigh(Outputs &outputs, const Scores &powers, unsigned tile) const
    {
#pragma unroll
        for (int step = 0; step < keys / 16; step++) {
            unsigned a[1][4];
            narrow_powers<T>(a, powers, step);
#pragma unroll
            for (int j = 0; j < head / 32; j++) {
                unsigned x[4];
                value_tile.load_piece(x, tile, j, step);
#pragma unroll
                for (int i = 0; i < 2; i++) {
                    const unsigned low = x[2 * i], high = x[2 * i + 1];
                    const unsigned first[2] = {even(low), even(high)};
                    const unsigned second[2] = {odd(low), odd(high)};
                    Mma<T>::run(outputs[0][4 * j + 2 * i], a[0], first);
                    Mma<T>::run(outputs[0][4 * j + 2 * i + 1], a[0], second);
                }
            }
        }
    }

    // To a row of floats, of a lane's two rows that half, times factor.
    __device__ static void store(float *row, const Outputs &outputs, int half,
                                 float factor)
    {
        float4 *const fours = reinterpret_cast<float4 *>(row) + threadIdx.x % 4;
#pragma unroll
        for (int j = 0; j < head / 16; j++) {
            const float *first = &outputs[0][2 * j][2 * half];
            const float *second = &outputs[0][2 * j + 1][2 * half];
            fours[4 * j] = {factor * first[0], factor * second[0], factor * first[1],
                            factor * second[1]};
        }
    }

  private:
    __device__ static unsigned even(unsigned word)
    {
        return WidenedPair<T>::of(word << 8);
    }
    __device__ static unsigned odd(unsigned word)
    {
        return WidenedPair<T>::of(word);
    }
    // Elements 16 * step + 4 c and on of two rows, the even ones and the odd
    // ones.
    __device__ void load_queries(unsigned (&a)[4], int step) const
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const uint2 x = load_words(query_address + queries.at(8 * i, 2 * step));
            a[i] = __byte_perm(x.x, x.y, 0x5410);
            a[2 + i] = __byte_perm(x.x, x.y, 0x7632);
        }
    }
    __device__ static uint2 load_words(unsigned from)
    {
        uint2 x;
        asm volatile("ld.shared.v2.b32 {%0,%1}, [%2];"
                     : "=r"(x.x), "=r"(x.y)
                     : "r"(from)
                     : "memory");
        return x;
    }
};
