// A warp's sums, as mma leaves them in registers, to the epilogue: pairs of neighbours as
// each lane holds them, or through shared memory so that a lane has more.
#pragma once

// Words of a row of sums in shared memory: the warp's columns and some, so that the pairs
// which lanes store, 8 rows of 4, lie in different banks (a row is 8 or 24 banks on).
template <int warp_columns> __device__ constexpr int staging_width()
{
    return warp_columns + 8;
}

// count neighbours from staging. Of 8 they are two halves, and lanes take them in
// opposite order by turns of four, so that 8 lanes read 8 different groups of banks.
template <class Sum, int count>
__device__ inline void read_staging(Sum (&x)[count], const Sum *from)
{
    static_assert(count == 4 || count == 8, "runs are of 4 or 8");
    struct alignas(16) Half {
        Sum word[4];
    };
    const Half *half = reinterpret_cast<const Half *>(from);
    const int turn = count == 8 ? threadIdx.x / 4 % 2 : 0;
    const Half first = half[turn], second = half[count == 8 ? 1 - turn : 0];
#pragma unroll
    for (int i = 0; i < 4; i++) {
        x[i] = turn ? second.word[i] : first.word[i];
        if (count == 8) x[i + count - 4] = turn ? first.word[i] : second.word[i];
    }
}

template <class Epilogue, class Sum, int pieces, int columns>
__device__ inline void write_pairs(const Epilogue &epilogue,
                                   const Sum (&sums)[pieces][columns][4], int row,
                                   int column)
{
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < 2 * pieces; i++)
#pragma unroll
        for (int j = 0; j < columns; j++) {
            const Sum *held = &sums[i / 2][j][i % 2 * 2];
            const Sum pair[2] = {held[0], held[1]};
            epilogue.finish(pair, row + i * 8 + lane / 4, column + j * 8 + lane % 4 * 2);
        }
}

// 16 rows at a time; stage is the warp's own.
template <class Epilogue, class Sum, int pieces, int columns>
__device__ inline void write_staged(const Epilogue &epilogue,
                                    const Sum (&sums)[pieces][columns][4], int row,
                                    int column, Sum *stage)
{
    constexpr int width = staging_width<8 * columns>();
    constexpr int run = Epilogue::run, runs_a_row = 8 * columns / run;
    struct alignas(8) Pair {
        Sum word[2];
    };
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < pieces; i++) {
        if (i) __syncwarp(); // all have read what was there
#pragma unroll
        for (int j = 0; j < 2 * columns; j++) {
            const Sum *held = &sums[i][j / 2][j % 2 * 2];
            Sum *to = stage + (lane / 4 + j % 2 * 8) * width + j / 2 * 8 + lane % 4 * 2;
            *reinterpret_cast<Pair *>(to) = {held[0], held[1]};
        }
        __syncwarp();
#pragma unroll 1
        for (int first = 0; first < 16 * runs_a_row; first += 32) {
            const int r = (first + lane) / runs_a_row,
                      c = (first + lane) % runs_a_row * run;
            Sum x[run];
            read_staging(x, stage + r * width + c);
            epilogue.finish(x, row + i * 16 + r, column + c);
        }
    }
}
