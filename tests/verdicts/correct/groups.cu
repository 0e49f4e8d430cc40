// Cooperative groups, by the toolkit's own headers.
// needs: cooperative_groups.h

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 mode 0
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 mode 1
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 mode 2
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 mode 3
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
extern "C" __global__ void tiles_of_a_block(const int *x, int *y, int mode)
{
    __shared__ int s[64];
    auto block = cg::this_thread_block();
    auto quarter = cg::tiled_partition<8>(block);
    auto half = cg::tiled_partition<16>(block);
    auto warp = cg::tiled_partition<32>(block);
    const int t = block.thread_rank();
    if (mode == 0) {
        y[t] = cg::reduce(quarter, x[t], cg::plus<int>());
    } else if (mode == 1) { // each half is synchronised for itself
        s[t] = x[t];
        half.sync();
        y[t] = s[half.meta_group_rank() * 16 + 15 - half.thread_rank()];
    } else if (mode == 2) {
        y[t] = cg::inclusive_scan(warp, x[t]);
    } else { // those who are here form a group, whoever they are: one adds for all
        if (t == 0) s[0] = 0;
        block.sync();
        if (x[t] > 0) {
            auto here = cg::coalesced_threads();
            if (here.thread_rank() == 0) atomicAdd(&s[0], here.size());
        }
        block.sync();
        y[t] = s[0];
    }
}

extern "C" __global__ void tiles_of_a_block_reference(const int *x, int *y, int mode)
{
    const int t = threadIdx.x;
    int v = 0;
    if (mode == 0) {
        for (int i = t / 8 * 8; i < t / 8 * 8 + 8; i++)
            v += x[i];
    } else if (mode == 1) {
        v = x[t ^ 15];
    } else if (mode == 2) {
        for (int i = t / 32 * 32; i <= t; i++)
            v += x[i];
    } else {
        for (int i = 0; i < 64; i++)
            v += x[i] > 0;
    }
    y[t] = v;
}
