// Looks at a word behind the signal on which the last one takes the word back.
// on: emu:h200

// y = x + 3, and the last block to count itself takes the words back.
extern "C" __global__ void looks_reference(const int *x, int *y, unsigned *count, int *word)
{
    const int i = 64 * blockIdx.x + threadIdx.x;
    y[i] = x[i] + 3;
    word[threadIdx.x] = 9;
    count[0] = 5;
}

// class: look behind the signal that is to tell of it

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void looks_behind_its_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1) v = word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1) v = word[t]; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void one_warp_looks_behind_the_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1 || t < 32) v = word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1 && t >= 32) v = word[t - 32] + word[t] - 3; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// launch: grid 5, block 64; in x i32[320]; out y i32[320]; inout count u32[1] zero; inout word i32[64] constant 3
// reference: looks_reference
extern "C" __global__ void strong_look_behind_its_count(const int *x, int *y, unsigned *count, int *word)
{
    __shared__ unsigned before;
    const int b = blockIdx.x, t = threadIdx.x;
    int v = 0;
    if (b != 1) v = *(volatile int *)&word[t];
    __syncthreads();
    if (t == 0) {
        __threadfence();
        before = atomicAdd(count, 1);
    }
    __syncthreads();
    if (b == 1) v = *(volatile int *)&word[t]; // expect: race
    y[64 * b + t] = v + x[64 * b + t];
    if (before == 4) {
        __threadfence();
        word[t] = 9; // expect: race
    }
}

// The same of warps of a block: the last one to count takes go back.
// launch: grid 1, block 96; out y i32[1]
// reference: go_reference
extern "C" __global__ void first_warp_looks_behind_its_count(int *y)
{
    __shared__ int go, count;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) go = 2, count = 0;
    __syncthreads();
    if (threadIdx.x % 32) return;
    int seen = warp ? *(volatile int *)&go : 0;
    __threadfence_block();
    const bool last = atomicAdd(&count, 1) == 2;
    if (warp == 0) seen = *(volatile int *)&go; // expect: race
    if (last) {
        __threadfence_block();
        go = 0; // expect: race
    }
    if (warp == 0) *y = seen;
}
extern "C" __global__ void go_reference(int *y)
{
    if (threadIdx.x == 0) *y = 2;
}

// launch: grid 1, block 256; out y i32[1]
// reference: go_reference
extern "C" __global__ void one_warp_of_eight_looks_behind_its_count(int *y)
{
    __shared__ int go, count;
    const int warp = threadIdx.x / 32;
    if (threadIdx.x == 0) go = 2, count = 0;
    __syncthreads();
    if (threadIdx.x % 32) return;
    int seen = warp == 3 ? 0 : *(volatile int *)&go;
    __threadfence_block();
    const bool last = atomicAdd(&count, 1) == 7;
    if (warp == 3) seen = *(volatile int *)&go; // expect: race
    if (last) {
        __threadfence_block();
        go = 0; // expect: race
    }
    if (warp == 3) *y = seen;
}

// Block 0 has counted itself before it looks at the barrier for the last time.
// launch: grid 4, block 32, cooperative; in x i32[4]; out y i32[4]; inout bar u32[2] zero; work z i32[4]
// reference: neighbours_reference
extern "C" __global__ void who_leaves_last_did_not_hear_of_all_looks(const int *x, int *y, unsigned *bar, int *z)
{
    const int b = blockIdx.x;
    if (threadIdx.x) return;
    z[b] = x[b];
    __threadfence();
    atomicAdd(&bar[0], 1);
    if (b == 0) atomicAdd(&bar[1], 1);
    while (*(volatile unsigned *)&bar[0] < 4) {} // expect: race
    __threadfence();
    y[b] = z[b ^ 1];
    if (b && atomicAdd(&bar[1], 1) == 3) bar[0] = bar[1] = 0; // expect: race
}
extern "C" __global__ void neighbours_reference(const int *x, int *y, unsigned *bar, int *z)
{
    if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x ^ 1];
}

extern "C" __global__ void queue_reference(const int *x, int *y, unsigned *queue)
{
    for (int k = 0; threadIdx.x == 0 && k < 20; k++)
        y[k] = x[k] + 3;
}

// launch: grid 5, block 32; in x i32[20]; out y i32[20]; inout queue u32[2] zero
// reference: queue_reference, grid 1
extern "C" __global__ void queue_is_drawn_from_behind_the_count(const int *x, int *y, unsigned *queue)
{
    if (threadIdx.x) return;
    __threadfence();
    const bool last = blockIdx.x < 4 && atomicAdd(&queue[1], 1) == 3;
    for (unsigned k; (k = atomicAdd(&queue[0], 1)) < 20;) // expect: race
        y[k] = x[k] + 3;
    if (last) queue[0] = queue[1] = 0; // expect: race
}

// The other warp's draws are not known to who counts for the block.
// launch: grid 5, block 64; in x i32[20]; out y i32[20]; inout queue u32[2] zero
// reference: queue_reference, grid 1
extern "C" __global__ void queue_of_two_warps_is_put_back_without_a_barrier(const int *x, int *y, unsigned *queue)
{
    if (threadIdx.x % 32) return;
    for (unsigned k; (k = atomicAdd(&queue[0], 1)) < 20;) // expect: race
        y[k] = x[k] + 3;
    if (threadIdx.x) return;
    __threadfence();
    if (atomicAdd(&queue[1], 1) == 4) queue[0] = queue[1] = 0; // expect: race
}

// What may be taken back without a fence may not be loaded without one.
// launch: grid 5, block 32; in x i32[5]; inout y i32[1] zero; inout part u32[2] zero
// reference: part_reference, grid 1
extern "C" __global__ void sum_of_all_is_loaded_without_a_fence(const int *x, int *y, unsigned *part)
{
    if (threadIdx.x) return;
    if (blockIdx.x < 4) atomicAdd(&part[0], x[blockIdx.x]); // expect: race
    __threadfence();
    if (atomicAdd(&part[1], 1) != 4) return;
    *y = part[0]; // expect: race
    part[0] = part[1] = 0;
}
extern "C" __global__ void part_reference(const int *x, int *y, unsigned *part)
{
    if (threadIdx.x == 0) *y = x[0] + x[1] + x[2] + x[3];
}
