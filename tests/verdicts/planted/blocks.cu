// Blocks that take one another for granted.

// y[0] = the sum of x over all blocks of 64
extern "C" __global__ void sum_reference(const int *x, int *y, int *count, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    y[0] = sum;
    count[0] = 0;
}

// class: race between blocks

// launch: grid 4, block 64; in x i32[256]; inout y i32[1] zero; inout count i32[1] zero;
//         i32 n 256
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void sum_by_plain_stores(const int *x, int *y, int *count, int n)
{
    int v = x[blockIdx.x * 64 + threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_xor_sync(~0u, v, d);
    __shared__ int sums[2];
    sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x == 0) y[0] += sums[0] + sums[1]; // expect: race
}

// launch: grid 512, block 32; in x i32[512] index; out y i32[511]
extern "C" __global__ void two_far_blocks_store_one_element(const int *x, int *y)
{
    const int b = blockIdx.x;
    if (threadIdx.x == 0) y[b == 307 ? 101 : b > 307 ? b - 1 : b] = x[b]; // expect: race or order
}

extern "C" __global__ void two_far_blocks_store_one_element_reference(const int *x, int *y)
{
    const int b = blockIdx.x;
    if (threadIdx.x == 0 && b != 307) y[b > 307 ? b - 1 : b] = x[b == 101 ? 307 : b];
}

// launch: grid 512, block 32; in x i32[512] index; inout y i32[512] zero
extern "C" __global__ void far_block_reads_what_another_stores(const int *x, int *y)
{
    const int b = blockIdx.x;
    if (threadIdx.x) return;
    const volatile int *p = y;
    if (b == 403)
        y[b] = y[90] + 1; // expect: race or order
    else
        y[b] = x[b]; // expect: race or order
}

extern "C" __global__ void far_block_reads_what_another_stores_reference(const int *x, int *y)
{
    if (threadIdx.x == 0) y[blockIdx.x] = blockIdx.x == 403 ? 91 : x[blockIdx.x];
}

// launch: grid 4, block 64; inout y i32[256] index
extern "C" __global__ void neighbours_in_place(int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    const int next = i < 255 ? y[i + 1] : 0; // expect: race
    __syncthreads();
    y[i] += next; // expect: race
}

extern "C" __global__ void neighbours_in_place_reference(int *y)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    y[i] = i + (i < 255 ? i + 1 : 0);
}

// launch: grid 3, block 64; in x f32[150]; out y f32[150]
extern "C" __global__ void tiles_overlap_by_some_rows(const float *x, float *y)
{
    const int i = blockIdx.x * 43 + threadIdx.x;
    y[i] = x[i] + (threadIdx.x < 43 ? 0 : 1); // expect: race
}

extern "C" __global__ void tiles_overlap_by_some_rows_reference(const float *x, float *y)
{
    const int i = blockIdx.x * 50 + threadIdx.x;
    if (threadIdx.x < 50) y[i] = x[i] + (i < 129 ? 0 : 1);
}

// The turn is looked at once where it should be waited for: right where blocks run in turn.
// launch: grid 3, block 32; in x i32[96]; out y i32[32]; work part i32[32]; inout turn i32[1] zero
// reference: three_parts_reference, grid 1
extern "C" __global__ void turn_that_is_not_waited_for(const int *x, int *y, int *part, int *turn)
{
    const int b = blockIdx.x, t = threadIdx.x;
    int seen = 0;
    if (t == 0) seen = *(volatile int *)turn;
    __threadfence();
    seen = __shfl_sync(~0u, seen, 0);
    __syncwarp();
    const int sum = x[32 * b + t] + (b ? part[t] : 0); // expect: race
    if (b == 2) {
        y[t] = sum + 0 * seen; // expect: race
        if (t == 0) atomicExch(turn, 0);
        return;
    }
    part[t] = sum; // expect: race
    __threadfence();
    __syncwarp();
    if (t == 0) atomicAdd(turn, 1);
}
extern "C" __global__ void three_parts_reference(const int *x, int *y, int *part, int *turn)
{
    const int t = threadIdx.x;
    y[t] = x[t] + x[32 + t] + x[64 + t];
}

// class: flag or ticket without its fence

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; i32 n 256;
//         out parts i32[4]
// reference: last_reference, grid 1, block 1
extern "C" __global__ void last_block_without_fence(const int *x, int *y, int *count, int n, int *parts)
{
    __shared__ int sum, last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) {
        parts[blockIdx.x] = sum; // expect: race
        last = atomicAdd(count, 1) == 3;
    }
    __syncthreads();
    if (!last || threadIdx.x) return;
    y[0] = parts[0] + parts[1] + parts[2] + parts[3]; // expect: race
    *count = 0;
}

