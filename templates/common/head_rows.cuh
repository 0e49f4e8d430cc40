// One head of consecutive tokens in global memory, and its tiles.
#pragma once

#include "line_copier.cuh"

// A tile of which the first tokens, one at least, are there. from: start of it.
template <class Copier, class T>
__device__ inline void copy_tokens(unsigned tile, const T *from, int stride, int tokens,
                                   bool aligned, unsigned long long policy)
{
    const auto find = [=](int, int line) -> Line<T> {
        const int ahead = min(line, tokens - 1) - Copier::line(0);
        return {from + (long long)stride * ahead, line < tokens};
    };
    Copier::copy_edge(tile, find, aligned, policy);
}

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

    // Where a thread of Copier begins with the tile whose first token this is.
    template <class Copier> __device__ T *start(int token) const
    {
        return at(token + Copier::line(0)) + Copier::column();
    }
    // The tile of Copier that begins with token; zeros behind the last.
    template <class Copier>
    __device__ void copy(unsigned tile, int token, unsigned long long policy) const
    {
        copy_tokens<Copier>(tile, start<Copier>(token), stride, count - token, aligned,
                            policy);
    }
};

// Tiles of so many tokens of a head, one after another from a last one down: where the
// next one lies moves along, and those that are whole need no test of their lines.
template <class Copier, int tokens> struct HeadTiles {
    typedef typename Copier::Element Element;
    const Element *next; // this thread's
    int count, stride;
    bool aligned;
    int whole; // tiles from the first on, of aligned rows

    __device__ HeadTiles(const HeadRows<const Element> &rows, int last)
        : next(rows.template start<Copier>(last * tokens)), count(rows.count),
          stride(rows.stride), aligned(rows.aligned),
          whole(rows.aligned ? rows.count / tokens : 0)
    {
    }
    // The next tile, which has this number and at least one token.
    __device__ void copy(unsigned to, int tile, unsigned long long policy)
    {
        if (tile < whole)
            Copier::copy_inside(to, next, stride, policy);
        else
            copy_tokens<Copier>(to, next, stride, count - tile * tokens, aligned, policy);
        next -= (long long)tokens * stride;
    }
};
