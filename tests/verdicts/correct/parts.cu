// Words and vectors of which a part was never written, or is written by somebody else, and
// only the other part is used.

// launch: grid 1, block 32; in x f32[96]; out y f32[96]
extern "C" __global__ void vector_with_an_unset_component(const float *x, float *y)
{
    __shared__ float4 s[32];
    const int t = threadIdx.x;
    float4 v;
    asm volatile("{ .reg .f32 never; mov.f32 %0, never; }" : "=f"(v.w));
    v.x = x[3 * t], v.y = x[3 * t + 1], v.z = x[3 * t + 2];
    s[t] = v;
    __syncwarp();
    v = s[31 - t];
    y[3 * t] = v.x, y[3 * t + 1] = v.y, y[3 * t + 2] = v.z;
}

extern "C" __global__ void vector_with_an_unset_component_reference(const float *x, float *y)
{
    for (int k = 0; k < 3; k++)
        y[3 * threadIdx.x + k] = x[3 * (31 - threadIdx.x) + k];
}

// launch: grid 1, block 32; in x u32[32]; out y u32[32]
extern "C" __global__ void long_word_with_an_unwritten_half(const unsigned *x, unsigned *y)
{
    __shared__ alignas(8) unsigned s[32][2];
    const int t = threadIdx.x;
    s[t][0] = x[t];
    __syncwarp();
    const unsigned long long both = *(const unsigned long long *)s[31 - t];
    y[t] = (unsigned)both * 3;
}

extern "C" __global__ void long_word_with_an_unwritten_half_reference(const unsigned *x, unsigned *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x] * 3;
}

// launch: grid 1, block 32; in x u32[32]; out y u32[32]
extern "C" __global__ void long_word_shifted_down_to_its_written_half(const unsigned *x, unsigned *y)
{
    __shared__ alignas(8) unsigned s[32][2];
    const int t = threadIdx.x;
    s[t][1] = x[t];
    __syncwarp();
    unsigned long long both = *(const unsigned long long *)s[31 - t];
    asm volatile("shr.u64 %0, %0, 32;" : "+l"(both));
    y[t] = (unsigned)both;
}

