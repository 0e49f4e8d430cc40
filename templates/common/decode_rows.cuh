// New tokens of a sequence, of all heads that share its keys, as rows of one product:
// which token and head a row is, where it lies, what it sees, and which tiles of keys a
// block walks for them.
#pragma once

#include "attention_mask.cuh"
#include "line_copier.cuh"

// Those of token 0 by head, of token 1, ...
struct Rows {
    int group, count;
    int first; // of this block

    __device__ int token(int row) const
    {
        return (first + row) / group;
    }
    __device__ int head(int row) const
    {
        return (first + row) % group;
    }
    __device__ bool has(int row) const
    {
        return first + row < count;
    }
};

struct RowMask {
    KeyMask mask;
    Rows rows;

    __device__ int end(int row) const
    {
        return mask.end(rows.token(row));
    }
    __device__ int first(int row) const
    {
        return mask.first(rows.token(row));
    }
    // What a block of so many rows needs.
    __device__ KeyTiles tiles(int block_rows, int width) const
    {
        return {mask, rows.token(0), min(rows.token(block_rows - 1), mask.seq_q - 1),
                width};
    }
};

// Where the rows of this block begin in Q, O and lse.
struct Places {
    long long token; // of all sequences
    int head;

    __device__ long long at(const Rows &rows, int row, int by_token, int by_head) const
    {
        return (token + rows.token(row)) * by_token +
               (long long)(head + rows.head(row)) * by_head;
    }
};

// The block's rows to shared memory; zeros where there are fewer.
template <class Copier>
__device__ inline void copy_rows(unsigned to, const typename Copier::Element *from,
                                 const Rows &rows, const Places &places, int by_token,
                                 int by_head)
{
    const auto find = [=](int, int row) -> Line<typename Copier::Element> {
        const bool valid = rows.has(row);
        return {valid ? from + places.at(rows, row, by_token, by_head) : from, valid};
    };
    Copier::copy(to, find, 0);
}

// The tiles of a sequence that one of splits blocks walks.
struct Share {
    int first, end;
    int blocks; // that have any, at least one

    __device__ Share(const KeyTiles &needed, int split, int splits)
    {
        const int count = max(needed.end - needed.first, 0);
        const int size = max((count + splits - 1) / splits, 1);
        blocks = max((count + size - 1) / size, 1);
        first = needed.first + split * size;
        end = min(first + size, needed.end);
    }
};
