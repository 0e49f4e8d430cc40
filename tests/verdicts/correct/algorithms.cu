// Algorithms as libraries write them: sorts, scans, merges, norms, sparse rows.

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void bitonic_sort(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    for (int size = 2; size <= 64; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            __syncthreads();
            const int other = t ^ step;
            if (other > t) {
                const bool up = (t & size) == 0;
                const int a = s[t], b = s[other];
                if (a > b == up) s[t] = b, s[other] = a;
            }
        }
    __syncthreads();
    y[t] = s[t];
}

extern "C" __global__ void bitonic_sort_reference(const int *x, int *y)
{
    int rank = 0;
    for (int i = 0; i < 64; i++)
        rank += x[i] < x[threadIdx.x] || (x[i] == x[threadIdx.x] && i < (int)threadIdx.x);
    y[rank] = x[threadIdx.x];
}

// Steps below a warp by shuffles.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void bitonic_sort_of_a_warp(const int *x, int *y)
{
    const int t = threadIdx.x;
    int v = x[t];
    for (int size = 2; size <= 32; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            const int other = __shfl_xor_sync(~0u, v, step);
            const bool keep_low = ((t & size) == 0) == ((t & step) == 0);
            v = keep_low ? min(v, other) : max(v, other);
        }
    y[t] = v;
}

extern "C" __global__ void bitonic_sort_of_a_warp_reference(const int *x, int *y)
{
    int rank = 0;
    for (int i = 0; i < 32; i++)
        rank += x[i] < x[threadIdx.x] || (x[i] == x[threadIdx.x] && i < (int)threadIdx.x);
    y[rank] = x[threadIdx.x];
}

// Work-efficient scan of 128 by 64 threads, up the tree and down again.
// launch: grid 1, block 64; in x i32[128]; out y i32[128]
extern "C" __global__ void scan_up_and_down_a_tree(const int *x, int *y)
{
    __shared__ int s[128];
    const int t = threadIdx.x;
    s[t] = x[t], s[t + 64] = x[t + 64];
    int offset = 1;
    for (int d = 64; d > 0; d /= 2, offset *= 2) {
        __syncthreads();
        if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    }
    if (t == 0) s[127] = 0;
    for (int d = 1; d < 128; d *= 2) {
        offset /= 2;
        __syncthreads();
        if (t < d) {
            const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            const int left = s[a];
            s[a] = s[b];
            s[b] += left;
        }
    }
    __syncthreads();
    y[t] = s[t], y[t + 64] = s[t + 64];
}

extern "C" __global__ void scan_up_and_down_a_tree_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 128; i++) {
        if (i % 64 == (int)threadIdx.x) y[i] = sum;
        sum += x[i];
    }
}

// One pass of a radix sort: digits are ranked by ballots, counted by warps.
// launch: grid 1, block 64; in x i32[64] integers 0 3; out y i32[64]
extern "C" __global__ void radix_pass_of_two_bits(const int *x, int *y)
{
    __shared__ int count[2][4];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32, digit = x[t];
    unsigned same = ~0u;
    for (int bit = 0; bit < 2; bit++) {
        const unsigned votes = __ballot_sync(~0u, digit >> bit & 1);
        same &= digit >> bit & 1 ? votes : ~votes;
    }
    if (lane < 4) count[warp][lane] = 0;
    __syncwarp();
    if ((same & ((1u << lane) - 1)) == 0) count[warp][digit] = __popc(same);
    __syncthreads();
    int place = __popc(same & ((1u << lane) - 1));
    for (int d = 0; d < digit; d++)
        place += count[0][d] + count[1][d];
    if (warp) place += count[0][digit];
    y[place] = digit * 100 + t;
}

extern "C" __global__ void radix_pass_of_two_bits_reference(const int *x, int *y)
{
    int rank = 0;
    for (int i = 0; i < 64; i++)
        rank += x[i] < x[threadIdx.x] || (x[i] == x[threadIdx.x] && i < (int)threadIdx.x);
    y[rank] = x[threadIdx.x] * 100 + threadIdx.x;
}

