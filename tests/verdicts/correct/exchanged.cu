// Lanes that store over what others of their warp have loaded and then exchanged: whoever
// gave a value to a shuffle or a vote has loaded it.

// y[t] = the sum of the block's x
extern "C" __global__ void block_sum_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < (int)blockDim.x; i++)
        sum += x[i];
    y[threadIdx.x] = sum;
}

static __device__ int warp_sum(int v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    return v;
}

static __device__ int warp_sum_of_all(int v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

// The first warp reads the sums of all and puts theirs over the first one.
// launch: grid 1, block 128; in x i32[128]; out y i32[128]
// reference: block_sum_reference
extern "C" __global__ void block_sum_over_the_first_slot(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = warp_sum(x[t]);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_sum(lane < 4 ? s[lane] : 0);
        if (lane == 0) s[0] = v;
    }
    __syncthreads();
    y[t] = s[0];
}

// launch: grid 1, block 1024; in x i32[1024] integers 0 9; out y i32[1024]
// reference: block_sum_reference
extern "C" __global__ void block_sum_over_any_slot(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = warp_sum_of_all(x[t]);
    if (lane == 0) s[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = warp_sum_of_all(s[lane]);
        if (lane == 5) s[17] = v;
    }
    __syncthreads();
    y[t] = s[17];
}

extern "C" __global__ void softmax_of_rows_reference(const float *x, float *y)
{
    const float *row = x + blockIdx.x * 256;
    float most = row[0], sum = 0;
    for (int i = 0; i < 256; i++)
        most = fmaxf(most, row[i]);
    for (int i = 0; i < 256; i++)
        sum += expf(row[i] - most);
    for (int i = threadIdx.x; i < 256; i += blockDim.x)
        y[blockIdx.x * 256 + i] = expf(row[i] - most) / sum;
}

// As reduction_utils.h of DeepSpeed: a slot of each warp in a buffer that two reductions
// share; all lanes read their warp's, and one stores the next sum over it.
static __device__ void store_slot(float *slot, float v)
{
    asm volatile("st.shared.f32 [%0], %1;" ::"r"((unsigned)__cvta_generic_to_shared(slot)),
                 "f"(v));
}
static __device__ float load_slot(const float *slot)
{
    float v;
    asm volatile("ld.shared.f32 %0, [%1];"
                 : "=f"(v)
                 : "r"((unsigned)__cvta_generic_to_shared(slot)));
    return v;
}
template <bool most> static __device__ float reduced(float v, float *slots)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int d = 1; d < 32; d *= 2) {
        const float other = __shfl_xor_sync(~0u, v, d);
        v = most ? fmaxf(v, other) : v + other;
    }
    if (lane == 0) store_slot(slots + warp, v);
    __syncthreads();
    if (warp == 0) {
        v = most ? -1e30f : 0;
        if (lane < (int)blockDim.x / 32) v = load_slot(slots + lane);
        for (int d = 1; d < (int)blockDim.x / 32; d *= 2) {
            const float other = __shfl_xor_sync(~0u, v, d);
            v = most ? fmaxf(v, other) : v + other;
        }
        store_slot(slots + lane, v);
    }
    __syncthreads();
    return load_slot(slots + warp);
}

// launch: grid 3, block 128; in x f32[768] normal; out y f32[768]; tolerance 1e-5
extern "C" __global__ void softmax_of_rows(const float *x, float *y)
{
    __shared__ float slots[32];
    const float *row = x + blockIdx.x * 256;
    float v[2], most = -1e30f, sum = 0;
    for (int k = 0; k < 2; k++)
        most = fmaxf(most, v[k] = row[k * 128 + threadIdx.x]);
    most = reduced<true>(most, slots);
    for (int k = 0; k < 2; k++)
        sum += v[k] = expf(v[k] - most);
    sum = reduced<false>(sum, slots);
    for (int k = 0; k < 2; k++)
        y[blockIdx.x * 256 + k * 128 + threadIdx.x] = v[k] / sum;
}

