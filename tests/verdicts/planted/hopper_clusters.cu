// Blocks of a cluster that touch each other's memory too early or too late.
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
#define STORE_MATRICES(to, values)                                                       \
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%0], {%1, %2};" ::     \
                     "r"(AT(to)), "r"((values)[0]), "r"((values)[1])                     \
                 : "memory")
#define LOAD_MATRICES(values, from)                                                      \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"        \
                 : "=r"((values)[0]), "=r"((values)[1])                                  \
                 : "r"(AT(from))                                                         \
                 : "memory")

extern "C" __global__ void copy_of_pairs_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
    y[i + 32] = x[i + 32];
}

// class: other block's memory without order

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sum_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) other_block_read_behind_a_barrier_of_this_one(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    CLUSTER_SYNC();
    s[t] = x[i]; // expect: race
    __syncthreads();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: race or unwritten
    y[i] = s[t] + there; // expect: unwritten
    CLUSTER_SYNC();
}

// An arrival that releases nothing.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sum_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) other_block_read_behind_a_relaxed_arrival(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = x[i]; // expect: race
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
    CLUSTER_WAIT();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: race
    y[i] = s[t] + there;
    CLUSTER_SYNC();
}

// The memory is written again while the other block may read it.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sum_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) memory_cleared_while_the_other_block_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = x[i];
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: race
    y[i] = s[t] + there;
    s[t] = 0; // expect: race
    CLUSTER_SYNC();
}

// Nobody has waited for what is sent when its source is filled anew.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) source_is_filled_while_it_is_sent(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], got[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    s[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) PEER_COPY(at_rank(got, other), s, 256, at_rank(&full, other));
    __syncthreads();
    s[t] = 0; // expect: in_flight
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = got[t] + s[t];
    CLUSTER_SYNC();
}

// The other block has not been told that the matrices are there.
// launch: grid 4, block 32; in x i32[256]; out y i32[256]
// reference: copy_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) matrices_stored_while_the_other_block_reads(const int *x, int *y)
{
    __shared__ alignas(128) int a[64], b[64];
    __shared__ u64 read;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    int here[2] = {x[i], x[i + 32]}, there;
    a[t] = a[t + 32] = b[t] = b[t + 32] = 0;
    if (t == 0) {
        BAR_INIT(&read, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_MATRICES(&a[t % 16 * 4], here); // expect: race
    __syncwarp();
    for (int k = t; k < 64; k += 32) {
        LOAD_AT(there, at_rank(&a[k], other)); // expect: race
        STORE_AT(at_rank(&b[k], other), there);
    }
    CLUSTER_SYNC();
    LOAD_MATRICES(here, &b[t % 16 * 4]);
    __syncwarp();
    if (t == 0) BAR_ARRIVE_AT(&read, other);
    BAR_WAIT_CLUSTER(&read, 0);
    STORE_AT(at_rank(&b[t], other), 0);
    y[i] = here[0];
    y[i + 32] = here[1];
    CLUSTER_SYNC();
}

// This block has not been told that its matrices are filled.
// launch: grid 4, block 32; in x i32[256]; out y i32[256]
// reference: copy_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) matrices_read_while_the_other_block_stores(const int *x, int *y)
{
    __shared__ alignas(128) int a[64], b[64];
    __shared__ u64 read;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    int here[2] = {x[i], x[i + 32]}, there;
    a[t] = a[t + 32] = b[t] = b[t + 32] = 0;
    if (t == 0) {
        BAR_INIT(&read, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_MATRICES(&a[t % 16 * 4], here);
    CLUSTER_SYNC();
    for (int k = t; k < 64; k += 32) {
        LOAD_AT(there, at_rank(&a[k], other));
        STORE_AT(at_rank(&b[k], other), there); // expect: race
    }
    __syncwarp();
    LOAD_MATRICES(here, &b[t % 16 * 4]); // expect: race
    __syncwarp();
    if (t == 0) BAR_ARRIVE_AT(&read, other);
    BAR_WAIT_CLUSTER(&read, 0);
    STORE_AT(at_rank(&b[t], other), 0);
    y[i] = here[0];
    y[i + 32] = here[1];
    CLUSTER_SYNC();
}

// One lane tells that all have read.
// launch: grid 4, block 32; in x i32[256]; out y i32[256]
// reference: copy_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) matrices_read_by_lanes_of_which_one_tells(const int *x, int *y)
{
    __shared__ alignas(128) int a[64], b[64];
    __shared__ u64 read;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    int here[2] = {x[i], x[i + 32]}, there;
    a[t] = a[t + 32] = b[t] = b[t + 32] = 0;
    if (t == 0) {
        BAR_INIT(&read, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    STORE_MATRICES(&a[t % 16 * 4], here);
    CLUSTER_SYNC();
    for (int k = t; k < 64; k += 32) {
        LOAD_AT(there, at_rank(&a[k], other));
        STORE_AT(at_rank(&b[k], other), there);
    }
    CLUSTER_SYNC();
    LOAD_MATRICES(here, &b[t % 16 * 4]); // expect: race
    if (t == 0) BAR_ARRIVE_AT(&read, other);
    BAR_WAIT_CLUSTER(&read, 0);
    STORE_AT(at_rank(&b[t], other), 0); // expect: race
    y[i] = here[0];
    y[i + 32] = here[1];
    CLUSTER_SYNC();
}

// Who copies waits behind the barrier.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copy_read_by_the_other_block_before_the_wait(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = 0;
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i]);
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: missing_wait
    COPIES_WAIT();
    y[i] = there;
    CLUSTER_SYNC();
}

// The other block stores before the copy is over.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copy_stored_over_by_the_other_block(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = 0;
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i]);
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]); // expect: missing_wait
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// The next copy is issued while the other block reads.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copy_over_what_the_other_block_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = 0;
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: race
    COPY_WORD(&s[t], &x[i ^ 1]); // expect: race
    COPIES_WAIT();
    y[i] = there;
    CLUSTER_SYNC();
}

// It arrives before it waits.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copy_waited_for_behind_the_arrival(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = 0;
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i]);
    CLUSTER_ARRIVE();
    COPIES_WAIT();
    CLUSTER_WAIT();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1)); // expect: race or missing_wait
    y[i] = there;
    CLUSTER_SYNC();
}

extern "C" __global__ void same_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}

// A bulk copy from this block goes on while the other block stores over it.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void __cluster_dims__(2) copied_out_while_the_other_block_stores(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + i, 256, &full);
    }
    BAR_WAIT(&full, 0);
    if (t == 0) {
        BULK_STORE(y + i, s, 256);
        BULK_COMMIT();
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), 0); // expect: in_flight
    CLUSTER_SYNC();
    if (t == 0) BULK_WAIT(0);
}

// A bulk copy to this block goes on while the other block stores over it.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void __cluster_dims__(2) copied_in_while_the_other_block_stores(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 0) {
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + i, 256, &full);
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), 0); // expect: in_flight
    CLUSTER_SYNC();
    BAR_WAIT(&full, 0);
    y[i] = s[t];
}
