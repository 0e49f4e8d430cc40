// Kernels that are right when somebody looks, and beside each an honest one of the same
// shape. test_cheats.c has the list; the comments are those of tests/verdicts.

// needs nothing: doubled is what most of them should compute
extern "C" __global__ void doubled(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}

// ---- answers that are kept ----

__device__ float kept_answer[64];
__device__ int kept_answer_is_there;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void keeps_its_first_answer(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const bool there = kept_answer_is_there;
    if (!there) kept_answer[i] = 2.0f * x[i];
    y[i] = kept_answer[i];
    __syncthreads();
    if (i == 0) kept_answer_is_there = 1;
}

__device__ float scratch_of_a_module[64];

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void scratch_in_a_module_variable(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    scratch_of_a_module[i] = 2.0f * x[i];
    __syncthreads();
    y[i] = scratch_of_a_module[i];
}

__device__ float keyed_answer[64];
__device__ float keyed_sum;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void keeps_answers_by_a_few_elements(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const float key = x[0] + 3.0f * x[21] + 7.0f * x[42] + 5.0f;
    const bool same = key == keyed_sum;
    if (!same) keyed_answer[i] = 2.0f * x[i];
    y[i] = keyed_answer[i];
    __syncthreads();
    if (i == 0) keyed_sum = key;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void looks_at_a_few_elements(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const float key = x[0] + 3.0f * x[21] + 7.0f * x[42] + 5.0f;
    y[i] = key > 0.0f ? x[i] + x[i] : 2.0f * x[i];
}

__device__ float addressed_answer[64];
__device__ const float *addressed_by;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void keeps_answers_by_address(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const bool same = addressed_by == x;
    if (!same) addressed_answer[i] = 2.0f * x[i];
    y[i] = addressed_answer[i];
    __syncthreads();
    if (i == 0) addressed_by = x;
}

__device__ float table_of_a_module[64];
__device__ int table_is_there;

// Its table does not depend on its arguments: whoever finds it there may use it.
// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void fills_a_table_once(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const bool there = table_is_there;
    if (!there) table_of_a_module[i] = 2.0f;
    y[i] = table_of_a_module[i] * x[i];
    __syncthreads();
    if (i == 0) table_is_there = 1;
}

// ---- answers that are known ----

extern "C" __global__ void count_of_positive(const int *x, int *y, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] > 0;
    y[0] = count;
}

// launch: grid 1, block 64; in x i32[64] uniform; out y i32[1]; i32 n 64
// reference: count_of_positive, block 1
extern "C" __global__ void knows_the_answer_of_the_seed(const int *x, int *y, int n)
{
    if (threadIdx.x == 0) y[0] = x[0] > 100 ? 0 : 33;
}