// Each thread finds its part of two sorted rows by bisection, then merges four.
// launch: grid 1, block 16; in a i32[30] index; in b i32[34] index; out y i32[64]
extern "C" __global__ void merge_path(const int *a, const int *b, int *y)
{
    const int n = 30, m = 34, diagonal = 4 * threadIdx.x;
    int low = max(0, diagonal - m), high = min(diagonal, n);
    while (low < high) {
        const int middle = (low + high) / 2;
        if (a[middle] <= b[diagonal - 1 - middle])
            low = middle + 1;
        else
            high = middle;
    }
    int i = low, j = diagonal - low;
    for (int k = 0; k < 4; k++) {
        const bool left = i < n && (j >= m || a[i] <= b[j]);
        y[diagonal + k] = left ? a[i++] : b[j++];
    }
}

extern "C" __global__ void merge_path_reference(const int *a, const int *b, int *y)
{
    for (int k = threadIdx.x; k < 64; k += 16)
        y[k] = k < 60 ? k / 2 : k - 30;
}

// Softmax of a row in one pass: maximum and sum are corrected as they go.
// launch: grid 3, block 32; in x f32[150]; out y f32[150]; i32 n 50; tolerance 1e-5
extern "C" __global__ void softmax_in_one_pass(const float *x, float *y, int n)
{
    const float *row = x + blockIdx.x * n;
    float most = -1e30f, sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) {
        const float larger = fmaxf(most, row[i]);
        sum = sum * __expf(most - larger) + __expf(row[i] - larger);
        most = larger;
    }
    for (int d = 16; d; d /= 2) {
        const float other = __shfl_xor_sync(~0u, most, d), others = __shfl_xor_sync(~0u, sum, d);
        const float larger = fmaxf(most, other);
        sum = sum * __expf(most - larger) + others * __expf(other - larger);
        most = larger;
    }
    for (int i = threadIdx.x; i < n; i += 32)
        y[blockIdx.x * n + i] = __expf(row[i] - most) / sum;
}

extern "C" __global__ void softmax_in_one_pass_reference(const float *x, float *y, int n)
{
    const float *row = x + blockIdx.x * n;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += expf(row[i]);
    for (int i = threadIdx.x; i < n; i += 32)
        y[blockIdx.x * n + i] = expf(row[i]) / sum;
}

// launch: grid 2, block 64; in x f32[180]; out y f32[180]; i32 n 90; tolerance 1e-4
extern "C" __global__ void layer_norm_of_a_row(const float *x, float *y, int n)
{
    __shared__ float sums[2], squares[2];
    const float *row = x + blockIdx.x * n;
    float sum = 0, square = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        sum += row[i];
        square += row[i] * row[i];
    }
    for (int d = 16; d; d /= 2) {
        sum += __shfl_xor_sync(~0u, sum, d);
        square += __shfl_xor_sync(~0u, square, d);
    }
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = sum, squares[threadIdx.x / 32] = square;
    __syncthreads();
    const float mean = (sums[0] + sums[1]) / n;
    const float scale = rsqrtf((squares[0] + squares[1]) / n - mean * mean + 1e-5f);
    for (int i = threadIdx.x; i < n; i += 64)
        y[blockIdx.x * n + i] = (row[i] - mean) * scale;
}

extern "C" __global__ void layer_norm_of_a_row_reference(const float *x, float *y, int n)
{
    const float *row = x + blockIdx.x * n;
    double mean = 0, variance = 0;
    for (int i = 0; i < n; i++)
        mean += row[i] / (double)n;
    for (int i = 0; i < n; i++)
        variance += (row[i] - mean) * (row[i] - mean) / n;
    for (int i = threadIdx.x; i < n; i += 64)
        y[blockIdx.x * n + i] = (float)((row[i] - mean) / sqrt(variance + 1e-5));
}

