// The kernels of correct/hopper_protocols.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void scaled_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = 3 * x[i] + 1;
}

extern "C" __global__ void stencil_reference(const int *x, int *y)
{
    const int r = threadIdx.x / 16, c = threadIdx.x % 16;
    int sum = 0;
    for (int i = r - 1; i <= r + 1; i++)
        for (int j = c - 1; j <= c + 1; j++)
            if (i >= 0 && i < 16 && j >= 0 && j < 16) sum += x[16 * i + j];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void greatest_reference(const unsigned *x, unsigned *most, unsigned *sum)
{
    const int t = threadIdx.x;
    most[t] = sum[t] = 0;
    for (int b = 0; b < 4; b++) {
        most[t] = max(most[t], x[64 * b + t]);
        sum[t] += x[64 * b + t];
    }
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// Nothing says that the value was read before the place is written again.
// launch: grid 2, block 128; in x i32[256]; out y i32[256]
// reference: scaled_reference
extern "C" __global__ void states_of_one_arrival_a_round(const int *x, int *y)
{
    __shared__ int s[128];
    __shared__ u64 turn;
    const int t = threadIdx.x, i = blockIdx.x * 128 + t;
    if (t == 0) BAR_INIT(&turn, 128);
    __syncthreads();
    int value = x[i];
    for (int k = 0; k < 4; k++) {
        u64 state;
        s[t] = value; // expect: race
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(AT(&turn)) : "memory");
        asm volatile("{\n.reg .pred done;\nAGAIN:\n"
                     "mbarrier.try_wait.shared::cta.b64 done, [%0], %1, 1000;\n"
                     "@!done bra AGAIN;\n}" ::"r"(AT(&turn)), "l"(state) : "memory");
        value = s[t ^ 127]; // expect: race
    }
    y[i] = 3 * value + 1;
}

// The stage is given back before it is read.
// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8, block 64
extern "C" __global__ void stage_given_back_before_it_is_read(const int *x, int *y)
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
            s[k % 3][t] = 3 * x[64 * k + t]; // expect: race or order
            BAR_ARRIVE(&full[k % 3]);
        }
        return;
    }
    for (int k = 0; k < 8; k++) {
        BAR_WAIT(&full[k % 3], k / 3 % 2);
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 3]);
        y[64 * k + t - 64] = s[k % 3][t - 64] + 1; // expect: race or order
    }
}

// Arrivals that release nothing.
// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8, block 64
extern "C" __global__ void arrivals_that_release_nothing(const int *x, int *y)
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
            s[k % 3][t] = 3 * x[64 * k + t]; // expect: race
            asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(AT(&full[k % 3])) : "memory");
        }
        return;
    }
    for (int k = 0; k < 8; k++) {
        BAR_WAIT(&full[k % 3], k / 3 % 2);
        y[64 * k + t - 64] = s[k % 3][t - 64] + 1; // expect: race
        __syncwarp();
        if (t % 32 == 0) BAR_ARRIVE(&empty[k % 3]);
    }
}

// class: arrivals counted wrong

// The second warp leaves and is waited for.
// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: scaled_reference, grid 1
extern "C" __global__ void a_warp_that_leaves_without_dropping_out(const int *x, int *y)
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
        if (t % 32 == 0 && k == warp && warp != 1)
            asm volatile("mbarrier.arrive_drop.shared::cta.b64 _, [%0];" ::"r"(AT(&turn)) : "memory");
        else if (t % 32 == 0)
            BAR_ARRIVE(&turn);
        if (k < warp) BAR_WAIT(&turn, k % 2); // expect: deadlock
    }
    y[t] = s[t];
}

// All threads give the stage back, two are counted.
// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8, block 64
extern "C" __global__ void every_thread_gives_the_stage_back(const int *x, int *y)
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
            BAR_WAIT(&empty[k % 3], k / 3 % 2 ^ 1); // expect: deadlock or phase
            s[k % 3][t] = 3 * x[64 * k + t]; // expect: race or order
            BAR_ARRIVE(&full[k % 3]);
        }
        return;
    }
    for (int k = 0; k < 8; k++) {
        BAR_WAIT(&full[k % 3], k / 3 % 2);
        y[64 * k + t - 64] = s[k % 3][t - 64] + 1; // expect: race or order
        __syncwarp();
        BAR_ARRIVE(&empty[k % 3]); // expect: barrier or deadlock or phase
    }
}

// class: bytes of a phase counted wrong

// Half of what comes is expected.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void half_of_the_bytes_are_expected(const int *x, int *y)
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
        asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 128;" ::"r"(AT(&full)) : "memory"); // expect: tx_bytes
        BULK_LOAD(s, x + first, 256, &full);
    }
    BAR_ARRIVE(&full);
    BAR_WAIT(&full, 0); // expect: tx_bytes or deadlock
    y[first + t] = 3 * s[t] + 1; // expect: missing_wait
}

// The last tile has fewer.
// launch: grid 3, block 64; in x i32[148]; out y i32[148]
// reference: scaled_reference, grid 37, block 4
extern "C" __global__ void tails_are_expected_as_whole_tiles(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 full;
    const int t = threadIdx.x, first = blockIdx.x * 64, count = min(64, 148 - first);
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(x + first), "r"(4 * count));
        BULK_LOAD(s, x + first, 4 * count, &full);
        BAR_EXPECT(&full, 256);
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: tx_bytes or deadlock
    if (t < count) s[t] = 3 * s[t] + 1;
    FENCE_ASYNC();
    __syncthreads();
    if (t != 0) return;
    BULK_STORE(y + first, s, 4 * count);
    BULK_COMMIT();
    BULK_WAIT_READ(0);
}

