// Split-K of warp groups: several of them, of any blocks, sum parts of one tile. Each
// writes its sums to the workspace; the last to come adds all of them in the order of k,
// so that results do not depend on who that is.
#pragma once

#include "split_k.cuh"
#include "warp_tile.cuh"

// Whether this warp group is the last of count to come here. Then it sees what the others
// wrote before (past L1, which is not kept coherent), and the counter is 0 again.
__device__ inline bool group_comes_last(unsigned *counter, unsigned count, int group)
{
    __threadfence();
    named_sync<1, MATH>(group, 128);
    bool last = false;
    if (threadIdx.x % 128 == 0) last = atomicAdd(counter, 1u) == count - 1;
    if (!named_or<1, MATH>(group, 128, last)) return false;
    __threadfence();
    if (threadIdx.x % 128 == 0) *counter = 0;
    return true;
}

// Whether this warp group is the last of part; its sums are then those of all. part:
// number of the tile, or of the group's share of it; workspace: splits * GROUP_ROWS * BN
// sums a part.
template <int splits>
__device__ inline bool join_groups(Sums &sums, const SplitWorkspace &workspace, int part,
                                   int split, int group)
{
    struct alignas(16) Vector {
        Sum sum[4];
    };
    constexpr int vectors = PIECES * BN / 8;
    Vector *const first = reinterpret_cast<Vector *>(workspace.partials) +
                          (long long)part * splits * vectors * 128 + threadIdx.x % 128;
#pragma unroll
    for (int i = 0; i < vectors; i++) {
        const Sum(&x)[4] = sums[i / (BN / 8)][i % (BN / 8)];
        first[(split * vectors + i) * 128] = {{x[0], x[1], x[2], x[3]}};
    }
    if (!group_comes_last(&workspace.counters[part], splits, group)) return false;
#pragma unroll
    for (int i = 0; i < vectors; i++) {
        Sum(&x)[4] = sums[i / (BN / 8)][i % (BN / 8)];
        x[0] = x[1] = x[2] = x[3] = 0;
        for (int s = 0; s < splits; s++) {
            const float4 bits =
                __ldcg(reinterpret_cast<const float4 *>(first + (s * vectors + i) * 128));
            const Vector other = *reinterpret_cast<const Vector *>(&bits);
#pragma unroll
            for (int j = 0; j < 4; j++)
                x[j] += other.sum[j];
        }
    }
    return true;
}