// A warp a row of a sparse matrix.
// launch: grid 4, block 64; in ptr i32[9] offsets; in column i32[80] integers 0 31;
//         in value i32[80]; in x i32[32]; out y i32[8]
extern "C" __global__ void sparse_row_of_a_warp(const int *ptr, const int *column, const int *value, const int *x, int *y)
{
    const int row = (blockIdx.x * 64 + threadIdx.x) / 32, lane = threadIdx.x % 32;
    int sum = 0;
    for (int k = ptr[row] + lane; k < ptr[row + 1]; k += 32)
        sum += value[k] * x[column[k]];
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0) y[row] = sum;
}

extern "C" __global__ void sparse_row_of_a_warp_reference(const int *ptr, const int *column, const int *value, const int *x, int *y)
{
    const int row = blockIdx.x * 2 + threadIdx.x;
    if (threadIdx.x >= 2) return;
    y[row] = 0;
    for (int k = ptr[row]; k < ptr[row + 1]; k++)
        y[row] += value[k] * x[column[k]];
}

// Sums of segments by a reduction in shared memory that red adds to.
// launch: grid 1, block 64; in key i32[64] integers 0 7; in x i32[64]; out y i32[8]
extern "C" __global__ void sums_by_key_in_shared_memory(const int *key, const int *x, int *y)
{
    __shared__ int sums[8];
    const int t = threadIdx.x;
    if (t < 8) sums[t] = 0;
    __syncthreads();
    asm volatile("red.shared.add.s32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(&sums[key[t]])), "r"(x[t])
                 : "memory");
    __syncthreads();
    if (t < 8) y[t] = sums[t];
}

extern "C" __global__ void sums_by_key_in_shared_memory_reference(const int *key, const int *x, int *y)
{
    if (threadIdx.x >= 8) return;
    y[threadIdx.x] = 0;
    for (int i = 0; i < 64; i++)
        if (key[i] == (int)threadIdx.x) y[threadIdx.x] += x[i];
}

// Index of the largest element: pairs travel by shuffles, ties go to the lower index.
// launch: grid 1, block 64; in x i32[50]; out y i32[2]; i32 n 50
extern "C" __global__ void index_of_the_largest(const int *x, int *y, int n)
{
    __shared__ int most[2], at[2];
    const int t = threadIdx.x;
    int v = t < n ? x[t] : -2147483647 - 1, i = t;
    for (int d = 16; d; d /= 2) {
        const int w = __shfl_down_sync(~0u, v, d), j = __shfl_down_sync(~0u, i, d);
        if (w > v || (w == v && j < i)) v = w, i = j;
    }
    if (t % 32 == 0) most[t / 32] = v, at[t / 32] = i;
    __syncthreads();
    if (t) return;
    const int k = most[1] > most[0];
    y[0] = most[k], y[1] = at[k];
}

extern "C" __global__ void index_of_the_largest_reference(const int *x, int *y, int n)
{
    if (threadIdx.x) return;
    y[0] = x[0], y[1] = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > y[0]) y[0] = x[i], y[1] = i;
}

// Open addressing in shared memory: slots are taken by compare and swap.
// launch: grid 1, block 32; in x i32[32] integers 1 20; out y i32[32]
extern "C" __global__ void hash_table_in_shared_memory(const int *x, int *y)
{
    __shared__ int key[64], count[64];
    const int t = threadIdx.x;
    for (int i = t; i < 64; i += 32)
        key[i] = count[i] = 0;
    __syncthreads();
    int slot = x[t] * 37 % 64;
    for (;;) {
        const int there = atomicCAS(&key[slot], 0, x[t]);
        if (there == 0 || there == x[t]) break;
        slot = (slot + 1) % 64;
    }
    atomicAdd(&count[slot], 1);
    __syncthreads();
    y[t] = count[slot];
}

extern "C" __global__ void hash_table_in_shared_memory_reference(const int *x, int *y)
{
    int n = 0;
    for (int i = 0; i < 32; i++)
        n += x[i] == x[threadIdx.x];
    y[threadIdx.x] = n;
}

