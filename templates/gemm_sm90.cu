// GEMM on the tensor cores of sm_90a: D = epilogue(A * B), by warp groups that multiply
// and one that copies.
//
//   A [M][K], B [K][N], D [M][N]   row-major; with TRANS_A A is stored [K][M], with
//            TRANS_B B is stored [N][K]. M, N from 1, K from 0 to 2^31 - 4096
//   a, b     maps of what is stored: boxes of 128 bytes x BM / CLUSTER_N (BN / CLUSTER_M)
//            rows where k is the innermost axis, else of 64 x 64 / CLUSTER_N (CLUSTER_M);
//            swizzle 128; with SWAP those of a are those of b else
//   d        a map of D: boxes of 128 bytes x 64 rows, swizzle 128; with STORE direct a
//            pointer, ldd elements from one row to the next
//   TYPE     of A and B, OUT of D; types of 8 and 32 bits have k contiguous in both
//   epilogue alpha, beta, C, bias, residual, scales: common/epilogue.cuh; what it does
//            not read may be null
//   SCALE    block, of e4m3 and e5m2: each 128 of k has scales of its own, row_scale
//            [ceil(K / 128)][M], column_scale [ceil(N / 128)][ceil(K / 128)], both by
//            maps of one axis, of all elements, boxes of BM and of 4
//   partials with SPLIT_K > 1: 4 * SPLIT_K * BM * BN bytes a tile of D, with STREAM 8 *
//            BM * BN bytes a block, of any contents
//   counters with SPLIT_K > 1 or STREAM: one a warp group of a tile, 0 before and after
//   grid     x: blocks, from 1 on, a multiple of CLUSTER_M * CLUSTER_N, which are a
//            cluster; each computes every gridDim.x-th tile
//   block    x: 128 * (MATH + 1)
//   shared   STAGES * ((BM + BN) * 128 + SCALE_BYTES + 16) + STAGING bytes, dynamic
//            (common/warp_tile.cuh)
//   align    rows of A, B and, with STORE map, D begin at multiples of 16 bytes; so do
//            scales of blocks
//   result   sums in fp32 (int32 of i8) in an order that depends on the parameters; of
//            8-bit floats the hardware keeps about 13 bits: of all, or with PROMOTE and
//            SCALE block of those of 128 of k, which are added up in fp32
//
// The last warp group has one thread that brings tiles of A and B by tensor map into a
// ring of STAGES. MATH others multiply them by wgmma, from shared memory: together the
// rows of one tile of BM x BN, or with PINGPONG each a tile of its own, taking turns with
// the tensor cores, so that one ends its tile while another multiplies.

#include "common/gemm_sm90_parameters.cuh"

#include "common/epilogue.cuh"
#include "common/join_groups.cuh"
#include "common/promote.cuh"
#include "common/warp_tile.cuh"
#include "common/write_panels.cuh"

extern "C" __global__ void __launch_bounds__(128 * (MATH + 1), 1)
    gemm_sm90(const __grid_constant__ TensorMap a, const __grid_constant__ TensorMap b,
              const Side<OUT>::type *C, const __grid_constant__ Target d,
              const Side<OUT>::type *bias, const Side<OUT>::type *residual,
              const __grid_constant__ ScaleSource row_scale,
              const __grid_constant__ ScaleSource column_scale, float4 *partials,
              unsigned *counters, int M, int N, int K, int, int, int ldc, int ldd,
              float alpha, float beta)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned memory = shared_address(shared);
    const Stages ring = {memory + RING_AT};
    // Without any k one stage of zeros, of what lies past both matrices; zeros too where
    // the last split has fewer stages than the others.
    const int stages = K > 0 ? (K - 1) / DEPTH + 1 : 1, first = K > 0 ? 0 : DEPTH;
    const Schedule<GROUP, RASTER == 1, CLUSTER_M, CLUSTER_N, SPLIT_K, STREAM == 1>
        schedule = {((SWAP ? N : M) - 1) / BM + 1, ((SWAP ? M : N) - 1) / BN + 1,
                    (stages - 1) / SPLIT_K + 1, CLUSTER > 1 ? (int)cluster_rank() : 0};
    const BlockScales scales = {row_scale, column_scale,      memory + SCALES_AT,
                                M,         (N - 1) / 128 + 1, K > 0 ? stages : 0};
    if (threadIdx.x == 0) {
        ring.init(RELEASES);
        publish_barriers();
    }
    sync_blocks();
    const int group = warpgroup_index();
    if (group == MATH) {
        give_registers<registers_of_copies(MATH)>();
        if (threadIdx.x % 128 == 0)
            copy_tiles(SWAP ? b : a, SWAP ? a : b, scales, memory, ring, schedule, first);
        return;
    }
    take_registers<registers_of_sums(MATH)>();
    const Epilogue<OUT> epilogue = {pointer_of(d),
                                    C,
                                    bias,
                                    residual,
                                    scales_of(row_scale),
                                    scales_of(column_scale),
                                    M,
                                    N,
                                    ldc,
                                    ldd,
                                    alpha,
                                    beta};
    Writer writer(epilogue, d, shared + TILE_BYTES, group);
    const int row = PINGPONG ? 0 : group * GROUP_ROWS;
    const Multiplier multiplier(memory, ring, row);
    const int turns = schedule.own();
    const Turns order = {group, turns};
    Stages::Place place;
    if (PINGPONG && group > 0) place.skip(schedule.share(0).depth);
    Sums sums;
    for (int turn = PINGPONG ? group : 0; turn < turns; turn += PINGPONG ? MATH : 1) {
        const TileIndex tile = schedule.own(turn);
        const Share own = schedule.share(turn);
        multiply_tile(sums, multiplier, place, own.depth, {scales, row, tile.column * BN},
                      order, turn);
        const int part =
            (tile.row * schedule.columns + tile.column) * PARTS + group % PARTS;
        const Share share = schedule.share(turn); // again: it took no registers meanwhile
        const bool inside = tile.row < schedule.rows && tile.column < schedule.columns;
        if (inside && joins<SPLIT_K, STREAM == 1, PARTS>(sums, {partials, counters},
                                                         schedule, share, part, group))
            writer.write(sums, tile.row * BM + row, tile.column * BN);
        if (PINGPONG && turn + 1 < turns) place.skip(schedule.share(turn + 1).depth);
    }
    writer.finish();
    if (CLUSTER > 1) cluster_sync(); // others send to this block until they end
}