extern "C" __global__ void last_reference(const int *x, int *y, int *count, int n, int *parts)
{
    y[0] = 0;
    for (int b = 0; b < 4; b++) {
        parts[b] = 0;
        for (int i = 0; i < 64; i++)
            parts[b] += x[b * 64 + i];
        y[0] += parts[b];
    }
    count[0] = 0;
}

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; i32 n 256;
//         out parts i32[4]
// reference: last_reference, grid 1, block 1
extern "C" __global__ void ticket_of_a_lane_without_fence(const int *x, int *y, int *count, int n, int *parts)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[blockIdx.x * 64 + i];
    parts[blockIdx.x] = sum; // expect: race
    if (atomicAdd(count, 1) < 3) return;
    __threadfence();
    y[0] = parts[0] + parts[1] + parts[2] + parts[3]; // expect: race
    *count = 0;
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void flag_without_fences(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __syncthreads();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        y[t] = z[31 - t]; // expect: race
    }
}

extern "C" __global__ void handed_reference(const int *x, int *y, int *flag, int *z)
{
    z[threadIdx.x] = x[threadIdx.x] + 1;
    y[threadIdx.x] = x[31 - threadIdx.x] + 1;
    *flag = 1;
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void flag_with_a_fence_of_the_block(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race or scope
        __threadfence_block();
        __syncthreads();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        __threadfence_block();
        y[t] = z[31 - t]; // expect: race or scope
    }
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void flag_raised_before_the_data(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        if (t == 0) *(volatile int *)flag = 1;
        __threadfence();
        z[t] = x[t] + 1; // expect: race
    } else {
        while (*(volatile int *)flag == 0)
            ;
        __threadfence();
        y[t] = z[31 - t]; // expect: race
    }
}

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; i32 n 256;
//         out parts i32[4]
// reference: last_reference, grid 1, block 1
extern "C" __global__ void counted_before_all_warps_have_stored(const int *x, int *y, int *count, int n, int *parts)
{
    __shared__ int sum, last;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, x[blockIdx.x * 64 + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 32) {
        parts[blockIdx.x] = sum; // expect: race
        __threadfence();
    }
    if (threadIdx.x == 0) last = atomicAdd(count, 1) == 3;
    __syncthreads();
    if (!last || threadIdx.x) return;
    __threadfence();
    y[0] = parts[0] + parts[1] + parts[2] + parts[3]; // expect: race
    *count = 0;
}

// Who looks and then releases has not acquired.
// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void release_behind_the_look(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race
        __threadfence();
        __syncthreads();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
        y[t] = z[31 - t]; // expect: race
    }
}

// launch: grid 1, block 64; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, block 32
extern "C" __global__ void release_to_the_block_behind_the_look(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (t < 32) {
        z[t] = x[t] + 1; // expect: race
        __threadfence_block();
        __syncwarp();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        asm volatile("st.release.cta.u32 [%0], 1;" ::"l"(flag) : "memory");
        y[t - 32] = z[63 - t]; // expect: race
    }
}

// class: atomic operation of too narrow a scope

// launch: grid 4, block 64; in x i32[256]; inout y i32[1] zero; inout count i32[1] zero;
//         i32 n 256
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void sum_by_atomics_of_the_block(const int *x, int *y, int *count, int n)
{
    atomicAdd_block(y, x[blockIdx.x * 64 + threadIdx.x]); // expect: scope or race
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[1] zero; inout count i32[1] zero;
//         i32 n 256
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void some_blocks_add_with_block_scope(const int *x, int *y, int *count, int n)
{
    const int v = x[blockIdx.x * 64 + threadIdx.x];
    if (blockIdx.x % 2)
        atomicAdd(y, v); // expect: scope or race
    else
        atomicAdd_block(y, v); // expect: scope or race
}

// launch: grid 4, block 64; in x i32[256]; out y i32[1]; inout count i32[1] zero; i32 n 256;
//         out parts i32[4]
// reference: last_reference, grid 1, block 1
extern "C" __global__ void ticket_of_the_block(const int *x, int *y, int *count, int n, int *parts)
{
    if (threadIdx.x) return;
    int sum = 0;
    for (int i = 0; i < 64; i++)
        sum += x[blockIdx.x * 64 + i];
    parts[blockIdx.x] = sum;
    __threadfence();
    if (atomicAdd_block(count, 1) < 3) return; // expect: scope or race
    __threadfence();
    y[0] = parts[0] + parts[1] + parts[2] + parts[3];
    *count = 0;
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void released_to_the_block_only(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: race or scope
        __syncthreads();
        if (t == 0) asm volatile("st.release.cta.u32 [%0], 1;" ::"l"(flag) : "memory"); // expect: race or scope
    } else {
        int seen = 0;
        while (!seen)
            asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory"); // expect: race or scope
        y[t] = z[31 - t]; // expect: race or scope
    }
}

// launch: grid 4, block 64; in x i32[256] index; inout most i32[1] zero
extern "C" __global__ void maximum_of_the_block_in_global_memory(const int *x, int *most)
{
    atomicMax_block(most, x[blockIdx.x * 64 + threadIdx.x]); // expect: scope or race
}

extern "C" __global__ void maximum_of_the_block_in_global_memory_reference(const int *x, int *most)
{
    *most = 255;
}

// class: read-only load of what the launch stores

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; out z i32[64]
// reference: through_reference
extern "C" __global__ void ldg_of_what_the_block_stored(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    z[t] = x[t] + 1; // expect: read_only_data
    __syncthreads();
    y[t] = __ldg(&z[63 - t]); // expect: read_only_data
}

extern "C" __global__ void through_reference(const int *x, int *y, int *z)
{
    z[threadIdx.x] = x[threadIdx.x] + 1;
    y[threadIdx.x] = x[63 - threadIdx.x] + 1;
}

// launch: grid 1, block 64; in x i32[64]; out y i32[64]; out z i32[64]
// reference: through_reference
extern "C" __global__ void ldg_of_vectors_that_the_block_stored(const int *x, int *y, int *z)
{
    const int t = threadIdx.x;
    z[t] = x[t] + 1; // expect: read_only_data
    __syncthreads();
    if (t >= 16) return;
    const int4 v = __ldg((const int4 *)z + 15 - t); // expect: read_only_data
    ((int4 *)y)[t] = make_int4(v.w, v.z, v.y, v.x);
}

// launch: grid 2, block 32; in x i32[32]; out y i32[32]; inout flag i32[1] zero; out z i32[32]
// reference: handed_reference, grid 1
extern "C" __global__ void ldg_of_what_another_block_stored(const int *x, int *y, int *flag, int *z)
{
    const int t = threadIdx.x;
    if (blockIdx.x == 0) {
        z[t] = x[t] + 1; // expect: read_only_data
        __threadfence();
        __syncthreads();
        if (t == 0) *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0)
            ;
        __threadfence();
        y[t] = __ldg(&z[31 - t]); // expect: read_only_data
    }
}

