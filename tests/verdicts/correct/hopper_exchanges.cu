// What the blocks of a cluster hand to each other: tiles, parts, arrivals, tickets.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// A tile goes round the cluster: each block adds its own and hands it on, and says to the
// one before that the room is free.
extern "C" __global__ void round_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 3; k++) {
        int sum = 0;
        for (int b = 0; b < 4; b++)
            sum += (k + 1) * x[64 * b + t];
        y[64 * k + t] = sum;
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[192]
// reference: round_reference, grid 1
extern "C" __global__ void __cluster_dims__(4) tile_that_goes_round(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 full, empty;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank(), next = (rank + 1) % 4, before = (rank + 3) % 4;
    if (t == 0) {
        BAR_INIT(&full, 64);
        BAR_INIT(&empty, 64);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    for (int k = 0; k < 3; k++) {
        int sum = (k + 1) * x[64 * rank + t];
        if (rank > 0) {
            BAR_WAIT_CLUSTER(&full, k % 2);
            sum += s[t];
            BAR_ARRIVE_AT(&empty, before);
        }
        if (rank == 3) {
            y[64 * k + t] = sum;
            continue;
        }
        if (k > 0) BAR_WAIT_CLUSTER(&empty, (k - 1) % 2);
        asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(at_rank(&s[t], next)), "r"(sum) : "memory");
        BAR_ARRIVE_AT(&full, next);
    }
    CLUSTER_SYNC();
}

// Parts of a sum go to the first block by st.async of 16 bytes, which waits for the bytes
// of all others.
extern "C" __global__ void summed_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[256 + t] + x[512 + t] + x[768 + t];
}

// launch: grid 4, block 64; in x i32[1024]; out y i32[256]
// reference: summed_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) parts_sent_to_the_first_block(const int *x, int *y)
{
    __shared__ alignas(16) int parts[3][256];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    const int4 own = *(const int4 *)(x + 256 * rank + 4 * t);
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 3 * 1024);
    }
    CLUSTER_SYNC();
    if (rank > 0) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                         at_rank(&parts[rank - 1][4 * t], 0)),
                     "r"(own.x), "r"(own.y), "r"(own.z), "r"(own.w), "r"(at_rank(&full, 0)) : "memory");
        return;
    }
    BAR_WAIT_CLUSTER(&full, 0);
    const int from[4] = {own.x, own.y, own.z, own.w};
    for (int k = 0; k < 4; k++)
        y[4 * t + k] = from[k] + parts[0][4 * t + k] + parts[1][4 * t + k] + parts[2][4 * t + k];
}

// Each block has a part of each other's tile: all to all, by copies between blocks.
extern "C" __global__ void exchanged_reference(const int *x, int *y)
{
    const int b = threadIdx.x / 64, k = threadIdx.x % 64 / 16, i = threadIdx.x % 16;
    y[threadIdx.x] = x[64 * k + 16 * b + i];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchanged_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) all_blocks_exchange_parts(const int *x, int *y)
{
    __shared__ alignas(16) int mine[4][16], theirs[4][16];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 4 * 64);
    }
    mine[t / 16][t % 16] = x[64 * rank + t];
    FENCE_ASYNC();
    CLUSTER_SYNC();
    if (t < 4) PEER_COPY(at_rank(theirs[rank], t), mine[t], 64, at_rank(&full, t));
    BAR_WAIT(&full, 0);
    y[64 * rank + t] = theirs[t / 16][t % 16];
    CLUSTER_SYNC(); // what is sent from here has arrived
}

// A barrier of the cluster made of objects: all arrive at the first block's, which tells
// each of them.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchanged_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) barrier_of_objects(const int *x, int *y)
{
    __shared__ int s[64];
    __shared__ u64 come, go;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&come, 4);
        BAR_INIT(&go, 1);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    for (int round = 0; round < 2; round++) {
        if (round == 0) s[t] = x[64 * rank + t];
        __syncthreads();
        if (t == 0) BAR_ARRIVE_AT(&come, 0);
        if (rank == 0 && t < 32) {
            BAR_WAIT_CLUSTER(&come, round);
            if (t < 4) BAR_ARRIVE_AT(&go, t);
        }
        BAR_WAIT_CLUSTER(&go, round);
        if (round == 0) {
            int value;
            asm volatile("ld.shared::cluster.s32 %0, [%1];"
                         : "=r"(value)
                         : "r"(at_rank(&s[16 * rank + t % 16], t / 16))
                         : "memory");
            y[64 * rank + t] = value;
        }
    }
}

extern "C" __global__ void drawn_reference(const int *x, int *y, int *next)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 3 * x[i] + 1;
    if (i == 0) *next = 7; // five pairs of tiles, and two clusters that found none
}

// Tickets: the first block draws tiles for the cluster and sends their numbers, until
// there are none; who has read a number says so.
// launch: grid 4, block 64; in x i32[640]; out y i32[640]; inout next i32[1] zero
// reference: drawn_reference, grid 10
extern "C" __global__ void __cluster_dims__(2) tickets_for_a_cluster(const int *x, int *y, int *next)
{
    __shared__ int ticket;
    __shared__ u64 full, empty;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    if (t == 0) {
        BAR_INIT(&full, 1);
        BAR_INIT(&empty, 2);
        FENCE_INIT();
    }
    CLUSTER_SYNC();
    for (int k = 0;; k++) {
        if (t == 0) BAR_EXPECT(&full, 4);
        if (rank == 0 && t == 32) {
            if (k > 0) BAR_WAIT_CLUSTER(&empty, (k - 1) % 2);
            const int drawn = atomicAdd(next, 1);
            for (int r = 0; r < 2; r++)
                asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0], %1, [%2];" ::"r"(
                                 at_rank(&ticket, r)),
                             "r"(drawn), "r"(at_rank(&full, r)) : "memory");
        }
        BAR_WAIT_CLUSTER(&full, k % 2);
        const int tile = ticket;
        __syncthreads();
        if (tile >= 5) break;
        if (t == 0) BAR_ARRIVE_AT(&empty, 0);
        const int i = 128 * tile + 64 * rank + t;
        y[i] = 3 * x[i] + 1;
    }
    CLUSTER_SYNC();
}
