// One element of the product of two matrices, for the references.
#pragma once

#include "../common/element.cuh"

#ifndef TYPE
#define TYPE bf16
#endif
#ifndef TRANS_A
#define TRANS_A 0
#endif
#ifndef TRANS_B
#define TRANS_B 1
#endif

struct Product {
    const TYPE *A, *B;
    long long lda, ldb;
    int K;

    // The first 19 bits of tf32 count.
    __device__ static double value(TYPE x)
    {
        float y = to_float(x);
        if (same_type<TYPE, tf32>::value)
            y = __uint_as_float(__float_as_uint(y) & 0xffffe000);
        return y;
    }
    __device__ double at(int row, int column) const
    {
        return at(row, column, 0, K);
    }
    // Of k first .. end - 1.
    __device__ double at(int row, int column, int first, int end) const
    {
        double sum = 0;
        for (int k = first; k < end; k++)
            sum += value(A[TRANS_A ? k * lda + row : row * lda + k]) *
                   value(B[TRANS_B ? column * ldb + k : k * ldb + column]);
        return sum;
    }
};
