// Waits whose phase is the one that is needed, though others end beside it.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

enum { TILE = 64 * 64 };

#define WAIT_STATE(bar, state)                                                           \
    asm volatile("{\n.reg .pred done;\nAGAIN:\n"                                         \
                 "mbarrier.try_wait.shared::cta.b64 done, [%0], %1;\n"                   \
                 "@!done bra AGAIN;\n}" ::"r"(AT(bar)), "l"(state)                       \
                 : "memory")

__device__ __forceinline__ bool is_over(u64 *bar, int parity)
{
    int over;
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.s32 %0, 1, 0, p;\n}"
                 : "=r"(over)
                 : "r"(AT(bar)), "r"(parity)
                 : "memory");
    return over;
}

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

// launch: grid 1, block 96; in x i32[384]; out y i32[64]
// reference: rounds_reference, block 64
extern "C" __global__ void consumer_and_producer_in_step(const int *x, int *y)
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
        BAR_WAIT(&full[k % 2], k / 2 % 2);
        BAR_WAIT(&full[k % 2], k / 2 % 2); // again: no harm
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// The parity of one object for all stages turns in each round.
// launch: grid 1, block 64; in x i32[384]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void one_object_with_a_parity_of_its_own(const int *x, int *y)
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
        BAR_WAIT(&full, k % 2);
        sum += s[k % 3][t] * (k + 1);
        FENCE_ASYNC();
        __syncthreads();
    }
    y[t] = sum;
}

// Two consumers take turns, as ping-pong kernels do: each waits for every second phase of
// an object, when the other one has waited for the phase before.
// launch: grid 1, block 96; in x i32[512]; out y i32[64]
// reference: eight_rounds_reference, block 64
extern "C" __global__ void consumers_that_take_turns(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ int part[2][64];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, warp = t / 32;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 32);
        FENCE_INIT();
    }
    __syncthreads();
    if (warp == 2) {
        if (t == 64)
            for (int k = 0; k < 8; k++) {
                BAR_WAIT(&empty[k % 2], k / 2 % 2 ^ 1);
                BAR_EXPECT(&full[k % 2], 256);
                BULK_LOAD(s[k % 2], x + k * 64, 256, &full[k % 2]);
            }
    } else {
        int low = 0, high = 0;
        for (int tile = warp; tile < 4; tile += 2) {
            if (tile > 0) NAMED_SYNC(1 + warp, 64);
            for (int k = 2 * tile; k < 2 * tile + 2; k++) {
                BAR_WAIT(&full[k % 2], k / 2 % 2);
                low += s[k % 2][t % 32] * (k + 1);
                high += s[k % 2][t % 32 + 32] * (k + 1);
                FENCE_ASYNC();
                BAR_ARRIVE(&empty[k % 2]);
            }
            if (tile < 3) NAMED_ARRIVE(2 - warp, 64);
        }
        part[warp][t % 32] = low;
        part[warp][t % 32 + 32] = high;
    }
    __syncthreads();
    if (t < 64) y[t] = part[0][t] + part[1][t];
}
extern "C" __global__ void eight_rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 8; k++)
        sum += x[k * 64 + threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 128; in a bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128;
//         in b bf16[16384] integers -3 3 map 256/64 64/64 swizzle 128; out c f32[4096]
// reference: product_reference, block 64
extern "C" __global__ void products_that_turn_the_parity(const __grid_constant__ tensor_map a,
                                                         const __grid_constant__ tensor_map b,
                                                         float *c)
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
        BAR_WAIT(&full, k % 2);
        WGMMA_FENCE();
        for (int i = 0; i < 4; i++)
            WGMMA_64(d, tile_of_rows(sa) + 2 * i, tile_of_rows(sb) + 2 * i, k > 0 || i > 0);
        WGMMA_COMMIT();
        WGMMA_WAIT(0);
        __syncthreads();
    }
    for (int i = 0; i < 32; i++)
        c[row_of(i) * 64 + column_of(i)] = d[i];
}

// launch: grid 1, block 64; in x i32[384]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void state_of_this_round(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ u64 full;
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    for (int k = 0; k < 6; k++) {
        u64 state;
        if (t == 0) {
            asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 256;" ::"r"(AT(&full)) : "memory");
            BULK_LOAD(s[k % 2], x + k * 64, 256, &full);
        }
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(AT(&full)) : "memory");
        WAIT_STATE(&full, state);
        sum += s[k % 2][t] * (k + 1);
        FENCE_ASYNC();
        __syncthreads();
    }
    y[t] = sum;
}

// Those who wait hold back those who arrive.
// launch: grid 1, block 64; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void ticks_that_are_held_back(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ u64 tick, tock;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&tick, 32);
        BAR_INIT(&tock, 32);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 32) {
        for (int k = 0; k < 6; k++) {
            BAR_WAIT(&tock, k % 2 ^ 1);
            s[t - 32] = x[k * 64 + t - 32];
            BAR_ARRIVE(&tick);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&tick, k % 2);
        sum += s[t] * (k + 1);
        BAR_ARRIVE(&tock);
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

// Is it there already? A look ahead that none goes by: barriers order what follows, and
// the phases between are others' business.
// launch: grid 1, block 64; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void look_ahead_at_every_second_phase(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ u64 tick;
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) {
        BAR_INIT(&tick, 32);
        FENCE_INIT();
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 6; k++) {
        if (t >= 32) s[t - 32] = x[k * 64 + t - 32];
        if (t < 32 && k % 2 == 0 && is_over(&tick, 0)) sum += 1000;
        __syncthreads();
        if (t >= 32) BAR_ARRIVE(&tick);
        __syncthreads();
        if (t < 32) sum += s[t] * (k + 1);
        __syncthreads();
    }
    if (t < 32) y[t] = sum;
}

// The same, ordered by waits at another object.
// launch: grid 1, block 64; in x i32[384]; out y i32[32]
// reference: row_of_rounds_reference, block 32
extern "C" __global__ void look_ahead_beside_another_object(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ u64 tick, full, empty;
    const int t = threadIdx.x;
    int sum = 0;
    if (t == 0) {
        BAR_INIT(&tick, 32);
        BAR_INIT(&full, 32);
        BAR_INIT(&empty, 32);
        FENCE_INIT();
    }
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < 6; k++)
        if (t >= 32) {
            BAR_WAIT(&empty, k % 2);
            s[t - 32] = x[k * 64 + t - 32];
            BAR_ARRIVE(&tick);
            BAR_ARRIVE(&full);
        } else {
            if (k % 2 == 0 && is_over(&tick, 0)) sum += 1000;
            BAR_ARRIVE(&empty);
            BAR_WAIT(&full, k % 2);
            sum += s[t] * (k + 1);
        }
    if (t < 32) y[t] = sum;
}
