// Blocks that gather by atomic operations alone.

// y[0] = the sum of x
extern "C" __global__ void sum_reference(const int *x, int *y, int *count, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i];
    y[0] = sum;
    count[0] = 0;
}

// launch: grid 4, block 64; in x i32[256]; inout y i32[1] zero; inout count i32[1] zero;
//         i32 n 256
// reference: sum_reference, grid 1, block 1
extern "C" __global__ void sum_by_atomics(const int *x, int *y, int *count, int n)
{
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i < n) atomicAdd(y, x[i]);
}

// Work is drawn from a queue; who does what differs, the result does not.
// launch: grid 3, block 32; in x i32[320]; out y i32[10]; inout head i32[1] zero
extern "C" __global__ void queue_by_an_atomic_counter(const int *x, int *y, int *head)
{
    __shared__ int item;
    for (;;) {
        if (threadIdx.x == 0) item = atomicAdd(head, 1);
        __syncthreads();
        const int mine = item;
        __syncthreads();
        if (mine >= 10) break;
        const int sum = __reduce_add_sync(~0u, x[mine * 32 + threadIdx.x]);
        if (threadIdx.x == 0) y[mine] = sum;
    }
}

extern "C" __global__ void queue_by_an_atomic_counter_reference(const int *x, int *y, int *head)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 10; i++) {
        y[i] = 0;
        for (int k = 0; k < 32; k++)
            y[i] += x[i * 32 + k];
    }
    *head = 13;
}

// launch: grid 4, block 64; in x i32[256] integers 0 15; inout y i32[16] zero
extern "C" __global__ void histogram_in_shared_then_global_memory(const int *x, int *y)
{
    __shared__ int bins[16];
    const int t = threadIdx.x;
    if (t < 16) bins[t] = 0;
    __syncthreads();
    atomicAdd(&bins[x[blockIdx.x * 64 + t]], 1);
    __syncthreads();
    if (t < 16 && bins[t]) atomicAdd(&y[t], bins[t]);
}

extern "C" __global__ void histogram_in_shared_then_global_memory_reference(const int *x, int *y)
{
    if (blockIdx.x || threadIdx.x >= 16) return;
    for (int i = 0; i < 256; i++)
        y[threadIdx.x] += x[i] == (int)threadIdx.x;
}

// Largest of many floats by an atomic maximum of bits, with a look before that may be old.
// launch: grid 4, block 64; in x f32[256]; inout y i32[1] zero
extern "C" __global__ void maximum_with_a_look_before(const float *x, int *y)
{
    const int bits = __float_as_int(fabsf(x[blockIdx.x * 64 + threadIdx.x]));
    if (*(volatile int *)y < bits) atomicMax(y, bits);
}

extern "C" __global__ void maximum_with_a_look_before_reference(const float *x, int *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 256; i++)
        y[0] = max(y[0], __float_as_int(fabsf(x[i])));
}

// Atomics of the scope of a block, on what only its own threads touch.
// launch: grid 4, block 64; in x i32[256]; inout y i32[4] zero
extern "C" __global__ void block_scope_within_a_block(const int *x, int *y)
{
    atomicAdd_block(&y[blockIdx.x], x[blockIdx.x * 64 + threadIdx.x]);
}

extern "C" __global__ void block_scope_within_a_block_reference(const int *x, int *y)
{
    if (threadIdx.x) return;
    for (int i = 0; i < 64; i++)
        y[blockIdx.x] += x[blockIdx.x * 64 + i];
}

// As the programming guide adds doubles: a plain load of what others may be changing is
// the first guess, and a compare and swap says whether it was good.
// launch: grid 3, block 32; in x i32[96]; inout y f64[1] zero
extern "C" __global__ void double_added_by_compare_and_swap(const int *x, double *y)
{
    unsigned long long *address = (unsigned long long *)y, old = *address, assumed;
    do {
        assumed = old;
        old = atomicCAS(address, assumed,
                        __double_as_longlong(x[blockIdx.x * 32 + threadIdx.x] + __longlong_as_double(assumed)));
    } while (assumed != old);
}

extern "C" __global__ void double_added_by_compare_and_swap_reference(const int *x, double *y)
{
    atomicAdd(y, (double)x[blockIdx.x * 32 + threadIdx.x]);
}

// launch: grid 2, block 64; in x f32[128]; inout y f32[1] constant -9
extern "C" __global__ void maximum_of_floats_by_compare_and_swap(const float *x, float *y)
{
    const float v = x[blockIdx.x * 64 + threadIdx.x];
    int *address = (int *)y, old = *address;
    while (__int_as_float(old) < v) {
        const int assumed = old;
        old = atomicCAS(address, assumed, __float_as_int(v));
        if (old == assumed) break;
    }
}

extern "C" __global__ void maximum_of_floats_by_compare_and_swap_reference(const float *x, float *y)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < 128; i++)
        y[0] = fmaxf(y[0], x[i]);
}
