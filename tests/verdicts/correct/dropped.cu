// Loads of what others store at the same time, of which nothing is used.

// Four elements are loaded at once while another warp stores the fourth.
// launch: grid 1, block 64; in x f32[128]; out y f32[96]
extern "C" __global__ void vector_of_which_one_component_is_in_a_race(const float *x, float *y)
{
    __shared__ float4 s[32];
    const int t = threadIdx.x;
    if (t < 32) s[t] = ((const float4 *)x)[t];
    __syncthreads();
    if (t >= 32) {
        s[t - 32].w = 5;
    } else {
        float4 v;
        asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                     : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                     : "r"((unsigned)__cvta_generic_to_shared(&s[31 - t])));
        y[3 * t] = v.x, y[3 * t + 1] = v.y, y[3 * t + 2] = v.z;
    }
}

extern "C" __global__ void vector_of_which_one_component_is_in_a_race_reference(const float *x, float *y)
{
    for (int i = threadIdx.x; i < 96; i += 64)
        y[i] = x[4 * (31 - i / 3) + i % 3];
}

// A word of four bytes is loaded for one of them; the others belong to other threads.
// launch: grid 1, block 64; in x u8[64]; out y u8[64]
extern "C" __global__ void own_byte_of_a_word_in_a_race(const unsigned char *x, unsigned char *y)
{
    __shared__ alignas(4) unsigned char s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    const unsigned word = ((const volatile unsigned *)s)[t / 4];
    y[t] = (unsigned char)(word >> 8 * (t % 4));
}

extern "C" __global__ void own_byte_of_a_word_in_a_race_reference(const unsigned char *x, unsigned char *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 1, block 64; in x u32[64]; out y u32[64]
extern "C" __global__ void half_of_a_long_word_in_a_race(const unsigned *x, unsigned *y)
{
    __shared__ unsigned long long s[32];
    const int t = threadIdx.x;
    ((unsigned *)s)[t] = x[t];
    __syncwarp();
    const unsigned long long both = ((const volatile unsigned long long *)s)[t / 2];
    ((unsigned *)s)[t] = 0; // the neighbour's half may go while this one is loaded
    y[t] = (unsigned)(t % 2 ? both >> 32 : both);
}

extern "C" __global__ void half_of_a_long_word_in_a_race_reference(const unsigned *x, unsigned *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// Behind the end a block loads the last element, which another block is storing.
// launch: grid 3, block 64; inout y f32[150]; i32 n 150
extern "C" __global__ void clamped_load_of_another_blocks_element(float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float next = ((const volatile float *)y)[min(i, n - 1)];
    if (i < n) y[i] = 2 * next;
}

extern "C" __global__ void clamped_load_of_another_blocks_element_reference(float *y, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) y[i] *= 2;
}

// The element that the next block owns is loaded early and used by the last block only.
// launch: grid 4, block 32; inout y i32[129]
extern "C" __global__ void early_load_over_the_edge_of_a_block(int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    const int own = y[i], edge = ((const volatile int *)y)[blockIdx.x * 32 + 32];
    y[i] = blockIdx.x == gridDim.x - 1 ? own + edge : own + 1;
}

extern "C" __global__ void early_load_over_the_edge_of_a_block_reference(int *y)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    y[i] += blockIdx.x == 3 ? y[128] : 1;
}

// A dropped load in a race beside a ticket: what the launch did must not be done twice.
// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; work parts i32[8]
extern "C" __global__ void dropped_load_beside_a_ticket(const int *x, int *y, int *count, int *parts)
{
    __shared__ int sum, last, word;
    const int t = threadIdx.x;
    if (t == 0) sum = word = 0;
    __syncthreads();
    if (t == 40) word = 7;
    const int guess = *(volatile int *)&word * 3;
    atomicAdd(&sum, x[blockIdx.x * 64 + t] + (t == 40 ? guess - 21 : 0));
    __syncthreads();
    if (t == 0) {
        parts[blockIdx.x] = sum;
        __threadfence();
        last = atomicAdd(count, 1) == 3;
        __threadfence();
        if (last) {
            y[0] = parts[0] + parts[1] + parts[2] + parts[3];
            *count = 0;
        }
    }
}

extern "C" __global__ void dropped_load_beside_a_ticket_reference(const int *x, int *y, int *count, int *parts)
{
    if (blockIdx.x || threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 256; i++)
        sum += x[i];
    y[0] = sum;
}

