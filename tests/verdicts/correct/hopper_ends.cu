// Blocks that end when no copy uses their shared memory any more.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void doubled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 2 * x[i];
}
extern "C" __global__ void sums_reference(const int *x, int *y)
{
    for (int k = 0; k < 4; k++)
        y[threadIdx.x] += 2 * x[k * 64 + threadIdx.x];
}
extern "C" __global__ void copy_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: doubled_reference
extern "C" __global__ void store_that_has_been_read_at_the_end(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_WAIT_READ(0); // written it may be later
    }
}

// Others may end before.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: doubled_reference
extern "C" __global__ void store_that_its_own_thread_waits_for(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 32) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
    }
    if (t == 0) return;
    if (t == 32) BULK_WAIT_READ(0);
}

// An empty group behind it changes nothing.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: doubled_reference
extern "C" __global__ void store_before_an_empty_group(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
        BULK_COMMIT();
        BULK_WAIT_READ(1);
    }
}

// launch: grid 1, block 64; in x i32[256]; inout y i32[64]
// reference: sums_reference
extern "C" __global__ void sums_that_have_all_been_read(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) BULK_WAIT_READ(1);
        __syncthreads();
        s[k % 2][t] = 2 * x[k * 64 + t];
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_ADD(y, s[k % 2], 256, "s32");
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT_READ(0);
}

// launch: grid 2, block 64; in x i32[128]; out y i32[128] map 64/64 2/1
// reference: doubled_reference
extern "C" __global__ void tile_that_is_stored_and_waited_for(const int *x,
                                                              const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, blockIdx.x, s);
        BULK_COMMIT();
        BULK_WAIT(0);
    }
}

// Stores that outlive their block, as those of DeepGEMM do: nobody waits for them.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: doubled_reference
extern "C" __global__ void store_that_is_open_at_the_end(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        BULK_STORE(y + first, s, 256);
        BULK_COMMIT();
    }
}

// launch: grid 1, block 64; in x i32[256]; inout y i32[64]
// reference: sums_reference
extern "C" __global__ void sums_of_which_the_last_is_open(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        if (t == 0) BULK_WAIT_READ(1);
        __syncthreads();
        s[k % 2][t] = 2 * x[k * 64 + t];
        FENCE_ASYNC();
        __syncthreads();
        if (t == 0) {
            BULK_ADD(y, s[k % 2], 256, "s32");
            BULK_COMMIT();
        }
    }
}

// launch: grid 2, block 64; in x i32[128]; out y i32[128] map 64/64 2/1
// reference: doubled_reference
extern "C" __global__ void tile_that_is_stored_at_the_end(const int *x,
                                                          const __grid_constant__ tensor_map y)
{
    __shared__ alignas(128) int s[64];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t] = 2 * x[first + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        TMA_STORE_2D(&y, 0, blockIdx.x, s);
        BULK_COMMIT();
    }
}

// The ring is filled beyond the last round, and drained.
// launch: grid 1, block 64; in x i32[128]; out y i32[64]
// reference: copy_reference
extern "C" __global__ void load_that_one_thread_waits_for(const int *x, int *y)
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
            BULK_LOAD(s[k], x + k * 64, 256, &full[k]);
        }
    BAR_WAIT(&full[0], 0);
    y[t] = s[0][t];
    if (t == 0) BAR_WAIT(&full[1], 0);
}

// The other block has the copy before this one ends.
// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: moved_reference
extern "C" __global__ void __cluster_dims__(2) source_that_stays_until_the_copy_is_there(const int *x, int *y)
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
            asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at_rank(to, 1)), "r"(AT(from)), "r"(256), "r"(at_rank(&full, 1)) : "memory");
        y[i] = 0;
    } else {
        BAR_WAIT_CLUSTER(&full, 0);
        y[i] = to[t];
    }
    CLUSTER_SYNC();
}
extern "C" __global__ void moved_reference(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = blockIdx.x % 2 ? x[i ^ 64] : 0;
}
