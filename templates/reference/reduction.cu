// Reference for reductions: sums in double, rounded once; the largest by comparing all.
//
//   arguments and choices as in templates/reduction.cu
//   grid, block   a block of 256 threads a part, y: parts

#include "rows.cuh"

#ifndef TYPE
#define TYPE f32
#endif
#ifndef OP
#define OP sum
#endif
#ifndef ACCUMULATE
#define ACCUMULATE 1
#endif
#ifndef INDEXED
#define INDEXED 0
#endif

enum class Op { sum, max, argmax };

// Whether b, further on in the array, is larger than a: NaN is the largest.
__device__ inline bool is_larger(float b, float a)
{
    return b > a || (isnan(b) && !isnan(a));
}

__device__ inline void sum_part(const TYPE *x, long long count, float *out)
{
    double sum = 0;
    for (long long i = threadIdx.x; i < count; i += THREADS)
        sum += to_float(x[i]);
    sum = of_block<false>(sum);
    if (threadIdx.x == 0) *out = (float)(ACCUMULATE ? *out + sum : sum);
}

// By one thread for all: the plainest way to the first of the largest.
__device__ inline void find_largest(const TYPE *x, long long first, long long count,
                                    float *out, unsigned *index, const unsigned *in_index)
{
    if (threadIdx.x != 0) return;
    float largest = __uint_as_float(0xff800000);
    long long place = 0;
    for (long long i = 0; i < count; i++) {
        if (!is_larger(to_float(x[i]), largest)) continue;
        largest = to_float(x[i]);
        place = i;
    }
    if (ACCUMULATE && !is_larger(largest, *out)) largest = *out;
    *out = largest == 0 ? 0 : largest;
    if (Op::OP != Op::argmax) return;
    place += first;
    *index = count <= 0 ? ~0u : INDEXED ? in_index[place] : (unsigned)place;
}

extern "C" __global__ void __launch_bounds__(THREADS)
    reduction_reference(const TYPE *in, float *out, long long N, long long part,
                        unsigned *index, const unsigned *in_index, const void *,
                        const void *)
{
    const long long p = blockIdx.y, first = p * part;
    const long long left = N - first, count = left < part ? left : part;
    if (Op::OP == Op::sum)
        sum_part(in + first, count, out + p);
    else
        find_largest(in + first, first, count, out + p, index + p, in_index);
}
