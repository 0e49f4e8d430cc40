// One head of consecutive tokens in global memory.
#pragma once

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
        T *row = at(first);
        const auto find = [=](int round, int) {
            const int ahead = round * Copier::at_once;
            return first + ahead < count ? row + (long long)ahead * stride : nullptr;
        };
        if (aligned)
            Copier::copy(tile, find, policy);
        else
            Copier::copy_elements(tile, find);
    }
};
