// What all threads of a group make of their values: within a warp by shuffles, between
// warps by way of shared memory.
#pragma once

// x of the lane whose number differs in the bits of mask.
template <class Value> __device__ inline Value shuffle_xor(Value x, int mask)
{
    static_assert(sizeof(Value) % 4 == 0, "a shuffle moves words");
    unsigned word[sizeof(Value) / 4];
    memcpy(word, &x, sizeof x);
#pragma unroll
    for (int i = 0; i < (int)sizeof(Value) / 4; i++)
        word[i] = __shfl_xor_sync(0xffffffff, word[i], mask);
    memcpy(&x, word, sizeof x);
    return x;
}

// Of width neighbouring lanes, each of which gets the result.
template <int width, class Value, class Combine>
__device__ inline Value combine_lanes(Value x, Combine combine)
{
#pragma unroll
    for (int mask = width / 2; mask > 0; mask /= 2)
        x = combine(x, shuffle_xor(x, mask));
    return x;
}

// Of group neighbouring threads, a power of two, each of which gets the result; all
// threads of the block must call. Between two calls with one Value and Combine a barrier
// must stand: the second would overwrite what slow warps still read.
template <int group, int block, class Value, class Combine>
__device__ inline Value combine_group(Value x, Combine combine)
{
    if constexpr (group <= 32) {
        return combine_lanes<group>(x, combine);
    } else {
        constexpr int warps = group / 32;
        __shared__ Value partial[block / 32];
        x = combine_lanes<32>(x, combine);
        if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = x;
        __syncthreads();
        const int first = threadIdx.x / group * warps;
        return combine_lanes<warps>(partial[first + threadIdx.x % warps], combine);
    }
}

// Of all threads of a block, a power of two, as a tree in shared memory; thread 0 gets
// the result. A barrier must stand between two calls, as above.
template <int block, class Value, class Combine>
__device__ inline Value combine_in_shared(Value x, Combine combine)
{
    __shared__ Value partial[block];
    const int thread = threadIdx.x;
    partial[thread] = x;
    __syncthreads();
#pragma unroll
    for (int half = block / 2; half > 0; half /= 2) {
        if (thread < half)
            partial[thread] = combine(partial[thread], partial[thread + half]);
        __syncthreads();
    }
    return partial[0];
}
