// Tiles in shared memory: padded, doubled, in rings, copied asynchronously, with halos.

// launch: grid 2x2, block 32x8; in x f32[2500]; out y f32[2500]; i32 n 50
extern "C" __global__ void transpose_with_padding(const float *x, float *y, int n)
{
    __shared__ float tile[32][33];
    int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (c < n && r + k < n) tile[threadIdx.y + k][threadIdx.x] = x[(r + k) * n + c];
    __syncthreads();
    c = blockIdx.y * 32 + threadIdx.x, r = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (c < n && r + k < n) y[(r + k) * n + c] = tile[threadIdx.x][threadIdx.y + k];
}

extern "C" __global__ void transpose_with_padding_reference(const float *x, float *y, int n)
{
    const int c = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * 32 + threadIdx.y;
    for (int r = first; r < min(n, (int)blockIdx.y * 32 + 32); r += 8)
        if (c < n) y[r * n + c] = x[c * n + r];
}

// launch: grid 1, block 64; in x i32[256]; out y i32[64]
extern "C" __global__ void one_buffer_with_two_barriers(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        s[t] = x[k * 64 + t];
        __syncthreads();
        sum += s[63 - t] * (k + 1);
    }
    y[t] = sum;
}

extern "C" __global__ void one_buffer_with_two_barriers_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += x[k * 64 + 63 - threadIdx.x] * (k + 1);
    y[threadIdx.x] = sum;
}

// One barrier a round is enough for two buffers.
// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: one_buffer_with_two_barriers_reference
extern "C" __global__ void two_buffers_with_one_barrier(const int *x, int *y)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    s[0][t] = x[t];
    for (int k = 0; k < 4; k++) {
        __syncthreads();
        if (k < 3) s[(k + 1) % 2][t] = x[(k + 1) * 64 + t];
        sum += s[k % 2][63 - t] * (k + 1);
    }
    y[t] = sum;
}

// The next tile waits in registers; behind the last one nothing is loaded twice.
// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: one_buffer_with_two_barriers_reference
extern "C" __global__ void next_tile_waits_in_a_register(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int sum = 0, next = x[t];
    for (int k = 0; k < 4; k++) {
        s[t] = next;
        __syncthreads();
        next = x[min(k + 1, 3) * 64 + t];
        sum += s[63 - t] * (k + 1);
        __syncthreads();
    }
    y[t] = sum;
}

__device__ void copy_async(int *to, const int *from, int bytes)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(bytes)
                 : "memory");
}

#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n) : "memory")

// A ring of three stages; rounds behind the last commit empty groups.
// launch: grid 1, block 64; in x i32[256]; out y i32[64]
// reference: one_buffer_with_two_barriers_reference
extern "C" __global__ void ring_of_three_asynchronous_stages(const int *x, int *y)
{
    __shared__ int s[3][64];
    const int t = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < 2; k++) {
        copy_async(&s[k][t], &x[k * 64 + t], 4);
        COMMIT();
    }
    for (int k = 0; k < 4; k++) {
        WAIT(1);
        __syncthreads();
        if (k + 2 < 4) copy_async(&s[(k + 2) % 3][t], &x[(k + 2) * 64 + t], 4);
        COMMIT();
        sum += s[k % 3][63 - t] * (k + 1);
    }
    y[t] = sum;
}

// What lies behind the end is filled with zeros by the copy itself, from a good address.
// launch: grid 2, block 64; in x i32[100]; out y i32[128]; i32 n 100
extern "C" __global__ void asynchronous_copy_fills_with_zeros(const int *x, int *y, int n)
{
    __shared__ int s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    copy_async(&s[t], i < n ? &x[i] : x, i < n ? 4 : 0);
    COMMIT();
    WAIT(0);
    __syncthreads();
    y[i] = s[63 - t];
}

extern "C" __global__ void asynchronous_copy_fills_with_zeros_reference(const int *x, int *y, int n)
{
    const int i = blockIdx.x * 64 + 63 - threadIdx.x;
    y[blockIdx.x * 64 + threadIdx.x] = i < n ? x[i] : 0;
}

// The copy of a tile that no round uses is waited for at the end and thrown away.
// launch: grid 1, block 64; in x i32[256]; out y i32[64]; i32 rounds 3
extern "C" __global__ void last_asynchronous_tile_is_thrown_away(const int *x, int *y, int rounds)
{
    __shared__ int s[2][64];
    const int t = threadIdx.x;
    int sum = 0;
    copy_async(&s[0][t], &x[t], 4);
    COMMIT();
    for (int k = 0; k < rounds; k++) {
        copy_async(&s[(k + 1) % 2][t], &x[(k + 1) * 64 + t], 4);
        COMMIT();
        WAIT(1);
        __syncthreads();
        sum += s[k % 2][63 - t];
        __syncthreads();
    }
    y[t] = sum;
}

