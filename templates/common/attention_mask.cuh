// Which keys a query sees. Queries are the last of the keys: query i of seq_q stands at
// position i + seq_k - seq_q among seq_k keys (as in FlashAttention from 2.1 on).
#pragma once

constexpr int NO_LIMIT = 1 << 30; // further than any key is away

struct KeyMask {
    int seq_q, seq_k;
    int back, ahead; // a query sees keys from position - back to position + ahead

    __device__ int position(int query) const
    {
        return query + seq_k - seq_q;
    }
    __device__ int first(int query) const
    {
        return max(position(query) - back, 0);
    }
    __device__ int end(int query) const
    {
        return min(position(query) + ahead + 1, seq_k);
    }
};

// The tiles of width keys that queries from .. to need: first .. end - 1, of which
// clear .. clear_end - 1 all of them see whole. Empty where end <= first.
struct KeyTiles {
    int first, end, clear, clear_end;

    __device__ KeyTiles(const KeyMask &mask, int from, int to, int width)
    {
        // The first query sees least at the end, the last one at the beginning.
        first = mask.first(from) / width;
        end = (max(mask.end(to), 0) + width - 1) / width;
        clear = (mask.first(to) + width - 1) / width;
        clear_end = max(mask.end(from), 0) / width;
    }
    __device__ bool is_clear(int tile) const
    {
        return tile >= clear && tile < clear_end;
    }
};
