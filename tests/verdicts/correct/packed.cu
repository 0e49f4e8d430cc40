// Values packed in words, unions, structs with padding, local arrays filled in part.

// launch: grid 1, block 32; in x f16[63]; out y f16[63]; i32 n 63
extern "C" __global__ void pair_of_halves_with_an_unused_half(const unsigned short *x, unsigned short *y, int n)
{
    const int i = 2 * threadIdx.x;
    unsigned pair, other;
    unsigned short low = x[i], high;
    asm volatile("{ .reg .b16 never; mov.b16 %0, never; }" : "=h"(high));
    if (i + 1 < n) high = x[i + 1];
    asm volatile("mov.b32 %0, {%1, %2};" : "=r"(pair) : "h"(low), "h"(high));
    asm volatile("add.f16x2 %0, %1, %1;" : "=r"(other) : "r"(pair));
    asm volatile("mov.b32 {%0, %1}, %2;" : "=h"(low), "=h"(high) : "r"(other));
    y[i] = low;
    if (i + 1 < n) y[i + 1] = high;
}

extern "C" __global__ void pair_of_halves_with_an_unused_half_reference(const unsigned short *x, unsigned short *y, int n)
{
    for (int i = threadIdx.x; i < n; i += 32)
        asm volatile("{ .reg .b16 a, b; ld.b16 a, [%1]; add.f16 b, a, a; st.b16 [%0], b; }" ::"l"(y + i),
                     "l"(x + i)
                     : "memory");
}

// launch: grid 1, block 32; in x bf16[63]; out y bf16[63]; i32 n 63
extern "C" __global__ void tail_of_pairs_in_bfloat16(const unsigned short *x, unsigned short *y, int n)
{
    __shared__ alignas(4) unsigned short s[64];
    const int t = threadIdx.x;
    for (int i = t; i < n; i += 32)
        s[i] = x[i];
    __syncwarp();
    const unsigned pair = *(const unsigned *)&s[2 * t]; // the last half was never stored
    unsigned other;
    asm volatile("neg.bf16x2 %0, %1;" : "=r"(other) : "r"(pair));
    *(unsigned *)&s[2 * t] = other;
    __syncwarp();
    for (int i = t; i < n; i += 32)
        y[i] = s[i];
}

extern "C" __global__ void tail_of_pairs_in_bfloat16_reference(const unsigned short *x, unsigned short *y, int n)
{
    for (int i = threadIdx.x; i < n; i += 32)
        y[i] = x[i] ^ 0x8000;
}

// Four bytes of four threads make a word.
// launch: grid 1, block 64; in x u8[64]; out y u32[16]
extern "C" __global__ void bytes_of_neighbours_become_a_word(const unsigned char *x, unsigned *y)
{
    __shared__ alignas(4) unsigned char s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    if (t < 16) y[t] = ((const unsigned *)s)[t];
}

extern "C" __global__ void bytes_of_neighbours_become_a_word_reference(const unsigned char *x, unsigned *y)
{
    if (threadIdx.x >= 16) return;
    unsigned v = 0;
    for (int k = 3; k >= 0; k--)
        v = v << 8 | x[4 * threadIdx.x + k];
    y[threadIdx.x] = v;
}

// Three of four bytes of a word are set, and three are stored.
// launch: grid 1, block 32; in x u8[96]; out y u8[96]
extern "C" __global__ void word_with_three_of_its_bytes(const unsigned char *x, unsigned char *y)
{
    __shared__ unsigned s[32];
    const int t = threadIdx.x;
    unsigned char *mine = (unsigned char *)&s[t];
    for (int k = 0; k < 3; k++)
        mine[k] = x[3 * t + k];
    __syncwarp();
    const unsigned word = s[31 - t];
    for (int k = 0; k < 3; k++)
        y[3 * t + k] = (unsigned char)(word >> 8 * k);
}

extern "C" __global__ void word_with_three_of_its_bytes_reference(const unsigned char *x, unsigned char *y)
{
    for (int k = 0; k < 3; k++)
        y[3 * threadIdx.x + k] = x[3 * (31 - threadIdx.x) + k];
}

struct fields {
    unsigned low : 5, middle : 11, high : 16;
};

// launch: grid 1, block 32; in x u32[32] integers 0 60000; out y u32[32]
extern "C" __global__ void bit_fields(const unsigned *x, unsigned *y)
{
    fields f;
    f.low = x[threadIdx.x];
    f.middle = x[threadIdx.x] >> 5;
    f.high = x[31 - threadIdx.x];
    y[threadIdx.x] = f.low + 100 * f.middle + 7 * f.high;
}

