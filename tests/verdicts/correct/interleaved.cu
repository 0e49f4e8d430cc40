// Warps and blocks that hear of each other by strong accesses, in whatever order these come:
// stacks, rings, locks and tasks without a lock.

typedef unsigned long long u64;
typedef unsigned int u32;

#define FENCE_SC() asm volatile("fence.sc.gpu;" ::: "memory")

// Each thread pushes an item on a stack without a lock, and pops one. The upper half of the
// head counts changes, so that no old head comes back.
// launch: grid 4, block 32; in x i32[128]; inout y i32[1] zero; inout head u64[1] zero;
//         work next u32[129]; work value i32[129]
extern "C" __global__ void stack_without_a_lock(const int *x, int *y, u64 *head, u32 *next,
                                                int *value)
{
    const u32 me = blockIdx.x * 32 + threadIdx.x + 1;
    volatile u64 *top = head;
    value[me] = x[me - 1];
    u64 old = *top;
    for (;;) {
        ((volatile u32 *)next)[me] = (u32)old;
        __threadfence();
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
    atomicAdd(y, value[got]);
}
// 128 pushes and 128 pops.
extern "C" __global__ void stack_without_a_lock_reference(const int *x, int *y, u64 *head,
                                                          u32 *next, int *value)
{
    if (blockIdx.x || threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 128; i++)
        sum += x[i];
    y[0] = sum;
    head[0] = (u64)256 << 32;
}

// What comes back of an exchange is kept, and added again.
// launch: grid 4, block 32; in x i32[32]; inout sum i32[1] zero
extern "C" __global__ void sum_by_exchanges_of_both(const int *x, int *sum)
{
    if (threadIdx.x) return;
    int mine = 0;
    for (int i = 0; i < 8; i++)
        mine += x[8 * blockIdx.x + i];
    while ((mine = atomicExch(sum, atomicExch(sum, 0) + mine)) != 0) {
    }
}
extern "C" __global__ void sum_by_exchanges_of_both_reference(const int *x, int *sum)
{
    if (blockIdx.x || threadIdx.x) return;
    int all = 0;
    for (int i = 0; i < 32; i++)
        all += x[i];
    sum[0] = all;
}

// Peterson's lock of two blocks: strong accesses and fences that all threads see in one order.
// launch: grid 2, block 32; inout count i32[1] zero; inout flag i32[3] zero
extern "C" __global__ void lock_of_two_blocks(int *count, int *flag)
{
    volatile int *f = flag;
    const int me = blockIdx.x;
    if (threadIdx.x) return;
    for (int i = 0; i < 4; i++) {
        f[me] = 1;
        FENCE_SC();
        f[2] = 1 - me;
        FENCE_SC();
        while (f[1 - me] && f[2] == 1 - me)
            FENCE_SC();
        FENCE_SC();
        count[0]++;
        FENCE_SC();
        f[me] = 0;
    }
    f[2] = 0;
}
extern "C" __global__ void lock_of_two_blocks_reference(int *count, int *flag)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) count[0] = 8;
}

// A ring of eight from a block to another: each has an index of its own.
// launch: grid 2, block 32; in x i32[64]; out y i32[64]; work ring i32[8]; inout at u32[2] zero
// reference: ring_reference, grid 1, block 1
extern "C" __global__ void ring_of_two_blocks(const int *x, int *y, int *ring, u32 *at)
{
    volatile u32 *head = at, *tail = at + 1;
    if (threadIdx.x) return;
    for (u32 i = 0; i < 64 && blockIdx.x == 0; i++) {
        while (i - *tail == 8) {
        }
        __threadfence();
        ring[i % 8] = 2 * x[i];
        __threadfence();
        *head = i + 1;
    }
    for (u32 i = 0; i < 64 && blockIdx.x == 1; i++) {
        while (*head == i) {
        }
        __threadfence();
        y[i] = ring[i % 8];
        __threadfence();
        *tail = i + 1;
    }
}
extern "C" __global__ void ring_reference(const int *x, int *y, int *ring, u32 *at)
{
    for (int i = 0; i < 64; i++)
        y[i] = 2 * x[i];
    at[0] = at[1] = 64;
}

// Tasks that whoever swaps first takes.
// launch: grid 3, block 32; inout y i32[40] zero; inout top i32[1] zero; i32 n 40
extern "C" __global__ void tasks_by_compare_and_swap(int *y, int *top, int n)
{
    volatile int *first = top;
    if (threadIdx.x) return;
    for (int t = *first; t < n;) {
        const int seen = atomicCAS(top, t, t + 1);
        if (seen == t) atomicAdd(y + t, 1);
        t = seen == t ? *first : seen;
    }
}
extern "C" __global__ void tasks_by_compare_and_swap_reference(int *y, int *top, int n)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < n; i++)
        y[i] = 1;
    *top = n;
}

// A pair that is read again where its number has changed meanwhile.
// launch: grid 2, block 32; out y i32[1]; inout number u32[1] zero; work pair i32[2]
extern "C" __global__ void pair_with_a_number(int *y, u32 *number, int *pair)
{
    volatile u32 *at = number;
    volatile int *p = pair;
    if (threadIdx.x) return;
    for (int i = 1; i <= 4 && blockIdx.x == 0; i++) {
        *at = 2 * i - 1;
        __threadfence();
        p[0] = i;
        p[1] = -i;
        __threadfence();
        *at = 2 * i;
    }
    for (bool again = blockIdx.x == 1; again;) {
        const u32 seen = *at;
        if (seen % 2 || seen == 0) continue;
        __threadfence();
        const int a = p[0], b = p[1];
        __threadfence();
        again = *at != seen;
        if (!again) *y = a + b;
    }
}
extern "C" __global__ void pair_with_a_number_reference(int *y, u32 *number, int *pair)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 0) *number = 8;
    if (blockIdx.x == 1) *y = 0;
}

// Sets that are joined by a swap at their roots, which are looked for by volatile loads.
// launch: grid 1, block 96; in a i32[90] integers 0 63; in b i32[90] integers 0 63;
//         out y i32[64]; i32 n 64; i32 edges 90
extern "C" __global__ void joined_sets(const int *a, const int *b, int *y, int n, int edges)
{
    const int t = threadIdx.x;
    volatile int *up = y;
    if (t < n) up[t] = t;
    __syncthreads();
    for (bool apart = t < edges; apart;) {
        int p = a[t], q = b[t];
        while (up[p] != p)
            p = up[p];
        while (up[q] != q)
            q = up[q];
        const int high = p > q ? p : q, low = p > q ? q : p;
        apart = p != q && atomicCAS(y + high, high, low) != high;
    }
    __syncthreads();
    int root = t;
    while (t < n && up[root] != root)
        root = up[root];
    __syncthreads();
    if (t < n) y[t] = root;
}
extern "C" __global__ void joined_sets_reference(const int *a, const int *b, int *y, int n,
                                                 int edges)
{
    if (threadIdx.x) return;
    for (int i = 0; i < n; i++)
        y[i] = i;
    for (bool changed = true; changed;) {
        changed = false;
        for (int e = 0; e < edges; e++) {
            const int p = y[a[e]], q = y[b[e]], low = p < q ? p : q;
            changed |= p != q;
            y[a[e]] = y[b[e]] = low;
        }
    }
}
