// Reference for templates/w4_shuffle.cu: each word looks for its weights among those of
// its unit.
//
//   arguments     as there
//   grid, block   x over the words of shuffled

#include "int4_place.cuh"

extern "C" __global__ void w4_shuffle_reference(const unsigned *plain, unsigned *shuffled,
                                                int K, int N)
{
    const long long word = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (word >= (long long)K * N / 8) return;
    const int unit = (int)(word / 128), across = N / 16;
    unsigned bits = 0;
    for (int i = 0; i < 64 * 16; i++) {
        const int k = unit / across * 64 + i / 16, n = unit % across * 16 + i % 16;
        const Int4Place at = int4_place(k, n, N);
        const unsigned weight = plain[(long long)(k / 8) * N + n] >> k % 8 * 4 & 15;
        if (at.word == word) bits |= weight << at.bit;
    }
    shuffled[word] = bits;
}
