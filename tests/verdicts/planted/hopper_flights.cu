// Asynchronous operations on shared memory that a cp.async in flight is to fill: the
// kernels of correct/hopper_flights.cu, each with the wait behind.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void exchange_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i ^ 64];
}
extern "C" __global__ void same_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}
extern "C" __global__ void first_words_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[blockIdx.x * 64 + t] = x[t];
}

// Of all blocks the same words.
extern "C" __global__ void one_tile_reference(const int *x, const int *words, int *y)
{
    y[blockIdx.x * 64 + threadIdx.x] = words[threadIdx.x];
}

extern "C" __global__ void products_of_ones_reference(const bf16 *x, float *y)
{
    y[blockIdx.x * 128 + threadIdx.x] = 16 * wide(x[0]) * wide(x[0]);
}

#define STORE_ASYNC(to, value, bar)                                                      \
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, "  \
                 "[%2];" ::"r"(to),                                                      \
                 "r"(value), "r"(bar)                                                    \
                 : "memory")
#define MAX_ASYNC(to, value, bar)                                                        \
    asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx"       \
                 "::bytes.max.u32 [%0], %1, [%2];" ::"r"(to),                            \
                 "r"(value), "r"(bar)                                                    \
                 : "memory")
#define PEER_OR(to, from, bytes, bar)                                                    \
    asm volatile("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier"             \
                 "::complete_tx::bytes.or.b32 [%0], [%1], %2, [%3];" ::"r"(to),          \
                 "r"(AT(from)), "r"(bytes), "r"(bar)                                     \
                 : "memory")
#define BULK_LOAD_TO(to, from, bytes, bar, mask)                                         \
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes"     \
                 ".multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(AT(to)),          \
                 "l"(from), "r"(bytes), "r"(AT(bar)), "h"((short)(mask))                 \
                 : "memory")

// class: asynchronous operation meets a copy that was not waited for

// The other block stores there.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) stored_over_a_copy(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i ^ 64]);
    CLUSTER_SYNC();
    STORE_ASYNC(at_rank(&s[t], other), x[i], at_rank(&full, other)); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// 0 is at most what is copied, in any order.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) reduced_over_a_copy(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i ^ 64]);
    CLUSTER_SYNC();
    MAX_ASYNC(at_rank(&s[t], other), 0, at_rank(&full, other)); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// The other block copies the same from its shared memory.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) bulk_copy_over_a_copy(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], from[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    from[t] = x[i];
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i ^ 64]);
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) PEER_COPY(at_rank(s, other), from, 256, at_rank(&full, other)); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// The same bits once more change nothing.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchange_reference
extern "C" __global__ void __cluster_dims__(2) bulk_reduction_over_a_copy(const int *x, int *y)
{
    __shared__ alignas(128) int s[64], from[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    const unsigned other = cluster_rank() ^ 1;
    from[t] = x[i];
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    COPY_WORD(&s[t], &x[i ^ 64]);
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t == 0) PEER_OR(at_rank(s, other), from, 256, at_rank(&full, other)); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// Only the block that receives has a copy in flight.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: first_words_reference
extern "C" __global__ void __cluster_dims__(2) multicast_over_a_copy(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 1) COPY_WORD(&s[t], &x[t]);
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) BULK_LOAD_TO(s, x, 256, &full, 3); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// A tile by tensor map goes to both blocks.
// launch: grid 4, block 64; in x i32[256] index map 64/64 4/1; in words i32[256] index;
//         out y i32[256]
// reference: one_tile_reference
extern "C" __global__ void __cluster_dims__(2) tile_cast_over_a_copy(const __grid_constant__ tensor_map map,
                                                                    const int *words, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    CLUSTER_SYNC();
    if (cluster_rank() == 1) COPY_WORD(&s[t], &words[t]);
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) TMA_LOAD_2D_TO(s, &map, 0, 0, &full, 3); // expect: missing_wait
    BAR_WAIT_CLUSTER(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
    CLUSTER_SYNC();
}

// A bulk copy over what a thread of the same block copies.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void bulk_load_over_a_copy(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
    }
    COPY_WORD(&s[t], &x[i]);
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) BULK_LOAD(s, x + blockIdx.x * 64, 256, &full); // expect: missing_wait
    BAR_WAIT(&full, 0);
    COPIES_WAIT();
    y[i] = s[t];
}

// A bulk copy reads what a thread of the same block copies.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: same_reference
extern "C" __global__ void bulk_store_of_a_copy(const int *x, int *y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = x[i];
    COPY_WORD(&s[t], &x[i]);
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + blockIdx.x * 64, s, 256); // expect: missing_wait
        BULK_COMMIT();
        BULK_WAIT(0);
    }
    COPIES_WAIT();
}

// A product reads what the threads copy.
// launch: grid 1, block 128; in x bf16[4096] one; out y f32[4096]
// reference: products_of_ones_reference, grid 32, block 128
extern "C" __global__ void product_over_a_copy(const bf16 *x, float *y)
{
    __shared__ alignas(1024) bf16 a[4096], b[4096];
    const int t = threadIdx.x;
    float d[32];
    for (int i = t; i < 4096; i += 128)
        a[i] = b[i] = x[i];
    __syncthreads();
    for (int i = t; i < 512; i += 128)
        COPY_16(&a[8 * i], &x[8 * i]);
    FENCE_ASYNC();
    __syncthreads();
    WGMMA_FENCE();
    WGMMA_64(d, tile_of_rows(a), tile_of_rows(b), 0); // expect: missing_wait
    WGMMA_COMMIT();
    WGMMA_WAIT(0);
    COPIES_WAIT();
    for (int i = 0; i < 32; i++)
        y[32 * t + i] = d[i];
}
