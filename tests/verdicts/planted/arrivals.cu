// mbarrier objects that are waited for, or arrived at, in the wrong way.
typedef unsigned long long object;

static __device__ unsigned address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}
// Macros, so that findings name the lines of kernels.
#define begin(object, count)                                                            \
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(object)),       \
                 "r"(count)                                                              \
                 : "memory")
#define arrive(object)                                                                   \
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(address(object))       \
                 : "memory")
#define await(object, parity)                                                            \
    asm volatile("{\n.reg .pred p;\nAGAIN:\n"                                            \
                 "mbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1;\n"              \
                 "@p bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"(address(object)),            \
                 "r"(parity)                                                             \
                 : "memory")
#define copy(to, from)                                                                   \
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(address(to)),          \
                 "l"(from)                                                               \
                 : "memory")

// What most kernels here compute: y[t] = x[t] + x[t + 32] + ..., 5 tiles, mirrored.
extern "C" __global__ void ring_reference(const int *x, int *y)
{
    int sum = 0;
    for (int k = 0; k < 5; k++)
        sum += x[32 * k + 31 - threadIdx.x];
    y[threadIdx.x] = sum;
}

extern "C" __global__ void mirrored(const int *x, int *y)
{
    y[threadIdx.x] = x[31 - threadIdx.x];
}

// class: a tile is handed over by an mbarrier that does not order its accesses

// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: ring_reference, grid 1, block 32
extern "C" __global__ void ring_without_a_wait_for_full(const int *x, int *y)
{
    __shared__ object full[2], empty[2];
    __shared__ int tiles[2][32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        begin(&full[threadIdx.x], 32);
        begin(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        const int stage = k % 2, lap = k / 2 % 2;
        if (threadIdx.x < 32) {
            await(&empty[stage], lap ^ 1);
            tiles[stage][t] = x[32 * k + t]; // expect: race or unwritten
            arrive(&full[stage]);
        } else {
            sum += tiles[stage][31 - t]; // expect: race or unwritten
            arrive(&empty[stage]);
        }
    }
    if (threadIdx.x >= 32) y[t] = sum; // expect: race or unwritten
}

// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: ring_reference, grid 1, block 32
extern "C" __global__ void ring_that_arrives_too_early(const int *x, int *y)
{
    __shared__ object full[2], empty[2];
    __shared__ int tiles[2][32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        begin(&full[threadIdx.x], 32);
        begin(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        const int stage = k % 2, lap = k / 2 % 2;
        if (threadIdx.x < 32) {
            await(&empty[stage], lap ^ 1);
            tiles[stage][t] = x[32 * k + t]; // expect: race
            arrive(&full[stage]);
        } else {
            await(&full[stage], lap);
            arrive(&empty[stage]);
            sum += tiles[stage][31 - t]; // expect: race
        }
    }
    if (threadIdx.x >= 32) y[t] = sum;
}

// Its copies land when they like.
// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: ring_reference, grid 1, block 32
extern "C" __global__ void ring_of_copies_that_do_not_arrive(const int *x, int *y)
{
    __shared__ object full[2], empty[2];
    __shared__ int tiles[2][32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        begin(&full[threadIdx.x], 32);
        begin(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        const int stage = k % 2, lap = k / 2 % 2;
        if (threadIdx.x < 32) {
            await(&empty[stage], lap ^ 1);
            copy(&tiles[stage][t], x + 32 * k + t); // expect: missing_wait
            arrive(&full[stage]);
        } else {
            await(&full[stage], lap);
            sum += tiles[stage][31 - t]; // expect: missing_wait
            arrive(&empty[stage]);
        }
    }
    if (threadIdx.x >= 32) y[t] = sum;
}

// class: an mbarrier counts other arrivals than there are, or is not there yet

// launch: grid 1, block 64; in x i32[160]; out y i32[32]
// reference: ring_reference, grid 1, block 32
extern "C" __global__ void ring_with_an_arrival_too_few(const int *x, int *y)
{
    __shared__ object full[2], empty[2];
    __shared__ int tiles[2][32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 2) {
        begin(&full[threadIdx.x], 32);
        begin(&empty[threadIdx.x], 32);
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < 5; k++) {
        const int stage = k % 2, lap = k / 2 % 2;
        if (threadIdx.x < 32) {
            await(&empty[stage], lap ^ 1); // expect: deadlock
            tiles[stage][t] = x[32 * k + t];
            arrive(&full[stage]);
        } else {
            await(&full[stage], lap); // expect: deadlock
            sum += tiles[stage][31 - t];
            if (t) arrive(&empty[stage]);
        }
    }
    if (threadIdx.x >= 32) y[t] = sum;
}

// launch: grid 1, block 64; in x i32[32]; out y i32[32]
// reference: mirrored, grid 1, block 32
extern "C" __global__ void arrivals_of_all_where_one_is_expected(const int *x, int *y)
{
    __shared__ object full;
    __shared__ int tile[32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x == 0) begin(&full, 1);
    __syncthreads();
    if (threadIdx.x < 32) {
        tile[t] = x[t];
        arrive(&full);
        return;
    }
    await(&full, 0);       // expect: deadlock or race or unwritten or phase
    y[t] = tile[31 - t];   // expect: race or unwritten
}

// launch: grid 1, block 64; in x i32[32]; out y i32[32]
// reference: mirrored, grid 1, block 32
extern "C" __global__ void object_without_a_barrier_after_it(const int *x, int *y)
{
    __shared__ object full;
    __shared__ int tile[32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x == 0) begin(&full, 32); // expect: race or barrier
    if (threadIdx.x < 32) {
        tile[t] = x[t];
        arrive(&full); // expect: race or barrier
        return;
    }
    await(&full, 0); // expect: race or barrier
    y[t] = tile[31 - t];
}

// launch: grid 1, block 64; in x i32[32]; out y i32[32]
// reference: mirrored, grid 1, block 32
extern "C" __global__ void object_that_is_never_initialised(const int *x, int *y)
{
    __shared__ object full;
    __shared__ int tile[32];
    const int t = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        tile[t] = x[t];
        arrive(&full); // expect: barrier
        return;
    }
    await(&full, 0); // expect: barrier
    y[t] = tile[31 - t];
}
