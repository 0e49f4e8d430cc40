// Blocks of a cluster that read, write and wake each other.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// y[i] = the sum of x over the blocks of the pair or the four, at the thread's place
extern "C" __global__ void sum_of_pairs_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i] + x[i ^ 64];
}
// y[i] = x of the other block of the pair
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

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sum_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) sums_of_the_other_block(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = x[i];
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1));
    y[i] = s[t] + there;
    CLUSTER_SYNC(); // nobody ends while its memory is read
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stores_into_the_other_block(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    CLUSTER_SYNC(); // the other block has begun
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), x[i]);
    CLUSTER_SYNC();
    y[i] = s[t];
}

// An arrival at the other block's object says that what was stored there can be read.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stores_told_by_an_arrival(const int *x, int *y)
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
    BAR_ARRIVE_AT(&full, other);
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// st.async counts its bytes at the object beside the data.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stores_that_count_their_bytes(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(
                     at_rank(&s[t], other)),
                 "r"(x[i]), "r"(at_rank(&full, other))
                 : "memory");
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = s[t];
    CLUSTER_SYNC();
}

// One load for both blocks; each expects all bytes that come to it.
// launch: grid 2, block 64; in x i32[64]; out y i32[128]
// reference: copies_for_both_reference
extern "C" __global__ void __cluster_dims__(2) multicast_of_halves(const int *x, int *y)
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
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"
                     ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(s + rank * 32)),
                     "l"(x + rank * 32), "r"(128), "r"(AT(&full)), "h"((short)3)
                     : "memory");
    BAR_WAIT(&full, 0);
    y[blockIdx.x * 64 + t] = s[t];
    CLUSTER_SYNC();
}
extern "C" __global__ void copies_for_both_reference(const int *x, int *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = x[threadIdx.x];
}

// A copy from one block's memory to the other's.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) bulk_copy_to_the_other_block(const int *x, int *y)
{
    __shared__ alignas(16) int from[64], to[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    from[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0)
        PEER_COPY(at_rank(to, other), from, 256, at_rank(&full, other));
    BAR_WAIT_CLUSTER(&full, 0);
    y[i] = to[t];
    CLUSTER_SYNC();
}

// What a block sent comes back to the place it was sent from: the other one has waited for it.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sent_and_returned_reference
extern "C" __global__ void __cluster_dims__(2) copy_is_sent_back_to_its_source(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], got[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    if (cluster_rank() == 0) s[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (cluster_rank() == 0) {
        if (t == 0) PEER_COPY(at_rank(got, 1), s, 256, at_rank(&full, 1));
        BAR_WAIT_CLUSTER(&full, 0);
        y[i] = s[t];
    } else {
        BAR_WAIT_CLUSTER(&full, 0);
        s[t] = 2 * got[t];
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) PEER_COPY(at_rank(s, 0), s, 256, at_rank(&full, 0));
        y[i] = got[t];
    }
    CLUSTER_SYNC();
}
extern "C" __global__ void sent_and_returned_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = blockIdx.x % 2 ? x[i - 64] : 2 * x[i];
}

// The receiver says that it has what was sent; then the source is filled anew.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: sent_and_returned_reference
extern "C" __global__ void __cluster_dims__(2) source_is_filled_when_the_receiver_says_so(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], got[64];
    __shared__ u64 full, empty;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_INIT(&empty, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    if (cluster_rank() == 0) s[t] = x[i];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (cluster_rank() == 0) {
        if (t == 0) PEER_COPY(at_rank(got, 1), s, 256, at_rank(&full, 1));
        BAR_WAIT_CLUSTER(&empty, 0);
        s[t] = 2 * x[i];
        y[i] = s[t];
    } else {
        BAR_WAIT(&full, 0);
        y[i] = got[t];
        __syncthreads();
        if (t == 0) BAR_ARRIVE_AT(&empty, 0);
    }
    CLUSTER_SYNC();
}

// Histograms of four blocks that add to one another's bins.
// launch: grid 4, block 64; in x i32[256] integers 0 63; out y i32[64]
// reference: histogram_reference, grid 1
extern "C" __global__ void __cluster_dims__(4) histogram_over_a_cluster(const int *x, int *y)
{
    __shared__ int bins[16];
    const int t = threadIdx.x, bin = x[blockIdx.x * 64 + t];
    if (t < 16) bins[t] = 0;
    CLUSTER_SYNC();
    asm volatile("red.relaxed.cluster.shared::cluster.add.u32 [%0], 1;" ::"r"(
                     at_rank(&bins[bin % 16], bin / 16))
                 : "memory");
    CLUSTER_SYNC();
    if (t < 16) y[cluster_rank() * 16 + t] = bins[t];
}
extern "C" __global__ void histogram_reference(const int *x, int *y)
{
    y[threadIdx.x] = 0;
    for (int i = 0; i < 256; i++)
        y[threadIdx.x] += x[i] == (int)threadIdx.x;
}

// Matrices that are stored for the other block, and that are filled by it.
// launch: grid 4, block 32; in x i32[256]; out y i32[256]
// reference: copy_of_pairs_reference
extern "C" __global__ void __cluster_dims__(2) matrices_that_cross_blocks(const int *x, int *y)
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
    LOAD_MATRICES(here, &b[t % 16 * 4]);
    __syncwarp();
    if (t == 0) BAR_ARRIVE_AT(&read, other);
    BAR_WAIT_CLUSTER(&read, 0);
    STORE_AT(at_rank(&b[t], other), 0);
    y[i] = here[0];
    y[i + 32] = here[1];
    CLUSTER_SYNC();
}

// What is copied the other block reads, and fills its place again when it is read.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) copies_the_other_block_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    int there;
    s[t] = 0;
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i]);
    COPIES_WAIT();
    CLUSTER_SYNC();
    LOAD_AT(there, at_rank(&s[t], cluster_rank() ^ 1));
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), 0);
    y[i] = there;
    CLUSTER_SYNC();
}

extern "C" __global__ void same_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}

// The other block stores over what has been copied in and out.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void __cluster_dims__(2) copied_before_the_other_block_stores(const int *x, int *y)
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
        BULK_WAIT_READ(0);
    }
    CLUSTER_SYNC();
    STORE_AT(at_rank(&s[t], cluster_rank() ^ 1), 0);
    CLUSTER_SYNC();
    if (t == 0) BULK_WAIT(0);
}
