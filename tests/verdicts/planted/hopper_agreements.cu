// Blocks of a cluster that do not agree: on when they begin and end, on which object is
// meant, on what is copied, on who waits.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void sum_of_pairs_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i] + x[i ^ 64];
}
extern "C" __global__ void exchange_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i ^ 64];
}

#define LOAD_AT(out, address)                                                            \
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(out) : "r"(address) : "memory")

// class: other block that has not begun, or has ended

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stores_into_a_block_that_may_not_have_begun(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]); // expect: peer
    CLUSTER_SYNC();
    y[i] = s[t];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sum_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) loads_from_a_block_that_may_have_ended(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = x[i];
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: peer
    y[i] = s[t] + there;
} // expect: peer

// The last arrival goes to a block that has waited for enough of them and ended.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) arrival_at_a_block_that_may_have_ended(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full, done;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 64);
        BAR_INIT(&done, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], other), x[i]);
    BAR_ARRIVE_AT(&full, other);
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    BAR_ARRIVE_AT(&done, other); // expect: peer
}

// class: other block's object by the wrong name or scope

// As cutlass #3647: the arrival releases to its own block only.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) arrival_at_the_other_block_of_scope_cta(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], other), x[i]); // expect: race or scope
    asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(at_rank(&full, other)) : "memory"); // expect: scope
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t]; // expect: race or scope
    CLUSTER_SYNC();
}

// As tvm #20074: an address of another block in the form for the own one.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) arrival_at_the_other_block_by_the_form_for_this_one(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], other), x[i]);
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at_rank(&full, other)) : "memory"); // expect: peer or barrier or out_of_bounds
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// A mask with a block that the cluster does not have.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void __cluster_dims__(2) multicast_to_a_block_that_is_not_there(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(s + rank * 32)), "l"(x + rank * 32), "r"(128), "r"(AT(&full)), "h"((short)7) : "memory"); // expect: peer or out_of_bounds
    BAR_WAIT(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
    CLUSTER_SYNC();
}
extern "C" __global__ void copies_for_both_reference(const int *x, int *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

// class: cluster whose blocks do not agree

// Each block expects its own half only, both halves come.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void __cluster_dims__(2) multicast_of_which_half_is_expected(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 128); // expect: tx_bytes
    }
    CLUSTER_SYNC();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(s + rank * 32)), "l"(x + rank * 32), "r"(128), "r"(AT(&full)), "h"((short)3) : "memory"); // expect: tx_bytes or missing_wait
    BAR_WAIT(&full, 0); // expect: tx_bytes
    y[blockIdx.x * 64 + t] = s[t]; // expect: tx_bytes or missing_wait or unwritten
    CLUSTER_SYNC();
}

// One of the blocks skips the barrier, and does not end.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) barrier_that_one_block_skips(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], rank ^ 1), x[i]);
    if (rank == 0) CLUSTER_SYNC(); // expect: deadlock
    BAR_ARRIVE_AT(&full, rank ^ 1);
    BAR_WAIT_CLUSTER(&full, 0); // expect: deadlock
    y[i] = s[t];
    CLUSTER_SYNC(); // expect: deadlock or barrier or divergence
}

// The other block's object is never waited for, only the own one (as cutlass #3643).
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copy_of_the_other_block_that_nobody_waits_for(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + blockIdx.x * 64, 256, &full);
    }
    CLUSTER_SYNC();
    BAR_WAIT(&full, 0);
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: missing_wait or race or unwritten
    y[i] = there; // expect: unwritten
    CLUSTER_SYNC();
}
