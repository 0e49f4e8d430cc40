// One element of the product of two matrices, of which with SCALE block each 128 of k
// have scales of their own: of each row of A [ceil(K / 128)][rows], of each 128 columns
// of B [ceil(N / 128)][ceil(K / 128)].
#pragma once

#include "epilogue.cuh"
#include "product.cuh"

struct ScaledProduct {
    Product product;
    const float *row_scale, *column_scale;
    long long rows;

    __device__ double at(int row, int column) const
    {
        if (Scale::SCALE != Scale::block) return product.at(row, column);
        double sum = 0;
        const long long blocks = (product.K + 127LL) / 128;
        for (int i = 0; i < blocks; i++) {
            const int first = i * 128;
            const int end = product.K - first < 128 ? product.K : first + 128;
            sum += product.at(row, column, first, end) * row_scale[i * rows + row] *
                   column_scale[column / 128 * blocks + i];
        }
        return sum;
    }
};
