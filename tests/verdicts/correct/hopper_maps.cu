// Tensor maps that a kernel makes from another one, as grouped products do.
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

// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; in values i32[512]; work maps u64[16];
//         out y i32[512]
// reference: rows_reference
extern "C" __global__ void map_changed_by_its_warp(const __grid_constant__ tensor_map x,
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
    ACQUIRE(maps);
    if (t == 0) {
        BAR_EXPECT(&full, 2048);
        TMA_LOAD_2D(s, maps, 0, 0, &full);
    }
    __syncwarp();
    BAR_WAIT(&full, 0);
    for (int i = t; i < 512; i += 32)
        y[i] = s[i];
}

extern "C" __global__ void both_groups_reference(const int *x, const int *values, u64 *maps, int *y)
{
    for (int i = threadIdx.x; i < 1024; i += 32)
        y[i] = values[i];
}

// As DeepGEMM #343: the load by a map has ended when it is published for the next group.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: both_groups_reference, block 32
extern "C" __global__ void map_changed_behind_a_load(const __grid_constant__ tensor_map x,
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
        if (group) BAR_WAIT(&full[group - 1], 0);
        PUBLISH(maps, map);
        ACQUIRE(maps);
        if (t == 32) {
            BAR_EXPECT(&full[group], 2048);
            TMA_LOAD_2D(s[group], maps, 0, 0, &full[group]);
        }
        __syncwarp();
    }
    for (int group = 0; t < 32 && group < 2; group++) {
        BAR_WAIT(&full[group], 0);
        for (int i = t; i < 512; i += 32)
            y[group * 512 + i] = s[group][i];
    }
}

// As CUTLASS does: who loads waits for the group that the load is in to have read its map.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: both_groups_reference, block 32
extern "C" __global__ void map_changed_behind_the_group_of_a_load(const __grid_constant__ tensor_map x,
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
        if (t == 32) {
            BULK_COMMIT();
            BULK_WAIT_READ(0);
        }
        __syncwarp();
        PUBLISH(maps, map);
        ACQUIRE(maps);
        if (t == 32) {
            BAR_EXPECT(&full[group], 2048);
            TMA_LOAD_2D(s[group], maps, 0, 0, &full[group]);
        }
        __syncwarp();
    }
    for (int group = 0; t < 32 && group < 2; group++) {
        BAR_WAIT(&full[group], 0);
        for (int i = t; i < 512; i += 32)
            y[group * 512 + i] = s[group][i];
    }
}

// Each group has a map of its own.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: both_groups_reference, block 32
extern "C" __global__ void maps_of_groups_by_themselves(const __grid_constant__ tensor_map x,
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
        u64 *const own = maps + group * 16;
        PUBLISH(own, map);
        ACQUIRE(own);
        if (t == 32) {
            BAR_EXPECT(&full[group], 2048);
            TMA_LOAD_2D(s[group], own, 0, 0, &full[group]);
        }
        __syncwarp();
    }
    for (int group = 0; t < 32 && group < 2; group++) {
        BAR_WAIT(&full[group], 0);
        for (int i = t; i < 512; i += 32)
            y[group * 512 + i] = s[group][i];
    }
}

// As cutlass #2162 asked: the store by a map has been read when it is published again.
// launch: grid 1, block 32; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[16];
//         out y i32[1024]
// reference: both_groups_reference
extern "C" __global__ void map_changed_behind_a_store(const __grid_constant__ tensor_map x,
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
        if (t == 0) BULK_WAIT_READ(0);
        __syncwarp();
        PUBLISH(maps, map);
        ACQUIRE(maps);
        if (t == 0) {
            TMA_STORE_2D(maps, 0, 0, s[group]);
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}

extern "C" __global__ void two_maps_reference(const int *x, const int *values, u64 *maps, int *y)
{
    for (int i = threadIdx.x; i < 512; i += 32) {
        y[i] = values[512 + i];
        y[512 + i] = x[i];
    }
}

// By the maps of a parameter and of device memory in turns, by one instruction.
// launch: grid 1, block 64; in x i32[512] map 32/32 16/16; in values i32[1024]; work maps u64[32];
//         out y i32[1024]
// reference: two_maps_reference, block 32
extern "C" __global__ void maps_in_turns_of_which_one_changes(const __grid_constant__ tensor_map x,
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
    if (t >= 32) {
        if (t == 32) REPLACE_ADDRESS(map, values + 512);
        __syncwarp();
        PUBLISH(maps, map);
        ACQUIRE(maps);
#pragma unroll 1
        for (int k = 0; k < 2; k++) {
            const void *by = k ? (const void *)&x : (const void *)maps;
            if (t == 32) {
                BAR_EXPECT(&full[k], 2048);
                TMA_LOAD_2D(s[k], by, 0, 0, &full[k]);
            }
            __syncwarp();
            if (k == 0) BAR_WAIT(&full[0], 0);
        }
        PUBLISH(maps, map);
    }
    for (int k = 0; t < 32 && k < 2; k++) {
        BAR_WAIT(&full[k], 0);
        for (int i = t; i < 512; i += 32)
            y[k * 512 + i] = s[k][i];
    }
}
