// Where a weight of 4 bits lies among shuffled words, by the definition of
// templates/common/int4.cuh, for the references of what writes and reads them.
#pragma once

struct Int4Place {
    long long word;
    int bit; // the lowest of four
};

// Of k and column n of a matrix of so many columns.
__device__ inline Int4Place int4_place(int k, int n, int columns)
{
    const long long unit = (long long)(k / 64) * (columns / 16) + n / 16;
    const int step = k % 64 / 16, k_in_step = k % 16, column = n % 16;
    const int lane = column % 8 * 4 + k_in_step % 8 / 2;
    const int place = column / 8 * 2 + k_in_step / 8;
    return {unit * 128 + lane * 4 + step, 4 * place + 16 * (k % 2)};
}
