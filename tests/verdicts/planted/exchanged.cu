// Lanes that store over what others of their warp load, with exchanges that do not wait
// for those loads.

// class: shuffle or vote of another value than the one that is stored over

// y[t] = what the neighbour had, and the sum at the end
extern "C" __global__ void sum_and_neighbours_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[threadIdx.x] = x[threadIdx.x ^ 1] + sum;
}

static __device__ int warp_sum(int v)
{
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    return v;
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: sum_and_neighbours_reference
extern "C" __global__ void neighbours_value_is_not_in_the_sum(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    const int neighbour = s[t ^ 1]; // expect: race
    const int sum = warp_sum(s[t]);
    if (t == 0) s[0] = sum; // expect: race
    __syncwarp();
    y[t] = neighbour + s[0];
}

// launch: grid 2, block 32; inout y i32[64]
extern "C" __global__ void neighbours_word_is_not_in_the_sum(int *y)
{
    int *own = y + blockIdx.x * 32;
    const int t = threadIdx.x, neighbour = own[t ^ 1]; // expect: race
    const int sum = warp_sum(own[t]);
    if (t == 0) own[0] = sum; // expect: race
    __syncwarp();
    const int there = own[0];
    __syncwarp();
    own[t] = neighbour + there;
}

extern "C" __global__ void neighbours_word_is_not_in_the_sum_reference(int *y)
{
    int *own = y + blockIdx.x * 32, sum = 0;
    if (threadIdx.x) return;
    for (int i = 0; i < 32; i++)
        sum += own[i];
    for (int i = 0; i < 32; i += 2) {
        const int even = own[i];
        own[i] = own[i + 1] + sum;
        own[i + 1] = even + sum;
    }
}

// launch: grid 1, block 32; in x i32[32]; out y i32[32]
extern "C" __global__ void upper_half_takes_no_part(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    int v = s[t]; // expect: race
    if (t < 16) {
        for (int d = 8; d; d /= 2)
            v += __shfl_xor_sync(0xffffu, v, d);
        if (t == 0) s[20] = v; // expect: race
    }
    __syncwarp();
    y[t] = v + s[20];
}

extern "C" __global__ void upper_half_takes_no_part_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 16; i++)
        sum += x[i];
    y[threadIdx.x] = sum + (threadIdx.x < 16 ? sum : x[threadIdx.x]);
}

extern "C" __global__ void sums_of_halves_reference(const int *x, int *y)
{
    const int t = threadIdx.x;
    int sum = 0, low = 0;
    for (int i = 0; i < 16; i++) {
        sum += x[t / 16 * 16 + i];
        low += x[i];
    }
    y[t] = sum + low;
}

// Each half adds up for itself, and nothing goes from the upper one to the lower.
// launch: grid 1, block 32; in x i32[32]; out y i32[32]
// reference: sums_of_halves_reference
extern "C" __global__ void halves_that_exchange_nothing(const int *x, int *y)
{
    __shared__ int s[32];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncwarp();
    const unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
    int v = s[t]; // expect: race
    for (int d = 8; d; d /= 2)
        v += __shfl_xor_sync(half, v, d);
    if (t == 0) s[20] = v; // expect: race
    __syncwarp();
    y[t] = v + s[20];
}

// The sum is of what was read a turn earlier.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void sum_of_the_turn_before(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    int v = 1, all = 0;
#pragma unroll 1
    for (int k = 0; k < 2; k++) {
        const int next = s[32 * k + t]; // expect: race
        const int sum = warp_sum(v);
        if (t == 0) s[32 * k + 3] = sum; // expect: race
        all += sum;
        v = next;
    }
    __syncwarp();
    y[t] = all + v + s[35];
}

// The value goes into the sum of the next turn, behind the store.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
// reference: sum_of_the_turn_before_reference
extern "C" __global__ void sum_ahead_of_the_load(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    int v = 1, all = 0;
#pragma unroll 1
    for (int k = 0; k < 2; k++) {
        const int sum = warp_sum(v);
        v = s[32 * k + t]; // expect: race
        if (t == 0) s[32 * k + 3] = sum; // expect: race
        all += sum;
    }
    __syncwarp();
    y[t] = all + v + s[35];
}

extern "C" __global__ void sum_of_the_turn_before_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 32; i++)
        sum += x[i];
    y[threadIdx.x] = 32 + sum + x[32 + threadIdx.x] + sum;
}

// Each warp has exchanged what it read, and one stores over what the other reads.
// launch: grid 1, block 64; in x i32[64]; out y i32[64]
extern "C" __global__ void sum_over_what_another_warp_reads(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    const int sum = warp_sum(s[t]); // expect: race or order
    if (t == 0) s[40] = sum;        // expect: race or order
    __syncthreads();
    y[t] = sum + s[40];
}

extern "C" __global__ void sum_over_what_another_warp_reads_reference(const int *x, int *y)
{
    int sum[2] = {0, 0};
    for (int i = 0; i < 64; i++)
        sum[i / 32] += x[i];
    y[threadIdx.x] = sum[threadIdx.x / 32] + sum[0];
}

