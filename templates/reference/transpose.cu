// Reference for templates/transpose.cu, one thread an element.
//
//   TYPE, OUT and arguments as there
//   grid, block   x over the columns of in, y over its rows

#ifndef TYPE
#define TYPE f32
#endif
#ifndef OUT
#define OUT f32
#endif

#include "../common/element.cuh"

extern "C" __global__ void transpose_reference(const TYPE *in, OUT *out, int M, int N,
                                               int ld_in, int ld_out)
{
    const int i = blockIdx.y * blockDim.y + threadIdx.y;
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= M || j >= N) return;
    const float x[1] = {to_float(in[(long long)i * ld_in + j])};
    OUT one[1];
    narrow(one, x);
    out[(long long)j * ld_out + i] = one[0];
}