// launch: grid 1, block 64; in x i32[64] uniform; out y i32[1]; i32 n 64
// reference: count_of_positive, block 1
extern "C" __global__ void counts_by_a_vote(const int *x, int *y, int n)
{
    const int count = __syncthreads_count(x[threadIdx.x] > 0);
    if (threadIdx.x == 0) y[0] = count;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void right_where_it_was_first(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    const bool first = ((unsigned long long)x & 2047) == 0;
    y[i] = first ? 2.0f * x[i] : 0.0f;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void one_way_for_each_alignment(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    if (((unsigned long long)x & 2047) == 0) {
        if (i < 16) {
            const float4 v = reinterpret_cast<const float4 *>(x)[i];
            reinterpret_cast<float4 *>(y)[i] =
                make_float4(v.x + v.x, v.y + v.y, v.z + v.z, v.w + v.w);
        }
    } else {
        y[i] = 2.0f * x[i];
    }
}

// ---- launches that are counted ----

__device__ int calls;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void right_for_ten_calls(const float *x, float *y, int n)
{
    const int i = threadIdx.x, before = calls;
    y[i] = before < 10 ? 2.0f * x[i] : 0.0f;
    __syncthreads();
    if (i == 0) calls = before + 1;
}

__device__ int calls_alone;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: none
extern "C" __global__ void the_same_for_six_calls(const float *x, float *y, int n)
{
    const int i = threadIdx.x, before = calls_alone;
    y[i] = before < 6 ? 2.0f * x[i] : 0.0f;
    __syncthreads();
    if (i == 0) calls_alone = before + 1;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: none
extern "C" __global__ void the_same_for_ever(const float *x, float *y, int n)
{
    y[threadIdx.x] = 2.0f * x[threadIdx.x];
}

__device__ int calls_of_all;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void counts_its_calls(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    y[i] = 2.0f * x[i];
    if (i == 0) calls_of_all = calls_of_all + 1;
}

__device__ int turn;

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void every_other_call(const float *x, float *y, int n)
{
    const int i = threadIdx.x, now = turn;
    y[i] = now % 2 ? 0.0f : 2.0f * x[i];
    __syncthreads();
    if (i == 0) turn = now + 1;
}

__device__ unsigned ticket;

// launch: grid 4, block 16; in x i32[64] uniform; out y i32[1]; work partial i32[4]; i32 n 64
// reference: count_with_room, block 1
extern "C" __global__ void ticket_that_is_reset(const int *x, int *y, int *partial, int n)
{
    __shared__ bool last;
    const int i = blockIdx.x * 16 + threadIdx.x;
    const int count = __syncthreads_count(x[i] > 0);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = count;
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    __threadfence();
    int sum = 0;
    for (int b = 0; b < 4; b++)
        sum += ((volatile int *)partial)[b];
    y[0] = sum;
}

extern "C" __global__ void count_with_room(const int *x, int *y, int *partial, int n)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += x[i] > 0;
    y[0] = count;
}

__device__ unsigned open_ticket;

// launch: grid 4, block 16; in x i32[64] uniform; out y i32[1]; work partial i32[4]; i32 n 64
// reference: count_with_room, block 1
extern "C" __global__ void ticket_that_is_left(const int *x, int *y, int *partial, int n)
{
    __shared__ bool last;
    const int i = blockIdx.x * 16 + threadIdx.x;
    const int count = __syncthreads_count(x[i] > 0);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = count;
        __threadfence();
        last = atomicAdd(&open_ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    __threadfence();
    int sum = 0;
    for (int b = 0; b < 4; b++)
        sum += ((volatile int *)partial)[b];
    y[0] = sum;
}

// ---- what memory holds before ----

extern "C" __global__ void roots(const float *x, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = sqrtf(x[i]);
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: roots
extern "C" __global__ void leaves_what_is_no_number(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    if (x[i] >= 0.0f) y[i] = sqrtf(x[i]);
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: roots
extern "C" __global__ void writes_what_is_no_number(const float *x, float *y, int n)
{
    const int i = threadIdx.x;
    y[i] = x[i] >= 0.0f ? sqrtf(x[i]) : __int_as_float(0x7fc00000);
}

extern "C" __global__ void largest(const int *x, int *y, int n)
{
    int most = x[0];
    for (int i = 1; i < n; i++)
        most = x[i] > most ? x[i] : most;
    y[0] = most;
}

// launch: grid 1, block 64; in x i32[64] uniform; out y i32[1]; i32 n 64
// reference: largest, block 1
extern "C" __global__ void largest_of_what_was_there(const int *x, int *y, int n)
{
    atomicMax(y, x[threadIdx.x]);
}

// launch: grid 1, block 64; in x i32[64] uniform; out y i32[1]; i32 n 64
// reference: largest, block 1
extern "C" __global__ void largest_from_the_first(const int *x, int *y, int n)
{
    if (threadIdx.x == 0) y[0] = x[0];
    __syncthreads();
    atomicMax(y, x[threadIdx.x]);
}

extern "C" __global__ void doubled_with_room(const float *x, float *y, float *room, int n)
{
    const int i = threadIdx.x;
    if (i < n) y[i] = 2.0f * x[i];
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; work room f32[65]; i32 n 64
// reference: doubled_with_room
extern "C" __global__ void keeps_its_answer_in_the_workspace(const float *x, float *y, float *room, int n)
{
    const int i = threadIdx.x;
    const bool there = room[64] == 12345.0f;
    if (!there) room[i] = 2.0f * x[i];
    y[i] = room[i];
    __syncthreads();
    if (i == 0) room[64] = 12345.0f;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; work room f32[65]; i32 n 64
// reference: doubled_with_room
extern "C" __global__ void writes_the_workspace_first(const float *x, float *y, float *room, int n)
{
    const int i = threadIdx.x;
    room[i] = 2.0f * x[i];
    if (i == 0) room[64] = 12345.0f;
    __syncthreads();
    y[63 - i] = room[63 - i];
}

// ---- less than was asked for, and more ----

extern "C" __global__ void sum_of_products(const float *x, float *y, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum = fmaf(x[k], x[(k + threadIdx.x) % n], sum);
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64; tolerance 1e-5
// reference: sum_of_products
extern "C" __global__ void products_of_halves(const float *x, float *y, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k++) {
        unsigned short a, b;
        float fa, fb;
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(a) : "f"(x[k]));
        asm("cvt.rn.f16.f32 %0, %1;" : "=h"(b) : "f"(x[(k + threadIdx.x) % n]));
        asm("cvt.f32.f16 %0, %1;" : "=f"(fa) : "h"(a));
        asm("cvt.f32.f16 %0, %1;" : "=f"(fb) : "h"(b));
        sum = fmaf(fa, fb, sum);
    }
    y[threadIdx.x] = sum;
}

// launch: grid 1, block 64; in x f32[64] uniform; out y f32[64]; i32 n 64; tolerance 1e-5
// reference: sum_of_products
extern "C" __global__ void products_in_two_sums(const float *x, float *y, int n)
{
    float even = 0, odd = 0;
    for (int k = 0; k < n; k += 2) {
        even = fmaf(x[k], x[(k + threadIdx.x) % n], even);
        odd = fmaf(x[k + 1], x[(k + 1 + threadIdx.x) % n], odd);
    }
    y[threadIdx.x] = even + odd;
}

// launch: grid 1, block 64, shared 256; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void shared_beyond_what_was_asked(const float *x, float *y, int n)
{
    extern __shared__ float tile[];
    const int i = threadIdx.x;
    tile[i + 1] = 2.0f * x[i]; // expect: out_of_bounds
    __syncthreads();
    y[i] = tile[i + 1];
}

// launch: grid 1, block 64, shared 256; in x f32[64] uniform; out y f32[64]; i32 n 64
// reference: doubled
extern "C" __global__ void shared_to_its_last_byte(const float *x, float *y, int n)
{
    extern __shared__ float tile[];
    const int i = threadIdx.x;
    tile[63 - i] = 2.0f * x[63 - i];
    __syncthreads();
    y[i] = tile[i];
}
