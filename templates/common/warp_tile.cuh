// The tiles of a product by warp groups: where they lie in shared memory, who copies them
// there, and who multiplies them.
#pragma once

#include "gemm_sm90_parameters.cuh"

#include "block_scales.cuh"
#include "epilogue.cuh"
#include "ring.cuh"
#include "schedule.cuh"
#include "tensor_map.cuh"
#include "warpgroup.cuh"
#include "write_swapped.cuh"

constexpr int DEPTH = 128 / (int)sizeof(TYPE);        // of a tile, in elements
constexpr int GROUP_ROWS = PINGPONG ? BM : BM / MATH; // of a tile, a warp group
constexpr int PARTS = PINGPONG ? 1 : MATH;            // of a tile, one a warp group
constexpr int PIECES = GROUP_ROWS / 64;               // of these, a product
constexpr int A_BYTES = BM * 128, STAGE_BYTES = A_BYTES + BN * 128;
constexpr int PANEL_BYTES = 64 * 128;        // of D
constexpr bool PROMOTED = SCALED || PROMOTE; // promote.cuh

// Tiles are BM rows of one operand, which wgmma takes 64 at a time, by BN of the other:
// of A and B; with SWAP of B and A, and rows of D stand for its columns.
constexpr bool FIRST_BY_K = SWAP ? TRANS_B : !TRANS_A; // k is contiguous
constexpr bool SECOND_BY_K = SWAP ? !TRANS_A : TRANS_B;

static_assert(MATH >= 1 && MATH <= 3, "MATH must be 1, 2 or 3");
static_assert(PINGPONG == 0 || (PINGPONG == 1 && MATH == 2),
              "warp groups take turns where there are two");
static_assert(PIECES >= 1 && GROUP_ROWS % 64 == 0 &&
                  GROUP_ROWS * (PINGPONG ? 1 : MATH) == BM,
              "BM: a multiple of 64 for each warp group");
static_assert(BM <= 256 && BN >= (SWAP ? 16 : 64) && BN <= 256 && BN % 16 == 0,
              "BM to 256; BN 64 to 256, with SWAP from 16, in steps of 16");
static_assert(SECOND_BY_K || BN % 64 == 0,
              "what has k not contiguous comes in panels of 64");
static_assert(INFLIGHT == 0 || INFLIGHT == 1, "INFLIGHT must be 0 or 1");
static_assert(GROUP >= 1, "GROUP must be at least 1");
static_assert(RASTER == 0 || RASTER == 1, "RASTER must be 0 or 1");
static_assert(SPLIT_K >= 1, "SPLIT_K must be at least 1");
static_assert(STREAM == 0 || (STREAM == 1 && SPLIT_K == 1),
              "STREAM: 0, or 1 without SPLIT_K");
static_assert(!PROMOTED || same_type<TYPE, e4m3>::value || same_type<TYPE, e5m2>::value,
              "only sums of 8-bit floats are promoted");
static_assert(!PROMOTED || INFLIGHT == 0, "promoted sums leave no stage in flight");
static_assert(!SCALED || BN <= 128 + (BN & -BN),
              "a tile's columns have two scales: BN to 160, or 192");
static_assert(PANELS >= 1 && PANELS <= 4, "PANELS must be 1 to 4");
static_assert(sizeof(TYPE) == 2 || (!TRANS_A && TRANS_B),
              "only types of 16 bits may have k not contiguous");

enum class Store { map, direct };
constexpr bool DIRECT = Store::STORE == Store::direct;
static_assert(SWAP == 0 || (SWAP == 1 && DIRECT), "SWAP: 0, or 1 with STORE direct");
static_assert(!SWAP || !SCALED, "SWAP knows no scales of blocks");

