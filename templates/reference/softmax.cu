// Reference for softmax: each row by its definition, in double.
//
//   arguments and choices as in templates/softmax.cu
//   grid, block   a block of 256 threads a row

#include "rows.cuh"

#ifndef TYPE
#define TYPE bf16
#endif
#ifndef OUT
#define OUT TYPE
#endif
#ifndef LOG
#define LOG 0
#endif

extern "C" __global__ void __launch_bounds__(THREADS)
    softmax_reference(const TYPE *in, OUT *out, const float *, const unsigned *, int rows,
                      int cols, long long in_stride, long long out_stride, float scale)
{
    const TYPE *const x = in + blockIdx.x * in_stride;
    OUT *const y = out + blockIdx.x * out_stride;
    double max = -1e300, sum = 0;
    if (blockIdx.x >= rows) return;
    for (int c = threadIdx.x; c < cols; c += THREADS)
        max = fmax(max, (double)to_float(x[c]));
    max = of_block<true>(max);
    for (int c = threadIdx.x; c < cols; c += THREADS)
        sum += exp(scale * (to_float(x[c]) - max));
    sum = of_block<false>(sum);
    const double shift = LOG ? log(sum) : 0, factor = LOG ? 1 : 1 / sum;
    for (int c = threadIdx.x; c < cols; c += THREADS) {
        const double below = scale * (to_float(x[c]) - max);
        write_rounded(&y[c], LOG ? below - shift : exp(below) * factor);
    }
}
