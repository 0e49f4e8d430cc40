// What a block of attention by warp groups has to do: tiles of queries of a head, which
// those that copy and those that multiply walk alike.
#pragma once

#include "attention_mask.cuh"
#include "attention_sequence.cuh"
#include "attention_sm90_parameters.cuh"
#include "raster.cuh"

constexpr int BLOCK_M = 64 * MATH; // queries a tile

// One head's queries from row on, and the tiles of keys that they need.
struct Task {
    int row, sequence;
    long long head;
    Sequence queries, keys;
    KeyMask mask;
    KeyTiles needed;

    // A sequence may have fewer queries than the longest one.
    __device__ bool empty() const
    {
        return row >= queries.count;
    }
    // Where the maps have a sequence's tokens: its number and the first one.
    __device__ int box_sequence() const
    {
        return VARLEN ? 0 : sequence;
    }
    __device__ static int box_token(const Sequence &of)
    {
        return VARLEN ? (int)of.first : 0;
    }
};

struct Tasks {
    const int *starts_q, *starts_k;
    int unit, seq_q, seq_k; // of Sequence
    int heads, sequences, window;

    __device__ int tiles() const // of a head
    {
        return (seq_q - 1) / BLOCK_M + 1;
    }
    __device__ int count() const
    {
        return tiles() * heads * sequences;
    }
    __device__ Task task(int number) const
    {
        const TileIndex at =
            tile_of_block<HEAD_GROUP>(number, heads * sequences, tiles());
        const int tile = LONGEST_FIRST ? tiles() - 1 - at.column : at.column;
        const int row = tile * BLOCK_M, sequence = at.row / heads;
        const Sequence queries(starts_q, unit, sequence, seq_q);
        const Sequence keys(starts_k, unit, sequence, seq_k);
        const int ahead = CAUSAL ? 0 : LOCAL ? window : NO_LIMIT;
        const KeyMask mask = {queries.count, keys.count, LOCAL ? window : NO_LIMIT,
                              ahead};
        const int last = min(row + BLOCK_M, queries.count) - 1;
        return {row,
                sequence,
                at.row % heads,
                queries,
                keys,
                mask,
                KeyTiles(mask, row, last, BLOCK_N)};
    }
    // With each task of this block that has queries.
    template <class Do> __device__ __forceinline__ void each(Do &&work) const
    {
        for (int i = blockIdx.x; i < count(); i += gridDim.x) {
            const Task own = task(i);
            if (!own.empty()) work(own);
            if (!PERSISTENT) break;
        }
    }
};
