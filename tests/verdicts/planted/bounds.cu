// Accesses that go where they must not.

extern "C" __global__ void copy_reference(const float *x, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i];
}

// class: load outside a buffer

// launch: grid 2, block 64; in x f32[100]; out y f32[100]; i32 n 100
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void tail_is_loaded_without_a_guard(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const volatile float *p = x;
    const float v = p[i]; // expect: out_of_bounds
    if (i < n) y[i] = v;
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void left_neighbour_of_the_first(const float *x, float *y)
{
    const int i = threadIdx.x;
    y[i] = (i > 0 ? x[i] : 0) + x[i - 1]; // expect: out_of_bounds
}

extern "C" __global__ void left_neighbour_of_the_first_reference(const float *x, float *y)
{
    const int i = threadIdx.x;
    y[i] = i > 0 ? x[i] + x[i - 1] : 0;
}

// launch: grid 1, block 64; in x f32[64]; out y f32[63]
extern "C" __global__ void guard_is_off_by_one(const float *x, float *y)
{
    const int i = threadIdx.x;
    float v = 0;
    if (i <= 63) v = x[i + 1] - x[i]; // expect: out_of_bounds
    if (i < 63) y[i] = v;
}

extern "C" __global__ void guard_is_off_by_one_reference(const float *x, float *y)
{
    if (threadIdx.x < 63) y[threadIdx.x] = x[threadIdx.x + 1] - x[threadIdx.x];
}

// launch: grid 1, block 32; in x f32[126]; out y f32[126]; i32 n 126
// reference: copy_reference, block 1
extern "C" __global__ void vector_reaches_over_the_end(const float *x, float *y, int n)
{
    const int i = 4 * threadIdx.x;
    const float4 v = *(const float4 *)(x + i); // expect: out_of_bounds
    const float part[4] = {v.x, v.y, v.z, v.w};
    for (int k = 0; k < 4; k++)
        if (i + k < n) y[i + k] = part[k];
}

// launch: grid 1, block 64; in place i32[64] integers 0 64; in x f32[64]; out y f32[64]
extern "C" __global__ void index_from_data_is_one_too_large(const int *place, const float *x, float *y)
{
    y[threadIdx.x] = x[place[threadIdx.x]]; // expect: out_of_bounds
}

extern "C" __global__ void index_from_data_is_one_too_large_reference(const int *place, const float *x, float *y)
{
    y[threadIdx.x] = x[min(place[threadIdx.x], 63)];
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void load_behind_static_shared_memory(const float *x, float *y)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t + (t == 63)]; // expect: out_of_bounds
}

extern "C" __global__ void load_behind_static_shared_memory_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// class: store outside a buffer

// launch: grid 2, block 64; in x f32[100]; out y f32[100]; i32 n 100
// reference: copy_reference, grid 1, block 1
extern "C" __global__ void tail_is_stored_without_a_guard(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = i < n ? x[i] : 0; // expect: out_of_bounds
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]; i32 n 64
// reference: copy_reference, block 1
extern "C" __global__ void sum_goes_one_before_the_first(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    if (i == 0) y[i - 1] = 0; // expect: out_of_bounds
    if (i < n) y[i] = x[i];
}

// launch: grid 1, block 65; in x f32[65]; out y f32[65]; i32 n 65
// reference: copy_reference, block 1
extern "C" __global__ void shared_tile_is_one_short(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    s[t] = x[t]; // expect: out_of_bounds
    __syncthreads();
    if (t < n) y[t] = s[t];
}

// launch: grid 1, block 64, shared 128; in x f32[64]; out y f32[64]; i32 n 64
// reference: copy_reference, block 1
extern "C" __global__ void dynamic_shared_memory_is_too_small(const float *x, float *y, int n)
{
    extern __shared__ float dynamic[];
    const int t = threadIdx.x;
    dynamic[t] = x[t]; // expect: out_of_bounds
    __syncthreads();
    if (t < n) y[t] = dynamic[t];
}

// launch: grid 1, block 32; in x f32[126]; out y f32[126]; i32 n 126
// reference: copy_reference, block 1
extern "C" __global__ void vector_store_over_the_end(const float *x, float *y, int n)
{
    const int i = 4 * threadIdx.x;
    float4 v = {x[min(i, n - 1)], x[min(i + 1, n - 1)], x[min(i + 2, n - 1)], x[min(i + 3, n - 1)]};
    *(float4 *)(y + i) = v; // expect: out_of_bounds
}

// launch: grid 1, block 64; in x i32[64] integers 0 16; out y i32[16]
extern "C" __global__ void one_bin_more_than_the_histogram_has(const int *x, int *y)
{
    if (threadIdx.x < 16) y[threadIdx.x] = 0;
    __syncthreads();
    atomicAdd(&y[x[threadIdx.x]], 1); // expect: out_of_bounds
}

