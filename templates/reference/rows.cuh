// Rows in double, a block of 256 threads each, by the plainest means.
#pragma once

#include "../common/element.cuh"

constexpr int THREADS = 256;

// The sum, or the largest, of x over the threads of the block.
template <bool largest> __device__ inline double of_block(double x)
{
    __shared__ double partial[THREADS];
    __syncthreads(); // nobody reads an earlier result any more
    partial[threadIdx.x] = x;
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x >= half) continue;
        const double a = partial[threadIdx.x], b = partial[threadIdx.x + half];
        partial[threadIdx.x] = largest ? (a < b ? b : a) : a + b;
    }
    __syncthreads();
    return partial[0];
}

// Rounded once, to nearest even.
template <class T> __device__ inline void write_rounded(T *to, double x)
{
    T one[1];
    const float rounded[1] = {(float)x};
    narrow(one, rounded);
    *to = one[0];
}
