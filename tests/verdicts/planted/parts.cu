// Bugs that show in a part of a word, a vector, a grid or a loop only.

// class: part of a word that was never written

// launch: grid 1, block 32; in x u8[96]; out y u32[32]
extern "C" __global__ void fourth_byte_is_stored_too(const unsigned char *x, unsigned *y)
{
    __shared__ unsigned s[32];
    const int t = threadIdx.x;
    for (int k = 0; k < 3; k++)
        ((unsigned char *)&s[t])[k] = x[3 * t + k];
    __syncwarp();
    y[t] = s[31 - t]; // expect: unwritten
}

extern "C" __global__ void fourth_byte_is_stored_too_reference(const unsigned char *x, unsigned *y)
{
    unsigned v = 0;
    for (int k = 2; k >= 0; k--)
        v = v << 8 | x[3 * (31 - threadIdx.x) + k];
    y[threadIdx.x] = v;
}

// launch: grid 1, block 32; in x f16[64]; out y f16[64]
extern "C" __global__ void upper_halves_were_not_staged(const unsigned short *x, unsigned short *y)
{
    __shared__ alignas(4) unsigned short s[64];
    const int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    __syncwarp();
    unsigned pair = ((const unsigned *)s)[31 - t];
    asm volatile("neg.f16x2 %0, %0;" : "+r"(pair));
    ((unsigned *)y)[31 - t] = pair; // expect: unwritten
}

extern "C" __global__ void upper_halves_were_not_staged_reference(const unsigned short *x, unsigned short *y)
{
    y[2 * threadIdx.x] = x[2 * threadIdx.x] ^ 0x8000;
    y[2 * threadIdx.x + 1] = x[2 * threadIdx.x + 1] ^ 0x8000;
}

// launch: grid 1, block 32; in x f32[96]; out y f32[128]
extern "C" __global__ void unset_component_is_stored(const float *x, float *y)
{
    __shared__ float4 s[32];
    const int t = threadIdx.x;
    s[t].x = x[3 * t], s[t].y = x[3 * t + 1], s[t].z = x[3 * t + 2];
    __syncwarp();
    ((float4 *)y)[t] = s[31 - t]; // expect: unwritten
}

extern "C" __global__ void unset_component_is_stored_reference(const float *x, float *y)
{
    for (int k = 0; k < 4; k++)
        y[4 * threadIdx.x + k] = k < 3 ? x[3 * (31 - threadIdx.x) + k] : 0;
}

// launch: grid 1, block 32; in x u32[32]; out y u32[32]
extern "C" __global__ void wrong_half_of_a_long_word(const unsigned *x, unsigned *y)
{
    __shared__ alignas(8) unsigned s[32][2];
    const int t = threadIdx.x;
    s[t][0] = x[t];
    __syncwarp();
    const unsigned long long both = *(const unsigned long long *)s[31 - t];
    y[t] = (unsigned)(both >> 32); // expect: unwritten
}

extern "C" __global__ void wrong_half_of_a_long_word_reference(const unsigned *x, unsigned *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// launch: grid 1, block 32; in x u8[32]; out y u32[32]; i32 n 20
extern "C" __global__ void mask_keeps_a_bit_too_many(const unsigned char *x, unsigned *y, int n)
{
    __shared__ unsigned s[32];
    const int t = threadIdx.x;
    *(unsigned char *)&s[t] = x[t];
    __syncwarp();
    y[t] = s[31 - t] & 0x1ff; // expect: unwritten
}

extern "C" __global__ void mask_keeps_a_bit_too_many_reference(const unsigned char *x, unsigned *y, int n)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// class: unwritten value behind a selection

// launch: grid 1, block 64; in x f32[64]; out y f32[64]; i32 n 40
extern "C" __global__ void selector_is_the_wrong_way_round(const float *x, float *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const float v = s[t];
    y[t] = t >= n ? v : 0; // expect: unwritten
}

extern "C" __global__ void selector_is_the_wrong_way_round_reference(const float *x, float *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n ? x[threadIdx.x] : 0;
}

// launch: grid 1, block 32; out o f32[1]; in x f32[4]; i32 n 2
extern "C" __global__ void maximum_takes_one_too_many(float *o, const float *x, int n)
{
    __shared__ float s[4];
    if ((int)threadIdx.x < n) s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x) return;
    float m = s[0];
    for (int i = 1; i < 4; i++)
        if (i <= n) m = s[i] > m ? s[i] : m;
    o[0] = m; // expect: unwritten
}

extern "C" __global__ void maximum_takes_one_too_many_reference(float *o, const float *x, int n)
{
    o[0] = fmaxf(x[0], x[1]);
}

