// Weights of 4 bits from rows of k to the order in which templates/gemm_w4a16.cu takes
// them (common/int4.cuh), for sm_80 and newer: once, ahead of all products.
//
//   plain    [K / 8][N] words, of which bits 4 i and on are the weight of k = 8 row + i
//   shuffled K * N / 8 words
//   size     K a multiple of 64, N of 16; K * N from 0 to 2^37
//   grid     x: ceil(K * N / (32 * BLOCK * UNITS))
//   block    x: BLOCK
//   shared   16 * BLOCK bytes, static
//   align    16 bytes
//   result   exact: each weight's bits
//
// A warp turns UNITS units of 64 of k by 16 columns, one after another: a lane loads 4
// words of a row, and gathers through shared memory what mma has in it.

#ifndef BLOCK // threads a block
#define BLOCK 256
#endif
#ifndef UNITS // a warp turns, all loaded at once
#define UNITS 4
#endif

#include "common/int4.cuh"

static_assert(BLOCK % 32 == 0 && BLOCK >= 32 && BLOCK <= 1024,
              "a block is 1 to 32 warps");
static_assert(UNITS >= 1, "UNITS must be at least 1");

// Word step of a lane's 16 bytes. unit: 8 rows of 16 words.
__device__ inline unsigned gather(const unsigned (&unit)[8][16], int step)
{
    const int lane = threadIdx.x % 32, column = lane / 4, bit = lane % 4 * 8;
    unsigned word = 0;
#pragma unroll
    for (int p = 0; p < 4; p++) {
        const unsigned pair = unit[2 * step + p % 2][8 * (p / 2) + column] >> bit;
        word |= (pair & 15) << 4 * p | (pair >> 4 & 15) << (16 + 4 * p);
    }
    return word;
}

extern "C" __global__ void __launch_bounds__(BLOCK)
    w4_shuffle(const uint4 *__restrict__ plain, uint4 *shuffled, int K, int N)
{
    __shared__ __align__(16) unsigned staged[BLOCK / 32][8][16];
    unsigned(&own)[8][16] = staged[threadIdx.x / 32];
    const int lane = threadIdx.x % 32, across = N / UNIT_N;
    const long long units = (long long)(K / UNIT_K) * across;
    const long long first =
        ((long long)blockIdx.x * (BLOCK / 32) + threadIdx.x / 32) * UNITS;
    uint4 words[UNITS];
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        const long long unit = first + i, row = unit / across * 8 + lane / 4;
        if (unit < units)
            words[i] = __ldg(plain + row * (N / 4) + unit % across * 4 + lane % 4);
    }
#pragma unroll
    for (int i = 0; i < UNITS; i++) {
        if (first + i >= units) return;
        if (i) __syncwarp(); // all have read what was there
        *reinterpret_cast<uint4 *>(&own[lane / 4][lane % 4 * 4]) = words[i];
        __syncwarp();
        shuffled[(first + i) * 32 + lane] = {gather(own, 0), gather(own, 1),
                                             gather(own, 2), gather(own, 3)};
    }
}
