// Loads in a race whose values matter, whatever way they take.

// class: race whose value matters

// launch: grid 1, block 96; out o f32[1]; in x f32[4]; i32 n 3
extern "C" __global__ void racing_load_is_the_maximum(float *o, const float *x, int n)
{
    __shared__ float s[4];
    if (threadIdx.x < 4) s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (threadIdx.x == 0) {
        float m = s[0];
        if (1 < n) m = s[1] > m ? s[1] : m;
        if (2 < n) m = s[2] > m ? s[2] : m; // expect: race
        if (3 < n) m = s[3] > m ? s[3] : m;
        o[0] = m;
    }
    if (threadIdx.x == 64) s[2] = 5; // expect: race
}

extern "C" __global__ void racing_load_is_the_maximum_reference(float *o, const float *x, int n)
{
    o[0] = fmaxf(fmaxf(x[0], x[1]), x[2]);
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_load_decides_what_is_stored(const int *x, int *y)
{
    __shared__ int done;
    const int t = threadIdx.x;
    if (t == 0) done = 0;
    __syncthreads();
    if (t == 40) done = 1; // expect: race
    if (done) // expect: race
        y[t] = 0;
    else
        y[t] = x[t];
}

extern "C" __global__ void racing_load_decides_what_is_stored_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_load_is_an_index(const int *x, int *y)
{
    __shared__ int at;
    const int t = threadIdx.x;
    if (t == 0) at = 3;
    __syncthreads();
    if (t == 63) at = 4; // expect: race
    y[t] = x[at] * 0 + x[t]; // expect: race
    y[t] = x[(t + at) & 63]; // expect: race
}

extern "C" __global__ void racing_load_is_an_index_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[(threadIdx.x + 3) & 63];
}

// launch: grid 1, block 64; in x u8[64]; out y u8[64]
extern "C" __global__ void bytes_of_neighbours_without_barrier(const unsigned char *x, unsigned char *y)
{
    __shared__ unsigned char s[64];
    const int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    s[t] = x[t];     // expect: race
    y[t] = s[t ^ 1]; // expect: race
}

extern "C" __global__ void bytes_of_neighbours_without_barrier_reference(const unsigned char *x, unsigned char *y)
{
    y[threadIdx.x] = x[threadIdx.x ^ 1];
}

// launch: grid 1, block 64; inout count i32[1] zero; out y i32[64]; i32 k 0
extern "C" __global__ void counter_that_one_thread_advances_while_others_read(int *count, int *y,
                                                                              int k)
{
    const int t = threadIdx.x;
    y[t] = count[0]; // expect: race
    __syncwarp();
    if (t == 0) {
        const int next = count[k] + 1; // which is not the load that races
        count[k] = next;               // expect: race
    }
}

extern "C" __global__ void counter_that_one_thread_advances_while_others_read_reference(int *count,
                                                                                        int *y, int k)
{
    y[threadIdx.x] = 0;
    if (threadIdx.x == 0) count[k] = 1;
}

// Of a transposed matrix a register has two rows: the one that races is kept.
// launch: grid 1, block 64; in x u16[64]; out y u32[32]
extern "C" __global__ void row_of_a_matrix_is_kept(const unsigned short *x, unsigned *y)
{
    __shared__ __align__(16) unsigned short s[64];
    const int t = threadIdx.x;
    if (t < 56) s[t] = x[t];
    __syncthreads();
    if (t >= 56) s[t] = x[t]; // expect: race
    if (t >= 32) return;
    unsigned r;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];"
                 : "=r"(r)
                 : "r"((unsigned)__cvta_generic_to_shared(s + t % 8 * 8)) // expect: race
                 : "memory");
    y[t] = t % 4 == 3 ? r >> 16 : r;
}

extern "C" __global__ void row_of_a_matrix_is_kept_reference(const unsigned short *x, unsigned *y)
{
    const int t = threadIdx.x, row = t % 4 * 2, column = t / 4;
    if (t >= 32) return;
    y[t] = row == 6 ? x[56 + column] : x[row * 8 + column] | x[row * 8 + 8 + column] << 16;
}

// class: race behind a vote, a branch or a call

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_value_ends_a_loop(const int *x, int *y)
{
    __shared__ int stop;
    const int t = threadIdx.x;
    if (t == 0) stop = 0;
    __syncthreads();
    int turns = 0;
    for (; turns < 5; turns++) {
        if (stop) break; // expect: race
        if (t == 40 && turns == 2) stop = 1; // expect: race
    }
    y[t] = turns + x[t];
}

extern "C" __global__ void racing_value_ends_a_loop_reference(const int *x, int *y)
{
    y[threadIdx.x] = 5 + x[threadIdx.x];
}

