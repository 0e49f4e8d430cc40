// Primitives of CUB, by the toolkit's own headers.
// needs: cub/block/block_scan.cuh

// launch: grid 1, block 64; in x i32[128] integers 0 1000; out y i32[128]; i32 mode 0
// launch: grid 1, block 64; in x i32[128] integers 0 1000; out y i32[128]; i32 mode 1
// launch: grid 1, block 64; in x i32[128] integers 0 1000; out y i32[128]; i32 mode 2
// launch: grid 1, block 64; in x i32[128] integers 0 1000; out y i32[128]; i32 mode 3
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_reduce.cuh>
extern "C" __global__ void block_primitives(const int *x, int *y, int mode)
{
    using Scan = cub::BlockScan<int, 64, cub::BLOCK_SCAN_WARP_SCANS>;
    using Sort = cub::BlockRadixSort<int, 64, 2>;
    using Reduce = cub::BlockReduce<int, 64>;
    using Warp = cub::WarpReduce<int>;
    __shared__ union {
        Scan::TempStorage scan;
        Sort::TempStorage sort;
        Reduce::TempStorage reduce;
        Warp::TempStorage warp[2];
    } memory;
    const int t = threadIdx.x;
    int v[2] = {x[2 * t], x[2 * t + 1]};
    if (mode == 0) {
        Scan(memory.scan).InclusiveSum(v, v);
    } else if (mode == 1) {
        Sort(memory.sort).Sort(v, 0, 10);
    } else if (mode == 2) {
        const int sum = Reduce(memory.reduce).Sum(v[0], 50); // 50 threads have valid items
        v[0] = t ? 0 : sum;
        v[1] = 0;
    } else {
        const int sum = Warp(memory.warp[t / 32]).Sum(v[0], 20);
        v[0] = t % 32 ? 0 : sum;
        v[1] = 0;
    }
    y[2 * t] = v[0], y[2 * t + 1] = v[1];
}

extern "C" __global__ void block_primitives_reference(const int *x, int *y, int mode)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 128; i++) {
        if (mode == 0) {
            y[i] = sum += x[i];
        } else if (mode == 1) {
            int rank = 0;
            for (int k = 0; k < 128; k++)
                rank += x[k] < x[i] || (x[k] == x[i] && k < i);
            y[rank] = x[i];
        } else {
            y[i] = 0;
        }
    }
    if (mode == 2)
        for (int i = 0; i < 50; i++)
            y[0] += x[2 * i];
    if (mode == 3)
        for (int w = 0; w < 2; w++)
            for (int i = 0; i < 20; i++)
                y[64 * w] += x[64 * w + 2 * i];
}
