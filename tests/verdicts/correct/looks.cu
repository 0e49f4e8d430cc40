// Looks at a word ahead of the signal behind which the last one takes the word back.
// on: emu:h200

// y = x + 3, and the last block to count itself takes the words back.
extern "C" __global__ void looks_reference(const int *x, int *y, unsigned *count, int *word)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i] + 3;
    word[threadIdx.x] = 9;
    count[0] = 5;
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void looks_before_it_counts(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    v = word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9;
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void warps_look_at_the_same_before_they_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    v = word[t % 32] + word[t % 32 + 32] - 3;
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9;
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void strong_looks_before_it_counts(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    v = *(volatile int *)&word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9;
    }
}

// Warps of a block look at go before they count themselves, so the last one may take it back.
// launch: grid 1, block 256; out y i32[1]
extern "C" __global__ void warps_look_at_go_before_they_count(int *y)
{
    __shared__ int go, count;
    if (threadIdx.x == 0) go = 2, count = 0;
    __syncthreads();
    if (threadIdx.x % 32) return;
    const int seen = *(volatile int *)&go;
    __threadfence_block();
    if (atomicAdd(&count, 1) == 7) {
        __threadfence_block();
        go = 0;
        *y = seen;
    }
}
extern "C" __global__ void warps_look_at_go_before_they_count_reference(int *y)
{
    if (threadIdx.x == 0) *y = 2;
}

// Who leaves last a barrier of all blocks takes it back, whoever has looked at it last:
// block 1 looks at what others do before it leaves.
// launch: grid 4, block 32, cooperative; in x i32[4]; out y i32[4]; inout bar u32[2] zero; work z i32[4]
extern "C" __global__ void who_leaves_last_takes_the_barrier_back(const int *x, int *y, unsigned *bar, int *z)
{
    const int b = blockIdx.x;
    if (threadIdx.x) return;
    z[b] = x[b];
    __threadfence();
    atomicAdd(&bar[0], 1);
    while (*(volatile unsigned *)&bar[0] < 4) {}
    __threadfence();
    while (b == 1 && *(volatile unsigned *)&bar[1] < 3) {}
    y[b] = z[b ^ 1];
    if (atomicAdd(&bar[1], 1) == 3) bar[0] = bar[1] = 0;
}
extern "C" __global__ void who_leaves_last_takes_the_barrier_back_reference(const int *x, int *y, unsigned *bar, int *z)
{
    if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x ^ 1];
}

extern "C" __global__ void queue_reference(const int *x, int *y, unsigned *queue)
{
    for (int k = 0; threadIdx.x == 0 && k < 20; k++)
        y[k] = x[k] + 3;
}

// Who counts itself last puts the queue back from which all have drawn.
// launch: grid 5, block 32; in x i32[20]; out y i32[20]; inout queue u32[2] zero
// reference: queue_reference, grid 1
extern "C" __global__ void queue_is_put_back_by_the_last_to_count(const int *x, int *y, unsigned *queue)
{
    if (threadIdx.x) return;
    for (unsigned k; (k = atomicAdd(&queue[0], 1)) < 20;)
        y[k] = x[k] + 3;
    __threadfence();
    if (atomicAdd(&queue[1], 1) == 4) queue[0] = queue[1] = 0;
}

// So does a block that has drawn nothing and waits for the others' counts.
// launch: grid 5, block 64; in x i32[20]; out y i32[20]; inout queue u32[2] zero
// reference: queue_reference, grid 1
extern "C" __global__ void queue_is_put_back_by_who_has_not_drawn(const int *x, int *y, unsigned *queue)
{
    const bool waits = blockIdx.x == 0;
    if (threadIdx.x % 32 == 0 && !waits)
        for (unsigned k; (k = atomicAdd(&queue[0], 1)) < 20;)
            y[k] = x[k] + 3;
    __syncthreads();
    if (threadIdx.x) return;
    __threadfence();
    while (waits && *(volatile unsigned *)&queue[1] < 4) {}
    if (atomicAdd(&queue[1], 1) == 4) queue[0] = queue[1] = 0;
}
