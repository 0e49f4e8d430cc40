// The tiles of a product with weights of 4 bits by warp groups: where they lie in shared
// memory, who copies them there, and who multiplies them. wgmma takes its first operand
// from registers, so it is the transposed D that is computed: weights, made floats, are
// the first operand, rows of A the second.
#pragma once

#ifndef TYPE // of A and of scales: f16, bf16
#define TYPE f16
#endif
#ifndef OUT // type of D: f16, bf16
#define OUT f16
#endif
#ifndef ZEROS // groups have zero points of their own, else all have 8
#define ZEROS 0
#endif

#ifndef BM // rows of D a tile: 8, or 16 to 144 in steps of 16
#define BM 16
#endif
#ifndef BN // columns of D a tile
#define BN 128
#endif
#ifndef MATH // warp groups that multiply
#define MATH 2
#endif
#ifndef SPLIT_K // warp groups that share the k of a tile
#define SPLIT_K 4
#endif
#ifndef STREAM // 1: blocks share the k of tiles that leave some of them idle
#define STREAM 0
#endif
#ifndef GROUP // rows of tiles that run together, with RASTER columns
#define GROUP 8
#endif
#ifndef RASTER // the order of tiles: 0 down columns, 1 along rows
#define RASTER 0
#endif

#include "int4.cuh"
#include "ring.cuh"
#include "schedule.cuh"
#include "tensor_map.cuh"
#include "warpgroup.cuh"
#include "write_swapped.cuh"

static_assert(same_type<TYPE, f16>::value || same_type<TYPE, bf16>::value,
              "TYPE must be f16 or bf16");
static_assert(same_type<OUT, f16>::value || same_type<OUT, bf16>::value,
              "OUT must be f16 or bf16");
static_assert(ZEROS == 0 || ZEROS == 1, "ZEROS must be 0 or 1");
static_assert(BM == 8 || (BM >= 16 && BM <= 144 && BM % 16 == 0),
              "BM: 8, or 16 to 144 in steps of 16");
static_assert(MATH >= 1 && MATH <= 3, "MATH must be 1, 2 or 3");
static_assert(BN == MATH * 64 || BN == MATH * 128, "BN: 64 or 128 for each warp group");
static_assert(BN <= 256, "a box has up to 256 scales");
static_assert(SPLIT_K >= 1, "SPLIT_K must be at least 1");
static_assert(STREAM == 0 || (STREAM == 1 && SPLIT_K == 1),
              "STREAM: 0, or 1 without SPLIT_K");
static_assert(GROUP >= 1, "GROUP must be at least 1");
static_assert(RASTER == 0 || RASTER == 1, "RASTER must be 0 or 1");

constexpr int GROUP_COLUMNS = BN / MATH;    // of a tile, a warp group
constexpr int PIECES = GROUP_COLUMNS / 64;  // of these, a product
constexpr int HALF = 64, STEPS = HALF / 16; // of a group of k: elements, products

// A stage is a group of k: rows of A in two panels of 128 bytes of k, the weights' units,
// scales and zero points of BN columns.
constexpr int PANEL_BYTES = BM * 128, UNITS = BN / UNIT_N; // units beside each other
constexpr int WEIGHTS_AT = 2 * PANEL_BYTES;
constexpr int SCALES_AT = WEIGHTS_AT + W4_GROUP / UNIT_K * UNITS * UNIT_BYTES;
constexpr int ZEROS_AT = SCALES_AT + BN * 2;
constexpr int COPIED_BYTES = ZEROS_AT + ZEROS * BN / 2;
constexpr int STAGE_BYTES = (COPIED_BYTES + 1023) / 1024 * 1024;

// The script counts them again, for the launch: kernels/gemm_w4a16_sm90.lua.
constexpr int STAGING = MATH * SWAPPED_BYTES;
constexpr int STAGES = stages_beside(STAGING, STAGE_BYTES);
constexpr int TILE_BYTES = STAGES * STAGE_BYTES;

HONE_WGMMA(BM, TYPE);

typedef Ring<STAGES> Stages;
typedef Wgmma<TYPE, BM> Product;
typedef float Sums[PIECES][BM / 8][4];

// What the kernel gets of zero points.
template <int zeros> struct ZeroPoints {
    typedef TensorMap Source;
    __device__ static void load(unsigned to, const TensorMap &map, int column, int group,
                                unsigned barrier)
    {
        load_box(to, map, column / 8, group, barrier);
    }
};
template <> struct ZeroPoints<0> {
    typedef const unsigned *Source;
    __device__ static void load(unsigned, const unsigned *, int, int, unsigned) {}
};
typedef ZeroPoints<ZEROS>::Source ZeroSource;

struct W4Source {
    const TensorMap &a, &weights, &scales;
    const ZeroSource &zeros;
};

// A tile of this block, by one thread: depth groups from one of k on. row, column: of D,
// where it begins.
struct W4Copier {
    const W4Source &source;
    unsigned memory;
    Stages ring;
    Stages::Place place; // in the ring

    __device__ void copy(int row, int column, int group, int depth)
    {
        for (const int end = group + depth; group < end; group++) {
            const unsigned to = memory + place.stage * STAGE_BYTES;
            const unsigned full = ring.full(place);
            ring.wait_empty(place);
            ring.expect(place, COPIED_BYTES);
            load_box(to + WEIGHTS_AT, source.weights, 0, column / UNIT_N,
                     group * (W4_GROUP / UNIT_K), full);
            load_box(to, source.a, group * W4_GROUP, row, full);
            load_box(to + PANEL_BYTES, source.a, group * W4_GROUP + HALF, row, full);
            load_box(to + SCALES_AT, source.scales, column, group, full);
            ZeroPoints<ZEROS>::load(to + ZEROS_AT, source.zeros, column, group, full);
            place.next();
        }
    }
};

