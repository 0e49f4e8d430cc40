// Sum of floats: out[0] += in[0] + ... + in[N - 1].
//
//   in [N], out [1]   N >= 1; out starts as zero, or as what the sum is added to
//   grid     x: any number of blocks, they stride over the input; BLOCKS_PER_SM on each
//            multiprocessor run at once
//   block    x: BLOCK
//   shared   static, at most BLOCK floats
//   align    none demanded: VEC floats load at once where the pointer allows it
//   arch     sm_70 and newer
//   result   the order of additions depends on the configuration, that of the blocks on
//            the run
//
// A thread loads ITEMS packs of VEC floats before it adds them, so that this many loads
// are in flight; the sums of a block's threads meet by shuffles or in shared memory.

#ifndef BLOCK // threads a block
#define BLOCK 256
#endif
#ifndef BLOCKS_PER_SM // blocks that registers must allow on a multiprocessor
#define BLOCKS_PER_SM 4
#endif
#ifndef ITEMS // loads of a thread in flight
#define ITEMS 4
#endif
#ifndef VEC // floats of a load
#define VEC 4
#endif
#ifndef SHUFFLE // 1: sum a block by shuffles, 0: as a tree in shared memory
#define SHUFFLE 1
#endif

constexpr int WARPS = BLOCK / 32;
constexpr int TILE = BLOCK * ITEMS * VEC; // floats a block takes at once

static_assert(BLOCK % 32 == 0 && BLOCK <= 1024, "a block is 1 to 32 warps");
static_assert((BLOCK & (BLOCK - 1)) == 0, "BLOCK must be a power of two");
static_assert((ITEMS & (ITEMS - 1)) == 0, "ITEMS must be a power of two");
static_assert(VEC == 1 || VEC == 2 || VEC == 4, "VEC must be 1, 2 or 4");
static_assert(BLOCKS_PER_SM >= 1, "BLOCKS_PER_SM must be at least 1");
static_assert(SHUFFLE == 0 || SHUFFLE == 1, "SHUFFLE must be 0 or 1");

struct alignas(4 * VEC) Pack {
    float v[VEC];
};

// Pairs of neighbours, then pairs of their sums: short chains of additions, small error.
template <int COUNT> __device__ inline float tree_sum(const float *x)
{
    if constexpr (COUNT == 1)
        return x[0];
    else
        return tree_sum<COUNT / 2>(x) + tree_sum<COUNT / 2>(x + COUNT / 2);
}

// This thread's part of the tile that starts at in; left floats are there.
__device__ inline float tile_sum(const float *in, long long left, bool aligned)
{
    alignas(16) float x[ITEMS * VEC];
    if (aligned && left >= TILE) {
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            *reinterpret_cast<Pack *>(&x[i * VEC]) =
                reinterpret_cast<const Pack *>(in)[i * BLOCK + threadIdx.x];
    } else {
#pragma unroll
        for (int i = 0; i < ITEMS * VEC; i++) {
            const int at = i * BLOCK + threadIdx.x;
            x[i] = at < left ? in[at] : 0.0f;
        }
    }
    return tree_sum<ITEMS * VEC>(x);
}

__device__ inline float warp_sum(float sum)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum; // in lane 0
}

// The sum over all threads of the block, in thread 0.
__device__ inline float block_sum(float sum)
{
    __shared__ float partial[SHUFFLE ? WARPS : BLOCK];
    const int thread = threadIdx.x;
    if constexpr (SHUFFLE) {
        sum = warp_sum(sum);
        if (thread % 32 == 0) partial[thread / 32] = sum;
        __syncthreads();
        if (thread < 32) sum = warp_sum(thread < WARPS ? partial[thread] : 0.0f);
        return sum;
    }
    partial[thread] = sum;
    __syncthreads();
#pragma unroll
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (thread < half) partial[thread] += partial[thread + half];
        __syncthreads();
    }
    return partial[0];
}

extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS_PER_SM)
    reduction(const float *__restrict__ in, float *__restrict__ out, long long N)
{
    const bool aligned = (unsigned long long)in % sizeof(Pack) == 0;
    float sum = 0.0f;
    for (long long at = (long long)blockIdx.x * TILE; at < N;
         at += (long long)gridDim.x * TILE)
        sum += tile_sum(in + at, N - at, aligned);
    sum = block_sum(sum);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}
