// Attention of one warp to one tile of keys: scores = Q * K^T, then outputs += P * V,
// where P are the scores after the softmax. Scores stay in registers: as mma leaves them
// they are, rounded, the fragments of A that the next product takes (FlashAttention-2).
#pragma once

#include "fragment.cuh"
#include "mma.cuh"

// Columns 16 j and on of sums.
template <class T, int pieces, int columns>
__device__ inline void multiply(float (&sums)[pieces][columns][4], int j,
                                const unsigned (&a)[pieces][4], const unsigned (&b)[4])
{
    const unsigned low[2] = {b[0], b[1]}, high[2] = {b[2], b[3]};
#pragma unroll
    for (int i = 0; i < pieces; i++) {
        Mma<T>::run(sums[i][2 * j], a[i], low);
        Mma<T>::run(sums[i][2 * j + 1], a[i], high);
    }
}

// Powers of 16 keys, as mma leaves scores, to fragments of A.
template <class T, int pieces, int columns>
__device__ inline void narrow_powers(unsigned (&a)[pieces][4],
                                     const float (&powers)[pieces][columns][4], int step)
{
#pragma unroll
    for (int i = 0; i < 4 * pieces; i++) {
        const float *pair = &powers[i / 4][2 * step + i % 4 / 2][i % 2 * 2];
        narrow_pair(reinterpret_cast<T *>(&a[i / 4][i % 4]), pair[0], pair[1]);
    }
}

// The block has rows queries, the warp warp_rows of them. With kept the warp holds its
// queries in registers, else it reads them anew for each tile.
template <class T, int rows, int warp_rows, int tile_keys, int head, bool kept>
struct AttentionTile {
    static_assert(same_type<T, bf16>::value || same_type<T, f16>::value,
                  "TYPE must be bf16 or f16");
    static_assert(warp_rows % 16 == 0 && tile_keys % 16 == 0 && head % 16 == 0,
                  "mma takes 16 queries, 16 keys and 16 elements of a head");
    static constexpr int keys = tile_keys;
    static constexpr float unit = 1; // of scores, and of outputs

    typedef Operand<T, rows, head, warp_rows, true, true> Queries;
    typedef Operand<T, keys, head, keys, true, false> Keys;
    typedef Operand<T, head, keys, head, false, false> Values;

    static constexpr int pieces = warp_rows / 16; // of 16 queries
    static constexpr int steps = head / 16;
    typedef float Scores[pieces][keys / 8][4];
    typedef float Outputs[pieces][head / 8][4];

    Queries queries;
    Keys key_tile;
    Values value_tile;
    typename Queries::Fragments held[kept ? steps : 1];
    unsigned query_address; // in shared memory

    __device__ AttentionTile(unsigned query_address, int first_row)
        : queries(first_row), key_tile(0), value_tile(0), query_address(query_address)
    {
    }

    // The queries must have arrived, and with kept the place is free afterwards.
    __device__ void take_queries()
    {
        if constexpr (kept)
#pragma unroll
            for (int step = 0; step < steps; step++)
                queries.load(held[step], query_address, step);
    }

    __device__ void score(Scores &scores, unsigned tile)
    {
#pragma unroll
        for (int step = 0; step < steps; step++) {
            if constexpr (!kept) queries.load(held[0], query_address, step);
#pragma unroll
            for (int j = 0; j < keys / 16; j++) {
                unsigned b[4];
                key_tile.load_piece(b, tile, j, step);
                multiply<T>(scores, j, held[kept ? step : 0], b);
            }
        }
    }

    __device__ void weigh(Outputs &outputs, const Scores &powers, unsigned tile) const
    {
#pragma unroll
        for (int step = 0; step < keys / 16; step++) {
            unsigned a[pieces][4];
            narrow_powers<T>(a, powers, step);
#pragma unroll
            for (int j = 0; j < head / 16; j++) {
                unsigned b[4];
                value_tile.load_piece(b, tile, j, step);
                multiply<T>(outputs, j, a, b);
            }
        }
    }

    // To a row of floats, of a lane's two rows of the first piece that half. The
    // factor of 8 bits is 1 here.
    __device__ static void store(float *row, const Outputs &outputs, int half, float)
    {
        float2 *const pairs = reinterpret_cast<float2 *>(row) + threadIdx.x % 4;
#pragma unroll
        for (int j = 0; j < head / 8; j++)
            pairs[4 * j] = {outputs[0][j][2 * half], outputs[0][j][2 * half + 1]};
    }
};
