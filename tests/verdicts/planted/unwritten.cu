// Values that nobody wrote and that reach something.

// class: register that was never set

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: positive_reference
extern "C" __global__ void value_set_on_one_path_only(const float *x, float *y)
{
    float v;
    if (x[threadIdx.x] > 0) v = 2 * x[threadIdx.x];
    y[threadIdx.x] = v; // expect: unwritten or mismatch
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: positive_reference
extern "C" __global__ void move_under_a_predicate(const float *x, float *y)
{
    float v;
    asm volatile("{ .reg .pred p; .reg .f32 w; setp.gt.f32 p, %1, 0f00000000;"
                 "@p add.f32 w, %1, %1; mov.f32 %0, w; }"
                 : "=f"(v)
                 : "f"(x[threadIdx.x]));
    y[threadIdx.x] = v; // expect: unwritten
}

extern "C" __global__ void positive_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x] > 0 ? 2 * x[threadIdx.x] : 0;
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void sum_begins_with_nothing(const float *x, float *y)
{
    float sum;
    asm volatile("{ .reg .f32 never; mov.f32 %0, never; }" : "=f"(sum));
    for (int k = 0; k < 4; k++)
        sum += x[(threadIdx.x + k) % 64];
    y[threadIdx.x] = sum; // expect: unwritten
}

extern "C" __global__ void sum_begins_with_nothing_reference(const float *x, float *y)
{
    float sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[(threadIdx.x + k) % 64];
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 64; in x i32[64] integers 0 3; out y i32[64]
extern "C" __global__ void branch_on_what_no_case_set(const int *x, int *y)
{
    int kind;
    switch (x[threadIdx.x]) {
    case 0: kind = 4; break;
    case 1: kind = 5; break;
    case 2: kind = 6; break;
    }
    if (kind > 4) // expect: unwritten or mismatch
        y[threadIdx.x] = x[threadIdx.x];
    else
        y[threadIdx.x] = -1;
}

extern "C" __global__ void branch_on_what_no_case_set_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] == 0 ? -1 : x[threadIdx.x];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void index_of_the_largest_of_none(const int *x, int *y)
{
    int at, most = 100;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(at));
    for (int k = 0; k < 64; k++)
        if (x[k] > most) most = x[k], at = k;
    y[threadIdx.x] = x[at & 63]; // expect: unwritten
}

extern "C" __global__ void index_of_the_largest_of_none_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[0];
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: positive_reference
extern "C" __global__ void local_array_with_a_hole(const float *x, float *y)
{
    float v[4];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++)
        if (k != 2) v[k] = x[t];
    asm volatile("" ::"l"(v) : "memory");
    const int at = x[t] > 0 ? 1 : 2;
    y[t] = v[at] + (at == 1 ? x[t] : 0); // expect: unwritten
}

// class: shared memory that nobody wrote

// launch: grid 1, block 64; in x f32[64]; out y f32[64]; i32 n 50
extern "C" __global__ void tail_of_a_tile_is_not_filled(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    y[t] = s[63 - t]; // expect: unwritten
}

extern "C" __global__ void tail_of_a_tile_is_not_filled_reference(const float *x, float *y, int n)
{
    const int t = threadIdx.x;
    y[t] = 63 - t < n ? x[63 - t] : 0;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[1]
// reference: sum_reference, block 1
extern "C" __global__ void shared_sum_is_not_cleared(const int *x, int *y)
{
    __shared__ int sum;
    atomicAdd(&sum, x[threadIdx.x]); // expect: unwritten
    __syncthreads();
    if (threadIdx.x == 0) y[0] = sum; // expect: unwritten
}

extern "C" __global__ void sum_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[i];
    y[0] = sum;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[1]
// reference: sum_reference, block 1
extern "C" __global__ void sums_of_warps_that_do_not_exist(const int *x, int *y)
{
    __shared__ int sums[32];
    int v = x[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    v = sums[threadIdx.x]; // 30 of them nobody stored
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    if (threadIdx.x == 0) y[0] = v; // expect: unwritten
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void halo_is_not_loaded(const float *x, float *y)
{
    __shared__ float s[66];
    const int t = threadIdx.x;
    s[t + 1] = x[t];
    if (t == 0) s[0] = 0;
    __syncthreads();
    y[t] = s[t] + s[t + 1] + s[t + 2]; // expect: unwritten
}

extern "C" __global__ void halo_is_not_loaded_reference(const float *x, float *y)
{
    const int t = threadIdx.x;
    y[t] = (t ? x[t - 1] : 0) + x[t] + (t < 63 ? x[t + 1] : 0);
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void flag_that_only_a_finder_sets(const int *x, int *y)
{
    __shared__ int found;
    if (x[threadIdx.x] > 100) atomicAdd(&found, 1);
    __syncthreads();
    if (found > 0) // expect: unwritten
        y[threadIdx.x] = 1;
    else
        y[threadIdx.x] = x[threadIdx.x];
}

extern "C" __global__ void flag_that_only_a_finder_sets_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// class: output that is not written

// launch: grid 1, block 64; in x f32[100]; out y f32[100]; i32 n 100
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void grid_is_a_block_short(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i]; // expect: never_writes
}

extern "C" __global__ void copy_reference(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

// launch: grid 2, block 64; in x f32[100]; out y f32[100]; i32 n 100
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void last_element_is_left_out(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) y[i] = x[i]; // expect: never_writes
}

// launch: grid 1, block 64; in x f32[100]; out y f32[100]; i32 n 100
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void tail_behind_the_vectors_is_left_out(const float *x, float *y, int n)
{
    for (int i = threadIdx.x; i < n / 8; i += 64)
        for (int k = 0; k < 8; k++)
            y[8 * i + k] = x[8 * i + k]; // expect: never_writes
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
// reference: positive_reference
extern "C" __global__ void zeros_are_left_out(const float *x, float *y)
{
    if (x[threadIdx.x] > 0) y[threadIdx.x] = 2 * x[threadIdx.x]; // expect: never_writes
}

// launch: grid 1, block 32; in x f16[32]; out y f16[32]
extern "C" __global__ void one_half_of_each_pair(const unsigned short *x, unsigned short *y)
{
    if (threadIdx.x % 2 == 0) y[threadIdx.x] = x[threadIdx.x]; // expect: never_writes
}

extern "C" __global__ void one_half_of_each_pair_reference(const unsigned short *x, unsigned short *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 4, block 64; in x u8[256] index; out y u8[256]
extern "C" __global__ void byte_left_out_that_holds_its_value(const unsigned char *x, unsigned char *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i != 0xa5) y[i] = x[i]; // expect: never_writes
}

extern "C" __global__ void byte_left_out_that_holds_its_value_reference(const unsigned char *x, unsigned char *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}