extern "C" __global__ void long_word_shifted_down_to_its_written_half_reference(const unsigned *x, unsigned *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// launch: grid 1, block 32; in x u8[32]; out y u32[32]
extern "C" __global__ void byte_taken_out_of_an_unwritten_word(const unsigned char *x, unsigned *y)
{
    __shared__ unsigned s[32];
    const int t = threadIdx.x;
    ((unsigned char *)&s[t])[1] = x[t];
    __syncwarp();
    unsigned v;
    asm volatile("prmt.b32 %0, %1, 0, 0x4441;" : "=r"(v) : "r"(s[31 - t]));
    y[t] = v;
}

extern "C" __global__ void byte_taken_out_of_an_unwritten_word_reference(const unsigned char *x, unsigned *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// launch: grid 1, block 32; in x u8[32]; out y u32[32]
extern "C" __global__ void byte_sign_extended_from_an_unwritten_word(const signed char *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    *(signed char *)&s[t] = x[t];
    __syncwarp();
    const int word = s[31 - t];
    y[t] = (signed char)word;
}

extern "C" __global__ void byte_sign_extended_from_an_unwritten_word_reference(const signed char *x, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// Neighbours store the bytes of one word at the same time, each its own.
// launch: grid 1, block 64; in x u8[64]; out y u8[64]
extern "C" __global__ void bytes_of_one_word_by_four_threads(const unsigned char *x, unsigned char *y)
{
    __shared__ unsigned char s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t] = s[t] * 2; // its own byte: no barrier is needed
    y[t] = s[t];
}

extern "C" __global__ void bytes_of_one_word_by_four_threads_reference(const unsigned char *x, unsigned char *y)
{
    y[threadIdx.x] = x[threadIdx.x] * 2;
}

// Two blocks share a word of global memory, a half each.
// launch: grid 3, block 3; in x u16[9]; out y u16[9]
extern "C" __global__ void halves_of_one_word_by_two_blocks(const unsigned short *x, unsigned short *y)
{
    const int i = blockIdx.x * 3 + threadIdx.x;
    y[i] = x[i];
    y[i] = y[i] + 1;
}

extern "C" __global__ void halves_of_one_word_by_two_blocks_reference(const unsigned short *x, unsigned short *y)
{
    const int i = blockIdx.x * 3 + threadIdx.x;
    y[i] = x[i] + 1;
}

// A pair of halves is computed as one; the upper half of the last pair was never written.
// launch: grid 1, block 32; in x f16[63]; out y f16[63]; i32 n 63
extern "C" __global__ void halves_computed_in_pairs(const unsigned short *x, unsigned short *y, int n)
{
    __shared__ alignas(4) unsigned short s[64];
    const int t = threadIdx.x;
    for (int i = t; i < n; i += 32)
        s[i] = x[i];
    __syncwarp();
    unsigned pair = ((const unsigned *)s)[t];
    asm volatile("fma.rn.f16x2 %0, %0, %1, %1;" : "+r"(pair) : "r"(0x40004000)); // 2
    asm volatile("max.f16x2 %0, %0, %1;" : "+r"(pair) : "r"(0));
    y[2 * t] = (unsigned short)pair;
    if (2 * t + 1 < n) y[2 * t + 1] = (unsigned short)(pair >> 16);
}

extern "C" __global__ void halves_computed_in_pairs_reference(const unsigned short *x, unsigned short *y, int n)
{
    for (int i = threadIdx.x; i < n; i += 32) {
        unsigned short v = x[i];
        asm volatile("fma.rn.f16 %0, %0, %1, %1; max.f16 %0, %0, %2;" : "+h"(v) : "h"((short)0x4000), "h"((short)0));
        y[i] = v;
    }
}

// A row of a matrix of which the tail was never filled, as dot products of four bytes where
// the other side is zero.
// launch: grid 1, block 32; in x u8[96]; out y i32[32]
extern "C" __global__ void dot_product_with_zero_behind_the_end(const unsigned char *x, int *y)
{
    __shared__ unsigned s[32];
    const int t = threadIdx.x;
    for (int k = 0; k < 3; k++)
        ((unsigned char *)&s[t])[k] = x[3 * t + k];
    __syncwarp();
    const unsigned word = s[31 - t] & 0x00ffffffu;
    y[t] = (int)__dp4a(word, 0x00010203u, 5u);
}

extern "C" __global__ void dot_product_with_zero_behind_the_end_reference(const unsigned char *x, int *y)
{
    const unsigned char *row = x + 3 * (31 - threadIdx.x);
    y[threadIdx.x] = 5 + 3 * row[0] + 2 * row[1] + row[2];
}

struct record {
    float values[3];
    int count;
    short flags; // 2 bytes of padding behind it
};

// A struct of the stack, filled in part, is passed on and stored whole to local memory.
// launch: grid 1, block 32; in x f32[32]; in n i32[32] integers 1 3; out y f32[32]
extern "C" __global__ void record_filled_in_part_is_copied(const float *x, const int *n, float *y)
{
    record all[2];
    record one;
    one.count = n[threadIdx.x];
    one.flags = 3;
    for (int k = 0; k < one.count; k++)
        one.values[k] = x[(threadIdx.x + k) % 32];
    all[n[threadIdx.x] & 1] = one;
    const record &back = all[n[threadIdx.x] & 1];
    float sum = back.flags;
    for (int k = 0; k < back.count; k++)
        sum += back.values[k];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void record_filled_in_part_is_copied_reference(const float *x, const int *n, float *y)
{
    float sum = 3;
    for (int k = 0; k < n[threadIdx.x]; k++)
        sum += x[(threadIdx.x + k) % 32];
    y[threadIdx.x] = sum;
}

// The smaller of a value and a bound that is only set when there is one.
// launch: grid 1, block 32; in x f32[32]; out y f32[32]; i32 bounded 0
// launch: grid 1, block 32; in x f32[32]; out y f32[32]; i32 bounded 1
extern "C" __global__ void bound_that_is_set_only_sometimes(const float *x, float *y, int bounded)
{
    __shared__ float bound;
    if (bounded && threadIdx.x == 0) bound = 0.25f;
    __syncthreads();
    float v = x[threadIdx.x];
    if (bounded) v = fminf(v, bound);
    y[threadIdx.x] = v;
}

extern "C" __global__ void bound_that_is_set_only_sometimes_reference(const float *x, float *y, int bounded)
{
    y[threadIdx.x] = bounded ? fminf(x[threadIdx.x], 0.25f) : x[threadIdx.x];
}

// Warps of a block wait for one another by a volatile word of shared memory.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void flag_between_warps_of_a_block(const int *x, int *y)
{
    __shared__ int s[32];
    __shared__ volatile int ready;
    const int t = threadIdx.x;
    if (t == 0) ready = 0;
    __syncthreads();
    if (t < 32) {
        s[t] = x[t] + 1;
        __threadfence_block();
        __syncwarp();
        if (t == 0) ready = 1;
        y[t] = x[t];
    } else {
        while (ready == 0)
            ;
        __threadfence_block();
        y[t] = s[63 - t];
    }
}

extern "C" __global__ void flag_between_warps_of_a_block_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    y[t] = t < 32 ? x[t] : x[63 - t] + 1;
}

// A loop computes with what it was not given until its first round sets it.
// launch: grid 1, block 32; in x i32[128]; out y i32[32]
extern "C" __global__ void first_round_does_not_use_the_value_before(const int *x, int *y)
{
    int before, sum = 0;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(before));
    for (int k = 0; k < 4; k++) {
        const int now = x[k * 32 + threadIdx.x];
        const int step = now - before;
        sum += k ? step * k : 0;
        before = now;
    }
    y[threadIdx.x] = sum;
}

extern "C" __global__ void first_round_does_not_use_the_value_before_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 1; k < 4; k++)
        sum += (x[k * 32 + threadIdx.x] - x[k * 32 - 32 + threadIdx.x]) * k;
    y[threadIdx.x] = sum;
}

