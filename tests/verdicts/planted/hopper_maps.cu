// Tensor maps that are used where they must not be, or before they are published.
// on: emu:h200
// with: hopper.cuh
#include "hopper.cuh"

#define REPLACE_ADDRESS(map, address)                                                    \
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" \
                 ::"r"(AT(map)),                                                         \
                 "l"(address)                                                            \
                 : "memory")
#define REPLACE_ROWS(map, rows)                                                          \
    asm volatile("tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %1;"  \
                 ::"r"(AT(map)),                                                         \
                 "r"(rows)                                                               \
                 : "memory")
// By a whole warp: what it wrote in shared memory goes to global memory, and is released.
#define PUBLISH(to, from)                                                                \
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release" \
                 ".gpu.sync.aligned [%0], [%1], 128;" ::"l"(to),                         \
                 "r"(AT(from))                                                           \
                 : "memory")
#define ACQUIRE(map)                                                                     \
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map)      \
                 : "memory")

// y = rows 2 to 9 of x, zeros behind them
extern "C" __global__ void rows_reference(const int *x, const int *values, u64 *maps, int *y)
{
    for (int i = threadIdx.x; i < 512; i += 32)
        y[i] = i < 256 ? values[64 + i] : 0;
}

// class: tensor map that is changed, or lies, where it must not

// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; in values i32[512]; work maps u64[16];
//         out y i32[512]
// reference: rows_reference
extern "C" __global__ void map_used_without_its_acquire(const __grid_constant__ tensor_map x,
                                                   const int *values, u64 *maps, int *y)
{
    __shared__ alignas(128) int s[512];
    __shared__ alignas(128) u64 map[16];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t < 16) map[t] = x.words[t];
    __syncwarp();
    if (t == 0) {
        REPLACE_ADDRESS(map, values + 64);
        REPLACE_ROWS(map, 8);
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncwarp();
    PUBLISH(maps, map);
    if (t == 0) {
        BAR_EXPECT(&full, 2048);
        TMA_LOAD_2D(s, maps, 0, 0, &full); // expect: tensor_map
    }
    __syncwarp();
    BAR_WAIT(&full, 0);
    for (int i = t; i < 512; i += 32)
        y[i] = s[i];
}

// Copied as other data is: no fence releases it.
// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; in values i32[512]; work maps u64[16];
//         out y i32[512]
// reference: rows_reference
extern "C" __global__ void map_copied_by_plain_stores(const __grid_constant__ tensor_map x,
                                                   const int *values, u64 *maps, int *y)
{
    __shared__ alignas(128) int s[512];
    __shared__ alignas(128) u64 map[16];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t < 16) map[t] = x.words[t];
    __syncwarp();
    if (t == 0) {
        REPLACE_ADDRESS(map, values + 64);
        REPLACE_ROWS(map, 8);
        BAR_INIT(&full, 1);
        FENCE_INIT();
    }
    __syncwarp();
    if (t < 16) maps[t] = map[t]; // expect: tensor_map
    __syncwarp();
    if (t == 0) {
        BAR_EXPECT(&full, 2048);
        TMA_LOAD_2D(s, maps, 0, 0, &full); // expect: tensor_map
    }
    __syncwarp();
    BAR_WAIT(&full, 0);
    for (int i = t; i < 512; i += 32)
        y[i] = s[i];
}

// The compiler copies a parameter that is written to into local memory.
// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; out y i32[512]
// reference: all_rows_reference
extern "C" __global__ void map_in_local_memory(const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(128) int s[512];
    __shared__ u64 full;
    const int t = threadIdx.x;
    tensor_map copy = x;
    asm volatile("" : : "l"(&copy) : "memory");
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 2048);
        TMA_LOAD_2D(s, &copy, 0, 0, &full); // expect: tensor_map
    }
    __syncwarp();
    BAR_WAIT(&full, 0);
    for (int i = t; i < 512; i += 32)
        y[i] = s[i];
}
extern "C" __global__ void all_rows_reference(const int *x, int *y)
{
    for (int i = threadIdx.x; i < 512; i += 32)
        y[i] = x[i];
}

// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; out y i32[512]
// reference: all_rows_reference
extern "C" __global__ void destination_that_is_misaligned(const __grid_constant__ tensor_map x, int *y)
{
    __shared__ alignas(128) int s[516];
    __shared__ u64 full;
    const int t = threadIdx.x;
    if (t == 0) {
        BAR_INIT(&full, 1);
        FENCE_INIT();
        BAR_EXPECT(&full, 2048);
        TMA_LOAD_2D(s + 2, &x, 0, 0, &full); // expect: misaligned
    }
    __syncwarp();
    BAR_WAIT(&full, 0);
    for (int i = t; i < 512; i += 32)
        y[i] = s[i + 2];
}

extern "C" __global__ void both_groups_reference(const int *x, const int *values, u64 *maps, int *y)
{
    for (int i = threadIdx.x; i < 1024; i += 32)
        y[i] = values[i];
}

// As DeepGEMM #343: a map is published for the next group while loads by it may still read it.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: both_groups_reference, block 32
extern "C" __global__ void map_changed_under_a_load(const __grid_constant__ tensor_map x,
                                                   const int *values, u64 *maps, int *y)
{
    __shared__ alignas(128) int s[2][512];
    __shared__ alignas(128) u64 map[16];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    if (t < 16) map[t] = x.words[t];
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int group = 0; t >= 32 && group < 2; group++) {
        if (t == 32) REPLACE_ADDRESS(map, values + group * 512);
        __syncwarp();
        PUBLISH(maps, map); // expect: in_flight
        ACQUIRE(maps);
        if (t == 32) {
            BAR_EXPECT(&full[group], 2048);
            TMA_LOAD_2D(s[group], maps, 0, 0, &full[group]); // expect: in_flight
        }
        __syncwarp();
    }
    for (int group = 0; t < 32 && group < 2; group++) {
        BAR_WAIT(&full[group], 0);
        for (int i = t; i < 512; i += 32)
            y[group * 512 + i] = s[group][i];
    }
}

// As cutlass #2162 asked of results: the map by which they are stored.
// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[16];
//         out y i32[1024]
// reference: both_groups_reference
extern "C" __global__ void map_changed_under_a_store(const __grid_constant__ tensor_map x,
                                                   const int *values, u64 *maps, int *y)
{
    __shared__ alignas(128) int s[2][512];
    __shared__ alignas(128) u64 map[16];
    const int t = threadIdx.x;
    if (t < 16) map[t] = x.words[t];
    for (int group = 0; group < 2; group++) {
        for (int i = t; i < 512; i += 32)
            s[group][i] = values[group * 512 + i];
        FENCE_ASYNC();
        __syncwarp();
        if (t == 0) REPLACE_ADDRESS(map, y + group * 512);
        __syncwarp();
        PUBLISH(maps, map); // expect: in_flight
        ACQUIRE(maps);
        if (t == 0) {
            TMA_STORE_2D(maps, 0, 0, s[group]); // expect: in_flight
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

// The same by stores of threads.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: both_groups_reference, block 32
extern "C" __global__ void map_changed_by_plain_stores_under_a_load(const __grid_constant__ tensor_map x,
                                                   const int *values, u64 *maps, int *y)
{
    __shared__ alignas(128) int s[2][512];
    __shared__ alignas(128) u64 map[16];
    __shared__ u64 full[2];
    const int t = threadIdx.x;
    if (t < 16) map[t] = x.words[t];
    if (t < 2) {
        BAR_INIT(&full[t], 1);
        FENCE_INIT();
    }
    __syncthreads();
    for (int group = 0; t >= 32 && group < 2; group++) {
        if (t == 32) REPLACE_ADDRESS(map, values + group * 512);
        __syncwarp();
        if (t < 48) maps[t - 32] = map[t - 32]; // expect: in_flight
        __syncwarp();
        ACQUIRE(maps);
        if (t == 32) {
            BAR_EXPECT(&full[group], 2048);
            TMA_LOAD_2D(s[group], maps, 0, 0, &full[group]); // expect: in_flight
        }
        __syncwarp();
    }
    for (int group = 0; t < 32 && group < 2; group++) {
        BAR_WAIT(&full[group], 0);
        for (int i = t; i < 512; i += 32)
            y[group * 512 + i] = s[group][i];
    }
}
