// Undefined bits that come back from a workspace and matter.

// class: unwritten value by way of a workspace

struct pair {
    char kind; // three bytes of padding follow
    int value;
};

// launch: grid 1, block 32; in x i32[32]; work p i32[64]; out y i32[32]
extern "C" __global__ void padding_is_hashed(const int *x, int *p, int *y)
{
    __shared__ alignas(8) pair s[32];
    const int t = threadIdx.x;
    s[t].kind = (char)t;
    s[t].value = x[t];
    __syncwarp();
    for (int k = t; k < 64; k += 32)
        p[k] = ((const int *)s)[k];
    __syncwarp();
    y[t] = p[2 * t] ^ p[2 * t + 1]; // expect: unwritten
}

extern "C" __global__ void padding_is_hashed_reference(const int *x, int *p, int *y)
{
    y[threadIdx.x] = threadIdx.x ^ x[threadIdx.x];
}

// launch: grid 1, block 64; in x f32[64]; work w f32[64]; out y f32[64]; i32 n 50
extern "C" __global__ void tail_comes_back_too(const float *x, float *w, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    w[t] = s[t];
    __syncthreads();
    y[t] = w[63 - t]; // expect: unwritten
}

extern "C" __global__ void tail_comes_back_too_reference(const float *x, float *w, float *y, int n)
{
    y[threadIdx.x] = x[63 - threadIdx.x];
}

// In a block that is not watched at first.
// launch: grid 40, block 32; in x i32[1280]; work w i32[1280]; inout y i32[1280] zero
extern "C" __global__ void flag_from_a_workspace_was_not_set(const int *x, int *w, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    if (t < 31) s[t] = x[i] & 1;
    __syncwarp();
    w[i] = s[t];
    __syncwarp();
    if (blockIdx.x == 7 && w[i]) y[i] = 1; // expect: unwritten
}

extern "C" __global__ void flag_from_a_workspace_was_not_set_reference(const int *x, int *w, int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (blockIdx.x == 7 && threadIdx.x < 31) y[i] = x[i] & 1;
}

// launch: grid 1, block 32; in x i32[32]; work w i32[32]; out y i32[32]
extern "C" __global__ void place_comes_back_undefined(const int *x, int *w, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t != 5) s[t] = 31 - t;
    __syncwarp();
    w[t] = s[t];
    __syncwarp();
    y[t] = x[w[t] & 31]; // expect: unwritten
}

extern "C" __global__ void place_comes_back_undefined_reference(const int *x, int *w, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// launch: grid 1, block 32; in x i32[32]; work w i32[32]; out y i32[1]
extern "C" __global__ void sum_in_a_workspace_begins_undefined(const int *x, int *w, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t > 0) s[t] = 0;
    __syncwarp();
    if (t == 0) w[0] = s[0];
    __syncwarp();
    atomicAdd(w, x[t]); // expect: unwritten
    __syncwarp();
    if (t == 0) y[0] = *(volatile int *)w;
}

extern "C" __global__ void sum_in_a_workspace_begins_undefined_reference(const int *x, int *w, int *y)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[0] = sum;
}

// An output is not a workspace.
// launch: grid 1, block 32; in x i32[32]; out p i32[64]
extern "C" __global__ void padding_moved_to_an_output(const int *x, int *p)
{
    __shared__ alignas(8) pair s[32];
    const int t = threadIdx.x;
    s[t].kind = (char)t;
    s[t].value = x[t];
    __syncwarp();
    for (int k = t; k < 64; k += 32)
        p[k] = ((const int *)s)[k]; // expect: unwritten
}

extern "C" __global__ void padding_moved_to_an_output_reference(const int *x, int *p)
{
    p[2 * threadIdx.x] = threadIdx.x;
    p[2 * threadIdx.x + 1] = x[threadIdx.x];
}

// The copy brings back what half of the threads never stored.
// launch: grid 1, block 32; in x i32[32]; work p i32[32]; out y i32[32]
extern "C" __global__ void half_a_tile_is_copied_back(const int *x, int *p, int *y)
{
    __shared__ int s[32], r[32];
    const int t = threadIdx.x;
    if (t < 16) s[t] = x[t];
    __syncwarp();
    p[t] = s[t];
    __syncwarp();
    const unsigned to = (unsigned)__cvta_generic_to_shared(&r[t]);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(p + (31 - t)) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[t] = r[t]; // expect: unwritten
}

extern "C" __global__ void half_a_tile_is_copied_back_reference(const int *x, int *p, int *y)
{
    y[threadIdx.x] = threadIdx.x < 16 ? 0 : x[31 - threadIdx.x];
}
