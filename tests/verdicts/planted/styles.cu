// Bugs in kernels in the styles of libraries: sorts by digits, tiles drawn ahead, counters of
// bytes, blocks whose last one goes on.

typedef unsigned int u32;
typedef unsigned char u8;

// class: no barrier between a load of shared memory and the next store to it

// Counts take the place of keys that other warps have not read yet.
// launch: grid 1, block 128; in x u32[128] integers 0 4000; out y u32[128]
extern "C" __global__ void counts_in_the_place_of_keys(const u32 *x, u32 *y)
{
    __shared__ union {
        u32 counts[4][16], keys[128];
    } s;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    u32 key = x[t];
    for (int bit = 0; bit < 12; bit += 4) {
        if (lane < 16) s.counts[warp][lane] = 0; // expect: race
        __syncwarp();
        const u32 digit = key >> bit & 15, peers = __match_any_sync(~0u, digit);
        const int leader = __ffs(peers) - 1;
        if (lane == leader) s.counts[warp][digit] = __popc(peers);
        __syncthreads();
        u32 start = 0;
        for (int k = 0; t < 64 && k < t; k++)
            start += s.counts[k % 4][k / 4];
        __syncthreads();
        if (t < 64) s.counts[t % 4][t / 4] = start;
        __syncthreads();
        const u32 place = s.counts[warp][digit] + __popc(peers & ((1u << lane) - 1));
        __syncthreads();
        s.keys[place] = key;
        __syncthreads();
        key = s.keys[t]; // expect: race
    }
    y[t] = key;
}
extern "C" __global__ void counts_in_the_place_of_keys_reference(const u32 *x, u32 *y)
{
    const int t = threadIdx.x;
    int rank = 0;
    for (int i = 0; i < 128; i++)
        rank += x[i] < x[t] || (x[i] == x[t] && i < t);
    y[rank] = x[t];
}

// One slot, in which the next number comes while others still look.
// launch: grid 3, block 64; in x f32[1280]; out y f32[1280]; inout count i32[1] zero; i32 n 20
// reference: twice_reference
extern "C" __global__ void tiles_drawn_over_the_last(const float *x, float *y, int *count, int n)
{
    __shared__ int next;
    const int t = threadIdx.x;
    if (t == 0) next = atomicAdd(count, 1);
    for (;;) {
        __syncthreads();
        const int tile = next; // expect: race
        if (tile >= n) break;
        if (t == 0) next = atomicAdd(count, 1); // expect: race
        y[tile * 64 + t] = 2 * x[tile * 64 + t];
    }
}
extern "C" __global__ void twice_reference(const float *x, float *y, int *count, int n)
{
    for (int i = threadIdx.x + 64 * blockIdx.x; i < n * 64; i += 64 * gridDim.x)
        y[i] = 2 * x[i];
    if (blockIdx.x == 0 && threadIdx.x == 0) *count = n + gridDim.x;
}

// class: no barrier between a store to shared memory and a load of it

// Rows of 24 threads lie in two warps.
// launch: grid 1, block 24x8; in x i32[192]; out y i32[192]
extern "C" __global__ void rows_of_24_by_syncwarp(const int *x, int *y)
{
    __shared__ int s[8][24];
    const int column = threadIdx.x, row = threadIdx.y;
    s[row][column] = x[row * 24 + column]; // expect: race
    __syncwarp();
    int sum = 0;
    for (int i = 0; i < 24; i++)
        sum += s[row][i]; // expect: race
    y[row * 24 + column] = sum;
}
extern "C" __global__ void rows_of_24_by_syncwarp_reference(const int *x, int *y)
{
    int sum = 0;
    for (int i = 0; i < 24; i++)
        sum += x[threadIdx.y * 24 + i];
    y[threadIdx.y * 24 + threadIdx.x] = sum;
}

// Whether it is the last block only the thread that has counted it knows yet.
// launch: grid 3, block 64; in x i32[500] integers 0 100; inout y i32[1] zero;
//         inout count i32[1] zero; work kept i32[500]; inout done u32[1] zero; i32 n 500
// reference: odd_reference
extern "C" __global__ void last_block_is_not_told(const int *x, int *y, int *count, int *kept,
                                                  u32 *done, int n)
{
    __shared__ int last;
    const int t = threadIdx.x;
    for (int i = 64 * blockIdx.x + t; i < n; i += 64 * gridDim.x)
        if (x[i] & 1) kept[atomicAdd(count, 1)] = x[i];
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1; // expect: race
    if (!last) return;                                                  // expect: race
    __threadfence();
    int sum = 0;
    for (int i = t; i < *(volatile int *)count; i += 64)
        sum += kept[i];
    atomicAdd(y, sum);
    __syncthreads();
    if (t == 0) *count = 0;
}
extern "C" __global__ void odd_reference(const int *x, int *y, int *count, int *kept, u32 *done,
                                         int n)
{
    if (blockIdx.x || threadIdx.x) return;
    for (int i = 0; i < n; i++)
        *y += x[i] & 1 ? x[i] : 0;
}

// class: shared memory that nobody wrote

// Half of the counters are not cleared.
// launch: grid 1, block 64; in x u8[512]; out y u32[64]; i32 n 512
extern "C" __global__ void counters_of_half_the_bins(const u8 *x, u32 *y, int n)
{
    __shared__ __align__(4) u8 counts[64][64]; // bin, thread
    const int t = threadIdx.x;
    u32 sum = 0;
    for (int i = 0; i < 8; i++)
        ((u32 *)counts)[i * 64 + t] = 0;
    __syncthreads();
    for (int i = 4 * t; i < n; i += 256) {
        const u32 four = *(const u32 *)(x + i);
        for (int k = 0; k < 32; k += 8)
            counts[four >> k & 63][t]++;
    }
    __syncthreads();
    for (int i = 0; i < 16; i++)
        sum += __vsadu4(((u32 *)counts[t])[(i + t) % 16], 0);
    y[t] = sum; // expect: unwritten
}
extern "C" __global__ void counters_of_half_the_bins_reference(const u8 *x, u32 *y, int n)
{
    if (threadIdx.x) return;
    for (int i = 0; i < 64; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        y[x[i] & 63]++;
}
