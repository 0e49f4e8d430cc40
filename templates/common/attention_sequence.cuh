// Where the tokens of a sequence lie; VARLEN: sequences begin where starts say, in units
// of tokens, else each has length.
#pragma once

#include "head_rows.cuh"

// The tokens of one sequence.
struct Sequence {
    long long first;
    int count;

    __device__ Sequence(const int *starts, int unit, int b, int length)
        : first((long long)b * length), count(length)
    {
        if (!VARLEN) return;
        first = (long long)starts[b] * unit;
        count = (int)((long long)starts[b + 1] * unit - first);
    }
    template <class T>
    __device__ HeadRows<T> head(T *data, int stride, long long offset) const
    {
        return HeadRows<T>(data + first * stride + offset, count, stride);
    }
};
