// Kernels of correct/hopper_turns.cu, each with one thing wrong.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

extern "C" __global__ void buffers_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 512; i += 128)
        y[i] = x[i] + 1;
}

extern "C" __global__ void groups_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 6; k++)
        sum += x[256 * k + (t ^ 127)];
    y[t] = sum;
}

extern "C" __global__ void place_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 640; i += 128)
        y[i] = 3 * x[i];
}

extern "C" __global__ void pong_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = x[t ^ 127] + x[256 + (t ^ 127)] + x[512 + (t ^ 127)];
}

// class: source of a copy that is overwritten too early

// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: buffers_reference
extern "C" __global__ void buffers_with_a_copy_too_many(const int *x, int *y)
{
    __shared__ alignas(16) int buffer[2][128];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        if (t == 0) BULK_WAIT_READ(2);
        NAMED_SYNC(1, 128);
        buffer[s][t] = x[128 * k + t] + 1; // expect: in_flight
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, buffer[s], 512);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: buffers_reference
extern "C" __global__ void buffers_waited_for_behind_the_barrier(const int *x, int *y)
{
    __shared__ alignas(16) int buffer[2][128];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        NAMED_SYNC(1, 128);
        if (t == 0) BULK_WAIT_READ(1);
        buffer[s][t] = x[128 * k + t] + 1; // expect: in_flight
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, buffer[s], 512);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// launch: grid 1, block 160; in x i32[640]; out y i32[640]
// reference: place_reference, block 128
extern "C" __global__ void stages_given_back_while_they_leave(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][128];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < 5; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 512);
            BULK_LOAD(stage[k % 2], x + 128 * k, 512, &full[k % 2]); // expect: in_flight or race
        }
        return;
    }
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        stage[k % 2][t] *= 3;
        FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, stage[k % 2], 512); // expect: in_flight or race
            BULK_COMMIT();
            BAR_ARRIVE(&empty[k % 2]);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// class: threads write, a copy reads, no fence of the proxies

// launch: grid 1, block 128; in x i32[512]; out y i32[512]
// reference: buffers_reference
extern "C" __global__ void buffers_fenced_by_one_thread(const int *x, int *y)
{
    __shared__ alignas(16) int buffer[2][128];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        const int s = k % 2;
        if (t == 0) BULK_WAIT_READ(1);
        NAMED_SYNC(1, 128);
        buffer[s][t] = x[128 * k + t] + 1; // expect: proxy_fence
        if (t == 32) FENCE_ASYNC();
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, buffer[s], 512); // expect: proxy_fence
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// launch: grid 1, block 160; in x i32[640]; out y i32[640]
// reference: place_reference, block 128
extern "C" __global__ void stages_that_leave_without_a_fence(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][128];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    if (t >= 128) {
        for (int k = 0; t == 128 && k < 5; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 512);
            BULK_LOAD(stage[k % 2], x + 128 * k, 512, &full[k % 2]);
        }
        return;
    }
    for (int k = 0; k < 5; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        stage[k % 2][t] *= 3; // expect: proxy_fence
        NAMED_SYNC(1, 128);
        if (t == 0) {
            BULK_STORE(y + 128 * k, stage[k % 2], 512); // expect: proxy_fence
            BULK_COMMIT();
            BULK_WAIT_READ(0);
            BAR_ARRIVE(&empty[k % 2]);
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// launch: grid 1, block 288; in x i32[1536]; out y i32[256]
// reference: groups_reference, block 256
extern "C" __global__ void stages_given_back_by_one_for_its_group(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][256];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, g = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (g == 2) {
        for (int k = 0; t == 256 && k < 6; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 1024);
            BULK_LOAD(stage[k % 2], x + 256 * k, 1024, &full[k % 2]); // expect: race or in_flight or proxy_fence
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        sum += stage[k % 2][t ^ 127]; // expect: race or in_flight or proxy_fence or missing_wait
        FENCE_ASYNC();
        __syncwarp();
        if (t % 128 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// class: threads read, a copy writes over it, no fence of the proxies

// launch: grid 1, block 288; in x i32[1536]; out y i32[256]
// reference: groups_reference, block 256
extern "C" __global__ void stages_given_back_without_a_fence(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][256];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, g = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (g == 2) {
        for (int k = 0; t == 256 && k < 6; k++) {
            BAR_WAIT(&empty[k % 2], (k / 2 & 1) ^ 1);
            BAR_EXPECT(&full[k % 2], 1024);
            BULK_LOAD(stage[k % 2], x + 256 * k, 1024, &full[k % 2]); // expect: proxy_fence
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1);
        sum += stage[k % 2][t ^ 127]; // expect: proxy_fence
        NAMED_SYNC(1 + g, 128);
        if (t % 128 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// class: wrong parity

// launch: grid 1, block 288; in x i32[1536]; out y i32[256]
// reference: groups_reference, block 256
extern "C" __global__ void stages_waited_for_a_round_later(const int *x, int *y)
{
    __shared__ alignas(16) int stage[2][256];
    __shared__ u64 full[2], empty[2];
    const int t = threadIdx.x, g = t / 128;
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        BAR_INIT(&empty[t], 2);
        FENCE_INIT();
    }
    __syncthreads();
    if (g == 2) {
        for (int k = 0; t == 256 && k < 6; k++) {
            BAR_WAIT(&empty[k % 2], k / 2 & 1); // expect: deadlock
            BAR_EXPECT(&full[k % 2], 1024);
            BULK_LOAD(stage[k % 2], x + 256 * k, 1024, &full[k % 2]);
        }
        return;
    }
    int sum = 0;
    for (int k = 0; k < 6; k++) {
        BAR_WAIT(&full[k % 2], k / 2 & 1); // expect: deadlock
        sum += stage[k % 2][t ^ 127];
        FENCE_ASYNC();
        NAMED_SYNC(1 + g, 128);
        if (t % 128 == 0) BAR_ARRIVE(&empty[k % 2]);
    }
    y[t] = sum;
}

// class: no barrier between a load of shared memory and the next store to it

// launch: grid 1, block 256; in x i32[768]; out y i32[256]
// reference: pong_reference
extern "C" __global__ void groups_that_load_behind_their_turn(const int *x, int *y)
{
    __shared__ int scratch[128];
    const int t = threadIdx.x, g = t / 128, i = t % 128;
    int sum = 0;
    if (g == 1) NAMED_ARRIVE(1, 256);
    for (int k = 0; k < 3; k++) {
        NAMED_SYNC(1 + g, 256);
        scratch[i] = x[256 * k + t]; // expect: race
        NAMED_SYNC(3 + g, 128);
        if (g == 0 || k < 2) NAMED_ARRIVE(2 - g, 256);
        sum += scratch[127 - i]; // expect: race
    }
    y[t] = sum;
}