extern "C" __global__ void last_asynchronous_tile_is_thrown_away_reference(const int *x, int *y, int rounds)
{
    int sum = 0;
    for (int k = 0; k < rounds; k++)
        sum += x[k * 64 + 63 - threadIdx.x];
    y[threadIdx.x] = sum;
}

// Each thread uses only what it copied itself: no barrier is needed.
// launch: grid 1, block 64; in x i32[256]; out y i32[64]
extern "C" __global__ void own_copies_need_no_barrier(const int *x, int *y)
{
    __shared__ int s[4][64];
    const int t = threadIdx.x;
    for (int k = 0; k < 4; k++) {
        copy_async(&s[k][t], &x[k * 64 + t], 4);
        COMMIT();
    }
    WAIT(2);
    int sum = s[0][t] + s[1][t];
    asm volatile("cp.async.wait_all;" ::: "memory");
    y[t] = sum + s[2][t] * s[3][t];
}

extern "C" __global__ void own_copies_need_no_barrier_reference(const int *x, int *y)
{
    const int *p = x + threadIdx.x;
    y[threadIdx.x] = p[0] + p[64] + p[128] * p[192];
}

// launch: grid 3, block 32; in x f32[80]; out y f32[80]; i32 n 80
extern "C" __global__ void stencil_with_halo(const float *x, float *y, int n)
{
    __shared__ float s[36];
    const int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t + 2] = i < n ? x[i] : 0;
    if (t < 2) {
        s[t] = i >= 2 ? x[i - 2] : 0;
        s[t + 34] = i + 32 < n ? x[i + 32] : 0;
    }
    __syncthreads();
    if (i < n) y[i] = s[t] + 2 * s[t + 1] + 4 * s[t + 2] + 2 * s[t + 3] + s[t + 4];
}

extern "C" __global__ void stencil_with_halo_reference(const float *x, float *y, int n)
{
    const int i = blockIdx.x * 32 + threadIdx.x;
    if (i >= n) return;
    float v[5];
    for (int k = -2; k <= 2; k++)
        v[k + 2] = i + k >= 0 && i + k < n ? x[i + k] : 0;
    y[i] = v[0] + 2 * v[1] + 4 * v[2] + 2 * v[3] + v[4];
}

// Padding columns of a tile are copied with its rows but mean nothing.
// launch: grid 1, block 64; in x f32[64]; out y f32[64]
extern "C" __global__ void padding_is_copied_with_the_rows(const float *x, float *y)
{
    __shared__ alignas(16) float a[8][12], b[8][12];
    const int t = threadIdx.x;
    a[t / 8][t % 8] = x[t];
    __syncthreads();
    if (t < 24) ((float4 *)b)[t] = ((const float4 *)a)[t];
    __syncthreads();
    y[t] = b[t % 8][t / 8];
}

extern "C" __global__ void padding_is_copied_with_the_rows_reference(const float *x, float *y)
{
    y[threadIdx.x] = x[threadIdx.x % 8 * 8 + threadIdx.x / 8];
}

