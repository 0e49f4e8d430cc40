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
    __device__ Task task(TileIndex at) const
    {
        const int row = at.column * BLOCK_M, sequence = at.row / heads;
        const Sequence queries(starts_q, unit, sequence, seq_q);
        const Sequence keys(starts_k, unit, sequence, seq_k);
        const int ahead = CAUSAL ? 0 : LOCAL ? window : NO_LIMIT;
        const KeyMask mask = {queries.count, keys.count, LOCAL ? window : NO_LIMIT,
                              ahead};
        const int last = min(row + BLOCK_M, queries.count) - 1;
        KeyTiles needed(mask, row, last, BLOCK_N);
        asm volatile("" : "+r"(needed.clear_end)); // it is not made anew for each tile
        return {row, sequence, at.row % heads, queries, keys, mask, needed};
    }
    // A causal head's tiles come by twos, which are as much work as any other two: the
    // longest that is left and the shortest, or, where the number is odd, one alone.
    __device__ int pairs() const
    {
        return (tiles() + 1) / 2 * heads * sequences;
    }
    // The tile of that number; of a pair the longer or the shorter one.
    __device__ TileIndex find(int number, bool paired, bool shorter) const
    {
        const int columns = paired ? (tiles() + 1) / 2 : tiles();
        TileIndex at = tile_of_block<HEAD_GROUP>(number, heads * sequences, columns);
        if (LONGEST_FIRST && !shorter) at.column = tiles() - 1 - at.column;
        return at;
    }
    // With each task of this block that has queries.
    template <class Do> __device__ __forceinline__ void each(Do &&work) const
    {
        const bool paired =
            PERSISTENT && LONGEST_FIRST && tiles() > 1 && count() > (int)gridDim.x;
        const int end = paired ? pairs() : count();
        bool shorter = false;
        for (int i = blockIdx.x; i < end; i += shorter ? 0 : gridDim.x) {
            const TileIndex at = find(i, paired, shorter);
            const bool alone = 2 * at.column + 1 == tiles();
            const Task own = task(at);
            if (!own.empty() && !(shorter && alone)) work(own);
            if (!PERSISTENT) break;
            shorter = paired && !shorter;
        }
    }
};
