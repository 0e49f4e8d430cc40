// Whole protocols between blocks and clusters in the styles of public libraries: semaphores,
// joined pieces, rings of slots, words that carry their flags.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define STORE_OF(how, at, v) asm volatile("st." how ".global.u32 [%0], %1;" ::"l"(at), "r"(v) : "memory")
#define LOAD_OF(how, seen, at)                                                           \
    asm volatile("ld." how ".global.u32 %0, [%1];" : "=r"(seen) : "l"(at) : "memory")
#define ADD_OF(how, at) asm volatile("red." how ".global.add.u32 [%0], 1;" ::"l"(at) : "memory")
#define FENCE_GPU() asm volatile("fence.acq_rel.gpu;" ::: "memory")
#define WAIT_WHILE(how, at, low)                                                         \
    do {                                                                                 \
        int seen;                                                                        \
        do                                                                               \
            LOAD_OF(how, seen, at);                                                      \
        while (seen < (int)(low));                                                       \
    } while (0)

extern "C" __global__ void turns_reference(const int *x, int *y, int *state)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[64 + t] + x[128 + t] + x[192 + t];
    state[0] = 4;
}

extern "C" __global__ void pieces_reference(const int *x, int *y, int *flags, int *work)
{
    const int t = threadIdx.x, tile = blockIdx.x, turned = t / 128 * 128 + 127 - t % 128;
    const int *const mine = x + 768 * tile;
    y[256 * tile + t] = mine[512 + t] + mine[turned] + mine[256 + turned];
    if (t < 2) flags[2 * tile + t] = 2;
}

extern "C" __global__ void levels_reference(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    y[64 * b + t] = x[64 * ((b + 3) % 8) + 63 - t] + 1;
    count[0] = 4;
}

extern "C" __global__ void slots_reference(const int *x, int *y, int *counts, int *slots)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++)
        y[64 * k + t] = x[64 * k + 63 - t] + k;
    counts[0] = counts[1] = 5;
}

extern "C" __global__ void words_reference(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 1;
    z[2 * t] = x[t] + 1;
    z[2 * t + 1] = 7;
}

// Parts of k add to a tile in their order, as by CUTLASS's Semaphore.
// launch: grid 4, block 64; in x i32[256]; inout y i32[64] zero; inout state i32[1] zero
// reference: turns_reference, grid 1
extern "C" __global__ void semaphore_lets_splits_take_turns(const int *x, int *y, int *state)
{
    const int t = threadIdx.x, split = blockIdx.x;
    int seen = -1;
    while (__syncthreads_and(seen != split))
        if (t == 0) LOAD_OF("acquire.gpu", seen, state);
    __syncthreads();
    y[t] += x[64 * split + t];
    __syncthreads();
    if (t == 0) STORE_OF("release.gpu", state, split + 1);
}

// Stream-K: who has the last piece of a tile waits for the others, each group of warps by
// itself, as by CUTLASS's barriers of the workspace.
// launch: grid 6, block 256; in x i32[1536]; out y i32[512]; inout flags i32[4] zero; work work i32[1536]
// reference: pieces_reference, grid 2
extern "C" __global__ void pieces_of_a_tile_are_joined(const int *x, int *y, int *flags, int *work)
{
    const int t = threadIdx.x, tile = blockIdx.x / 3, piece = blockIdx.x % 3, g = t / 128, i = t % 128;
    int *const mine = work + 768 * tile + 128 * g, *const flag = flags + 2 * tile + g;
    int v = x[256 * blockIdx.x + t];
    if (piece < 2) {
        mine[256 * piece + i] = v;
        NAMED_SYNC(1 + g, 128);
        if (i == 0) {
            FENCE_GPU();
            ADD_OF("relaxed.gpu", flag);
        }
    } else {
        if (i == 0) WAIT_WHILE("acquire.gpu", flag, 2);
        NAMED_SYNC(1 + g, 128);
        for (int p = 0; p < 2; p++)
            v += mine[256 * p + 127 - i];
        y[256 * tile + t] = v;
    }
}

// One block of each cluster waits for the grid, the others at the barriers of their cluster.
// launch: grid 8, block 64, cluster 2; in x i32[512]; out y i32[512]; inout count i32[1] zero; work z i32[512]
// reference: levels_reference
extern "C" __global__ void barriers_of_two_levels(const int *x, int *y, int *count, int *z)
{
    const int t = threadIdx.x, b = blockIdx.x;
    z[64 * b + t] = x[64 * b + t] + 1;
    CLUSTER_SYNC();
    if (cluster_rank() == 0 && t == 0) {
        ADD_OF("release.gpu", count);
        WAIT_WHILE("acquire.gpu", count, 4);
    }
    CLUSTER_SYNC();
    y[64 * b + t] = z[64 * ((b + 3) % 8) + 63 - t];
}

// Messages through slots in device memory, which the receiver gives back.
// launch: grid 2, block 64; in x i32[320]; out y i32[320]; inout counts i32[2] zero; work slots i32[128]
// reference: slots_reference, grid 1
extern "C" __global__ void slots_between_two_blocks(const int *x, int *y, int *counts, int *slots)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 5; k++) {
        int *const slot = slots + 64 * (k % 2);
        if (blockIdx.x == 0) {
            if (t == 0) WAIT_WHILE("acquire.gpu", counts + 1, k - 1);
            __syncthreads();
            slot[t] = x[64 * k + t] + k;
            __syncthreads();
            if (t == 0) STORE_OF("release.gpu", counts, k + 1);
        } else {
            if (t == 0) WAIT_WHILE("acquire.gpu", counts, k + 1);
            __syncthreads();
            y[64 * k + t] = slot[63 - t];
            __syncthreads();
            if (t == 0) STORE_OF("release.gpu", counts + 1, k + 1);
        }
    }
}

// A word and its flag in one store.
// launch: grid 2, block 64; in x i32[64]; out y i32[64]; inout z i32[128] zero
// reference: words_reference, grid 1
extern "C" __global__ void words_that_carry_their_flags(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        const int v = x[t] + 1;
        asm volatile("st.volatile.global.v2.u32 [%0], {%1, %2};" ::"l"(z + 2 * t), "r"(v), "r"(7) : "memory");
    } else {
        int v, flag;
        do
            asm volatile("ld.volatile.global.v2.u32 {%0, %1}, [%2];" : "=r"(v), "=r"(flag) : "l"(z + 2 * (63 - t)) : "memory");
        while (flag != 7);
        y[t] = v;
    }
}