// launch: grid 1, block 64; in x f32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void disjunction_in_place_of_conjunction(const float *x, int *y, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const float v = s[t];
    int r;
    asm volatile("{ .reg .pred p, q; setp.lt.s32 p, %2, %3; setp.gt.or.f32 q, %1, 0f00000000, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(r)
                 : "f"(v), "r"(t), "r"(n));
    y[t] = r; // expect: unwritten
}

extern "C" __global__ void disjunction_in_place_of_conjunction_reference(const float *x, int *y, int n)
{
    y[threadIdx.x] = (int)threadIdx.x < n;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void unset_tail_takes_another_way(const int *x, int *y, int n)
{
    int v;
    const int t = threadIdx.x;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if (t < n) v = x[t];
    int r = 0;
    if (v > 0) { // expect: unwritten
        for (int k = 0; k < t; k++)
            asm volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(r));
    }
    y[t] = r; // expect: unwritten
}

extern "C" __global__ void unset_tail_takes_another_way_reference(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    int r = 0;
    if (t < n && x[t] > 0)
        for (int k = 0; k < t; k++)
            r = 3 * r + 1;
    y[t] = r;
}

// class: bug that only a part of the problem meets

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 64
// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 63
extern "C" __global__ void barrier_is_missing_for_odd_sizes(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = x[t]; // expect: race
    if (n % 2 == 0) __syncthreads();
    y[t] = s[63 - t]; // expect: race
}

extern "C" __global__ void barrier_is_missing_for_odd_sizes_reference(const int *x, int *y, int n)
{
    y[threadIdx.x] = x[63 - threadIdx.x];
}

// launch: grid 40, block 32; in x i32[1280]; out y i32[1280]
extern "C" __global__ void last_block_has_no_syncwarp(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x, first = blockIdx.x * 32;
    s[t] = x[first + t]; // expect: race
    if (blockIdx.x != gridDim.x - 1) __syncwarp();
    y[first + t] = s[31 - t]; // expect: race
}

extern "C" __global__ void last_block_has_no_syncwarp_reference(const int *x, int *y)
{
    y[blockIdx.x * 32 + threadIdx.x] = x[blockIdx.x * 32 + 31 - threadIdx.x];
}

// launch: grid 1, block 64; in x i32[512]; out y i32[64]; i32 rounds 8
extern "C" __global__ void last_round_skips_its_barrier(const int *x, int *y, int rounds)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < rounds; k++) {
        s[t] = x[k * 64 + t]; // expect: race
        if (k + 1 < rounds) __syncthreads();
        sum += s[63 - t]; // expect: race
        __syncthreads();
    }
    y[t] = sum;
}

extern "C" __global__ void last_round_skips_its_barrier_reference(const int *x, int *y, int rounds)
{
    int sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += x[k * 64 + 63 - threadIdx.x];
    y[threadIdx.x] = sum;
}

// launch: grid 30, block 64; in x i32[1900]; out y i32[1900]; i32 n 1900
extern "C" __global__ void only_the_last_block_reads_behind_the_end(const int *x, int *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const volatile int *p = x;
    const int next = p[min(i + 1, n)]; // expect: out_of_bounds
    if (i < n) y[i] = i + 1 < n ? next - x[i] : 0;
}

extern "C" __global__ void only_the_last_block_reads_behind_the_end_reference(const int *x, int *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] = i + 1 < n ? x[i + 1] - x[i] : 0;
}

// class: value that takes a way round

// launch: grid 1, block 32; in x i32[32]; out y i32[32]; i32 n 20
extern "C" __global__ void votes_of_unset_lanes_count(const int *x, int *y, int n)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncwarp();
    y[t] = __popc(__ballot_sync(~0u, s[t] > 0)); // expect: unwritten
}

extern "C" __global__ void votes_of_unset_lanes_count_reference(const int *x, int *y, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] > 0;
    y[threadIdx.x] = count;
}

// launch: grid 1, block 32; in x i32[32]; inout y i32[1] zero; i32 n 20
extern "C" __global__ void unset_lanes_add_to_a_global_sum(const int *x, int *y, int n)
{
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if ((int)threadIdx.x < n) v = x[threadIdx.x];
    atomicAdd(y, v); // expect: unwritten
}

extern "C" __global__ void unset_lanes_add_to_a_global_sum_reference(const int *x, int *y, int n)
{
    if ((int)threadIdx.x < n) atomicAdd(y, x[threadIdx.x]);
}