// What is not written behind the branch is stored further down: the race is the cause.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_value_lets_a_tile_be_written(const int *x, int *y)
{
    __shared__ int go, s[64];
    const int t = threadIdx.x;
    if (t == 0) go = x[0] != 1 << 30; // expect: race
    if (go) s[t] = x[t];              // expect: race
    __syncthreads();
    y[t] = s[63 - t];
}

extern "C" __global__ void racing_value_lets_a_tile_be_written_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[63 - threadIdx.x];
}

// launch: grid 4, block 64; in x i32[256]; out y i32[64]; out parts i32[256]; inout count i32[1] zero
extern "C" __global__ void last_block_that_not_all_threads_know(const int *x, int *y, int *parts, int *count)
{
    __shared__ int last, s[64];
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    parts[i] = x[i];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicAdd(count, 1) == gridDim.x - 1; // expect: race
    if (last) {                                              // expect: race
        __threadfence();
        s[t] = 0;
        for (int b = 0; b < gridDim.x; b++)
            s[t] += ((volatile int *)parts)[b * 64 + t];
    }
    __syncthreads();
    if (last) y[t] = s[63 - t];
}

extern "C" __global__ void last_block_that_not_all_threads_know_reference(const int *x, int *y, int *parts, int *count)
{
    const int t = threadIdx.x, i = blockIdx.x * 64 + t;
    parts[i] = x[i];
    if (t == 0) *count = 4;
    if (blockIdx.x == 0) {
        y[t] = 0;
        for (int b = 0; b < 4; b++)
            y[t] += x[b * 64 + 63 - t];
    }
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_value_is_voted_on(const int *x, int *y)
{
    __shared__ int word;
    const int t = threadIdx.x;
    if (t == 0) word = 0;
    __syncthreads();
    if (t == 50) word = 1; // expect: race
    const int any = __any_sync(~0u, word); // expect: race
    y[t] = any + x[t];
}

extern "C" __global__ void racing_value_is_voted_on_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void racing_value_is_compared_by_the_whole_block(const int *x, int *y)
{
    __shared__ int word;
    const int t = threadIdx.x;
    if (t == 0) word = 0;
    __syncthreads();
    if (t == 50) word = 1; // expect: race
    const int n = __syncthreads_count(word); // expect: race
    y[t] = n + x[t];
}

extern "C" __global__ void racing_value_is_compared_by_the_whole_block_reference(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x];
}

// launch: grid 3, block 64; in x i32[192]; work w i32[1]; out y i32[192]
extern "C" __global__ void workspace_is_shared_by_blocks(const int *x, int *w, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (threadIdx.x == 0) *w = x[blockIdx.x]; // expect: race
    __syncthreads();
    y[i] = x[i] + *w - x[blockIdx.x]; // expect: race
}

extern "C" __global__ void workspace_is_shared_by_blocks_reference(const int *x, int *w, int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = x[i];
}

// class: plain load beside atomic operations

// launch: grid 3, block 32; in x i32[96]; inout y i32[1] zero
extern "C" __global__ void update_is_lost_by_an_exchange(const int *x, int *y)
{
    const int old = *y; // expect: race or order
    atomicExch(y, old + x[blockIdx.x * 32 + threadIdx.x]); // expect: race or order
}

extern "C" __global__ void update_is_lost_by_an_exchange_reference(const int *x, int *y)
{
    atomicAdd(y, x[blockIdx.x * 32 + threadIdx.x]);
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void shared_sum_is_read_too_early(const int *x, int *y)
{
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[threadIdx.x]); // expect: race
    y[threadIdx.x] = sum;            // expect: race
}

extern "C" __global__ void shared_sum_is_read_too_early_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[i];
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 64; in x i32[64] integers 0 9; out y i32[64]
extern "C" __global__ void rank_is_a_guess_that_was_not_kept(const int *x, int *y)
{
    __shared__ int count[10];
    const int t = threadIdx.x;
    if (t < 10) count[t] = 0;
    __syncthreads();
    const int guess = count[x[t]];              // expect: race
    atomicCAS(&count[x[t]], guess, guess + 1);  // expect: race or mismatch
    y[t] = guess;                               // others may have had the same
}

extern "C" __global__ void rank_is_a_guess_that_was_not_kept_reference(const int *x, int *y)
{
    int rank = 0;
    for (int i = 0; i < (int)threadIdx.x; i++)
        rank += x[i] == x[threadIdx.x];
    y[threadIdx.x] = rank;
}

// launch: grid 4, block 32; in x i32[128]; inout first i32[1] zero; inout y i32[1] constant -1
extern "C" __global__ void first_block_by_a_look_and_then_an_atomic(const int *x, int *first, int *y)
{
    if (threadIdx.x) return;
    if (*first == 0) { // expect: race or order
        atomicAdd(first, 1); // expect: race or order
        *y = x[blockIdx.x * 32]; // expect: race
    }
}

extern "C" __global__ void first_block_by_a_look_and_then_an_atomic_reference(const int *x, int *first, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    *y = x[0];
    *first = 1;
}
