// GEMM with weights of 4 bits on the tensor cores of sm_90a: D = epilogue(A * W), by warp
// groups that multiply and one that copies.
//
//   A        [M][K], row-major, lda elements from one row to the next. M, N from 1, K a
//            multiple of 128, from 0 to 2^31 - 4096
//   weights  W [K][N] as templates/w4_shuffle.cu leaves it. N a multiple of 16, with
//            ZEROS of 32
//   scales, zeros, TYPE, OUT, epilogue   as in gemm_w4a16.cu
//   a        a map of A: boxes of 64 x BM elements, swizzle 128
//   words    a map of weights, words [K / 64][N / 16][128]: boxes of 128 x BN / 16 x 2
//   scales   a map of them: boxes of BN x 1
//   zeros    with ZEROS a map of them: boxes of BN / 8 x 1; else a pointer, not read
//   partials with SPLIT_K > 1: 4 * SPLIT_K * BM * BN bytes a tile of D, with STREAM 8 *
//            BM * BN bytes a block, of any contents
//   counters with SPLIT_K > 1 or STREAM: one a warp group of a tile, 0 before and after
//   grid     x: blocks, from 1 on; each computes every gridDim.x-th tile
//   block    x: 128 * (MATH + 1)
//   shared   STAGES * (STAGE_BYTES + 16) + STAGING bytes, dynamic (common/w4_group.cuh)
//   align    buffers with a map, and rows of A, begin at multiples of 16 bytes
//   result   sums in fp32 in an order that depends on the parameters
//
// The last warp group has one thread that brings a group of 128 of k at a time, of A and
// weights, by tensor map into a ring of STAGES. MATH others make floats of the weights in
// registers, and multiply them as the first operand of wgmma by rows of A from shared
// memory; sums of a group get the scales.

#include "common/epilogue.cuh"
#include "common/w4_group.cuh"

#include "common/join_groups.cuh"

extern "C" __global__ void __launch_bounds__(128 * (MATH + 1), 1)
    gemm_w4a16_sm90(const __grid_constant__ TensorMap a,
                    const __grid_constant__ TensorMap words,
                    const __grid_constant__ TensorMap scales,
                    const __grid_constant__ ZeroSource zeros, const OUT *C, OUT *D,
                    const OUT *bias, const OUT *residual, const float *row_scale,
                    const float *column_scale, float4 *partials, unsigned *counters,
                    int M, int N, int K, int, int ldc, int ldd, float alpha, float beta)
{
    extern __shared__ __align__(1024) unsigned char shared[];
    const unsigned memory = shared_address(shared);
    const Stages ring = {memory + TILE_BYTES + STAGING};
    // Without any k one group of zeros, of what lies past all matrices; zeros too where
    // the last split has fewer groups than the others.
    const int groups = K > 0 ? K / W4_GROUP : 1, first = K > 0 ? 0 : 1;
    const Schedule<GROUP, RASTER == 1, 1, 1, SPLIT_K, STREAM == 1> schedule = {
        (M - 1) / BM + 1, (N - 1) / BN + 1, (groups - 1) / SPLIT_K + 1, 0};
    if (threadIdx.x == 0) {
        ring.init(MATH * 4); // warps
        publish_barriers();
    }
    __syncthreads();
    const int group = warpgroup_index(), turns = schedule.own();
    if (group == MATH) {
        give_registers<registers_of_copies(MATH)>();
        if (threadIdx.x % 128 != 0) return;
        W4Copier copier = {{a, words, scales, zeros}, memory, ring};
        for (int turn = 0; turn < turns; turn++) {
            const TileIndex tile = schedule.own(turn);
            const Share share = schedule.share(turn);
            copier.copy(tile.row * BM, tile.column * BN, first + share.first,
                        share.depth);
        }
        return;
    }
    take_registers<registers_of_sums(MATH)>();
    const Epilogue<OUT> epilogue = {D, C, bias, residual, row_scale, column_scale,
                                    M, N, ldc,  ldd,      alpha,     beta};
    const SwappedWriter<OUT, float, PIECES, BM / 8> writer(epilogue, D,
                                                           shared + TILE_BYTES, group);
    const W4Multiplier multiplier(memory, ring, group);
    Stages::Place place;
    Sums sums;
    for (int turn = 0; turn < turns; turn++) {
        const TileIndex tile = schedule.own(turn);
        const Share share = schedule.share(turn);
        multiplier.sum(sums, place, share.depth);
        const int part = (tile.row * schedule.columns + tile.column) * MATH + group;
        if (joins<SPLIT_K, STREAM == 1, MATH>(sums, {partials, counters}, schedule, share,
                                              part, group))
            writer.write(sums, tile.column * BN + group * GROUP_COLUMNS, tile.row * BM);
    }
}