// The first of two ways is taken by a racing value, and both do the same.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_value_chooses_between_equal_ways(const int *x, int *y)
{
    __shared__ int fast;
    const int t = threadIdx.x;
    if (t == 0) fast = 0;
    __syncthreads();
    if (t == 50) fast = 1;
    int v = x[t];
    if (fast) {
        asm volatile("shl.b32 %0, %0, 3;" : "+r"(v));
    } else {
        for (int k = 0; k < 3; k++)
            asm volatile("add.s32 %0, %0, %0;" : "+r"(v));
    }
    y[t] = v;
}

extern "C" __global__ void racing_value_chooses_between_equal_ways_reference(const int *x, int *y)
{
    y[threadIdx.x] = 8 * x[threadIdx.x];
}

// A tail decides a switch with a table of jumps; nothing of it is stored.
// launch: grid 1, block 64; in x i32[50] integers 0 6; out y i32[50]; i32 n 50
extern "C" __global__ void unset_tail_decides_a_switch(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    int kind, r = t;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(kind));
    if (t < n) kind = x[t];
    switch (kind) {
    case 0: asm volatile("add.s32 %0, %0, 5;" : "+r"(r)); break;
    case 1: asm volatile("mul.lo.s32 %0, %0, 7;" : "+r"(r)); break;
    case 2: asm volatile("xor.b32 %0, %0, 9;" : "+r"(r)); break;
    case 3: asm volatile("shl.b32 %0, %0, 2;" : "+r"(r)); break;
    case 4: asm volatile("neg.s32 %0, %0;" : "+r"(r)); break;
    case 5: asm volatile("not.b32 %0, %0;" : "+r"(r)); break;
    }
    if (t < n) y[t] = r;
}

extern "C" __global__ void unset_tail_decides_a_switch_reference(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    if (t >= n) return;
    const int all[] = {t + 5, t * 7, t ^ 9, t << 2, -t, ~t, t};
    y[t] = all[x[t]];
}

__device__ __noinline__ int weigh(int v, int w)
{
    int r = w;
    for (int k = 0; k < (v & 3); k++)
        r = r * 5 + v;
    return r;
}

// The arguments of a call are unset in a tail, and so is its result.
// launch: grid 1, block 64; in x i32[50]; out y i32[50]; i32 n 50
extern "C" __global__ void unset_tail_goes_through_a_call(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    int v;
    asm volatile("{ .reg .b32 never; mov.b32 %0, never; }" : "=r"(v));
    if (t < n) v = x[t];
    const int r = weigh(v, t);
    if (t < n) y[t] = r;
}

extern "C" __global__ void unset_tail_goes_through_a_call_reference(const int *x, int *y, int n)
{
    const int t = threadIdx.x;
    if (t >= n) return;
    int r = t;
    for (int k = 0; k < (x[t] & 3); k++)
        r = r * 5 + x[t];
    y[t] = r;
}

// Three-input logic and a funnel shift with an unwritten word whose bits all drop out.
// launch: grid 1, block 64; in x u32[64]; out y u32[64]; i32 n 40
extern "C" __global__ void three_inputs_of_which_one_drops_out(const unsigned *x, unsigned *y, int n)
{
    __shared__ unsigned s[64];
    const int t = threadIdx.x;
    if (t < n) s[t] = x[t];
    __syncthreads();
    const unsigned mask = t < n ? ~0u : 0u;
    unsigned v, w;
    asm volatile("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(v) : "r"(mask), "r"(s[t]), "r"(17u)); // mask ? s : 17
    asm volatile("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(w) : "r"(s[t]), "r"(3u), "r"(t < n ? 32 : 0));
    y[t] = v + w;
}

extern "C" __global__ void three_inputs_of_which_one_drops_out_reference(const unsigned *x, unsigned *y, int n)
{
    const int t = threadIdx.x;
    y[t] = t < n ? 2 * x[t] : 20;
}

// Of a transposed matrix a register has two rows: the one that races is dropped.
// launch: grid 1, block 64; in x u16[64]; out y u32[32]
extern "C" __global__ void row_of_a_matrix_is_dropped(const unsigned short *x, unsigned *y)
{
    __shared__ __align__(16) unsigned short s[64];
    const int t = threadIdx.x;
    if (t < 56) s[t] = x[t];
    __syncthreads();
    if (t >= 56) s[t] = x[t];
    if (t >= 32) return;
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"((unsigned)__cvta_generic_to_shared(s + t % 8 * 8))
                 : "memory");
    y[t] = t % 4 == 3 ? r & 0xffff : r;
}

extern "C" __global__ void row_of_a_matrix_is_dropped_reference(const unsigned short *x,
                                                                unsigned *y)
{
    const int t = threadIdx.x, row = t % 4 * 2, column = t / 4;
    if (t >= 32) return;
    y[t] = x[row * 8 + column] | (row == 6 ? 0 : x[row * 8 + 8 + column] << 16);
}