extern "C" __global__ void one_bin_more_than_the_histogram_has_reference(const int *x, int *y)
{
    int count = 0;
    for (int i = 0; i < 64; i++)
        count += x[i] == (int)threadIdx.x;
    if (threadIdx.x < 16) y[threadIdx.x] = count;
}

// class: misaligned access

// launch: grid 1, block 16; in x f32[65]; out y f32[64]
// reference: shifted_reference
extern "C" __global__ void vector_load_at_an_odd_float(const float *x, float *y)
{
    const int i = 4 * threadIdx.x;
    *(float4 *)(y + i) = *(const float4 *)(x + i + 1); // expect: misaligned
}

extern "C" __global__ void shifted_reference(const float *x, float *y)
{
    for (int k = 0; k < 4; k++)
        y[4 * threadIdx.x + k] = x[4 * threadIdx.x + 1 + k];
}

// launch: grid 1, block 8; in x f32[56]; out y f32[56]; i32 n 56
// reference: copy_reference, block 1
extern "C" __global__ void rows_of_7_by_pairs(const float *x, float *y, int n)
{
    const int row = 7 * threadIdx.x;
    for (int k = 0; k < 6; k += 2)
        *(float2 *)(y + row + k) = make_float2(x[row + k], x[row + k + 1]); // expect: misaligned
    if (row + 6 < n) y[row + 6] = x[row + 6];
}

// launch: grid 1, block 32; in x u8[129]; out y u32[32]
extern "C" __global__ void word_at_a_byte_address(const unsigned char *x, unsigned *y)
{
    y[threadIdx.x] = *(const unsigned *)(x + 4 * threadIdx.x + 1); // expect: misaligned
}

extern "C" __global__ void word_at_a_byte_address_reference(const unsigned char *x, unsigned *y)
{
    unsigned v = 0;
    for (int k = 0; k < 4; k++)
        v |= (unsigned)x[4 * threadIdx.x + 1 + k] << 8 * k;
    y[threadIdx.x] = v;
}

// launch: grid 1, block 32; in x f32[128]; out y f32[128]; i32 n 128
// reference: copy_reference, block 1
extern "C" __global__ void shared_rows_of_33_by_four(const float *x, float *y, int n)
{
    __shared__ alignas(16) float s[4 * 33];
    const int row = threadIdx.x / 8, column = threadIdx.x % 8 * 4;
    for (int k = 0; k < 4; k++)
        s[row * 33 + column + k] = x[threadIdx.x * 4 + k];
    __syncthreads();
    const float4 v = *(const float4 *)&s[row * 33 + column]; // expect: misaligned
    *(float4 *)(y + 4 * threadIdx.x) = v; // expect: misaligned
}

// class: index outside a local array

// launch: grid 1, block 32; in x f32[32]; in at i32[32] integers 4 8; out y f32[32]
extern "C" __global__ void local_array_read_at_its_end(const float *x, const int *at, float *y)
{
    float window[8];
    for (int k = 0; k < 8; k++)
        window[k] = x[(threadIdx.x + k) % 32] * k;
    y[threadIdx.x] = window[at[threadIdx.x]]; // expect: out_of_bounds or unwritten
}

extern "C" __global__ void local_array_read_at_its_end_reference(const float *x, const int *at, float *y)
{
    const int k = min(at[threadIdx.x], 7);
    y[threadIdx.x] = x[(threadIdx.x + k) % 32] * k;
}

// launch: grid 1, block 32; in x i32[32] integers 0 16; out y i32[32]
extern "C" __global__ void local_counts_written_at_their_end(const int *x, int *y)
{
    int counts[16];
    for (int k = 0; k < 16; k++)
        counts[k] = k;
    counts[x[threadIdx.x]]++; // expect: out_of_bounds or unwritten
    y[threadIdx.x] = counts[x[31 - threadIdx.x] % 16];
}

extern "C" __global__ void local_counts_written_at_their_end_reference(const int *x, int *y)
{
    const int k = x[31 - threadIdx.x] % 16;
    y[threadIdx.x] = k + (x[threadIdx.x] == k);
}