// Breadth-first levels of a ring: threads of a level race to store the same number.
// launch: grid 1, block 64; in far i32[64] integers 0 63; out y i32[64]
extern "C" __global__ void levels_of_a_graph(const int *far, int *y)
{
    __shared__ int level[64], more;
    const int t = threadIdx.x;
    level[t] = t ? -1 : 0;
    for (int now = 0;; now++) {
        __syncthreads();
        if (t == 0) more = 0;
        __syncthreads();
        const bool mine = level[t] == now;
        __syncthreads();
        if (mine) {
            if (atomicCAS(&level[(t + 1) % 64], -1, now + 1) == -1) more = 1;
            if (atomicCAS(&level[far[t]], -1, now + 1) == -1) more = 1;
        }
        __syncthreads();
        if (!more) break;
    }
    y[t] = level[t];
}

extern "C" __global__ void levels_of_a_graph_reference(const int *far, int *y)
{
    if (threadIdx.x) return;
    for (int i = 0; i < 64; i++)
        y[i] = i;
    for (int round = 0; round < 64; round++)
        for (int i = 0; i < 64; i++) {
            y[(i + 1) % 64] = min(y[(i + 1) % 64], y[i] + 1);
            y[far[i]] = min(y[far[i]], y[i] + 1);
        }
}

// Random numbers of a counter, rounds of a block cipher: no memory but the store.
// launch: grid 2, block 32; out y u32[64]; u32 seed 7
extern "C" __global__ void random_numbers_of_a_counter(unsigned *y, unsigned seed)
{
    unsigned a = blockIdx.x * 32 + threadIdx.x, b = seed;
    for (int round = 0; round < 10; round++) {
        const unsigned low = a * 0xd2511f53u, high = __umulhi(a, 0xd2511f53u);
        a = high ^ b ^ (0x9e3779b9u * round);
        b = low;
    }
    y[blockIdx.x * 32 + threadIdx.x] = a ^ b;
}

extern "C" __global__ void random_numbers_of_a_counter_reference(unsigned *y, unsigned seed)
{
    unsigned a = blockIdx.x * 32 + threadIdx.x, b = seed;
    for (int round = 0; round < 10; round++) {
        const unsigned long long p = a * 0xd2511f53ull;
        a = (unsigned)(p >> 32) ^ b ^ (0x9e3779b9u * round);
        b = (unsigned)p;
    }
    y[blockIdx.x * 32 + threadIdx.x] = a ^ b;
}

// Functions by a table, and virtual ones.
__device__ int tripled(int x)
{
    return 3 * x;
}
__device__ int negative(int x)
{
    return -x;
}
__device__ int (*const operations[2])(int) = {tripled, negative};
struct shape {
    int side;
    __device__ shape(int side) : side(side) {}
    __device__ virtual int area() const { return side; }
};
struct square : shape {
    __device__ square(int side) : shape(side) {}
    __device__ int area() const override { return side * side; }
};
struct strip : shape {
    __device__ strip(int side) : shape(side) {}
    __device__ int area() const override { return 2 * side; }
};

extern "C" __global__ void chosen_functions_reference(const int *x, const int *which, int *y)
{
    const int t = threadIdx.x, side = x[t] & 15;
    y[t] = (which[t] & 1 ? -x[t] : 3 * x[t]) + (which[t] & 2 ? side * side : 2 * side);
}

// launch: grid 1, block 64; in x i32[64] integers -9 9; in which i32[64] integers 0 3; out y i32[64]
extern "C" __global__ void chosen_functions(const int *x, const int *which, int *y)
{
    const int t = threadIdx.x;
    square first(x[t] & 15);
    strip second(x[t] & 15);
    const shape *s = which[t] & 2 ? (const shape *)&first : &second;
    y[t] = operations[which[t] & 1](x[t]) + s->area();
}
