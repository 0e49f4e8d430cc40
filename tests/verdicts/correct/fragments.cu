// Products of 16 x 16 tiles by nvcuda::wmma, as many published kernels have them.
// needs: crt/mma.h
#include <mma.h>

// launch: grid 2, block 64; in a f16[1024]; in b f16[1024]; out c f32[1024]; tolerance 1e-3
// reference: fragments_reference, grid 1, block 32
extern "C" __global__ void fragments(const __half *a, const __half *b, float *c)
{
    using namespace nvcuda;
    __shared__ __align__(32) __half as[16][48], bs[32][24];
    const int t = threadIdx.x, warp = t / 32, m0 = 16 * blockIdx.x;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 0.f);
    for (int i = t; i < 16 * 32; i += 64)
        as[i / 32][i % 32] = a[(m0 + i / 32) * 32 + i % 32];
    for (int half = 0; half < 2; half++) {
        for (int i = t; i < 32 * 16; i += 64)
            bs[i / 16][i % 16] = b[i / 16 * 32 + 16 * half + i % 16];
        __syncthreads();
        if (warp == half)
            for (int k = 0; k < 32; k += 16) {
                wmma::load_matrix_sync(fa, &as[0][k], 48);
                wmma::load_matrix_sync(fb, &bs[k][0], 24);
                wmma::mma_sync(fc, fa, fb, fc);
            }
        __syncthreads();
    }
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] *= 2;
    wmma::store_matrix_sync(c + m0 * 32 + 16 * warp, fc, 32, wmma::mem_row_major);
}

extern "C" __global__ void fragments_reference(const __half *a, const __half *b, float *c)
{
    for (int m = 0; m < 32; m++) {
        float sum = 0;
        for (int k = 0; k < 32; k++)
            sum += __half2float(a[m * 32 + k]) * __half2float(b[k * 32 + threadIdx.x]);
        c[m * 32 + threadIdx.x] = 2 * sum;
    }
}
