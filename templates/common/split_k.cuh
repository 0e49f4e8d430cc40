// Split-K: several teams of threads, blocks if nothing else is said, sum parts of one
// tile. Each writes its sums to the workspace; the last to come adds all of them in the
// order of k, so that results do not depend on who that is.
#pragma once

// What teams share. partials: splits * threads * vectors of 16 bytes a tile, of any
// contents; counters: one a tile, 0 before and after.
struct SplitWorkspace {
    float4 *partials;
    unsigned *counters;
};

// A team is a thread's number in it, from 0 on, and a barrier of its threads, which also
// tells whether any of them said yes. This one is the whole block.
struct BlockTeam {
    __device__ unsigned thread() const
    {
        return threadIdx.x;
    }
    __device__ void sync() const
    {
        __syncthreads();
    }
    __device__ bool any(bool yes) const
    {
        return __syncthreads_or(yes);
    }
};

// Whether this team is the last of count to come here. Then it sees what the others
// wrote before (past L1, which is not kept coherent), and the counter is 0 again.
template <class Team = BlockTeam>
__device__ inline bool comes_last(unsigned *counter, unsigned count,
                                  const Team &team = Team())
{
    __threadfence();
    team.sync();
    bool last = false;
    if (team.thread() == 0) last = atomicAdd(counter, 1u) == count - 1;
    if (!team.any(last)) return false;
    __threadfence();
    if (team.thread() == 0) *counter = 0;
    return true;
}

// Which of how many teams that share a tile this one is, and where in the workspace the
// sums of all of them lie, one after another: the number of the first.
struct SplitPart {
    int part, parts;
    long long first;
};

// Whether this team is the tile's last; its sums are then those of all. threads: a
// team's.
template <int threads, class Sum, int pieces, int columns, int width,
          class Team = BlockTeam>
__device__ inline bool join_parts(Sum (&sums)[pieces][columns][width],
                                  const SplitWorkspace &workspace, int tile,
                                  const SplitPart &own, const Team &team = Team())
{
    struct alignas(16) Vector {
        Sum sum[width];
    };
    static_assert(sizeof(Vector) == 16, "sums move by 16 bytes");
    constexpr int vectors = pieces * columns;
    Vector *const first = reinterpret_cast<Vector *>(workspace.partials) +
                          own.first * vectors * threads + team.thread();
#pragma unroll
    for (int i = 0; i < vectors; i++) {
        Vector mine;
#pragma unroll
        for (int j = 0; j < width; j++)
            mine.sum[j] = sums[i / columns][i % columns][j];
        first[(own.part * vectors + i) * threads] = mine;
    }
    if (!comes_last(&workspace.counters[tile], own.parts, team)) return false;
    // So many loads in flight, of one part after another.
    constexpr int flight = vectors < 8 ? vectors : 8;
#pragma unroll
    for (int begin = 0; begin < vectors; begin += flight) {
#pragma unroll
        for (int i = begin; i < vectors && i < begin + flight; i++)
#pragma unroll
            for (int j = 0; j < width; j++)
                sums[i / columns][i % columns][j] = 0;
#pragma unroll 1
        for (int s = 0; s < own.parts; s++)
#pragma unroll
            for (int i = begin; i < vectors && i < begin + flight; i++) {
                const float4 bits = __ldcg(reinterpret_cast<const float4 *>(
                    first + (s * vectors + i) * threads));
                const Vector part = *reinterpret_cast<const Vector *>(&bits);
#pragma unroll
                for (int j = 0; j < width; j++)
                    sums[i / columns][i % columns][j] += part.sum[j];
            }
    }
    return true;
}

// The same where each tile has so many.
template <int splits, int threads, class Sum, int pieces, int columns, int width,
          class Team = BlockTeam>
__device__ inline bool join_splits(Sum (&sums)[pieces][columns][width],
                                   const SplitWorkspace &workspace, int tile, int split,
                                   const Team &team = Team())
{
    return join_parts<threads>(sums, workspace, tile,
                               {split, splits, (long long)tile * splits}, team);
}
