// Kernels of correct/hopper_exchanges.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void summed_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[256 + t] + x[512 + t] + x[768 + t];
}

extern "C" __global__ void exchanged_reference(const int *x, int *y)
{
    const int b = threadIdx.x / 64, k = threadIdx.x % 64 / 16, i = threadIdx.x % 16;
    y[threadIdx.x] = x[64 * k + 16 * b + i];
}

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

extern "C" __global__ void drawn_reference(const int *x, int *y, int *next)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 3 * x[i] + 1;
    if (i == 0) *next = 7; // five pairs of tiles, and two clusters that found none
}

// class: bytes of a phase counted wrong

// One part is not expected.
// launch: grid 4, block 64; in x i32[1024]; out y i32[256]
// reference: summed_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) one_part_is_not_expected(const int *x, int *y)
{
    __shared__ alignas(16) int parts[3][256];
    __shared__ u64 full;
    const int t = threadIdx.x;
    const unsigned rank = cluster_rank();
    const int4 own = *(const int4 *)(x + 256 * rank + 4 * t);
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 2 * 1024);
    }
    CLUSTER_SYNC();
    if (rank > 0) {
        asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(
                         at_rank(&parts[rank - 1][4 * t], 0)),
                     "r"(own.x), "r"(own.y), "r"(own.z), "r"(own.w), "r"(at_rank(&full, 0)) : "memory");
        return;
    }
    BAR_WAIT_CLUSTER(&full, 0); // expect: tx_bytes or deadlock
    const int from[4] = {own.x, own.y, own.z, own.w};
    for (int k = 0; k < 4; k++)
        y[4 * t + k] = from[k] + parts[0][4 * t + k] + parts[1][4 * t + k] + parts[2][4 * t + k]; // expect: missing_wait or tx_bytes
}

// class: block that ends while a copy uses its memory

// A block ends while its parts are sent.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchanged_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) parts_that_are_still_sent_at_the_end(const int *x, int *y)
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
    if (t < 4) PEER_COPY(at_rank(theirs[rank], t), mine[t], 64, at_rank(&full, t)); // expect: in_flight or peer
    BAR_WAIT(&full, 0);
    y[64 * rank + t] = theirs[t / 16][t % 16];
}

// class: other block's memory without order

// The room is not waited for.
// launch: grid 4, block 64; in x i32[256]; out y i32[192]
// reference: round_reference, grid 1
extern "C" __global__ void __cluster_dims__(4) a_tile_overwritten_by_the_next(const int *x, int *y)
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
            BAR_WAIT_CLUSTER(&full, k % 2); // expect: deadlock
            sum += s[t]; // expect: race
            BAR_ARRIVE_AT(&empty, before);
        }
        if (rank == 3) {
            y[64 * k + t] = sum;
            continue;
        }
        asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(at_rank(&s[t], next)), "r"(sum) : "memory"); // expect: race
        BAR_ARRIVE_AT(&full, next);
    }
    CLUSTER_SYNC();
}

// The next number may come before this one was read.
// launch: grid 4, block 64; in x i32[640]; out y i32[640]; inout next i32[1] zero
// reference: drawn_reference, grid 10
extern "C" __global__ void __cluster_dims__(2) a_ticket_sent_before_it_was_read(const int *x, int *y, int *next)
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
            const int drawn = atomicAdd(next, 1);
            for (int r = 0; r < 2; r++)
                asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.s32 [%0], %1, [%2];" ::"r"(
                                 at_rank(&ticket, r)),
                             "r"(drawn), "r"(at_rank(&full, r)) : "memory"); // expect: in_flight or race or tx_bytes
        }
        BAR_WAIT_CLUSTER(&full, k % 2); // expect: phase or tx_bytes or deadlock
        const int tile = ticket; // expect: race or missing_wait or in_flight
        __syncthreads();
        if (tile >= 5) break;
        if (t == 0) BAR_ARRIVE_AT(&empty, 0);
        const int i = 128 * tile + 64 * rank + t;
        y[i] = 3 * x[i] + 1;
    }
    CLUSTER_SYNC();
}

// class: other block that has not begun, or has ended

// Others may read when it has ended.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: exchanged_reference, grid 1, block 256
extern "C" __global__ void __cluster_dims__(4) a_block_that_others_still_read(const int *x, int *y)
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
    for (int round = 0; round < 1; round++) {
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
                         : "r"(at_rank(&s[16 * rank + t % 16], t / 16)) // expect: peer
                         : "memory");
            y[64 * rank + t] = value;
        }
    }
}

// Nobody has waited for the other blocks to begin.
// launch: grid 4, block 64; in x i32[256]; out y i32[192]
// reference: round_reference, grid 1
extern "C" __global__ void __cluster_dims__(4) objects_of_a_block_that_has_not_begun(const int *x, int *y)
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
    __syncthreads();
    for (int k = 0; k < 3; k++) {
        int sum = (k + 1) * x[64 * rank + t];
        if (rank > 0) {
            BAR_WAIT_CLUSTER(&full, k % 2);
            sum += s[t];
            BAR_ARRIVE_AT(&empty, before); // expect: peer
        }
        if (rank == 3) {
            y[64 * k + t] = sum;
            continue;
        }
        if (k > 0) BAR_WAIT_CLUSTER(&empty, (k - 1) % 2);
        asm volatile("st.shared::cluster.s32 [%0], %1;" ::"r"(at_rank(&s[t], next)), "r"(sum) : "memory"); // expect: peer
        BAR_ARRIVE_AT(&full, next); // expect: peer
    }
    CLUSTER_SYNC();
}
