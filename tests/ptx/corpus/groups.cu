// Cooperative groups: a barrier of the grid, which wants a cooperative launch, and tiles of
// two warps, whose barriers lie in the shared memory that the system reserves.
#include <cooperative_groups.h>
namespace groups = cooperative_groups;

extern "C" __global__ void meet(unsigned *out, unsigned *sum)
{
    auto grid = groups::this_grid();
    const unsigned rank = (unsigned)grid.thread_rank(), size = (unsigned)grid.size();
    out[rank] = rank;
    grid.sync();
    unsigned total = 0;
    for (unsigned i = 0; i < size; i++) total += out[i];
    grid.sync();
    out[rank] = total - rank;
    if (rank == 0) *sum = total;
}

extern "C" __global__ void tiles(unsigned *out)
{
    __shared__ unsigned values[256];
    auto tile = groups::tiled_partition<64>(groups::this_thread_block());
    values[threadIdx.x] = 3 * threadIdx.x;
    tile.sync();
    out[threadIdx.x] = values[threadIdx.x ^ 63];
}