// Columns of sums that pass through shared memory at once on their way to a D that
// threads write, 16 rows of them a warp.
constexpr int STAGED = BN % 64 == 0 ? 64 : BN % 48 == 0 ? 48 : BN % 32 == 0 ? 32 : 16;
constexpr int STAGING = SWAP     ? MATH * SWAPPED_BYTES
                        : DIRECT ? MATH * 4 * 16 * (STAGED + 8) * 4
                                 : MATH * PANELS * PANEL_BYTES;

// The script counts them again, for the launch: kernels/gemm_sm90.lua.
constexpr int STAGES = stages_beside(STAGING, STAGE_BYTES + SCALE_BYTES);
constexpr int TILE_BYTES = STAGES * STAGE_BYTES;
constexpr int SCALES_AT = TILE_BYTES + STAGING; // scales of all stages, behind panels
constexpr int RING_AT = SCALES_AT + STAGES * SCALE_BYTES;

HONE_WGMMA(BN, TYPE);

constexpr int CLUSTER = CLUSTER_M * CLUSTER_N;
static_assert(CLUSTER_M >= 1 && CLUSTER_N >= 1 && CLUSTER <= 2,
              "a cluster has one block, or two that share one operand");

// Arrivals of a block that empty a stage: of each warp group that reads it one, as its
// products end together; of each warp, which has read scales by itself.
constexpr int READERS = SCALED ? 4 : 1; // of a warp group
constexpr int RELEASES = (PINGPONG ? 1 : MATH) * READERS;
typedef Ring<STAGES, CLUSTER> Stages;
typedef Wgmma<TYPE, BN> Product;
typedef Product::Sum Sum;
typedef Sum Sums[PIECES][BN / 8][4];

// Of this block, or of all of its cluster.
__device__ inline void sync_blocks()
{
    if (CLUSTER > 1)
        cluster_sync();
    else
        __syncthreads();
}

// Where a warp of the group begins in 64 rows.
__device__ inline int warp_rows()
{
    return threadIdx.x % 128 / 32 * 16;
}

// A box for this block, or for all of the cluster. z: a third coordinate, of a map with
// as many axes.
template <int share, class... Z>
__device__ inline void copy_box(unsigned to, const TensorMap &map, int x, int y,
                                unsigned barrier, Z... z)
{
    if (share > 1)
        load_box_to(to, map, x, y, z..., barrier, (1 << share) - 1);
    else
        load_box(to, map, x, y, z..., barrier);
}

// One operand's part of a stage; line: its first row of A (column of B). share: blocks
// that each copy a part, number rank of them, for all.
template <int lines, bool k_contiguous, int share, class... Z>
__device__ inline void copy_operand(unsigned to, const TensorMap &map, int line, int k,
                                    unsigned barrier, int rank, Z... z)
{
    if constexpr (k_contiguous) {
        const int part = share > 1 ? rank * (lines / share) : 0;
        copy_box<share>(to + part * 128, map, k, line + part, barrier, z...);
    } else {
        const int part = share > 1 ? rank * (DEPTH / share) : 0;
#pragma unroll
        for (int i = 0; i < lines; i += 64)
            copy_box<share>(to + (i / 64 * DEPTH + part) * 128, map, line + i, k + part,
                            barrier, z...);
    }
}

// A tile of this block, by one thread: depth stages from element k on. row, column: of D,
// where it begins; z: of B, which has a matrix for each.
struct TileCopier {
    const TensorMap &a, &b;
    const BlockScales &scales;
    unsigned memory;
    Stages ring;
    int rank;            // of the block in its cluster
    Stages::Place place; // in the ring

    template <class... Z>
    __device__ void copy(int row, int column, int k, int depth, Z... z)
    {
#pragma unroll SCALED ? 1 : 4 // of its few registers
        for (int end = k + depth * DEPTH; k < end; k += DEPTH) {
            const unsigned to = memory + place.stage * STAGE_BYTES;
            const unsigned full = ring.full(place);
            ring.wait_empty(place);
            ring.expect(place, STAGE_BYTES + COPIED_SCALES);
            copy_operand<BM, FIRST_BY_K, CLUSTER_N>(to, a, row, k, full, rank);
            copy_operand<BN, SECOND_BY_K, CLUSTER_M>(to + A_BYTES, b, column, k, full,
                                                     rank, z...);
            scales.copy(place.stage, k, row, column, full, (0 + ... + z));
            place.next();
        }
    }
};

