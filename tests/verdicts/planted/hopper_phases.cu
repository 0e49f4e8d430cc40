// Waits that pass at once, since the phase that they ask for ended before.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

#define WAIT_STATE(bar, state)                                                           \
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"                                         \
                 "mbarrier.try_wait.shared::cta.b64 done, [%0], %1;\n"                   \
                 "@!done bra AGAIN;\n}" ::"r"(AT(bar)), "l"(state)                       \
                 : "memory")

extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}
// c[m][n] = the sum of a[m][k] b[n][k], 256 of k
extern "C" __global__ void product_reference(const bf16 *a, const bf16 *b, float *c)
{
    for (int j = 0; j < 64; j++) {
        float sum = 0;
        for (int i = 0; i < 256; i++)
            sum += wide(a[threadIdx.x * 256 + i]) * wide(b[j * 256 + i]);
        c[threadIdx.x * 64 + j] = sum;
    }
}

// class: wait for a phase that ended long ago

// The consumer's parity is the one of the round before.
// launch: grid 1, block 96; in x i32[384]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void consumer_one_phase_early(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 6; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2 ^ 1); // expect: phase
        sum += s[k % 2][t] * (k + 1); // expect: phase
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// As tilelang #3087: one object for all stages, whose phase ends in each round, is asked for
// the parity of an object for each stage.
// launch: grid 1, block 64; in x i32[384]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void one_object_with_the_parity_of_a_ring(const int *x, int *y)
{
    __shared__ alignas(16) int s[3][64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        if (t == 0) {
            BAR_EXPECT(&full, 256);
            BULK_LOAD(s[k % 3], x + k * 64, 256, &full);
        }
        BAR_WAIT(&full, k / 3 % 2); // expect: phase
        sum += s[k % 3][t] * (k + 1); // expect: phase
        FENCE_ASYNC();
        __syncthreads();
    }
    y[t] = sum;
}

// The producer waits for the release before the last one: stages are filled while they are
// read.
// launch: grid 1, block 96; in x i32[384]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void producer_one_phase_early(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 6; k++) {
                const int round = k / 2 - (k >= 2);
                BAR_WAIT(&empty[k % 2], round % 2 ^ 1); // expect: deadlock
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]); // expect: phase or in_flight or race
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: deadlock
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// The products of the second round and those after it are early.
// launch: grid 1, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void products_that_turn_the_parity_too_late(
    const __grid_constant__ tensor_map a, const __grid_constant__ tensor_map b, float *c)
{
    __shared__ alignas(1024) bf16 sa[TILE], sb[TILE];
    __shared__ u64 full;
    if (threadIdx.x == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncthreads();
    float d[32];
    for (int k = 0; k < 4; k++) {
        if (threadIdx.x == 0) {
            BAR_EXPECT(&full, 2 * TILE * 2);
            TMA_LOAD_2D(sa, &a, k * 64, 0, &full);
            TMA_LOAD_2D(sb, &b, k * 64, 0, &full);
        }
        __syncthreads();
        BAR_WAIT(&full, k > 2 ? 1 : 0); // expect: phase
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, k > 0 || i > 0); // expect: phase
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// The state that the first arrival returned is asked for again.
// launch: grid 1, block 64; in x i32[384]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void state_of_the_round_before(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    u64 state = 0;
    int sum = 0;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        u64 now;
        if (t == 0) {
            asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 256;" ::"r"(AT(&full)) : "memory");
            BULK_LOAD(s[k % 2], x + k * 64, 256, &full);
        }
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(now) : "r"(AT(&full)) : "memory");
        if (k % 2 == 0) state = now;
        WAIT_STATE(&full, state); // expect: phase or barrier
        sum += s[k % 2][t] * (k + 1); // expect: phase
        FENCE_ASYNC();
        __syncthreads();
    }
    y[t] = sum;
}

// class: wait that misses its phase

// Nothing holds the producer back: phases end while the consumer asks for an earlier one.
// launch: grid 1, block 64; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void ticks_that_nobody_holds_back(const int *x, int *y)
{
    __shared__ int s[6][32];
    __shared__ u64 tick;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&tick, 32);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 32) {
        for (int k = 0; k < 6; k++) {
            s[k][t - 32] = x[k * 64 + t - 32];
            BAR_ARRIVE(&tick); // expect: phase
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&tick, k % 2); // expect: phase or deadlock
        sum += s[k][t] * (k + 1);
    }
    y[t] = sum;
}
extern "C" __global__ void row_of_rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}

// The consumer's warp is slow, and the other one's arrivals are enough.
// launch: grid 1, block 96; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void ring_that_one_of_two_consumers_frees(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 32); // both warps are meant
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 64) {
        if (t == 64)
            for (int k = 0; k < 6; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]); // expect: race or in_flight
            }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 % 2); // expect: phase or deadlock
        sum += s[k % 2][t] * (k + 1); // expect: phase or race
        FENCE_ASYNC();
        if (t < 32) BAR_ARRIVE(&empty[k % 2]);
    }
    if (t < 32) y[t] = sum;
}

// Two arrivals a round, one wait a round.
// launch: grid 1, block 64; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void rounds_that_end_two_phases(const int *x, int *y)
{
    __shared__ int s[6][32];
    __shared__ u64 tick;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&tick, 32);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 32) {
        for (int k = 0; k < 6; k++) {
            s[k][t - 32] = x[k * 64 + t - 32];
            BAR_ARRIVE(&tick);
            BAR_ARRIVE(&tick);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&tick, k % 2); // expect: phase
        sum += s[k][t] * (k + 1);
    }
    y[t] = sum;
}
