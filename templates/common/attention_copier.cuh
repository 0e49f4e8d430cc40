// Shared memory of attention by warp groups, and the warp that fills it: a tile of
// queries, which outputs leave through, and rings of tiles of keys and of values.
//
// Tiles are panels of rows of 128 bytes, one row a token, swizzled as wgmma reads them;
// where a head is no multiple of 128 bytes no product reads the last panel's end. The
// hardware transposes 16 bits alone: of 8 bits a row of values is 128 tokens of one
// element of the head. There a thread's scores are two neighbouring keys, twice, of each
// 16, and wgmma takes powers of four: so rows of keys stand as 0 1 4 5 8 9 12 13, 2 3 6 7
// 10 11 14 15, by a map that walks them so.
#pragma once

#include "attention_tasks.cuh"
#include "ring.cuh"
#include "tensor_map.cuh"

constexpr int WIDE = 128 / (int)sizeof(TYPE); // elements of a row of a panel
constexpr int KEY_PANELS = (HEAD - 1) / WIDE + 1, OUT_PANELS = (HEAD_V - 1) / 64 + 1;
constexpr int VALUE_PANELS = EIGHT ? (BLOCK_N - 1) / WIDE + 1 : OUT_PANELS;
constexpr int Q_PANEL = BLOCK_M * 128, KEY_PANEL = BLOCK_N * 128;
constexpr int VALUE_PANEL = EIGHT ? HEAD_V * 128 : KEY_PANEL;
constexpr int Q_BYTES = KEY_PANELS * Q_PANEL, O_BYTES = OUT_PANELS * Q_PANEL;
constexpr int Q_PLACE = Q_BYTES > O_BYTES ? Q_BYTES : O_BYTES;
constexpr int K_BYTES = KEY_PANELS * KEY_PANEL, V_BYTES = VALUE_PANELS * VALUE_PANEL;

typedef Ring<STAGES> Stages;

// Addresses, from a multiple of 1024 on: queries, keys, values, barriers. The script
// counts the bytes again, for the launch: kernels/attention_sm90.lua.
struct Memory {
    unsigned queries;

    __device__ unsigned keys() const
    {
        return queries + Q_PLACE;
    }
    __device__ unsigned values() const
    {
        return keys() + STAGES * K_BYTES;
    }
    __device__ Stages key_ring() const
    {
        return {values() + STAGES * V_BYTES};
    }
    __device__ Stages value_ring() const
    {
        return {key_ring().barriers + Stages::bytes};
    }
    __device__ unsigned queries_full() const
    {
        return value_ring().barriers + Stages::bytes;
    }
    __device__ unsigned queries_empty() const
    {
        return queries_full() + 8;
    }
    __device__ unsigned values_landed() const // with VARLEN
    {
        return queries_full() + 16;
    }
    // By one thread, ahead of a barrier of all.
    __device__ void init() const
    {
        key_ring().init(MATH);
        value_ring().init(MATH);
        barrier_init(queries_full(), 1);
        barrier_init(queries_empty(), 128 * MATH);
        if (VARLEN) barrier_init(values_landed(), 1);
        publish_barriers();
    }
};

// The tiles of all tasks of a block, by one warp: K runs a tile ahead of V, as those that
// multiply need them.
struct Copier {
    const TensorMap &q, &k, &v;
    Memory memory;
    int group; // heads of queries a key head
    Stages::Place key_place, value_place;
    unsigned parity = 0; // of tasks
    unsigned landed = 0; // parity of its barrier

    __device__ static bool issues()
    {
        return threadIdx.x % 32 == 0;
    }

    __device__ void copy(const Task &task)
    {
        if (issues()) copy_queries(task);
        parity ^= 1;
        const int first = task.needed.first, last = task.needed.end - 1;
        for (int tile = last; tile >= first; tile--) {
            copy_keys(task, tile);
            if (tile < last) copy_values(task, tile + 1);
        }
        if (last >= first) copy_values(task, first);
    }

  private:
    template <int panels>
    __device__ static void copy_panels(unsigned to, int panel_bytes, const TensorMap &map,
                                       int head, int token, int sequence,
                                       unsigned barrier)
    {
#pragma unroll
        for (int i = 0; i < panels; i++)
            load_box(to + i * panel_bytes, map, i * WIDE, head, token, sequence, barrier);
    }
    __device__ void copy_queries(const Task &task) const
    {
        barrier_wait(memory.queries_empty(), parity ^ 1);
        barrier_expect(memory.queries_full(), Q_BYTES);
        copy_panels<KEY_PANELS>(memory.queries, Q_PANEL, q, (int)task.head,
                                Task::box_token(task.queries) + task.row,
                                task.box_sequence(), memory.queries_full());
    }
    __device__ void copy_keys(const Task &task, int tile)
    {
        const Stages ring = memory.key_ring();
        if (issues()) {
            ring.wait_empty(key_place);
            ring.expect(key_place, K_BYTES);
            const unsigned to = memory.keys() + key_place.stage * K_BYTES;
            const int key_head = (int)task.head / group;
            if constexpr (EIGHT) {
                const int sixteens = (task.keys.count - 1) / 16 + 1; // of a sequence
#pragma unroll
                for (int i = 0; i < KEY_PANELS; i++)
                    load_box(to + i * KEY_PANEL, k, key_head * HEAD + i * WIDE, 0, 0, 0,
                             task.sequence * sixteens + tile * (BLOCK_N / 16),
                             ring.full(key_place));
            } else
                copy_panels<KEY_PANELS>(to, KEY_PANEL, k, key_head,
                                        Task::box_token(task.keys) + tile * BLOCK_N,
                                        task.box_sequence(), ring.full(key_place));
        }
        key_place.next();
    }
    __device__ void copy_values(const Task &task, int tile)
    {
        const Stages ring = memory.value_ring();
        const unsigned to = memory.values() + value_place.stage * V_BYTES;
        const int left = task.keys.count - tile * BLOCK_N;
        // What follows in a map without sequences may be no number: times a power of 0.
        const bool clear = VARLEN && left < BLOCK_N;
        const unsigned full = clear ? memory.values_landed() : ring.full(value_place);
        if (issues()) {
            ring.wait_empty(value_place);
            barrier_expect(full, V_BYTES);
            const int key_head = (int)task.head / group;
            const int token = Task::box_token(task.keys) + tile * BLOCK_N;
            if constexpr (EIGHT)
#pragma unroll
                for (int i = 0; i < VALUE_PANELS; i++)
                    load_box(to + i * VALUE_PANEL, v, token + i * WIDE, 0, key_head,
                             task.box_sequence(), full);
            else
                copy_panels<VALUE_PANELS>(to, VALUE_PANEL, v, key_head, token,
                                          task.box_sequence(), full);
        }
        if (clear) clear_rows(to, left, ring.full(value_place));
        value_place.next();
    }
    // Rows from left on of a tile on its way, before others see it.
    __device__ void clear_rows(unsigned tile, int left, unsigned full)
    {
        barrier_wait(memory.values_landed(), landed);
        landed ^= 1;
#pragma unroll
        for (int p = 0; p < VALUE_PANELS; p++)
            for (int at = left * 128 + threadIdx.x % 32 * 16; at < VALUE_PANEL;
                 at += 32 * 16)
                store_zeros(tile + p * VALUE_PANEL + at);
        fence_async();
        __syncwarp();
        if (issues()) barrier_arrive(full);
    }
    __device__ static void store_zeros(unsigned to) // 16 bytes
    {
        asm volatile("st.shared.v4.b32 [%0], {%1, %1, %1, %1};" ::"r"(to), "r"(0)
                     : "memory");
    }
};
