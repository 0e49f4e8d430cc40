// What becomes of scores between the two products of attention: they are scaled or bent,
// and those of keys that a query does not see are hidden.
#pragma once

#include "attention_parameters.cuh"
#include "online_softmax.cuh"

// Scores are what products of query and key are multiplied by, or bent; powers of 2 are
// taken of factor * score.
struct Scoring {
    float before, factor;

    __device__ Scoring(float scale, float cap)
        : before(SOFTCAP ? scale / cap : 1.0f), factor((SOFTCAP ? cap : scale) * LOG2_E)
    {
    }
    template <int count> __device__ void bend(float (&products)[count][4]) const
    {
        if constexpr (SOFTCAP)
#pragma unroll
            for (int i = 0; i < 4 * count; i++)
                products[i / 4][i % 4] = squash(products[i / 4][i % 4] * before);
    }
};

// Scores of 16 queries, as mma leaves them: of this lane's rows, row and row + 8, those
// of keys that a query does not see become minus infinity. first_key: of column 0.
// by_four: of each 16 keys a lane has four neighbours, two in each group of columns, else
// two in each.
template <bool by_four, int columns, class Mask>
__device__ inline void hide_keys(float (&scores)[columns][4], const Mask &mask, int row,
                                 int first_key)
{
    const int key = first_key + threadIdx.x % 4 * (by_four ? 4 : 2); // the lane's first
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int end = mask.end(row + 8 * i) - key;
        const int first = mask.first(row + 8 * i) - key;
#pragma unroll
        for (int j = 0; j < 2 * columns; j++) {
            const int at = by_four ? j / 4 * 16 + j % 4 : j / 2 * 8 + j % 2;
            if (at >= end || (LOCAL && at < first))
                scores[j / 2][i * 2 + j % 2] = minus_infinity();
        }
    }
}
