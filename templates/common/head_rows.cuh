// One head of consecutive tokens in global memory.
#pragma once

#include "line_copier.cuh"

template <class T> struct HeadRows {
    T *data;
    int count, stride; // tokens; elements from one to the next
    bool aligned;      // all begin at multiples of 16 bytes

    __device__ HeadRows(T *first, int count, int stride)
        : data(first), count(count), stride(stride),
          aligned(stride * sizeof(T) % 16 == 0 && (unsigned long long)first % 16 == 0)
    {
    }
    __device__ T *at(int token) const
    {
        return data + (long long)token * stride;
    }

    // The tile of Copier that begins with token; zeros behind the last.
    template <class Copier>
    __device__ void copy(unsigned tile, int token, unsigned long long policy) const
    {
        const int first = token + Copier::line(0);
        const auto find = [=](int round, int) -> Line<typename Copier::Element> {
            const int t = first + round * Copier::at_once;
            return {at(min(t, count - 1)), t < count};
        };
        if (aligned)
            Copier::copy(tile, find, policy);
        else
            Copier::copy_elements(tile, find);
    }
};