// Brings all tiles of a block, by one thread. first: element of k.
template <class Schedule>
__device__ inline void copy_tiles(const TensorMap &a, const TensorMap &b,
                                  const BlockScales &scales, unsigned memory,
                                  const Stages &ring, const Schedule &schedule, int first)
{
    prefetch_map(a);
    prefetch_map(b);
    scales.prefetch();
    TileCopier copier = {a, b, scales, memory, ring, schedule.rank};
    const int turns = schedule.own();
    for (int turn = 0; turn < turns; turn++) {
        const TileIndex tile = schedule.own(turn);
        const Share share = schedule.share(turn);
        copier.copy(tile.row * BM, tile.column * BN, first + share.first * DEPTH,
                    share.depth);
    }
}

// A warp group's products.
struct Multiplier {
    Stages ring;
    Descriptor a, b; // of stage 0

    // row: the group's first of a tile
    __device__ Multiplier(unsigned memory, const Stages &ring, int row)
        : ring(ring), a(describe_tile<FIRST_BY_K>(memory + row * 128, 64 * 128)),
          b(describe_tile<SECOND_BY_K>(memory + A_BYTES, 64 * 128))
    {
        // Where registers allow it, kept rather than made anew for each stage.
        if (!PROMOTED) return;
        a.low = __shfl_sync(~0u, a.low, 0);
        b.low = __shfl_sync(~0u, b.low, 0);
    }

    // One of four steps of a stage's k, for 64 rows.
    __device__ void multiply(Sum (&sums)[BN / 8][4], int stage, int step, int i,
                             bool keep) const
    {
        Product::run<!FIRST_BY_K, !SECOND_BY_K>(
            sums,
            a.steps<STAGE_BYTES>(stage).on(step * product_step<FIRST_BY_K>() +
                                           i * 64 * 128),
            b.steps<STAGE_BYTES>(stage).on(step * product_step<SECOND_BY_K>()), keep);
    }
    __device__ void multiply(Sums &sums, int stage, bool keep) const
    {
#pragma unroll
        for (int step = 0; step < 4; step++)
#pragma unroll
            for (int i = 0; i < PIECES; i++)
                multiply(sums[i], stage, step, i, keep || step > 0);
    }

    __device__ void release(const Stages::Place &place) const
    {
        ring.release(place, threadIdx.x % (128 / READERS));
    }

    // The products of depth stages, of which the last may be under way; it is returned,
    // for end.
    __device__ Stages::Place begin(Sums &sums, Stages::Place &place, int depth) const
    {
        Stages::Place read = place; // the last stage whose products are done
        for (int k = 0; k < depth; k++) {
            ring.wait_full(place);
            warpgroup_fence();
            multiply(sums, place.stage, k > 0);
            warpgroup_commit();
            warpgroup_wait<INFLIGHT>();
            if (!INFLIGHT) read = place;
            if (!INFLIGHT || k > 0) release(read);
            read = place;
            place.next();
        }
        return read;
    }
    __device__ void end(Sums &sums, const Stages::Place &last) const
    {
        warpgroup_wait<0>();
        if (INFLIGHT) release(last);
#pragma unroll
        for (int i = 0; i < PIECES; i++)
            hold(sums[i]);
    }
};

// Two warp groups that multiply in turns, each from its turn on to the other's.
struct Turns {
    int group, count;

    __device__ void await(int turn) const
    {
        if (PINGPONG && turn > 0) named_sync<MATH + 1, 2>(group, 256);
    }
    __device__ void pass(int turn) const
    {
        if (PINGPONG && turn + 1 < count) named_arrive<MATH + 1, 2>(1 - group, 256);
    }
};
