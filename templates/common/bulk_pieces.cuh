// Pieces of equal size, evenly spaced in global memory, that bulk copies bring to shared
// memory ahead of their use, into a ring of stages.
//
//   PieceRing<stages, bytes> ring(memory, first, stride, count);
//   while (ring.more()) { ring.wait(); reads of ring.data(); ring.next(); }
//
// bytes, stride (in bytes) and both addresses are multiples of 16. The ring takes
// stages * (bytes + 8) bytes of shared memory.
#pragma once

#include "bulk_copy.cuh"

template <int stages, int bytes> struct PieceRing {
    static_assert(bytes % 16 == 0, "pieces are multiples of 16 bytes");

    const char *memory;
    const char *next_from; // of the piece to be copied next
    long long stride;
    long long left, unread; // pieces to be copied, to be read
    RingPlace<stages> place;

    // By all threads of the block, once.
    __device__ PieceRing(void *memory, const void *first, long long stride,
                         long long count)
        : memory((const char *)memory), next_from((const char *)first), stride(stride),
          left(count), unread(count)
    {
        if (threadIdx.x == 0) {
            for (int i = 0; i < stages; i++)
                barrier_init(barrier(i), 1);
            publish_barriers();
        }
        __syncthreads();
        for (int i = 0; i < stages; i++)
            copy(i);
    }
    __device__ bool more() const
    {
        return unread != 0;
    }
    __device__ void wait() const
    {
        barrier_wait(barrier(place.stage), place.parity);
    }
    __device__ const void *data() const
    {
        return memory + place.stage * bytes;
    }
    // When this thread has read its part: all threads of the block call.
    __device__ void next()
    {
        fence_async(); // what was read here, a copy writes over
        __syncthreads();
        copy(place.stage);
        place.next();
        unread--;
    }

  private:
    __device__ unsigned barrier(int stage) const
    {
        return shared_address(memory) + stages * bytes + 8 * stage;
    }
    __device__ void copy(int stage)
    {
        if (left == 0) return;
        left--;
        if (threadIdx.x == 0)
            load_piece(shared_address(memory) + stage * bytes, next_from, bytes,
                       barrier(stage));
        next_from += stride;
    }
};
