// A warp group's sums to D, as wgmma leaves them in registers: through shared memory by
// asynchronous copies of panels, or, where D's rows begin anywhere, by the threads
// (write_sums.cuh).
#pragma once

#include "epilogue.cuh"
#include "store.cuh"
#include "warp_tile.cuh"
#include "write_sums.cuh"

// Panels of 64 rows of 128 bytes of D: PANELS of them a warp group, in turn. Those of a
// tile lie side by side; where the tile's width is no multiple of theirs the last two
// overlap, and what both have is written twice.
template <class Out> class PanelWriter {
    static constexpr int width = 128 / (int)sizeof(Out);    // of a panel, in elements
    static constexpr int part = HONE_HALVES ? 2 : 1;        // sums an element
    static constexpr int columns = BN / part;               // of a tile of D
    static constexpr int count = (columns - 1) / width + 1; // of panels
    static constexpr bool by_matrix = sizeof(Out) == 2 && !HONE_HALVES;
    typedef Run<Out, 2 / part> Ended; // of two sums
    static_assert(columns >= width, "a tile of D has at least 128 bytes a row");

    const Epilogue<Out> &epilogue;
    const TensorMap &map;
    unsigned char *const memory; // the group's panels
    const int group;             // its number, and that of its barrier
    int next = 0;                // panel

  public:
    __device__ PanelWriter(const Epilogue<Out> &epilogue, const TensorMap &map,
                           unsigned char *memory, int group)
        : epilogue(epilogue), map(map), memory(memory + group * PANELS * PANEL_BYTES),
          group(group)
    {
    }
    // row, column: of sums, where the group's begin
    __device__ void write(const Sums &sums, int row, int column)
    {
#pragma unroll
        for (int i = 0; i < PIECES; i++)
#pragma unroll
            for (int p = 0; p < count; p++) {
                const int from = p + 1 < count ? p * width : columns - width;
                write_panel(sums[i], from, row + i * 64, column);
            }
    }
    // Before the threads end.
    __device__ void finish() const
    {
        if (issues()) wait_for_stores<0>();
    }

  private:
    __device__ static bool issues()
    {
        return threadIdx.x % 128 == 0;
    }
    // from: the panel's first column in the tile of D
    __device__ __forceinline__ void write_panel(const Sum (&sums)[BN / 8][4], int from,
                                                int row, int column)
    {
        const int x = column / part + from;
        if (row >= epilogue.rows || x >= epilogue.columns / part) return;
        unsigned char *const panel = memory + next * PANEL_BYTES;
        next = next + 1 < PANELS ? next + 1 : 0;
        if (issues()) wait_for_reads<PANELS - 1>(); // what was in it has left
        named_sync<1, MATH>(group, 128);
        const bool whole = epilogue.beta == 0 && row + 64 <= epilogue.rows &&
                           x + width <= epilogue.columns / part;
        if (whole)
            fill<true>(panel, sums, from, row + warp_rows(), column);
        else
            fill<false>(panel, sums, from, row + warp_rows(), column);
        fence_async();
        named_sync<1, MATH>(group, 128);
        if (issues()) {
            store_box(map, x, row, shared_address(panel));
            commit_stores();
        }
    }
    // row: the warp's first; column: the tile's
    template <bool whole>
    __device__ __forceinline__ void fill(unsigned char *panel,
                                         const Sum (&sums)[BN / 8][4], int from, int row,
                                         int column) const
    {
        if constexpr (by_matrix)
            fill_by_matrix<whole>(shared_address(panel), sums, from, row, column);
        else
            fill_by_pair<whole>(panel, sums, from, row, column);
    }
    // 16 rows of 16 columns of 16 bits at a time.
    template <bool whole>
    __device__ __forceinline__ void fill_by_matrix(unsigned panel,
                                                   const Sum (&sums)[BN / 8][4], int from,
                                                   int row, int column) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int c = 0; c < width; c += 16) {
            unsigned words[4];
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const Ended out =
                    end<whole>(sums, (from + c) / 8 + i / 2, i % 2, row, column);
                words[i] = reinterpret_cast<const unsigned &>(out);
            }
            store_matrices(
                panel_place(panel, warp_rows() + lane % 16, c * 2 + lane / 16 * 16),
                words);
        }
    }
    template <bool whole>
    __device__ __forceinline__ void fill_by_pair(unsigned char *panel,
                                                 const Sum (&sums)[BN / 8][4], int from,
                                                 int row, int column) const
    {
        const int lane = threadIdx.x % 32;
#pragma unroll
        for (int group = 0; group < width * part / 8; group++)
#pragma unroll
            for (int half = 0; half < 2; half++) {
                const int j = from * part / 8 + group;
                const int at = (group * 8 + lane % 4 * 2) / part;
                *reinterpret_cast<Ended *>(
                    panel + panel_place(0, warp_rows() + half * 8 + lane / 4,
                                        at * (int)sizeof(Out))) =
                    end<whole>(sums, j, half, row, column);
            }
    }
    // Of what the thread has of group j of 8 columns in the upper or lower 8 rows.
    template <bool whole>
    __device__ __forceinline__ Ended end(const Sum (&sums)[BN / 8][4], int j, int half,
                                         int row, int column) const
    {
        const int lane = threadIdx.x % 32;
        const Sum held[2] = {sums[j][half * 2], sums[j][half * 2 + 1]};
        const int at = row + half * 8 + lane / 4, c = column + j * 8 + lane % 4 * 2;
        const int left = epilogue.columns - c;
        if (!whole && (at >= epilogue.rows || left <= 0)) return {};
        return epilogue.template end<whole>(held, at, c, left);
    }
};

// Straight from the threads, 16 bytes each where D's rows allow it.
template <class Out> class StagedWriter {
    const Epilogue<Out> &epilogue;
    Sum *const stage; // the warp's

  public:
    __device__ StagedWriter(const Epilogue<Out> &epilogue, Out *, unsigned char *memory,
                            int group)
        : epilogue(epilogue),
          stage(reinterpret_cast<Sum *>(memory) +
                (group * 4 + threadIdx.x % 128 / 32) * 16 * staging_width<STAGED>())
    {
    }
    __device__ void write(const Sums &sums, int row, int column) const
    {
        typedef Sum Part[1][STAGED / 8][4];
#pragma unroll
        for (int i = 0; i < PIECES; i++)
#pragma unroll
            for (int c = 0; c < BN; c += STAGED) {
                __syncwarp(); // all have read what was there
                write_staged(epilogue, reinterpret_cast<const Part &>(sums[i][c / 8]),
                             row + i * 64 + warp_rows(), column + c, stage);
            }
    }
    __device__ void finish() const {}
};

template <bool direct, bool swap> struct Ways {
    typedef OUT *Target; // what the kernel gets of D
    typedef StagedWriter<OUT> Writer;
};
template <> struct Ways<true, true> {
    typedef OUT *Target;
    typedef SwappedWriter<OUT, Sum, PIECES, BN / 8> Writer;
};
template <> struct Ways<false, false> {
    typedef TensorMap Target;
    typedef PanelWriter<OUT> Writer;
};
typedef Ways<DIRECT, SWAP>::Target Target;
typedef Ways<DIRECT, SWAP>::Writer Writer;

__device__ inline OUT *pointer_of(OUT *d)
{
    return d;
}
__device__ inline OUT *pointer_of(const TensorMap &)
{
    return nullptr;
}