// Threads add up what they find of a row, some nothing at all.
// launch: grid 1, block 64; in x i32[100] integers 0 9; out y i32[2]
extern "C" __global__ void sums_of_rows_of_any_length(const int *x, int *y)
{
    __shared__ int s[100];
    const int t = threadIdx.x, lane = t % 32;
    for (int i = t; i < 100; i += 64)
        s[i] = x[i];
    __syncthreads();
    if (t >= 32) return;
    for (int row = 0; row < 2; row++) {
        int v = 0;
        for (int i = lane; i < 30 + 40 * row; i += 32)
            v += s[30 * row + i];
        v = warp_sum(v);
        if (lane == 0) s[30 * row + 7] = v;
    }
    if (lane == 0) y[0] = s[7], y[1] = s[37];
}

extern "C" __global__ void sums_of_rows_of_any_length_reference(const int *x, int *y)
{
    if (threadIdx.x) return;
    y[0] = y[1] = 0;
    for (int i = 0; i < 100; i++)
        y[i >= 30] += x[i];
}

extern "C" __global__ void moved_sums_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[threadIdx.x] = threadIdx.x == 20 ? sum : x[threadIdx.x];
}

// Halves add up each for itself; their first lanes exchange the sums, and the lower one
// stores over what a lane of the upper half has read.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: moved_sums_reference
extern "C" __global__ void exchange_by_way_of_another_lane(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    const unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
    int v = s[t ^ 1];
    for (int d = 8; d; d /= 2)
        v += __shfl_xor_sync(half, v, d);
    if (t % 16 == 0) {
        v += __shfl_xor_sync(0x00010001u, v, 16);
        if (t == 0) s[20] = v;
    }
    __syncwarp();
    y[t] = s[t];
}

extern "C" __global__ void marked_reference(const int *x, int *y)
{
    int any = 0, sum = 0;
    for (int i = 0; i < 32; i++) {
        any |= x[i] > 3;
        sum += x[i];
    }
    y[threadIdx.x] = threadIdx.x == 7 ? any : threadIdx.x == 9 ? sum : x[threadIdx.x];
}

// launch: grid 1, block 32; in x i32[32] integers 0 9; out y i32[32]
// reference: marked_reference
extern "C" __global__ void votes_and_sums_over_what_they_read(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    const int any = __any_sync(~0u, s[31 - t] > 3);
    if (t == 0) s[7] = any;
    __syncwarp();
    const int sum = __reduce_add_sync(~0u, t == 7 ? x[7] : s[t]);
    if (t == 1) s[9] = sum;
    __syncwarp();
    y[t] = s[t];
}

// launch: grid 2, block 32; inout y i32[64]
extern "C" __global__ void sum_over_a_word_of_a_buffer(int *y)
{
    int *own = y + blockIdx.x * 32;
    const int v = warp_sum(own[threadIdx.x]);
    if (threadIdx.x == 0) own[9] = v;
}

extern "C" __global__ void sum_over_a_word_of_a_buffer_reference(int *y)
{
    int sum = 0;
    if (threadIdx.x) return;
    for (int i = 0; i < 32; i++)
        sum += y[blockIdx.x * 32 + i];
    y[blockIdx.x * 32 + 9] = sum;
}

// Both warps add up the first one's words, each by a load of its own, and only the first
// one's sum counts.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void sum_that_another_warp_drops(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    const unsigned word = (unsigned)__cvta_generic_to_shared(s + t % 32);
    if (t < 32) s[t] = x[t];
    __syncthreads();
    int v;
    if (t < 32) {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(word));
        v = warp_sum_of_all(v);
    } else {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(word));
        v = warp_sum_of_all(v);
    }
    if (t == 0) s[1] = v;
    __syncthreads();
    y[t] = s[1];
}

extern "C" __global__ void sum_that_another_warp_drops_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[threadIdx.x] = sum;
}
