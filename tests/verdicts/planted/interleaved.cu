// Right in any order in which blocks or warps run one after another, wrong where one comes
// between two strong accesses of another.

typedef unsigned long long u64;
typedef unsigned int u32;

// class: wrong where strong accesses are interleaved

// launch: grid 4, block 32; inout count i32[1] zero; i32 n 4
// reference: count_reference
extern "C" __global__ void count_by_volatile_accesses(int *count, int n)
{
    volatile int *c = count;
    if (threadIdx.x) return;
    for (int i = 0; i < n; i++)
        *c = *c + 1; // expect: order
}
extern "C" __global__ void count_reference(int *count, int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *count = n * gridDim.x;
}

// The same of warps of a block.
// launch: grid 1, block 128; inout count i32[1] zero; i32 n 4
extern "C" __global__ void count_of_warps_by_volatile_accesses(int *count, int n)
{
    __shared__ volatile int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    for (int i = 0; i < n && threadIdx.x % 32 == 0; i++)
        s = s + 1; // expect: order
    __syncthreads();
    if (threadIdx.x == 0) *count = s;
}
extern "C" __global__ void count_of_warps_by_volatile_accesses_reference(int *count, int n)
{
    if (threadIdx.x == 0) *count = 4 * n;
}

// Two find the lock free before either has taken it.
// launch: grid 4, block 32; inout count i32[1] zero; inout lock i32[1] zero; i32 n 4
extern "C" __global__ void lock_that_is_looked_at_and_then_taken(int *count, int *lock, int n)
{
    volatile int *l = lock;
    if (threadIdx.x) return;
    for (int i = 0; i < n; i++) {
        while (*l == 1) {
        }
        *l = 1;
        __threadfence();
        *count += 1; // expect: race
        __threadfence();
        *l = 0;
    }
}
extern "C" __global__ void lock_that_is_looked_at_and_then_taken_reference(int *count, int *lock,
                                                                           int n)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) *count = n * gridDim.x;
}

// Taken out and put back, and what others put there meanwhile is lost.
// launch: grid 4, block 32; in x i32[32]; inout sum i32[1] zero
extern "C" __global__ void sum_by_exchanges(const int *x, int *sum)
{
    if (threadIdx.x) return;
    for (int i = 0; i < 8; i++)
        atomicExch(sum, atomicExch(sum, 0) + x[8 * blockIdx.x + i]); // expect: order
}
extern "C" __global__ void sum_by_exchanges_reference(const int *x, int *sum)
{
    if (blockIdx.x || threadIdx.x) return;
    int all = 0;
    for (int i = 0; i < 32; i++)
        all += x[i];
    sum[0] = all;
}

// Each looks for the other one's flag, and then raises its own.
// launch: grid 2, block 32; inout count i32[1] zero; inout flag i32[2] zero
extern "C" __global__ void blocks_that_look_and_then_raise(int *count, int *flag)
{
    volatile int *f = flag;
    const int me = blockIdx.x;
    if (threadIdx.x) return;
    for (int i = 0; i < 4; i++) {
        while (f[1 - me]) {
        }
        f[me] = 1;
        asm volatile("fence.sc.gpu;" ::: "memory");
        count[0]++; // expect: race
        asm volatile("fence.sc.gpu;" ::: "memory");
        f[me] = 0;
    }
}
extern "C" __global__ void blocks_that_look_and_then_raise_reference(int *count, int *flag)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) count[0] = 8;
}

// The task is done whether the swap was made or not.
// launch: grid 3, block 32; inout y i32[40] zero; inout top i32[1] zero; i32 n 40
extern "C" __global__ void tasks_whether_swapped_or_not(int *y, int *top, int n)
{
    volatile int *first = top;
    if (threadIdx.x) return;
    for (int t = *first; t < n; t = *first) {
        atomicCAS(top, t, t + 1);
        atomicAdd(y + t, 1); // expect: order
    }
}
extern "C" __global__ void tasks_whether_swapped_or_not_reference(int *y, int *top, int n)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < n; i++)
        y[i] = 1;
    *top = n;
}

// Pushed without a fence, which shows where another block pops in between.
// launch: grid 4, block 32; in x i32[128]; inout y i32[1] zero; inout head u64[1] zero;
//         work next u32[129]; work value i32[129]
// reference: none
extern "C" __global__ void stack_of_items_that_are_not_fenced(const int *x, int *y, u64 *head,
                                                              u32 *next, int *value)
{
    const u32 me = blockIdx.x * 32 + threadIdx.x + 1;
    volatile u64 *top = head;
    value[me] = x[me - 1]; // expect: race
    u64 old = *top;
    for (;;) {
        ((volatile u32 *)next)[me] = (u32)old;
        const u64 seen = atomicCAS(head, old, ((old >> 32) + 1) << 32 | me);
        if (seen == old) break;
        old = seen;
    }
    old = *top;
    u32 got;
    for (;;) {
        got = (u32)old;
        if (got == 0) {
            old = *top;
            continue;
        }
        __threadfence();
        const u32 after = ((volatile u32 *)next)[got];
        const u64 seen = atomicCAS(head, old, ((old >> 32) + 1) << 32 | after);
        if (seen == old) break;
        old = seen;
    }
    __threadfence();
    atomicAdd(y, value[got]); // expect: race
}