// launch: grid 1, block 32; in x i32[32]; out y i32[1]; i32 n 20
extern "C" __global__ void unset_lanes_add_to_a_shared_sum(const int *x, int *y, int n)
{
    __shared__ int sum;
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if (threadIdx.x == 0) sum = 0;
    __syncwarp();
    if ((int)threadIdx.x < n) v = x[threadIdx.x];
    atomicAdd(&sum, v); // expect: unwritten
    __syncwarp();
    if (threadIdx.x == 0) y[0] = sum; // expect: unwritten
}

extern "C" __global__ void unset_lanes_add_to_a_shared_sum_reference(const int *x, int *y, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    y[0] = sum;
}

// launch: grid 1, block 32; in x i32[32]; inout y i32[32] zero; i32 n 20
extern "C" __global__ void unset_value_guards_a_store(const int *x, int *y, int n)
{
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if ((int)threadIdx.x < n) v = x[threadIdx.x];
    if (v >= 0) y[threadIdx.x] = 1; // expect: unwritten
}

extern "C" __global__ void unset_value_guards_a_store_reference(const int *x, int *y, int n)
{
    if ((int)threadIdx.x < n && x[threadIdx.x] >= 0) y[threadIdx.x] = 1;
}

// launch: grid 1, block 32; in x i32[32] integers 1 4; out y i32[32]; i32 n 20
extern "C" __global__ void unset_number_of_turns(const int *x, int *y, int n)
{
    int turns, sum = 0;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(turns));
    if ((int)threadIdx.x < n) turns = x[threadIdx.x];
    for (int k = 0; k < (turns & 7); k++) // expect: unwritten
        asm volatile("mad.lo.s32 %0, %0, 3, 1;" : "+r"(sum));
    y[threadIdx.x] = sum; // expect: unwritten
}

extern "C" __global__ void unset_number_of_turns_reference(const int *x, int *y, int n)
{
    int sum = 0;
    for (int k = 0; (int)threadIdx.x < n && k < x[threadIdx.x]; k++)
        sum = 3 * sum + 1;
    y[threadIdx.x] = sum;
}

// Columns behind k were not filled; zeros of the other side do not save a NaN.
// launch: grid 1, block 32; in a f16[192]; in b f16[96]; out c f32[128]; tolerance 1e-3
extern "C" __global__ void columns_of_a_matrix_tile_are_not_filled(const unsigned short *a, const unsigned short *b, float *c)
{
    __shared__ alignas(16) unsigned short s[16][16], r[16][8];
    const int t = threadIdx.x;
    for (int i = t; i < 192; i += 32)
        s[i / 12][i % 12] = a[i];
    for (int i = t; i < 128; i += 32)
        r[i / 8][i % 8] = i < 96 ? b[i] : 0;
    __syncwarp();
    unsigned f[4], g[2];
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"((unsigned)__cvta_generic_to_shared(&s[t % 16][t / 16 * 8]))
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(g[0]), "=r"(g[1])
                 : "r"((unsigned)__cvta_generic_to_shared(&r[t % 16][0]))
                 : "memory");
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "r"(g[0]), "r"(g[1]));
    for (int i = 0; i < 4; i++)
        c[(t / 4 + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = d[i]; // expect: unwritten
}

__device__ float from_half(unsigned short bits)
{
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
}

extern "C" __global__ void columns_of_a_matrix_tile_are_not_filled_reference(const unsigned short *a, const unsigned short *b, float *c)
{
    for (int i = threadIdx.x; i < 128; i += 32) {
        float sum = 0;
        for (int k = 0; k < 12; k++)
            sum += from_half(a[i / 8 * 12 + k]) * from_half(b[k * 8 + i % 8]);
        c[i] = sum;
    }
}

// The value of a race is handed on by shared memory and stored by another thread.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_load_is_handed_on(const int *x, int *y)
{
    __shared__ int word, s[64];
    const int t = threadIdx.x;
    if (t == 0) word = 1;
    __syncthreads();
    if (t == 33) word = x[0] + 20; // expect: race
    s[t] = word + t;               // expect: race
    __syncthreads();
    y[t] = s[63 - t] * 2 + x[t];
}

extern "C" __global__ void racing_load_is_handed_on_reference(const int *x, int *y)
{
    y[threadIdx.x] = (1 + 63 - threadIdx.x) * 2 + x[threadIdx.x];
}

// Two threads store different values to one place, which nobody uses.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void stores_of_two_warps_to_one_place(const int *x, int *y)
{
    __shared__ int word;
    const int t = threadIdx.x;
    if (t % 32 == 5) word = x[t] * 100 + t; // expect: race
    __syncthreads();
    y[t] = x[t] + (word > 10000);
}

extern "C" __global__ void stores_of_two_warps_to_one_place_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}
