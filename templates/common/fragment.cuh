// An operand's tile in shared memory and the parts of it that mma takes. Rows are those
// of A, or the columns of B; a piece is 16 of them and 32 bytes of k.
#pragma once

#include "async_copy.cuh"
#include "swizzle.cuh"

__device__ inline void load_matrices(unsigned (&x)[4], unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(from)
                 : "memory");
}
__device__ inline void load_transposed(unsigned (&x)[4], unsigned from)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3])
                 : "r"(from)
                 : "memory");
}

// rows x depth elements, of which a warp takes warp_rows. along_k: k is the contiguous
// direction. Register j of a piece has its rows 8 (j % 2) and on, and half j / 2 of its
// k; the other way round for B.
template <class T, int rows, int depth, int warp_rows, bool along_k, bool is_a>
struct Operand {
    static constexpr int size = (int)sizeof(T);
    static constexpr bool by_words = !along_k && size == 4;
    static constexpr int pieces = warp_rows / 16;
    typedef Tile<T, along_k ? rows : depth, along_k ? depth : rows, by_words> Shared;
    typedef Cursor<Shared, along_k ? Shared::chunks : warp_rows * size / 16> At;
    typedef unsigned Fragments[pieces][4];

    static_assert(along_k || size == 2 || size == 4,
                  "8-bit operands must be contiguous along k");

    At cursor;

    __device__ static int row_half(int j)
    {
        return is_a ? j % 2 : j / 2;
    }
    __device__ static int k_half(int j)
    {
        return is_a ? j / 2 : j % 2;
    }

    // first_row: of the warp
    __device__ static At start(int first_row)
    {
        const int lane = threadIdx.x % 32, j = lane / 8; // the matrix that it points at
        if (along_k) return At(first_row + 8 * row_half(j) + lane % 8, k_half(j));
        if (by_words) return At(lane % 4, first_row / 4 + lane / 16);
        return At(8 * k_half(j) + lane % 8, first_row / 8 + row_half(j));
    }
    __device__ explicit Operand(int first_row) : cursor(start(first_row)) {}

    // Step of 32 bytes of k, from the tile at an address in shared memory.
    __device__ void load(Fragments &x, unsigned tile, int step) const
    {
#pragma unroll
        for (int i = 0; i < pieces; i++)
            load_piece(x[i], tile, i, step);
    }
    __device__ void load_piece(unsigned (&x)[4], unsigned tile, int piece, int step) const
    {
        if constexpr (along_k)
            load_matrices(x, tile + cursor.at(16 * piece, 2 * step));
        else if constexpr (by_words)
            load_words(x, tile, piece, step);
        else
            load_transposed(x, tile + cursor.at(16 * step, 2 * piece));
    }
    __device__ void load_words(unsigned (&x)[4], unsigned tile, int piece, int step) const
    {
        const unsigned word = threadIdx.x / 4 % 4 * 4;
#pragma unroll
        for (int j = 0; j < 4; j++)
            x[j] = load_word(
                tile + word +
                cursor.at(8 * step + 4 * k_half(j), 4 * piece + 2 * row_half(j)));
    }
};
