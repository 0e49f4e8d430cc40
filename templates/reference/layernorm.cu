// Reference for layernorm: each row by its definition, in double.
//
//   arguments and choices as in templates/layernorm.cu
//   grid, block   a block of 256 threads a row

#include "norm.cuh"

extern "C" __global__ void __launch_bounds__(THREADS)
    layernorm_reference(const TYPE *in, TYPE *residual, const TYPE *weight,
                        const TYPE *bias, OUT *out, float *scales, int rows, int cols,
                        long long in_stride, long long out_stride, float eps, float scale)
{
    const int row = blockIdx.x;
    if (row >= rows) return;
    in += row * in_stride;
    residual += row * in_stride;
    add_residual(in, residual, cols);
    const TYPE *const x = RESIDUAL ? residual : in;
    const double mean = mean_of(x, cols, 0, 1);
    const double rstd = 1 / sqrt(mean_of(x, cols, mean, 2) + eps);
    const auto y = [&](int c) {
        return (to_float(x[c]) - mean) * rstd * to_float(weight[c]) + to_float(bias[c]);
    };
    write_row(y, out + row * out_stride, &scales[row], cols, scale);
}
