// Reference for templates/gemm_grouped_sm90.cu, one thread an element of D.
//
//   grid, block   x over the columns of D, y over all rows that there is room for

#include "scaled_product.cuh"

// The group of a row, -1: none.
__device__ inline int group_of(int row, const int *sizes, int unit, int groups, int room)
{
    if (room > 0) {
        const int group = row / room;
        return group < groups && row % room < sizes[group] * unit ? group : -1;
    }
    int end = 0;
    for (int group = 0; group < groups; group++)
        if (row < (end += sizes[group] * unit)) return group;
    return -1;
}

extern "C" __global__ void gemm_grouped_sm90_reference(
    const TYPE *A, const TYPE *B, const Side *C, OUT *D, const Side *bias,
    const Side *residual, const float *row_scale, const float *column_scale,
    const int *sizes, int unit, int groups, int room, int M, int N, int K, int lda,
    int ldb, int ldc, int ldd, float alpha, float beta)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= M || column >= (is_swiglu ? N / 2 : N)) return;
    const int group = group_of(row, sizes, unit, groups, room);
    if (group < 0) return;
    const long long in_b = group * (long long)(TRANS_B ? N : K) * ldb;
    long long in_scales = 0;
    if (Scale::SCALE == Scale::block) in_scales = (N + 127LL) / 128 * ((K + 127LL) / 128);
    if (Scale::SCALE == Scale::column || Scale::SCALE == Scale::both) in_scales = N;
    if (Scale::SCALE == Scale::tensor) in_scales = 1;
    const float *const of_columns = column_scale + group * in_scales;
    const Side *const biases =
        bias + (Bias::BIAS == Bias::column ? group * (long long)N : 0);
    const ScaledProduct product = {{A, B + in_b, lda, ldb, K}, row_scale, of_columns, M};
    const Ending ending = {C,          D,   biases, residual, row_scale,
                           of_columns, ldc, ldd,    alpha,    beta};
    ending.write(product, row, column);
}