// launch: grid 1, block 64; inout y i32[64] index
extern "C" __global__ void ldg_of_an_array_updated_in_place(int *y)
{
    const int t = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        const int v = __ldg(&y[63 - t]); // expect: read_only_data
        __syncthreads();
        y[t] = v + 1; // expect: read_only_data
        __syncthreads();
    }
}

extern "C" __global__ void ldg_of_an_array_updated_in_place_reference(int *y)
{
    y[threadIdx.x] = threadIdx.x + 2;
}

// class: a strong store beside the signal

extern "C" __global__ void beside_the_signal_reference(int *y, int *flag)
{
    y[0] = 9;
    flag[0] = 1;
}

// A fence tells nothing of what comes behind it, a signal of what comes behind that.
// launch: grid 1, block 64; inout y i32[1] zero; inout flag i32[1] zero
// reference: beside_the_signal_reference
extern "C" __global__ void strong_store_behind_the_signal(int *y, int *flag)
{
    const int t = threadIdx.x;
    if (t == 0) {
        __threadfence();
        *(volatile int *)flag = 1;
        *(volatile int *)y = 5; // expect: race
    } else if (t == 32) {
        while (*(volatile int *)flag == 0) {}
        __threadfence();
        *y = 9; // expect: race
    }
}

// launch: grid 1, block 64; inout y i32[1] zero; inout flag i32[1] zero
// reference: beside_the_signal_reference
extern "C" __global__ void strong_store_between_fence_and_signal(int *y, int *flag)
{
    const int t = threadIdx.x;
    if (t == 0) {
        __threadfence();
        *(volatile int *)y = 5; // expect: race
        *(volatile int *)flag = 1;
    } else if (t == 32) {
        while (*(volatile int *)flag == 0) {}
        __threadfence();
        *y = 9; // expect: race
    }
}

// launch: grid 1, block 64; inout y i32[1] zero; inout flag i32[1] zero
// reference: beside_the_signal_reference
extern "C" __global__ void shared_strong_store_between_fence_and_signal(int *y, int *flag)
{
    __shared__ int s, told;
    const int t = threadIdx.x;
    if (t == 0) s = told = 0;
    __syncthreads();
    if (t == 0) {
        __threadfence_block();
        *(volatile int *)&s = 5; // expect: race
        *(volatile int *)&told = 1;
    } else if (t == 32) {
        while (*(volatile int *)&told == 0) {}
        __threadfence_block();
        s = 9; // expect: race
        *y = s;
        *flag = 1;
    }
}

// launch: grid 2, block 32; inout y i32[1] zero; inout flag i32[1] zero
// reference: beside_the_signal_reference, grid 1, block 1
extern "C" __global__ void strong_store_of_another_block_between_fence_and_signal(int *y, int *flag)
{
    if (threadIdx.x) return;
    if (blockIdx.x == 0) {
        __threadfence();
        *(volatile int *)y = 5; // expect: race
        *(volatile int *)flag = 1;
    } else {
        while (*(volatile int *)flag == 0) {}
        __threadfence();
        *y = 9; // expect: race
    }
}