extern "C" __global__ void bit_fields_reference(const unsigned *x, unsigned *y)
{
    const unsigned v = x[threadIdx.x], w = x[31 - threadIdx.x];
    y[threadIdx.x] = v % 32 + 100 * (v / 32 % 2048) + 7 * (w % 65536);
}

// A field is put into a word of which the rest was never written, and taken out again.
// launch: grid 1, block 32; in x u32[32] integers 0 255; out y u32[32]
extern "C" __global__ void field_in_an_unwritten_word(const unsigned *x, unsigned *y)
{
    unsigned word, back;
    asm volatile("{ .reg .b32 never; bfi.b32 %0, %1, never, 8, 8; }" : "=r"(word) : "r"(x[threadIdx.x]));
    asm volatile("bfe.u32 %0, %1, 8, 8;" : "=r"(back) : "r"(word));
    y[threadIdx.x] = back;
}

extern "C" __global__ void field_in_an_unwritten_word_reference(const unsigned *x, unsigned *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

union word {
    float f;
    unsigned u;
    unsigned char bytes[4];
};

// launch: grid 1, block 32; in x f32[32]; out y f32[32]
extern "C" __global__ void union_of_a_float_and_its_bits(const float *x, float *y)
{
    word w;
    w.f = x[threadIdx.x];
    w.bytes[3] ^= 0x80;
    w.u &= ~1u;
    y[threadIdx.x] = w.f;
}

extern "C" __global__ void union_of_a_float_and_its_bits_reference(const float *x, float *y)
{
    y[threadIdx.x] = __int_as_float((__float_as_int(x[threadIdx.x]) ^ 0x80000000) & ~1);
}

// launch: grid 1, block 32; in x i32[32] integers 1 6; out y i32[32]
extern "C" __global__ void local_array_filled_in_part(const int *x, int *y)
{
    int v[8];
    const int n = x[threadIdx.x];
    for (int k = 0; k < n; k++)
        v[k] = x[(threadIdx.x + k) % 32];
    for (int i = 1; i < n; i++) { // insertion sort
        const int one = v[i];
        int at = i;
        for (; at > 0 && v[at - 1] > one; at--)
            v[at] = v[at - 1];
        v[at] = one;
    }
    y[threadIdx.x] = v[0] + 10 * v[n - 1];
}

extern "C" __global__ void local_array_filled_in_part_reference(const int *x, int *y)
{
    int least = 99, most = -99;
    for (int k = 0; k < x[threadIdx.x]; k++) {
        least = min(least, x[(threadIdx.x + k) % 32]);
        most = max(most, x[(threadIdx.x + k) % 32]);
    }
    y[threadIdx.x] = least + 10 * most;
}

struct sample { // 3 bytes of padding behind kind, 4 behind count
    char kind;
    int value;
    double weight;
    int count;
};

__device__ sample make_sample(const int *x, int t)
{
    sample s;
    s.kind = (char)(t % 7);
    s.value = x[t];
    s.weight = 0.5 * x[t];
    s.count = t;
    return s;
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void struct_with_padding_through_shared_memory(const int *x, int *y)
{
    __shared__ sample s[32], copy[32];
    const int t = threadIdx.x;
    s[t] = make_sample(x, t);
    __syncwarp();
    copy[31 - t] = s[t];
    __syncwarp();
    y[t] = copy[t].kind + copy[t].value + (int)(2 * copy[t].weight) + copy[t].count;
}

extern "C" __global__ void struct_with_padding_through_shared_memory_reference(const int *x, int *y)
{
    const int t = 31 - threadIdx.x;
    y[threadIdx.x] = t % 7 + 2 * x[t] + t;
}

// A struct is moved word by word, padding too, as memcpy does.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: struct_with_padding_through_shared_memory_reference
extern "C" __global__ void struct_with_padding_moved_by_words(const int *x, int *y)
{
    __shared__ alignas(16) int s[32][6], copy[32][6];
    const int t = threadIdx.x;
    *(sample *)s[t] = make_sample(x, t);
    __syncwarp();
    for (int k = 0; k < 6; k++)
        copy[31 - t][k] = s[t][k];
    __syncwarp();
    const sample *mine = (const sample *)copy[t];
    y[t] = mine->kind + mine->value + (int)(2 * mine->weight) + mine->count;
}

struct pair { // 3 bytes of padding
    char kind;
    int value;
};

// A struct goes to global memory: what the compiler stores of its padding, if anything, is
// right.
// launch: grid 1, block 32; in x i32[32]; work p i32[64]; out y i32[32]
extern "C" __global__ void struct_with_padding_in_global_memory(const int *x, pair *p, int *y)
{
    const int t = threadIdx.x;
    pair one;
    one.kind = (char)t;
    one.value = x[t];
    p[t] = one;
    __syncwarp();
    const pair other = p[31 - t];
    y[t] = other.kind + other.value;
}

extern "C" __global__ void struct_with_padding_in_global_memory_reference(const int *x, pair *p, int *y)
{
    y[threadIdx.x] = 31 - threadIdx.x + x[31 - threadIdx.x];
}

// The same by words of shared memory: here padding is stored to global memory.
// launch: grid 1, block 32; in x i32[32]; work p i32[64]; out y i32[32]
// reference: struct_with_padding_in_global_memory_reference
extern "C" __global__ void padding_moved_to_a_workspace(const int *x, int *p, int *y)
{
    __shared__ alignas(8) pair s[32];
    const int t = threadIdx.x;
    s[t].kind = (char)t;
    s[t].value = x[t];
    __syncwarp();
    for (int k = t; k < 64; k += 32)
        p[k] = ((const int *)s)[k];
    __syncwarp();
    y[t] = ((const pair *)p)[31 - t].kind + ((const pair *)p)[31 - t].value;
}

// launch: grid 1, block 32; in x i32[32] integers 0 7; out y i32[32]
extern "C" __global__ void switch_with_a_table(const int *x, int *y)
{
    int v;
    switch (x[threadIdx.x]) {
    case 0: v = 17; break;
    case 1: v = threadIdx.x * 3; break;
    case 2: v = -5; break;
    case 3: v = x[31 - threadIdx.x]; break;
    case 4: v = 1 << threadIdx.x % 8; break;
    case 5: v = 99; break;
    default: v = 0;
    }
    y[threadIdx.x] = v;
}

extern "C" __global__ void switch_with_a_table_reference(const int *x, int *y)
{
    const int t = threadIdx.x, k = x[t];
    y[t] = k == 0 ? 17 : k == 1 ? t * 3 : k == 2 ? -5 : k == 3 ? x[31 - t] : k == 4 ? 1 << t % 8 : k == 5 ? 99 : 0;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; i32 n 40
extern "C" __global__ void sentinels_behind_the_end(const int *x, int *y, int n)
{
    __shared__ int s[65];
    const int t = threadIdx.x;
    s[t] = t < n ? x[t] : 0x7fffffff;
    if (t == 0) s[64] = 0x7fffffff;
    __syncthreads();
    int i = t;
    while (s[i] < 3)
        i++;
    y[t] = i;
}

extern "C" __global__ void sentinels_behind_the_end_reference(const int *x, int *y, int n)
{
    int i = threadIdx.x;
    while (i < n && x[i] < 3)
        i++;
    y[threadIdx.x] = i;
}

// All threads of a block initialise a flag to the same value.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void flag_initialised_by_all(const int *x, int *y)
{
    __shared__ int any;
    any = 0;
    __syncthreads();
    if (x[threadIdx.x] > 5) any = 1;
    __syncthreads();
    y[threadIdx.x] = any;
}

extern "C" __global__ void flag_initialised_by_all_reference(const int *x, int *y)
{
    int any = 0;
    for (int i = 0; i < 64; i++)
        any |= x[i] > 5;
    y[threadIdx.x] = any;
}

// launch: grid 4, block 64; in x u8[256] index; out y u8[256]
extern "C" __global__ void bytes_of_every_value(const unsigned char *x, unsigned char *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i]; // one of them is what outputs hold before the launch
}

extern "C" __global__ void bytes_of_every_value_reference(const unsigned char *x, unsigned char *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}

// launch: grid 1, block 64; in x i16[64] index; out y i16[64]
extern "C" __global__ void words_of_two_equal_bytes(const short *x, short *y)
{
    const int i = threadIdx.x;
    y[i] = (short)(0x0101 * (x[i] + 0x80));
}

extern "C" __global__ void words_of_two_equal_bytes_reference(const short *x, short *y)
{
    for (int i = threadIdx.x; i < 64; i += 64)
        y[i] = (short)(0x0101 * (x[i] + 0x80));
}