// Product of two small matrices in tiles of 16, no side a multiple of it.
// launch: grid 2x2, block 16x16; in a f32[1020]; in b f32[760]; out c f32[570]; i32 m 30;
//         i32 n 19; i32 k 34; tolerance 1e-5
extern "C" __global__ void product_by_tiles(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float s[16][17], r[16][16];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int first = 0; first < k; first += 16) {
        s[ty][tx] = row < m && first + tx < k ? a[row * k + first + tx] : 0;
        r[ty][tx] = first + ty < k && column < n ? b[(first + ty) * n + column] : 0;
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[ty][i] * r[i][tx];
        __syncthreads();
    }
    if (row < m && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void product_by_tiles_reference(const float *a, const float *b, float *c, int m, int n, int k)
{
    const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
    float sum = 0;
    if (row >= m || column >= n) return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

// A tile of 16 by 16 for tensor cores of which only 12 rows are filled; the accumulators
// of the others are never stored.
// launch: grid 1, block 32; in a f16[192]; in b f16[128]; out c f32[96]; tolerance 1e-3
extern "C" __global__ void matrix_tile_with_unfilled_rows(const unsigned short *a, const unsigned short *b, float *c)
{
    __shared__ alignas(16) unsigned short s[16][16], r[16][8];
    const int t = threadIdx.x;
    for (int i = t; i < 192; i += 32)
        s[i / 16][i % 16] = a[i];
    for (int i = t; i < 128; i += 32)
        r[i / 8][i % 8] = b[i];
    __syncwarp();
    unsigned f[4], g[2];
    const unsigned from = (unsigned)__cvta_generic_to_shared(&s[t % 16][t / 16 * 8]);
    const unsigned under = (unsigned)__cvta_generic_to_shared(&r[t % 16][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(f[0]), "=r"(f[1]), "=r"(f[2]), "=r"(f[3])
                 : "r"(from)
                 : "memory");
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                 : "=r"(g[0]), "=r"(g[1])
                 : "r"(under)
                 : "memory");
    float d[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
                 "{%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "r"(g[0]), "r"(g[1]));
    for (int i = 0; i < 4; i++) {
        const int row = t / 4 + i / 2 * 8, column = t % 4 * 2 + i % 2;
        if (row < 12) c[row * 8 + column] = d[i];
    }
}

__device__ float from_half(unsigned short bits)
{
    float v;
    asm("cvt.f32.f16 %0, %1;" : "=f"(v) : "h"(bits));
    return v;
}

extern "C" __global__ void matrix_tile_with_unfilled_rows_reference(const unsigned short *a, const unsigned short *b, float *c)
{
    for (int i = threadIdx.x; i < 96; i += 32) {
        float sum = 0;
        for (int k = 0; k < 16; k++)
            sum += from_half(a[i / 8 * 16 + k]) * from_half(b[k * 8 + i % 8]);
        c[i] = sum;
    }
}

// The same memory holds floats, then sums of ints, with a barrier between.
// launch: grid 1, block 64, shared 256; in x f32[64]; out y i32[64]
extern "C" __global__ void shared_memory_is_used_again_as_another_type(const float *x, int *y)
{
    extern __shared__ unsigned char memory[];
    float *f = (float *)memory;
    int *n = (int *)memory;
    const int t = threadIdx.x;
    f[t] = x[t];
    __syncthreads();
    const int larger = f[63 - t] > f[t];
    __syncthreads();
    n[t] = larger;
    __syncthreads();
    y[t] = n[(t + 1) % 64] + 2 * n[t];
}

extern "C" __global__ void shared_memory_is_used_again_as_another_type_reference(const float *x, int *y)
{
    const int t = threadIdx.x, u = (t + 1) % 64;
    y[t] = (x[63 - u] > x[u]) + 2 * (x[63 - t] > x[t]);
}

// ---- several arrays, and pointers that go from one to another one ----

extern "C" __global__ void doubled_reference(const int *x, int *y)
{
    for (int i = 0; i < 64; i++)
        y[i] = 2 * x[i];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void half_of_the_threads_use_each_array(const int *x, int *y)
{
    __shared__ int low[32], high[32];
    const int t = threadIdx.x;
    int *mine = t < 32 ? low : high;
    mine[t % 32] = x[t];
    __syncthreads();
    const int *other = t < 32 ? high : low;
    const int u = t ^ 32;
    y[u] = 2 * other[u % 32];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void buffers_that_are_swapped(const int *x, int *y)
{
    __shared__ int a[64], b[64];
    const int t = threadIdx.x;
    int *from = a, *to = b;
    from[t] = x[t];
    for (int k = 0; k < 7; k++) {
        __syncthreads();
        to[t] = from[63 - t];
        int *const swap = from;
        from = to;
        to = swap;
    }
    __syncthreads();
    y[t] = 2 * from[63 - t];
}

struct pair {
    int key[33];
    int value[31];
};

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void one_array_of_structs_seen_as_words(const int *x, int *y)
{
    __shared__ pair pairs[1];
    __shared__ int behind[64];
    const int t = threadIdx.x;
    int *words = (int *)pairs;
    words[t] = x[t];
    behind[t] = x[63 - t];
    __syncthreads();
    y[t] = (t < 33 ? pairs[0].key[t] : pairs[0].value[t - 33]) + behind[63 - t];
}

// launch: grid 1, block 64, shared 768; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void dynamic_memory_that_is_carved(const int *x, int *y)
{
    extern __shared__ int room[];
    __shared__ int still[64];
    const int t = threadIdx.x;
    int *first = room, *second = first + 64;
    long long *third = (long long *)(second + 64);
    first[t] = x[t];
    second[63 - t] = x[t];
    still[t] = t;
    __syncthreads();
    if (t < 32) third[t] = second[t];
    __syncthreads();
    y[t] = first[t] + (t < 32 ? second[63 - still[t]] : (int)third[63 - t]);
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void pointers_to_arrays_in_a_table(const int *x, int *y)
{
    __shared__ int a[16], b[16], c[16], d[16];
    int *const table[4] = {d, b, c, a};
    const int t = threadIdx.x;
    table[t / 16][t % 16] = x[t];
    __syncthreads();
    const int u = t ^ 48;
    y[u] = 2 * table[u / 16][u % 16];
}

// What is loaded ahead of the test is dropped.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
// reference: doubled_reference, block 1
extern "C" __global__ void next_word_is_loaded_too_early(const int *x, int *y)
{
    __shared__ int a[64], b[64], c[64];
    const int t = threadIdx.x;
    a[t] = c[t] = 1;
    b[t] = x[t];
    __syncthreads();
    int next = ((volatile int *)b)[t + 1];
    if (t == 63) next = x[t] * a[t];
    __syncthreads();
    b[t] = next;
    __syncthreads();
    y[t] = (c[t] + 1) * (t ? b[t - 1] : x[0]);
}
