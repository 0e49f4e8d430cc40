// Asynchronous copies to shared memory that are used too early or overwritten too early.

// A macro, so that reports name the line that uses it.
#define copy_async(to, from)                                                             \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(                       \
                     (unsigned)__cvta_generic_to_shared(to)),                            \
                 "l"(from)                                                               \
                 : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

// y[t] = x[t]
extern "C" __global__ void same_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// y[t] = x[63 - t]
extern "C" __global__ void mirror_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[63 - threadIdx.x];
}

// y[t] = the sum of (k + 1) x[64 k + 63 - t] over four tiles
extern "C" __global__ void rounds_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[k * 64 + 63 - threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}

// class: asynchronous copy without its wait

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: same_reference
extern "C" __global__ void copy_without_wait(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]);
    COMMIT();
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: mirror_reference
extern "C" __global__ void barrier_in_place_of_wait(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]);
    COMMIT();
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: same_reference
extern "C" __global__ void wait_allows_one_group_too_many(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]);
    COMMIT();
    WAIT(1);
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: same_reference
extern "C" __global__ void group_is_never_committed(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]);
    WAIT(0);
    y[threadIdx.x] = s[threadIdx.x]; // expect: missing_wait
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void pipeline_waits_for_the_stage_before(const int *x, int *y)
{
    __shared__ int s[3][64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        copy_async(&s[k][t], &x[k * 64 + t]);
        COMMIT();
    }
    for (int k = 0; k < 4; k++) {
        if (k + 2 < 4) copy_async(&s[(k + 2) % 3][t], &x[(k + 2) * 64 + t]); // expect: missing_wait
        COMMIT();
        WAIT(3);
        __syncthreads();
        sum += s[k % 3][63 - t] * (k + 1); // expect: missing_wait
        __syncthreads();
    }
    y[t] = sum;
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void pipeline_does_not_wait_for_its_last_stage(const int *x, int *y)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    copy_async(&s[0][t], &x[t]);
    COMMIT();
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4) {
            copy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 64 + t]);
            COMMIT();
        }
        WAIT(1); // in the last round the only group may be on its way
        __syncthreads();
        sum += s[k % 2][63 - t] * (k + 1); // expect: missing_wait
        __syncthreads();
    }
    y[t] = sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: same_reference
extern "C" __global__ void place_of_a_copy_is_cleared_under_it(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]);
    COMMIT();
    if (threadIdx.x >= 60) s[threadIdx.x] = 0; // expect: missing_wait or race
    WAIT(0);
    y[threadIdx.x] = threadIdx.x >= 60 ? x[threadIdx.x] : s[threadIdx.x];
}

// class: no barrier after the wait for a copy

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: mirror_reference
extern "C" __global__ void wait_in_place_of_barrier(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]); // expect: race or missing_wait
    COMMIT();
    WAIT(0);
    y[threadIdx.x] = s[63 - threadIdx.x]; // expect: race or missing_wait or unwritten
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void pipeline_with_a_barrier_only_at_the_end(const int *x, int *y)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    copy_async(&s[0][t], &x[t]); // expect: race or missing_wait
    COMMIT();
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4) copy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 64 + t]); // expect: race or missing_wait
        COMMIT();
        WAIT(1);
        sum += s[k % 2][63 - t] * (k + 1); // expect: race or missing_wait
        __syncthreads();
    }
    y[t] = sum;
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: rounds_reference
extern "C" __global__ void next_copy_before_all_have_read(const int *x, int *y)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    copy_async(&s[0][t], &x[t]);
    COMMIT();
    for (int k = 0; k < 4; k++) {
        if (k + 1 < 4) copy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 64 + t]); // expect: race or missing_wait
        COMMIT();
        WAIT(1);
        __syncthreads();
        sum += s[k % 2][63 - t] * (k + 1); // expect: race or missing_wait
    }
    y[t] = sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: mirror_reference
extern "C" __global__ void syncwarp_after_the_wait_of_two_warps(const int *x, int *y)
{
    __shared__ int s[64];
    copy_async(&s[threadIdx.x], &x[threadIdx.x]); // expect: race or missing_wait
    COMMIT();
    WAIT(0);
    __syncwarp();
    y[threadIdx.x] = s[63 - threadIdx.x]; // expect: race or missing_wait or unwritten
}
