// Split-K of warp groups: several of them, of any blocks, sum parts of one tile
// (split_k.cuh); each part is the tile, or the group's share of it. MATH: warp groups of
// a block that multiply.
#pragma once

#include "barrier.cuh"
#include "schedule.cuh"
#include "split_k.cuh"

// The 128 threads of a warp group that multiplies.
struct GroupTeam {
    int group;

    __device__ unsigned thread() const
    {
        return threadIdx.x % 128;
    }
    __device__ void sync() const
    {
        named_sync<1, MATH>(group, 128);
    }
    __device__ bool any(bool yes) const
    {
        return named_or<1, MATH>(group, 128, yes);
    }
};

// Whether the group ends a tile: it alone has all of its k, or joins the others as the
// last one. part: the tile's number, or that of the group's share of it, of which a tile
// has parts; splits, stream: the schedule's.
template <int splits, bool stream, int parts, class Sums, class Schedule>
__device__ inline bool joins(Sums &sums, const SplitWorkspace &workspace,
                             const Schedule &schedule, const Share &share, int part,
                             int group)
{
    if (share.parts == 1) return true;
    const GroupTeam team = {group};
    if (!stream) return join_splits<splits, 128>(sums, workspace, part, share.part, team);
    const int own = schedule.rank * parts + group % parts; // of a cluster's groups
    return join_parts<128>(
        sums, workspace, part,
        {share.part, share.parts, (long long)own * schedule.slots() + share.slot}, team);
}
