// Kernels that do not end, or leave something behind for the next launch.

extern "C" __global__ void copy_reference(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i];
}

// class: wait that cannot end

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; deadline 0.5
// reference: copy_reference
extern "C" __global__ void half_of_the_warps_wait_at_a_barrier(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x >= 32)
        asm volatile("bar.sync 1, 64;" ::: "memory"); // expect: deadlock
}

// launch: grid 2, block 32; in x i32[64]; out y i32[64]; inout flag i32[1] zero; deadline 0.5
// reference: flagged_reference
extern "C" __global__ void waits_for_a_block_that_is_not_there(const int *x, int *y, int *flag)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = x[i];
    if (blockIdx.x == 2) *(volatile int *)flag = 1;
    while (threadIdx.x == 0 && *(volatile int *)flag == 0) // expect: timeout or deadlock
        ;
}

extern "C" __global__ void flagged_reference(const int *x, int *y, int *flag)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] = x[i];
}

// launch: grid 3, block 32; in x i32[96]; out y i32[96]; inout count i32[1] zero; deadline 0.5
// reference: flagged_reference
extern "C" __global__ void grid_barrier_counts_one_block_too_many(const int *x, int *y, int *count)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (threadIdx.x == 0) {
        atomicAdd(count, 1);
        while (atomicAdd(count, 0) <= (int)gridDim.x) // expect: timeout or deadlock
            ;
    }
    __syncthreads();
    y[i] = x[i];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; deadline 0.5
// reference: copy_reference
extern "C" __global__ void two_warps_wait_for_each_other(const int *x, int *y)
{
    __shared__ volatile int flag[2];
    const int t = threadIdx.x, warp = t / 32;
    flag[warp] = 0;
    __syncthreads();
    while (flag[1 - warp] == 0) // expect: timeout or deadlock
        ;
    flag[warp] = 1;
    y[t] = x[t];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; inout lock i32[1] zero; deadline 0.5
// reference: flagged_reference, grid 2, block 32
extern "C" __global__ void lock_is_not_released_on_one_path(const int *x, int *y, int *lock)
{
    const int t = threadIdx.x;
    if (t % 32 == 0) {
        while (atomicCAS(lock, 0, 1)) // expect: timeout or deadlock
            ;
        __threadfence();
        if (t == 32) atomicExch(lock, 0);
        if (t == 0 && x[0] > 100) atomicExch(lock, 0);
    }
    y[t] = x[t];
}

// class: loop that cannot end

// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 step 0; deadline 0.5
extern "C" __global__ void step_of_zero(const int *x, int *y, int step)
{
    int sum = 0;
    for (int i = threadIdx.x; i < 32; i += step) // expect: timeout
        sum += x[i] ^ sum << 1;                  // expect: timeout
    y[threadIdx.x] = sum;
}

extern "C" __global__ void step_of_zero_reference(const int *x, int *y, int step)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 1, block 32; in next i32[32] constant 3; out y i32[32]; deadline 0.5
extern "C" __global__ void list_that_ends_in_a_circle(const int *next, int *y)
{
    int at = threadIdx.x, length = 0;
    while (at >= 0) { // expect: timeout
        at = next[at]; // expect: timeout
        length++;
    }
    y[threadIdx.x] = length;
}

extern "C" __global__ void list_that_ends_in_a_circle_reference(const int *next, int *y)
{
    y[threadIdx.x] = 0;
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]; deadline 0.5
extern "C" __global__ void newton_asks_for_too_much(const float *x, float *y)
{
    const float square = x[threadIdx.x] * x[threadIdx.x] + 2;
    float root = square;
    while (root * root - square != 0) // expect: timeout
        root = 0.5f * (root + square / root); // expect: timeout
    y[threadIdx.x] = root;
}

extern "C" __global__ void newton_asks_for_too_much_reference(const float *x, float *y)
{
    y[threadIdx.x] = sqrtf(x[threadIdx.x] * x[threadIdx.x] + 2);
}

// launch: grid 1, block 32; in x i32[32] integers 1 9; out y i32[32]; deadline 0.5
extern "C" __global__ void bisection_does_not_move(const int *x, int *y)
{
    int low = 0, high = 100;
    while (low < high) { // expect: timeout
        const int middle = (low + high) / 2; // expect: timeout
        if (middle * middle <= x[threadIdx.x]) // expect: timeout
            low = middle;
        else
            high = middle - 1;
    }
    y[threadIdx.x] = low;
}

extern "C" __global__ void bisection_does_not_move_reference(const int *x, int *y)
{
    int root = 0;
    while ((root + 1) * (root + 1) <= x[threadIdx.x])
        root++;
    y[threadIdx.x] = root;
}

// class: state that the next launch meets

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: copy_reference
__device__ int arrived;
extern "C" __global__ void counter_in_the_module_is_not_reset(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    __shared__ int before;
    if (threadIdx.x == 0) before = atomicAdd(&arrived, 1);
    __syncthreads();
    y[i] = x[i] + (before >= 4); // expect: mismatch or state or order
}

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero
extern "C" __global__ void ticket_is_not_reset(const int *x, int *y, int *count)
{
    if (threadIdx.x == 0 && atomicAdd(count, 1) == 3) y[0] = x[0]; // expect: mismatch
}

extern "C" __global__ void ticket_is_not_reset_reference(const int *x, int *y, int *count)
{
    y[0] = x[0];
    *count = 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; work count i32[1]
extern "C" __global__ void workspace_is_taken_to_be_zero(const int *x, int *y, int *count)
{
    if (threadIdx.x == 0 && atomicAdd(count, 1) == 3) y[0] = x[0]; // expect: never_writes or mismatch
}

extern "C" __global__ void workspace_is_taken_to_be_zero_reference(const int *x, int *y, int *count)
{
    y[0] = x[0];
}

// launch: grid 1, block 64; in x i32[64]; inout sum i32[1] constant 5
extern "C" __global__ void sum_is_added_to_what_was_there(const int *x, int *sum)
{
    atomicAdd(sum, x[threadIdx.x]); // expect: mismatch
}

extern "C" __global__ void sum_is_added_to_what_was_there_reference(const int *x, int *sum)
{
    int total = 0;
    for (int i = 0; i < 64; i++)
        total += x[i];
    *sum = total;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[256]
// reference: copy_reference
__device__ int result_kept[256];
__device__ int result_is_kept;
extern "C" __global__ void answer_of_the_first_launch_is_given_again(const int *x, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const volatile int *kept = &result_is_kept;
    if (*kept > 300) {
        y[i] = result_kept[i] - 1; // expect: mismatch or state or order
        return;
    }
    y[i] = result_kept[i] = x[i];
    if (threadIdx.x == 0) atomicAdd(&result_is_kept, 100);
}
