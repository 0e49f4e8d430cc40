// Protocols of barriers and copies within a block that are right, each in a way that kernels
// seldom have: what the styles of libraries become at their edges.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

// y[i] = 3 x[i] + 1
extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 3 * x[i] + 1;
}

// ---- objects ----

// Each of 128 threads keeps the state of its own arrival and waits by it.
// launch: grid 2, block 128; in x i32[256]; out y i32[256]
// reference: scaled_reference
extern "C" __global__ void states_of_all_arrivals(const int *x, int *y)
{
    __shared__ int s[128];
    __shared__ u64 turn;
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) BAR_INIT(&turn, 128);
    __syncthreads();
    int value = x[i];
    for (int k = 0; k < 4; k++) {
        u64 state;
        s[t] = value;
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(AT(&turn)) : "memory");
        asm volatile("{\n.reg .pred done;\nAGAIN:\n"
                     "mbarrier.try_wait.shared::cta.b64 done, [%0], %1, 1000;\n"
                     "@!done bra AGAIN;\n}" ::"r"(AT(&turn)), "l"(state) : "memory");
        value = s[t ^ 127];
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(AT(&turn)) : "memory");
        asm volatile("{\n.reg .pred done;\nAGAIN:\n"
                     "mbarrier.test_wait.shared::cta.b64 done, [%0], %1;\n"
                     "@!done bra AGAIN;\n}" ::"r"(AT(&turn)), "l"(state) : "memory");
    }
    y[i] = 3 * value + 1;
}

// Warps leave one after another and drop their arrivals; those who stay go on without them.
// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: scaled_reference, grid 1
extern "C" __global__ void warps_that_drop_out(const int *x, int *y)
{
    __shared__ int s[128];
    __shared__ u64 turn;
    const int t = threadIdx.x, warp = t / 32;
    if (t == 0) BAR_INIT(&turn, 4);
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k <= warp; k++) {
        if (k == warp) s[t] = 3 * s[t] + 1;
        __syncwarp();
        if (t % 32 == 0 && k == warp)
            asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(AT(&turn)) : "memory");
        else if (t % 32 == 0)
            BAR_ARRIVE(&turn);
        if (k < warp) BAR_WAIT(&turn, k % 2);
    }
    y[t] = s[t];
}

// The bytes are expected by one thread, without an arrival; all arrive.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void bytes_expected_beside_arrivals(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 64);
        FENCE_INIT();
    }
    __syncthreads();
    if (t == 63) {
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 256;" ::"r"(AT(&full)) : "memory");
        BULK_LOAD(s, x + first, 256, &full);
    }
    BAR_ARRIVE(&full);
    BAR_WAIT(&full, 0);
    y[first + t] = 3 * s[t] + 1;
}

// One lane looks for its warp, as in DeepEP; the others know by __syncwarp.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void one_lane_waits_for_the_copy(const int *x, int *y)
{
    __shared__ alignas(16) int s[2][32];
    __shared__ u64 full[2];
    const int t = threadIdx.x, warp = t / 32, first = blockIdx.x * 64 + warp * 32;
    if (t % 32 == 0) {
        BAR_INIT(&full[warp], 1);
        FENCE_INIT();
        BAR_EXPECT(&full[warp], 128);
        BULK_LOAD(s[warp], x + first, 128, &full[warp]);
        BAR_WAIT(&full[warp], 0);
    }
    __syncwarp();
    y[first + t % 32] = 3 * s[warp][t % 32] + 1;
}

// The first warp waits for the copy and tells the rest by a named barrier.
// launch: grid 2, block 96; in x i32[128]; out y i32[128]
// reference: scaled_reference, block 64
extern "C" __global__ void a_named_barrier_tells_of_the_copy(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 256);
        BULK_LOAD(s, x + first, 256, &full);
    }
    __syncwarp();
    if (t < 32) {
        BAR_WAIT(&full, 0);
        NAMED_ARRIVE(3, 96);
        return;
    }
    NAMED_SYNC(3, 96);
    y[first + t - 32] = 3 * s[t - 32] + 1;
}