// A warp group's products. A warp has 16 columns of D in each piece, those of one unit of
// weights; of these a lane has two, 8 apart.
struct W4Multiplier {
    typedef W4Offset<TYPE> Offset;
    typedef unsigned Fragments[STEPS][4]; // half a group of one piece
    Stages ring;
    unsigned memory;
    Descriptor rows;  // of A, in stage 0
    unsigned weights; // from a stage on: this lane's part of the warp's first unit,
    int column;       // and the first of its columns in a tile

    __device__ W4Multiplier(unsigned memory, const Stages &ring, int group)
        : ring(ring), memory(memory), rows(describe_tile<true>(memory, 0))
    {
        const int first = group * GROUP_COLUMNS + threadIdx.x % 128 / 32 * 16;
        weights = WEIGHTS_AT + first / UNIT_N * UNIT_BYTES + threadIdx.x % 32 * 16;
        column = first + threadIdx.x % 32 / 4;
    }

    // The products of depth groups of k. While those of half a group are under way the
    // next half's weights become floats. What a stage holds is loaded ahead of its last
    // products' fence: the wait for these is the loads' end, too, so the next copy there
    // needs no fence between the proxies.
    __device__ __forceinline__ void sum(Sums &sums, Stages::Place &place, int depth) const
    {
#pragma unroll
        for (int i = 0; i < PIECES * BM / 2; i++)
            sums[i / (BM / 2)][i % (BM / 2) / 4][i % 4] = 0;
        Fragments low, high;
        Offset offsets[2];
        begin(low, offsets, place);
        for (int k = 0; k < depth; k++) {
#pragma unroll
            for (int i = 0; i < PIECES; i++) {
                float part[BM / 8][4], scale[2];
                multiply(part, low, place, 0);
                widen_half(high, offsets, place, i, 1);
                load_scales(scale, place, i);
                multiply(part, high, place, 1);
                warpgroup_wait<1>();
                keep(low);
                Stages::Place next = place;
                next.next();
                if (i + 1 < PIECES)
                    widen_first(low, offsets, place, i + 1);
                else if (k + 1 < depth)
                    begin(low, offsets, next);
                warpgroup_wait<0>();
                keep(high);
                hold(part);
                if (i + 1 == PIECES) {
                    ring.release(place, threadIdx.x % 32);
                    place = next;
                }
                add_scaled(sums[i], part, scale);
            }
        }
    }

  private:
    __device__ unsigned stage_of(const Stages::Place &place) const
    {
        return memory + place.stage * STAGE_BYTES;
    }
    // The first half of a stage's first piece.
    __device__ void begin(Fragments &a, Offset (&offsets)[2],
                          const Stages::Place &place) const
    {
        ring.wait_full(place);
        widen_first(a, offsets, place, 0);
    }
    __device__ void widen_first(Fragments &a, Offset (&offsets)[2],
                                const Stages::Place &place, int piece) const
    {
        load_offsets(offsets, place, piece);
        widen_half(a, offsets, place, piece, 0);
    }
    __device__ void load_offsets(Offset (&offsets)[2], const Stages::Place &place,
                                 int piece) const
    {
#pragma unroll
        for (int i = 0; ZEROS && i < 2; i++) {
            const int word = (column + piece * 64) / 8 + i;
            const unsigned zeros = load_word(stage_of(place) + ZEROS_AT + word * 4);
            offsets[i] = Offset(zeros >> threadIdx.x % 32 / 4 * 4 & 15);
        }
    }
    __device__ void widen_half(Fragments &a, const Offset (&offsets)[2],
                               const Stages::Place &place, int piece, int half) const
    {
        const uint4 words = load_shared(stage_of(place) + weights +
                                        (half * UNITS + piece * 4) * UNIT_BYTES);
#pragma unroll
        for (int step = 0; step < STEPS; step++) {
            unsigned upper[2], lower[2]; // columns, of 8 of k and 8 more
            widen(upper, word_of(words, step), 0, offsets[0]);
            widen(lower, word_of(words, step), 1, offsets[1]);
            a[step][0] = upper[0];
            a[step][1] = lower[0];
            a[step][2] = upper[1];
            a[step][3] = lower[1];
        }
    }
    __device__ void load_scales(float (&scale)[2], const Stages::Place &place,
                                int piece) const
    {
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int at = (column + piece * 64 + i * 8) * 2;
            const TYPE x = {load_half_word(stage_of(place) + SCALES_AT + at)};
            scale[i] = to_float(x);
        }
    }

    // Half a group's products, which are under way afterwards.
    __device__ void multiply(float (&part)[BM / 8][4], const Fragments &a,
                             const Stages::Place &place, int half) const
    {
        const Descriptor x = rows.on(place.stage * STAGE_BYTES + half * PANEL_BYTES);
        warpgroup_fence();
#pragma unroll
        for (int step = 0; step < STEPS; step++)
            Product::run<0>(part, a[step], x.on(step * product_step<true>()),
                            half > 0 || step > 0);
        warpgroup_commit();
    }
    // Behind the wait: until then nothing else is in these registers.
    __device__ static void keep(const Fragments &a)
    {
#pragma unroll
        for (int i = 0; i < 4 * STEPS; i++)
            asm volatile("" ::"r"(a[i / 4][i % 4]) : "memory");
    }
    __device__ static void add_scaled(float (&sums)[BM / 8][4],
                                      const float (&part)[BM / 8][4],
                                      const float (&scale)[2])
    {
#pragma unroll
        for (int i = 0; i < BM / 2; i++)
            sums[i / 4][i % 4] =
                fmaf(part[i / 4][i % 4], scale[i % 4 / 2], sums[i / 4][i % 4]);
    }
};
