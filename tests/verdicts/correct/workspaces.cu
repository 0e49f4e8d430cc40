// Undefined bits that lie in a workspace: nobody reads it once the launch is over.

struct pair {
    char kind; // three bytes of padding follow
    int value;
};

// More blocks than are watched at first.
// launch: grid 40, block 32; in x i32[1280]; work p i32[2560]; out y i32[1280]
extern "C" __global__ void structs_spilled_by_many_blocks(const int *x, int *p, int *y)
{
    __shared__ alignas(8) pair s[32];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t].kind = (char)t;
    s[t].value = x[blockIdx.x * 32 + t];
    __syncwarp();
    for (int k = t; k < 64; k += 32)
        p[first + k] = ((const int *)s)[k];
    __syncwarp();
    const pair *mine = (const pair *)(p + first);
    y[blockIdx.x * 32 + t] = mine[31 - t].kind + mine[31 - t].value;
}

extern "C" __global__ void structs_spilled_by_many_blocks_reference(const int *x, int *p, int *y)
{
    const int t = threadIdx.x;
    y[blockIdx.x * 32 + t] = 31 - t + x[blockIdx.x * 32 + 31 - t];
}

// The tail of a tile is computed and spilled as it is; only rows that exist are read back.
// launch: grid 1, block 64; in x f32[50]; work w f32[64]; out y f32[50]; i32 n 50
extern "C" __global__ void tail_of_a_tile_is_spilled(const float *x, float *w, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    w[t] = s[t] * 2.0f;
    __syncthreads();
    if (n - 1 - t >= 0) y[t] = w[n - 1 - t];
}

extern "C" __global__ void tail_of_a_tile_is_spilled_reference(const float *x, float *w, float *y, int n)
{
    if (threadIdx.x < n) y[threadIdx.x] = x[n - 1 - threadIdx.x] * 2.0f;
}

// What is undefined is written over before it is read.
// launch: grid 1, block 32; in x i32[32]; work w i32[32]; out y i32[32]
extern "C" __global__ void workspace_is_written_twice(const int *x, int *w, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < 16) s[t] = x[t];
    __syncwarp();
    w[t] = s[t];
    if (t >= 16) w[t] = x[t];
    __syncwarp();
    y[t] = w[31 - t];
}

extern "C" __global__ void workspace_is_written_twice_reference(const int *x, int *w, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// By words of 16 bytes, and back to shared memory.
// launch: grid 2, block 32; in x i32[64]; work p i32[256]; out y i32[64]
extern "C" __global__ void structs_come_back_by_vectors(const int *x, int4 *p, int *y)
{
    struct item { int value; long long key; };
    __shared__ alignas(16) item s[32];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t].value = x[i];
    s[t].key = i;
    __syncthreads();
    p[i] = ((const int4 *)s)[t];
    __syncthreads();
    ((int4 *)s)[t] = p[blockIdx.x * 32 + 31 - t];
    __syncthreads();
    y[i] = s[t].value + (int)s[t].key;
}

extern "C" __global__ void structs_come_back_by_vectors_reference(const int *x, int4 *p, int *y)
{
    const int from = blockIdx.x * 32 + 31 - threadIdx.x;
    y[blockIdx.x * 32 + threadIdx.x] = x[from] + from;
}

// The last block adds what all have left; the padding it copies, too.
// launch: grid 4, block 32; in x i32[128]; work p i32[8]; inout count i32[1] zero; out y i32[1]
extern "C" __global__ void partial_results_with_padding(const int *x, int2 *p, unsigned *count, int *y)
{
    __shared__ alignas(8) pair s;
    if (threadIdx.x) return;
    s.kind = 1;
    s.value = x[blockIdx.x * 32];
    p[blockIdx.x] = *(const int2 *)&s;
    __threadfence();
    if (atomicAdd(count, 1) != gridDim.x - 1) return;
    __threadfence();
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++) {
        *(int2 *)&s = p[b];
        sum += s.value * s.kind;
    }
    *y = sum;
}

extern "C" __global__ void partial_results_with_padding_reference(const int *x, int2 *p, unsigned *count, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    int sum = 0;
    for (int b = 0; b < gridDim.x; b++)
        sum += x[b * 32];
    *y = sum;
    *count = gridDim.x;
}

// Structs come back by asynchronous copies, with their padding.
// launch: grid 2, block 32; in x i32[64]; work p i32[128]; out y i32[64]
extern "C" __global__ void structs_spilled_and_copied_back(const int *x, int *p, int *y)
{
    __shared__ alignas(8) pair s[32], r[32];
    const int t = threadIdx.x, first = blockIdx.x * 64;
    s[t].kind = (char)t;
    s[t].value = x[blockIdx.x * 32 + t];
    *(int2 *)(p + first + 2 * t) = *(int2 *)&s[t];
    __syncwarp();
    const unsigned to = (unsigned)__cvta_generic_to_shared(&r[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(p + first + 2 * (31 - t))
                 : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[blockIdx.x * 32 + t] = r[t].kind + r[t].value;
}

extern "C" __global__ void structs_spilled_and_copied_back_reference(const int *x, int *p, int *y)
{
    const int t = threadIdx.x;
    y[blockIdx.x * 32 + t] = 31 - t + x[blockIdx.x * 32 + 31 - t];
}

// How far a workspace was counted differs from run to run, what is made of it does not.
// launch: grid 1, block 64; in x i32[64]; work n i32[1]; out y i32[1]
extern "C" __global__ void count_in_a_workspace_saturates(const int *x, int *n, int *y)
{
    const int t = threadIdx.x;
    if (t == 0) *n = 0;
    __syncthreads();
    if (x[t] > -100 && *n < 4) atomicAdd(n, 1);
    __syncthreads();
    if (t == 0) *y = min(*n, 4);
}

extern "C" __global__ void count_in_a_workspace_saturates_reference(const int *x, int *n, int *y)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += x[i] > -100;
    if (threadIdx.x == 0) *y = min(count, 4);
}

// An exchange stores, whatever was there: of shared memory and of a workspace.
// launch: grid 2, block 64; in x i32[128]; work w i32[128]; out y i32[128]
extern "C" __global__ void exchanged_before_anything_is_stored(const int *x, int *w, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    atomicExch(&s[t], x[i]);
    __syncthreads();
    atomicExch(&w[i], s[63 - t]);
    __syncthreads();
    y[i] = w[blockIdx.x * 64 + 63 - t];
}

extern "C" __global__ void exchanged_before_anything_is_stored_reference(const int *x, int *w, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}