// An object ends, and its memory is another one of other counts.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void objects_one_after_another(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 bar;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&bar, 64);
    __syncthreads();
    s[t] = x[first + (t ^ 1)];
    BAR_ARRIVE(&bar);
    BAR_WAIT(&bar, 0);
    const int own = s[t ^ 1];
    __syncthreads();
    if (t == 0) {
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(AT(&bar)) : "memory");
        BAR_INIT(&bar, 1);
        FENCE_INIT();
        FENCE_ASYNC();
        BAR_EXPECT(&bar, 256);
        BULK_LOAD(s, x + first, 256, &bar);
    }
    __syncthreads();
    BAR_WAIT(&bar, 0);
    y[first + t] = own + 2 * s[t] + 1;
}

// Those who fill a stage by plain stores arrive for it, those who read it arrive back: two
// halves of a block in turns, without a barrier of the block.
// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8, block 64
extern "C" __global__ void stages_of_plain_stores(const int *x, int *y)
{
    __shared__ int s[3][64];
    __shared__ u64 full[3], empty[3];
    const int t = threadIdx.x;
    if (t < 3) {
        BAR_INIT(&full[t], 64);
        BAR_INIT(&empty[t], 2);
    }
    __syncthreads();
    if (t < 64) {
        for (int k = 0; k < 8; k++) {
            BAR_WAIT(&empty[k % 3], k / 3 % 2 ^ 1);
            s[k % 3][t] = 3 * x[64 * k + t];
            BAR_ARRIVE(&full[k % 3]);
        }
        return;
    }
    for (int k = 0; k < 8; k++) {
        BAR_WAIT(&full[k % 3], k / 3 % 2);
        y[64 * k + t - 64] = s[k % 3][t - 64] + 1;
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 3]);
    }
}

// Rows that each lane looks up: 32 copies of 32 arrivals.
extern "C" __global__ void gathered_reference(const int *x, const int *rows, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    for (int k = 0; k < 8; k++)
        y[8 * i + k] = x[8 * rows[i] + k];
}

// ---- copies ----

// launch: grid 2, block 32; in x i32[512]; in rows i32[64] integers 0 63; out y i32[512]
// reference: gathered_reference
extern "C" __global__ void each_lane_gathers_a_row(const int *x, const int *rows, int *y)
{
    __shared__ alignas(16) int s[32][8];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 32;
    if (t == 0) {
        BAR_INIT(&full, 32);
        FENCE_INIT();
    }
    __syncwarp();
    BAR_EXPECT(&full, 32);
    BULK_LOAD(s[t], x + 8 * rows[first + t], 32, &full);
    BAR_WAIT(&full, 0);
    // each stores another lane's row, by a copy of its own
    BULK_STORE(y + 8 * (first + 31 - t), s[31 - t], 32);
    BULK_COMMIT();
    BULK_WAIT(0);
}

// Tails: what is expected is what is left.
// launch: grid 3, block 64; in x i32[148]; out y i32[148]
// reference: scaled_reference, grid 37, block 4
extern "C" __global__ void tails_are_expected_as_they_are(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, 148 - first);
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(x + first), "r"(4 * count));
        BULK_LOAD(s, x + first, 4 * count, &full);
        BAR_EXPECT(&full, 4 * count);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    if (t < count) s[t] = 3 * s[t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t != 0) return;
    BULK_STORE(y + first, s, 4 * count);
    BULK_COMMIT();
    BULK_WAIT_READ(0);
}

