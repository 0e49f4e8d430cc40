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
// threads of the block must call. To be called once for each Value and Combine: a second
// call would overwrite what slow warps still read.
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
