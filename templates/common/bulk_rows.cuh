// Rows that bulk copies bring to shared memory ahead of their use (PTX ISA,
// cp.async.bulk; sm_90), for blocks that stay: groups of ROWS rows in a ring of BULK
// stages, each block's gridDim.x groups apart.
//
//   RowRing ring(memory, ...);
//   while (ring.more()) { ring.wait(); reads of ring.data(); ring.next(); }
//
// Of rows that bulk copies cannot take, which begin or end within 16 bytes, or for which
// the launch has no room, the ring counts groups only, and data() is the row in global
// memory. Room is BULK * (ROWS * pitch + 8) bytes of dynamic shared memory, pitch the
// bytes of a row, rounded up to 16.
#pragma once

#include "bulk_copy.cuh"
#include "row.cuh"

#ifndef BULK // groups of rows in shared memory; 0: each block has a group of its own
#define BULK 0
#endif

static_assert(BULK == 0 || (BULK >= 2 && BULK <= 8), "BULK must be 0 or 2 to 8");

__device__ inline unsigned dynamic_shared_bytes()
{
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
}

struct RowRing {
    const TYPE *in, *memory;
    int rows, pitch; // pitch in bytes, where copies are made
    long long stride;
    bool bulk; // copies are made
    int group, groups;
    RingPlace<BULK> place;

    // By all threads of the block, once.
    __device__ RowRing(void *memory, const TYPE *in, int rows, int cols, long long stride)
        : in(in), memory((const TYPE *)memory), rows(rows),
          pitch(cols * (int)sizeof(TYPE)), stride(stride),
          bulk(is_bulk(in, cols, stride)), group(blockIdx.x),
          groups((rows - 1) / ROWS + 1)
    {
        if (!bulk) return;
        if (threadIdx.x == 0) {
            for (int i = 0; i < BULK; i++)
                barrier_init(barrier(i), 1);
            publish_barriers();
        }
        __syncthreads();
        if (threadIdx.x == 0)
            for (int i = 0; i < BULK; i++)
                copy(group + i * (int)gridDim.x, i);
    }
    __device__ bool more() const
    {
        return group < groups;
    }
    __device__ long long row() const // this thread's
    {
        return row_of_thread(group);
    }
    __device__ void wait() const
    {
        if (bulk) barrier_wait(barrier(place.stage), place.parity);
    }
    __device__ const TYPE *data() const
    {
        if (!bulk) return in + row() * stride;
        const int slot = place.stage * ROWS + threadIdx.x / ROW_THREADS;
        return (const TYPE *)((const char *)memory + slot * pitch);
    }
    // When this thread has read its row: all threads of the block call.
    __device__ void next()
    {
        if (bulk) fence_async(); // what was read here, a copy writes over
        __syncthreads();
        if (bulk && threadIdx.x == 0) copy(group + BULK * (int)gridDim.x, place.stage);
        group += gridDim.x;
        place.next();
    }

  private:
    __device__ static bool is_bulk(const TYPE *in, int cols, long long stride)
    {
        const long long bytes = (long long)cols * sizeof(TYPE);
        return cols > 0 && bytes % 16 == 0 && stride * sizeof(TYPE) % 16 == 0 &&
               (unsigned long long)in % 16 == 0 &&
               BULK * (ROWS * bytes + 8) <= dynamic_shared_bytes();
    }
    __device__ unsigned barrier(int stage) const
    {
        return shared_address(memory) + BULK * ROWS * pitch + 8 * stage;
    }
    __device__ void copy(int group, int stage) const
    {
        if (group >= groups) return;
        const long long first = (long long)group * ROWS;
        const int count = rows - first < ROWS ? (int)(rows - first) : ROWS;
        barrier_expect(barrier(stage), count * pitch);
        for (int i = 0; i < count; i++)
            load_bulk(shared_address(memory) + (stage * ROWS + i) * pitch,
                      in + (first + i) * stride, pitch, barrier(stage));
    }
};