// In place: a stage is loaded, changed and stored from, and loaded again once that has
// been read.
// launch: grid 1, block 64; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8
extern "C" __global__ void stages_changed_in_place(const int *x, int *y)
{
    __shared__ alignas(16) int s[3][64];
    __shared__ u64 full[3];
    const int t = threadIdx.x;
    if (t == 0) {
        for (int k = 0; k < 3; k++)
            BAR_INIT(&full[k], 1);
        FENCE_INIT();
        for (int k = 0; k < 2; k++) {
            BAR_EXPECT(&full[k], 256);
            BULK_LOAD(s[k], x + 64 * k, 256, &full[k]);
        }
    }
    __syncthreads();
    for (int k = 0; k < 8; k++) {
        const int stage = k % 3, next = (k + 2) % 3;
        BAR_WAIT(&full[stage], k / 3 % 2);
        s[stage][t] = 3 * s[stage][t] + 1;
        FENCE_ASYNC();
        __syncthreads();
        if (t != 0) continue;
        BULK_STORE(y + 64 * k, s[stage], 256);
        BULK_COMMIT();
        if (k + 2 >= 8) continue;
        BULK_WAIT_READ(1); // that of the round before, from the stage of the next
        BAR_EXPECT(&full[next], 256);
        BULK_LOAD(s[next], x + 64 * (k + 2), 256, &full[next]);
    }
    if (t == 0) BULK_WAIT(0);
}

// Whoever has time stores: a warp each, and each waits for its own groups alone.
// launch: grid 1, block 96; in x i32[576]; out y i32[576]
// reference: scaled_reference, grid 18, block 32
extern "C" __global__ void warps_with_stores_of_their_own(const int *x, int *y)
{
    __shared__ alignas(16) int s[3][2][32];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int k = 0; k < 6; k++) {
        const int first = 32 * (3 * k + warp), half = k % 2;
        if (lane == 0) BULK_WAIT_READ(1);
        __syncwarp();
        s[warp][half][lane] = 3 * x[first + lane] + 1;
        FENCE_ASYNC();
        __syncwarp();
        if (lane == 0) {
            BULK_STORE(y + first, s[warp][half], 128);
            BULK_COMMIT();
        }
    }
    if (lane == 0) BULK_WAIT_READ(0);
}

// The greatest and the sum of what blocks have, by copies.
extern "C" __global__ void greatest_reference(const unsigned *x, unsigned *most, unsigned *sum)
{
    const int t = threadIdx.x;
    most[t] = sum[t] = 0;
    for (int b = 0; b < 4; b++) {
        most[t] = max(most[t], x[64 * b + t]);
        sum[t] += x[64 * b + t];
    }
}

// launch: grid 4, block 64; in x u32[256] integers 0 1000; inout most u32[64] zero; inout sum u32[64] zero
// reference: greatest_reference, grid 1
extern "C" __global__ void copies_that_reduce(const unsigned *x, unsigned *most, unsigned *sum)
{
    __shared__ alignas(16) unsigned s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    FENCE_ASYNC();
    __syncthreads();
    if (t == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%0], [%1], 256;" ::"l"(most),
                     "r"(AT(s)) : "memory");
        BULK_COMMIT();
    }
    if (t == 32) {
        BULK_ADD(sum, s, 256, "u32");
        BULK_COMMIT();
    }
    if (t % 32 == 0) BULK_WAIT_READ(0);
}

// A stencil: boxes that begin outside, the halo is zeros.
extern "C" __global__ void stencil_reference(const int *x, int *y)
{
    const int r = threadIdx.x / 16, c = threadIdx.x % 16;
    int sum = 0;
    for (int i = r - 1; i <= r + 1; i++)
        for (int j = c - 1; j <= c + 1; j++)
            if (i >= 0 && i < 16 && j >= 0 && j < 16) sum += x[16 * i + j];
    y[threadIdx.x] = sum;
}

// launch: grid 2x2, block 64; in x i32[256] map 16/12 16/10; out y i32[256]
// reference: stencil_reference, grid 1, block 256
extern "C" __global__ void boxes_with_a_halo(const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(128) int s[10][12];
    __shared__ u64 full;
    const int t = threadIdx.x, r = t / 8, c = t % 8;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 480);
        TMA_LOAD_2D(s, &x, (int)blockIdx.x * 8 - 1, (int)blockIdx.y * 8 - 1, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0);
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += s[r + i][c + j];
    y[(blockIdx.y * 8 + r) * 16 + blockIdx.x * 8 + c] = sum;
}
