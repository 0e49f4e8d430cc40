// Blocks that end while copies still use their shared memory.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void copy_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// class: block that ends while a copy uses its memory

// The ring is filled beyond the last round.
// launch: grid 1, block 64; in x i32[128]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void load_that_nobody_waits_for(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0)
        for (int k = 0; k < 2; k++) {
            BAR_EXPECT(&full[k], 256);
            BULK_LOAD(s[k], x + k * 64, 256, &full[k]); // expect: in_flight
        }
    BAR_WAIT(&full[0], 0);
    y[t] = s[0][t];
}

// The other block may get the copy when this one has ended.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: moved_reference
extern "C" __global__ void __cluster_dims__(2) source_of_what_another_block_gets(const int *x, int *y)
{
    __shared__ alignas(16) int from[64], to[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    from[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (cluster_rank() == 0) {
        if (t == 0)
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at_rank(to, 1)), "r"(AT(from)), "r"(256), "r"(at_rank(&full, 1)) : "memory"); // expect: in_flight
        y[i] = 0;
    } else {
        BAR_WAIT_CLUSTER(&full, 0);
        y[i] = to[t];
    }
}
extern "C" __global__ void moved_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = blockIdx.x % 2 ? x[i ^ 64] : 0;
}