// Lanes of the lower half load once more, ahead of the sum; the upper ones are not known
// by then to have loaded at all.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void upper_half_stops_a_turn_early(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    const unsigned half = t < 16 ? 0xffffu : 0xffff0000u;
    int v = 0;
#pragma unroll 1
    for (int i = 0; i < (t < 16 ? 2 : 1); i++)
        v += s[i]; // expect: race
    for (int d = 8; d; d /= 2)
        v += __shfl_xor_sync(half, v, d);
    if (t == 0) s[0] = v; // expect: race
    __syncwarp();
    y[t] = v + s[0];
}

extern "C" __global__ void upper_half_stops_a_turn_early_reference(const int *x, int *y)
{
    const int low = 16 * (x[0] + x[1]), high = 16 * x[0];
    y[threadIdx.x] = low + (threadIdx.x < 16 ? low : high);
}

// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void one_lane_goes_on_by_itself(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    int v = 0;
#pragma unroll 1
    for (int i = 0; i < (t == 5 ? 2 : 1); i++)
        v += s[i]; // expect: race
    if (t == 5) {
        v += __shfl_sync(1u << 5, v, 5);
        s[0] = v; // expect: race
    }
    __syncwarp();
    y[t] = v + s[0];
}

extern "C" __global__ void one_lane_goes_on_by_itself_reference(const int *x, int *y)
{
    const int five = 2 * (x[0] + x[1]);
    y[threadIdx.x] = five + (threadIdx.x == 5 ? five : x[0]);
}

// The second turn is the lower half's, of a word that the upper one has not loaded.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void halves_load_other_words(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    int v = 0;
#pragma unroll 1
    for (int k = 0; k < (t < 16 ? 2 : 1); k++)
        v += s[k * 16 + t / 16]; // expect: race
    for (int d = 8; d; d /= 2)
        v += __shfl_xor_sync(t < 16 ? 0xffffu : 0xffff0000u, v, d);
    if (t == 0) s[1] = v; // expect: race
    __syncwarp();
    y[t] = v + s[1];
}

extern "C" __global__ void halves_load_other_words_reference(const int *x, int *y)
{
    const int low = 16 * (x[0] + x[16]);
    y[threadIdx.x] = (threadIdx.x < 16 ? low : 16 * x[1]) + low;
}

// Two instructions load the word, and lanes of one of them exchange it.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void other_instructions_load_is_not_in_the_vote(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    const unsigned word = (unsigned)__cvta_generic_to_shared(s);
    s[t] = x[t];
    __syncwarp();
    int v;
    if (t < 16 && t > 0) {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(word)); // expect: race
    } else {
        asm volatile("ld.shared.s32 %0, [%1];" : "=r"(v) : "r"(word)); // expect: race
        v += 1;
        if (__all_sync(0xffff0001u, v != 12345) && t == 0) s[0] = v; // expect: race
    }
    __syncwarp();
    y[t] = v + s[0];
}

extern "C" __global__ void other_instructions_load_is_not_in_the_vote_reference(const int *x,
                                                                                int *y)
{
    const int t = threadIdx.x;
    y[t] = (t < 16 && t > 0 ? x[0] : x[0] + 1) + x[0] + 1;
}

// launch: grid 1, block 32; inout y i32[64]
extern "C" __global__ void other_instructions_word_is_not_in_the_most(int *y)
{
    const int t = threadIdx.x;
    int v;
    if (t < 16 && t > 0) {
        asm volatile("ld.global.s32 %0, [%1];" : "=r"(v) : "l"(y)); // expect: race
    } else {
        asm volatile("ld.global.s32 %0, [%1];" : "=r"(v) : "l"(y)); // expect: race
        v += 1;
        v = max(v, __shfl_xor_sync(0xffff0001u, v, t % 16 ? 0 : 16));
        if (t == 0) y[0] = v; // expect: race
    }
    __syncwarp();
    y[t + 32] = v + y[0];
}

extern "C" __global__ void other_instructions_word_is_not_in_the_most_reference(int *y)
{
    if (threadIdx.x) return;
    const int v = y[0];
    y[0] = v + 1;
    for (int t = 0; t < 32; t++)
        y[t + 32] = (t < 16 && t > 0 ? v : v + 1) + v + 1;
}

// The sum is of the value that shares its register with the next one, and the load is
// left out in the last turn alone.
// launch: grid 1, block 32; in x i32[64]; out y i32[32]
extern "C" __global__ void guarded_load_ahead_of_the_sum_before(const int *x, int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    s[t] = x[t];
    s[t + 32] = x[t + 32];
    __syncwarp();
    int now = x[t], all = 0, next = 0;
#pragma unroll 1
    for (int k = 0; k < 3; k++) {
        if (k < 2) next = s[32 * k + t]; // expect: race
        const int sum = warp_sum(now);
        if (t == 0 && k < 2) s[32 * k + 3] = sum; // expect: race
        all += sum;
        now = next;
    }
    __syncwarp();
    y[t] = all + s[35];
}

extern "C" __global__ void guarded_load_ahead_of_the_sum_before_reference(const int *x, int *y)
{
    int low = 0, high = 0;
    for (int i = 0; i < 32; i++) {
        low += x[i];
        high += x[32 + i];
    }
    y[threadIdx.x] = low + low + high + low;
}