// Filled bytes count, too.
// launch: grid 2x2, block 64; in x i32[256] map 16/12 16/10; out y i32[256]
// reference: stencil_reference, grid 1, block 256
extern "C" __global__ void what_lies_outside_is_not_expected(const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(128) int s[10][12];
    __shared__ u64 full;
    const int t = threadIdx.x, r = t / 8, c = t % 8;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 9 * 11 * 4);
        TMA_LOAD_2D(s, &x, (int)blockIdx.x * 8 - 1, (int)blockIdx.y * 8 - 1, &full);
    }
    __syncthreads();
    BAR_WAIT(&full, 0); // expect: tx_bytes or deadlock
    int sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            sum += s[r + i][c + j];
    y[(blockIdx.y * 8 + r) * 16 + blockIdx.x * 8 + c] = sum;
}

// class: bulk copy that is not waited for

// The other lanes do not know.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void one_lane_waits_and_tells_nobody(const int *x, int *y)
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
    y[first + t % 32] = 3 * s[warp][t % 32] + 1; // expect: missing_wait or race
}

// The barrier comes before the wait.
// launch: grid 2, block 96; in x i32[128]; out y i32[128]
// reference: scaled_reference, block 64
extern "C" __global__ void a_named_barrier_before_the_copy_came(const int *x, int *y)
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
        NAMED_ARRIVE(3, 96);
        BAR_WAIT(&full, 0);
        return;
    }
    NAMED_SYNC(3, 96);
    y[first + t - 32] = 3 * s[t - 32] + 1; // expect: missing_wait
}

// class: object that is overwritten, or used before it is there

// Others may not have passed.
// launch: grid 2, block 64; in x i32[128]; out y i32[128]
// reference: scaled_reference
extern "C" __global__ void an_object_ended_while_others_wait(const int *x, int *y)
{
    __shared__ alignas(16) int s[64];
    __shared__ u64 bar;
    const int t = threadIdx.x, first = blockIdx.x * 64;
    if (t == 0) BAR_INIT(&bar, 64);
    __syncthreads();
    s[t] = x[first + (t ^ 1)];
    BAR_ARRIVE(&bar);
    BAR_WAIT(&bar, 0); // expect: race or barrier
    const int own = s[t ^ 1];
    if (t == 0) {
        asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(AT(&bar)) : "memory"); // expect: race or barrier
        BAR_INIT(&bar, 1);
        FENCE_INIT();
        FENCE_ASYNC();
        BAR_EXPECT(&bar, 256);
        BULK_LOAD(s, x + first, 256, &bar); // expect: race or proxy_fence
    }
    __syncthreads();
    BAR_WAIT(&bar, 0);
    y[first + t] = own + 2 * s[t] + 1;
}

// class: source of a copy that is overwritten too early

// One group too many may be in flight.
// launch: grid 1, block 64; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8
extern "C" __global__ void a_stage_loaded_while_it_is_stored_from(const int *x, int *y)
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
        BULK_WAIT_READ(2);
        BAR_EXPECT(&full[next], 256);
        BULK_LOAD(s[next], x + 64 * (k + 2), 256, &full[next]); // expect: in_flight
    }
    if (t == 0) BULK_WAIT(0);
}

// Groups are those of the lane that commits.
// launch: grid 1, block 96; in x i32[576]; out y i32[576]
// reference: scaled_reference, grid 18, block 32
extern "C" __global__ void another_lane_waits_for_the_stores(const int *x, int *y)
{
    __shared__ alignas(16) int s[3][2][32];
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    for (int k = 0; k < 6; k++) {
        const int first = 32 * (3 * k + warp), half = k % 2;
        if (lane == 1) BULK_WAIT_READ(1);
        __syncwarp();
        s[warp][half][lane] = 3 * x[first + lane] + 1; // expect: in_flight
        FENCE_ASYNC();
        __syncwarp();
        if (lane == 0) {
            BULK_STORE(y + first, s[warp][half], 128);
            BULK_COMMIT();
        }
    }
    if (lane == 0) BULK_WAIT_READ(0);
}

// class: threads write, a copy reads, no fence of the proxies

// No fence after the change.
// launch: grid 1, block 64; in x i32[512]; out y i32[512]
// reference: scaled_reference, grid 8
extern "C" __global__ void changed_in_place_without_a_fence(const int *x, int *y)
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
        __syncthreads();
        if (t != 0) continue;
        BULK_STORE(y + 64 * k, s[stage], 256); // expect: proxy_fence
        BULK_COMMIT();
        if (k + 2 >= 8) continue;
        BULK_WAIT_READ(1); // that of the round before, from the stage of the next
        BAR_EXPECT(&full[next], 256);
        BULK_LOAD(s[next], x + 64 * (k + 2), 256, &full[next]);
    }
    if (t == 0) BULK_WAIT(0);
}

// The fence is the other issuer's alone.
// launch: grid 4, block 64; in x u32[256] integers 0 1000; inout most u32[64] zero; inout sum u32[64] zero
// reference: greatest_reference, grid 1
extern "C" __global__ void only_one_of_two_issuers_fences(const unsigned *x, unsigned *most, unsigned *sum)
{
    __shared__ alignas(16) unsigned s[64];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * 64 + t];
    __syncthreads();
    if (t == 0) {
        FENCE_ASYNC();
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [%0], [%1], 256;" ::"l"(most),
                     "r"(AT(s)) : "memory");
        BULK_COMMIT();
    }
    if (t == 32) {
        BULK_ADD(sum, s, 256, "u32"); // expect: proxy_fence
        BULK_COMMIT();
    }
    if (t % 32 == 0) BULK_WAIT_READ(0);
}
