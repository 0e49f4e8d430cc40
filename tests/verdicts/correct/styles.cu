// Kernels in the styles of libraries: sorts by digits, tiles drawn ahead, counters of bytes,
// blocks whose last one goes on.

typedef unsigned int u32;
typedef unsigned char u8;

// Digits of four bits: ranks within a warp by match, counts of warps scanned, and the keys in
// the place of the counts.
// launch: grid 1, block 128; in x u32[128] integers 0 4000; out y u32[128]
extern "C" __global__ void sorted_by_digits(const u32 *x, u32 *y)
{
    __shared__ union {
        u32 counts[4][16], keys[128];
    } s;
    const int t = threadIdx.x, warp = t / 32, lane = t % 32;
    u32 key = x[t];
    for (int bit = 0; bit < 12; bit += 4) {
        if (lane < 16) s.counts[warp][lane] = 0;
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
        key = s.keys[t];
        __syncthreads();
    }
    y[t] = key;
}
extern "C" __global__ void sorted_by_digits_reference(const u32 *x, u32 *y)
{
    const int t = threadIdx.x;
    int rank = 0;
    for (int i = 0; i < 128; i++)
        rank += x[i] < x[t] || (x[i] == x[t] && i < t);
    y[rank] = x[t];
}

// The next tile's number is drawn while this one is computed, into the other slot.
// launch: grid 3, block 64; in x f32[1280]; out y f32[1280]; inout count i32[1] zero; i32 n 20
// reference: twice_reference
extern "C" __global__ void tiles_drawn_ahead(const float *x, float *y, int *count, int n)
{
    __shared__ int next[2];
    const int t = threadIdx.x;
    int slot = 0;
    if (t == 0) next[0] = atomicAdd(count, 1);
    for (;;) {
        __syncthreads();
        const int tile = next[slot];
        if (tile >= n) break;
        slot ^= 1;
        if (t == 0) next[slot] = atomicAdd(count, 1);
        y[tile * 64 + t] = 2 * x[tile * 64 + t];
    }
}
extern "C" __global__ void twice_reference(const float *x, float *y, int *count, int n)
{
    for (int i = threadIdx.x + 64 * blockIdx.x; i < n * 64; i += 64 * gridDim.x)
        y[i] = 2 * x[i];
    if (blockIdx.x == 0 && threadIdx.x == 0) *count = n + gridDim.x;
}

// A counter of a byte for each thread and bin, cleared and added up by words.
// launch: grid 1, block 64; in x u8[512]; out y u32[64]; i32 n 512
// reference: bins_reference
extern "C" __global__ void counters_of_bytes(const u8 *x, u32 *y, int n)
{
    __shared__ __align__(4) u8 counts[64][64]; // bin, thread
    const int t = threadIdx.x;
    u32 sum = 0;
    for (int i = 0; i < 16; i++)
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
    y[t] = sum;
}
extern "C" __global__ void bins_reference(const u8 *x, u32 *y, int n)
{
    if (threadIdx.x) return;
    for (int i = 0; i < 64; i++)
        y[i] = 0;
    for (int i = 0; i < n; i++)
        y[x[i] & 63]++;
}

// Appended by whoever of a warp keeps something, then added up by the last block.
// launch: grid 3, block 64; in x i32[500] integers 0 100; inout y i32[1] zero;
//         inout count i32[1] zero; work kept i32[500]; inout done u32[1] zero; i32 n 500
// reference: odd_reference
extern "C" __global__ void kept_and_added_up(const int *x, int *y, int *count, int *kept, u32 *done,
                                             int n)
{
    __shared__ int last;
    const int t = threadIdx.x, lane = t % 32;
    for (int i = 64 * blockIdx.x + t; i < n; i += 64 * gridDim.x) {
        if (!(x[i] & 1)) continue;
        const u32 who = __activemask();
        const int leader = __ffs(who) - 1;
        int at = 0;
        if (lane == leader) at = atomicAdd(count, __popc(who));
        at = __shfl_sync(who, at, leader) + __popc(who & ((1u << lane) - 1));
        kept[at] = x[i];
    }
    __threadfence();
    __syncthreads();
    if (t == 0) last = atomicInc(done, gridDim.x - 1) == gridDim.x - 1;
    if (!__syncthreads_or(t == 0 && last)) return;
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

// Splits of a sum take turns by a semaphore for which a whole block waits.
// launch: grid 2x4, block 64; in x f32[512] integers 0 8; out y f32[128]; work part f32[128];
//         inout lock i32[2] zero
extern "C" __global__ void splits_take_turns(const float *x, float *y, float *part, int *lock)
{
    const int t = threadIdx.x, tile = blockIdx.x, k = blockIdx.y;
    float v = x[(k * 2 + tile) * 64 + t];
    int turn = -1;
    do {
        if (t == 0)
            asm volatile("ld.global.acquire.gpu.b32 %0, [%1];"
                         : "=r"(turn)
                         : "l"(lock + tile)
                         : "memory");
    } while (__syncthreads_and(turn != k));
    if (k) v += part[tile * 64 + t];
    *(k + 1 < gridDim.y ? part + tile * 64 + t : y + tile * 64 + t) = v;
    __syncthreads();
    turn = k + 1 == gridDim.y ? 0 : k + 1;
    if (t == 0)
        asm volatile("st.global.release.gpu.b32 [%0], %1;" ::"l"(lock + tile), "r"(turn)
                     : "memory");
}
extern "C" __global__ void splits_take_turns_reference(const float *x, float *y, float *part,
                                                       int *lock)
{
    const int t = threadIdx.x, tile = blockIdx.x;
    float sum = 0;
    if (blockIdx.y) return;
    for (int k = 0; k < 4; k++)
        sum += x[(k * 2 + tile) * 64 + t];
    y[tile * 64 + t] = sum;
}
