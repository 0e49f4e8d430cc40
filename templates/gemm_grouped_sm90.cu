// Products of groups of rows on the tensor cores of sm_90a, by warp groups:
// rows of group g of D = epilogue(rows of group g of A * B[g]), as a mixture of experts
// needs. The kernel finds its tiles by itself, from sizes that only the device knows.
//
//   A [M][K], D [M][N]   row-major; the rows of group 0, then of group 1, ... With room 0
//            they are packed, else group g begins at row g * room ("masked")
//   B        GROUPS matrices [K][N], with TRANS_B [N][K], one after another
//   sizes    [GROUPS] how many rows a group has, 0 too, in units of unit rows; rows that
//            are of none are not written, those of A may be anything
//   a        a map of A, as in gemm_sm90.cu, without TRANS_A; b one of three axes, the
//            last of GROUPS, boxes of 1 along it
//   d        a pointer, with STORE map a map as in gemm_sm90.cu: then all sizes are
//            multiples of 64 rows
//   bias, scales   of rows as D's rows are numbered; of columns [GROUPS][N], one a group
//            of the tensor, of blocks [GROUPS][ceil(N / 128)][ceil(K / 128)]
//   grid     x: blocks, from 1 on, a multiple of CLUSTER_M * CLUSTER_N
//   M        rows of A and D, from 1 on; N, K, block, shared, align, result, epilogue: as
//            in gemm_sm90.cu, without SPLIT_K, STREAM and SWAP

#ifndef STORE
#define STORE direct
#endif

#include "common/gemm_sm90_parameters.cuh"

#include "common/epilogue.cuh"
#include "common/group_schedule.cuh"
#include "common/promote.cuh"
#include "common/warp_tile.cuh"
#include "common/write_panels.cuh"

static_assert(!TRANS_A, "rows of A must be contiguous: no TRANS_A");
static_assert(SPLIT_K == 1, "groups have no split-K");
static_assert(!SWAP && !STREAM, "groups have no SWAP and no STREAM");

typedef GroupSchedule<BM, BN, GROUP, RASTER == 1, CLUSTER_M, CLUSTER_N> Groups;

// By a warp, of which one lane copies.
__device__ inline void copy_groups(const TensorMap &a, const TensorMap &b,
                                   const BlockScales &scales, unsigned memory,
                                   const Stages &ring, Groups &groups, int first,
                                   int depth)
{
    prefetch_map(a);
    prefetch_map(b);
    scales.prefetch();
    TileCopier copier = {a, b, scales, memory, ring, groups.rank};
    const int turns = groups.own();
    for (int turn = 0; turn < turns; turn++) {
        const GroupTile tile = groups.own(turn);
        if (threadIdx.x % 32 == 0)
            copier.copy(tile.row, tile.column, first, depth, tile.group);
    }
}

// What of columns belongs to a group.
__device__ inline int of_group(int group, bool by_column, int columns, bool one)
{
    return by_column ? group * columns : one ? group : 0;
}

extern "C" __global__ void __launch_bounds__(128 * (MATH + 1), 1)
    gemm_grouped_sm90(const __grid_constant__ TensorMap a,
                      const __grid_constant__ TensorMap b, const Side<OUT>::type *C,
                      const __grid_constant__ Target d, const Side<OUT>::type *bias,
                      const Side<OUT>::type *residual,
                      const __grid_constant__ ScaleSource row_scale,
                      const __grid_constant__ ScaleSource column_scale, const int *sizes,
                      int unit, int count, int room, int M, int N, int K, int, int,
                      int ldc, int ldd, float alpha, float beta)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned memory = shared_address(shared);
    const Stages ring = {memory + RING_AT};
    Groups groups(sizes, unit, count, N, room, CLUSTER > 1 ? (int)cluster_rank() : 0);
    // Without any k one stage of zeros, of what lies past both matrices.
    const int depth = K > 0 ? (K - 1) / DEPTH + 1 : 1, first = K > 0 ? 0 : DEPTH;
    const BlockScales scales = {row_scale, column_scale,      memory + SCALES_AT,
                                M,         (N - 1) / 128 + 1, K > 0 ? depth : 0};
    if (threadIdx.x == 0) {
        ring.init(RELEASES);
        publish_barriers();
    }
    sync_blocks();
    const int group = warpgroup_index();
    if (group == MATH) {
        give_registers<registers_of_copies(MATH)>();
        if (threadIdx.x % 128 < 32)
            copy_groups(a, b, scales, memory, ring, groups, first, depth);
        return;
    }
    take_registers<registers_of_sums(MATH)>();
    Epilogue<OUT> epilogue = {pointer_of(d),
                              C,
                              bias,
                              residual,
                              scales_of(row_scale),
                              scales_of(column_scale),
                              0,
                              N,
                              ldc,
                              ldd,
                              alpha,
                              beta};
    Writer writer(epilogue, d, shared + TILE_BYTES, group);
    const int row = PINGPONG ? 0 : group * GROUP_ROWS;
    const Multiplier multiplier(memory, ring, row);
    const int turns = groups.own();
    const Turns order = {group, turns};
    Stages::Place place;
    if (PINGPONG) place.skip(group * depth);
    Sums sums;
    for (int turn = PINGPONG ? group : 0; turn < turns; turn += PINGPONG ? MATH : 1) {
        const GroupTile tile = groups.own(turn);
        multiply_tile(sums, multiplier, place, depth, {scales, row, tile.column}, order,
                      turn);
        epilogue.rows = tile.end;
        epilogue.bias = bias + of_group(tile.group, Bias::BIAS == Bias::column, N, false);
        epilogue.column_scale =
            scales_of(column_scale) +
            of_group(tile.group,
                     Scale::SCALE == Scale::column || Scale::SCALE == Scale::both, N,
                     Scale::SCALE == Scale::tensor);
        if (tile.row + row < tile.end && tile.column < N)
            writer.write(sums, tile.row + row, tile.column);
        if (PINGPONG) place.skip((MATH - 1) * depth);
    }
    writer.finish();
    if (CLUSTER > 1) cluster_sync(); // others send to this block until they end
}