// launch: grid 1, block 32; in depth i32[32] integers 1 12; out y i32[32]
extern "C" __global__ void stack_overflows(const int *depth, int *y)
{
    int stack[8], top = 0;
    for (int i = 0; i < depth[threadIdx.x]; i++)
        stack[top++] = i * i; // expect: out_of_bounds
    int sum = 0;
    while (top > 0)
        sum += stack[--top];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void stack_overflows_reference(const int *depth, int *y)
{
    int sum = 0;
    for (int i = 0; i < depth[threadIdx.x]; i++)
        sum += i * i;
    y[threadIdx.x] = sum;
}

// class: index outside a shared array

extern "C" __global__ void copy_of_64_reference(const int *x, int *y)
{
    for (int i = 0; i < 64; i++)
        y[i] = x[i];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: copy_of_64_reference, block 1
extern "C" __global__ void halo_is_stored_behind_the_tile(const int *x, int *y)
{
    __shared__ int tile[65], next[64];
    const int t = threadIdx.x;
    next[t] = 3 * x[t];
    __syncthreads();
    tile[t + 2] = x[t]; // expect: out_of_bounds
    __syncthreads();
    y[t] = t < 64 ? tile[t + 2] : next[t];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void left_neighbour_of_a_second_tile(const int *x, int *y)
{
    __shared__ int first[64], second[64];
    const int t = threadIdx.x;
    first[t] = x[t];
    second[t] = 5 * x[t];
    __syncthreads();
    y[t] = first[63 - t] + second[t - 1] + first[t - 1]; // expect: out_of_bounds
}

extern "C" __global__ void left_neighbour_of_a_second_tile_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = x[63 - t] + 6 * (t ? x[t - 1] : 0);
}

// launch: grid 1, block 64; in place i32[64] integers 64 70; in x i32[64]; out y i32[64]
extern "C" __global__ void bin_from_data_is_too_large(const int *place, const int *x, int *y)
{
    __shared__ int bins[64], others[64];
    const int t = threadIdx.x;
    bins[t] = others[t] = 0;
    __syncthreads();
    atomicAdd(&bins[place[t]], x[t]); // expect: out_of_bounds
    atomicAdd(&others[place[t] - 64], 1);
    __syncthreads();
    y[t] = bins[t] + others[t];
}

extern "C" __global__ void bin_from_data_is_too_large_reference(const int *place, const int *x, int *y)
{
    y[threadIdx.x] = 0;
}

// launch: grid 1, block 64, shared 256; in x i32[64]; out y i32[64]
// reference: copy_of_64_reference, block 1
extern "C" __global__ void static_array_into_the_dynamic_ones(const int *x, int *y)
{
    extern __shared__ int rest[];
    __shared__ int tile[32];
    const int t = threadIdx.x;
    rest[t] = 0;
    __syncthreads();
    tile[t] = x[t]; // expect: out_of_bounds
    __syncthreads();
    y[t] = tile[63 - (63 - t)] + rest[t];
}

// class: arithmetic of too few bits

// launch: grid 1, block 32; in x i32[32] integers 70000 90000; out y i64[32]
extern "C" __global__ void product_overflows_32_bits(const int *x, long long *y)
{
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; // expect: mismatch
}

extern "C" __global__ void product_overflows_32_bits_reference(const int *x, long long *y)
{
    y[threadIdx.x] = (long long)x[threadIdx.x] * x[threadIdx.x];
}

// launch: grid 1, block 32; in x f32[64]; out y f32[32]; i32 row 1073741825
extern "C" __global__ void offset_wraps_at_32_bits(const float *x, float *y, int row)
{
    const int i = threadIdx.x;
    const int last = 4 * row - 4; // 2^32: 0
    y[i] = x[i + last] * (row > 2 ? 2 : 1); // expect: mismatch or out_of_bounds
}

extern "C" __global__ void offset_wraps_at_32_bits_reference(const float *x, float *y, int row)
{
    y[threadIdx.x] = x[threadIdx.x + 32] * 2;
}

// launch: grid 1, block 32; in x u8[64] integers 100 255; out y i32[32]
extern "C" __global__ void sum_of_bytes_in_a_byte(const unsigned char *x, int *y)
{
    const unsigned char sum = x[2 * threadIdx.x] + x[2 * threadIdx.x + 1];
    y[threadIdx.x] = sum; // expect: mismatch
}

extern "C" __global__ void sum_of_bytes_in_a_byte_reference(const unsigned char *x, int *y)
{
    y[threadIdx.x] = x[2 * threadIdx.x] + x[2 * threadIdx.x + 1];
}

// launch: grid 1, block 64; in x f32[64]; out y f32[64]; i32 stride -1
extern "C" __global__ void negative_stride_times_unsigned(const float *x, float *y, int stride)
{
    const unsigned i = threadIdx.x;
    const long long offset = i * stride; // unsigned: 2^32 too much
    y[i] = x[63 + offset]; // expect: out_of_bounds
}

extern "C" __global__ void negative_stride_times_unsigned_reference(const float *x, float *y, int stride)
{
    y[threadIdx.x] = x[63 + (int)threadIdx.x * stride];
}
