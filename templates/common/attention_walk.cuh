// Attention of one warp to a sequence, tile after tile from the last to the first: copies
// of K and V that run ahead, scores, masks, the softmax, outputs.
#pragma once

#include "async_copy.cuh"
#include "attention_mask.cuh"
#include "attention_scores.cuh"
#include "online_softmax.cuh"

// Tiles of K and V in shared memory, from the last of the sequence down to first. Copies
// are one group each: K, V, K, V, ... Source copies the tiles of each one after another
// and says which threads share tiles.
template <class Source, int stages, int tile_bytes> struct AttentionRings {
    static_assert(stages >= 1, "STAGES must be at least 1");
    static constexpr int step = Source::step;

    Source source;
    unsigned address;
    int first;

    __device__ unsigned slot(bool values, int i) const
    {
        return address + (values ? stages + i : i) * tile_bytes;
    }
    // Groups are counted, so that one is made of nothing too.
    __device__ void copy(bool values, int to, int tile)
    {
        if (tile >= first) source.copy(slot(values, to), values, tile);
        commit_copies();
    }
    __device__ void begin(int last)
    {
#pragma unroll
        for (int i = 0; i < 2 * stages - 1; i++)
            copy(i % 2, i / 2, last - i / 2 * step);
    }
    // Until the oldest copy that was not yet waited for is there, for all threads.
    __device__ static void wait()
    {
        wait_for_copies<2 * stages - 2>();
        Source::sync();
    }
    __device__ static int next(int i)
    {
        return i + 1 == stages ? 0 : i + 1;
    }
    // Behind the last of those that are on their way, as seen from slot i.
    __device__ void copy_ahead(bool values, int i, int tile)
    {
        const int to = values ? (i == 0 ? stages - 1 : i - 1) : i;
        copy(values, to, tile - (values ? stages - 1 : stages) * step);
    }
};

template <class Tile, class Rings, class Mask> struct AttentionWalk {
    typedef typename Tile::Scores Scores;
    static constexpr int pieces = Tile::pieces;

    Tile tile;
    typename Tile::Outputs outputs;
    OnlineSoftmax<pieces> softmax;
    Scoring scoring;
    int row;  // this lane's first
    int slot; // of the next tile

    // queries: in shared memory, the warp's from first_line on, which is first_row of the
    // mask.
    __device__ AttentionWalk(unsigned queries, int first_line, int first_row,
                             const Scoring &scoring)
        : tile(queries, first_line), outputs{}, scoring(scoring),
          row(first_row + first_line + threadIdx.x % 32 / 4), slot(0)
    {
    }

    // may_hide: code for tiles that hide keys from some query, of which this is one where
    // hides.
    template <bool may_hide>
    __device__ void absorb(Rings &rings, const Mask &mask, int number, bool hides)
    {
        Scores scores = {};
        Rings::wait(); // and all have read the tile of V before
        rings.copy_ahead(true, slot, number);
        tile.score(scores, rings.slot(false, slot));
#pragma unroll
        for (int i = 0; i < pieces; i++)
            scoring.bend(scores[i]);
        if (may_hide && hides)
#pragma unroll
            for (int i = 0; i < pieces; i++)
                hide_keys<false>(scores[i], mask, row + 16 * i, number * Tile::keys);
        softmax.template absorb<may_hide>(scores, outputs, scoring.factor);
        Rings::wait(); // and all have read the tile of K
        rings.copy_ahead(false, slot, number);
        tile.weigh(outputs, scores, rings.slot(true, slot));
        slot = Rings::next(slot);
    }

    // Tiles last, last - step, ... down to rings.first. peel: those that need no mask
    // have code of their own.
    template <bool peel>
    __device__ void run(Rings &rings, const Mask &mask, const KeyTiles &tiles, int last)
    {
        int t = last;
        if constexpr (peel) {
            for (; t >= max(rings.first, tiles.clear_end); t -= Rings::step)
                absorb<true>(rings, mask, t, true);
            for (; t >= max(rings.first, tiles.clear); t -= Rings::step)
                absorb<false>(rings, mask, t, false);
        }
        if constexpr (!peel || LOCAL)
            for (; t >= rings.first; t -= Rings::step)
                absorb<true>(rings, mask, t, !tiles.is_clear(t));
    }
};