// An address from an unset index is computed, but nothing is loaded from it.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void address_that_nobody_uses(const int *x, int *y, int n)
{
    int at;
    const int t = threadIdx.x;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(at));
    if (t < n) at = n - 1 - t;
    const int *p = x + at;
    int v = 7;
    if (t < n) v = *p;
    y[t] = v;
}

extern "C" __global__ void address_that_nobody_uses_reference(const int *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[n - 1 - threadIdx.x] : 7;
}

// Iterations of a tail run on values that were not set, as long as they like.
// launch: grid 1, block 64; in cx f32[50]; in cy f32[50]; out y i32[50]; i32 n 50
extern "C" __global__ void iterations_of_an_unset_tail(const float *cx, const float *cy, int *y, int n)
{
    const int t = threadIdx.x;
    float a, b;
    asm volatile("{ .reg .f32 never; mov.f32 %0, never; mov.f32 %1, never; }" : "=f"(a), "=f"(b));
    if (t < n) a = cx[t], b = cy[t];
    float u = 0, v = 0;
    int turns = 0;
    while (turns < 20 && u * u + v * v <= 4) {
        const float w = u * u - v * v + a;
        v = 2 * u * v + b;
        u = w;
        turns++;
    }
    if (t < n) y[t] = turns;
}

extern "C" __global__ void iterations_of_an_unset_tail_reference(const float *cx, const float *cy, int *y, int n)
{
    const int t = threadIdx.x;
    if (t >= n) return;
    float u = 0, v = 0;
    int turns = 0;
    for (; turns < 20 && u * u + v * v <= 4; turns++) {
        const float w = u * u - v * v + cx[t];
        v = 2 * u * v + cy[t];
        u = w;
    }
    y[t] = turns;
}

// All lanes vote, and the bits of those behind the end are masked.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void votes_of_unset_lanes_are_masked(const int *x, int *y, int n)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncwarp();
    const unsigned votes = __ballot_sync(~0u, s[t] > 0) & ((1u << n) - 1);
    y[t] = __popc(votes);
}

extern "C" __global__ void votes_of_unset_lanes_are_masked_reference(const int *x, int *y, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] > 0;
    y[threadIdx.x] = count;
}

// A load in a race is used for a test that only saves work.
// launch: grid 4, block 64; in x i32[256]; inout y i32[1] constant -9
extern "C" __global__ void plain_look_before_an_atomic_maximum(const int *x, int *y)
{
    const int v = x[blockIdx.x * 64 + threadIdx.x];
    if (y[0] < v) atomicMax(y, v);
}

extern "C" __global__ void plain_look_before_an_atomic_maximum_reference(const int *x, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 256; i++)
        y[0] = max(y[0], x[i]);
}

// Columns of a matrix tile behind the end of k are zero in both; rows behind m are not set.
// launch: grid 1, block 32; in x f32[96]; out y f32[96]; i32 rows 3
extern "C" __global__ void rows_behind_the_end_are_summed_and_dropped(const float *x, float *y, int rows)
{
    __shared__ float s[4][32];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; r++)
        s[r][t] = x[r * 32 + t];
    __syncwarp();
    float sum[4] = {0, 0, 0, 0};
    for (int k = 0; k < 32; k++)
#pragma unroll
        for (int r = 0; r < 4; r++)
            sum[r] += s[r][(t + k) % 32] * k;
#pragma unroll
    for (int r = 0; r < 4; r++)
        if (r < rows) y[r * 32 + t] = sum[r];
}

extern "C" __global__ void rows_behind_the_end_are_summed_and_dropped_reference(const float *x, float *y, int rows)
{
    for (int r = 0; r < rows; r++) {
        float sum = 0;
        for (int k = 0; k < 32; k++)
            sum += x[r * 32 + (threadIdx.x + k) % 32] * k;
        y[r * 32 + threadIdx.x] = sum;
    }
}

// Every thread of a tail stores to a place that is thrown away.
// launch: grid 1, block 64; in x i32[50]; out y i32[50]; i32 n 50
extern "C" __global__ void tail_stores_to_a_bin_for_rubbish(const int *x, int *y, int n)
{
    __shared__ int s[51];
    const int t = threadIdx.x;
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if (t < n) v = x[t];
    if (t < n) s[n - 1 - t] = v;
    if (t == n) s[50] = v; // one of them, and nobody reads it
    __syncthreads();
    if (t < n) y[t] = s[t];
}

extern "C" __global__ void tail_stores_to_a_bin_for_rubbish_reference(const int *x, int *y, int n)
{
    if ((int)threadIdx.x < n) y[threadIdx.x] = x[n - 1 - threadIdx.x];
}
