// A ring of stages in shared memory that one side fills by asynchronous copies and others
// empty. Both walk it in the same order, each with a place of its own that begins at 0.
//
//   filler    ring.wait_empty(place); ring.expect(place, bytes); copies of just these
//             bytes that arrive at ring.full(place); place.next()
//   emptier   ring.wait_full(place); reads; ring.release(place, thread); place.next()
//
// The ring takes 16 * stages bytes of shared memory, aligned to 8. Blocks of a cluster
// that fill each other's stages have rings at the same place; each stage is emptied in
// all of them before one fills it.
#pragma once

#include "cluster.cuh"

// Stages of so many bytes, with their barriers, that a block of sm_90 has room for beside
// other bytes; more than 12 hide nothing more.
__device__ constexpr int stages_beside(int bytes, int stage_bytes)
{
    const int fitting = (232448 - bytes) / (stage_bytes + 16);
    return fitting < 12 ? fitting : 12;
}

template <int stages> struct RingPlace {
    int stage = 0;
    unsigned parity = 0; // of the rounds before

    __device__ void next()
    {
        if (++stage < stages) return;
        stage = 0;
        parity ^= 1;
    }
    // What others fill and empty.
    __device__ void skip(int count)
    {
        const int to = stage + count;
        parity ^= to / stages & 1;
        stage = to % stages;
    }
};

template <int stages, int blocks = 1> struct Ring {
    static_assert(stages >= 2, "a ring has at least 2 stages");
    typedef RingPlace<stages> Place;
    static constexpr int bytes = 16 * stages;
    unsigned barriers; // address of the full ones, then the empty ones

    __device__ unsigned full(const Place &at) const
    {
        return barriers + 8 * at.stage;
    }
    __device__ unsigned empty(const Place &at) const
    {
        return full(at) + 8 * stages;
    }
    // By one thread, then publish_barriers and a barrier of all. releases: how many empty
    // a stage in a block.
    __device__ void init(int releases) const
    {
        for (int i = 0; i < stages; i++) {
            barrier_init(barriers + 8 * i, 1);
            barrier_init(barriers + 8 * (stages + i), releases * blocks);
        }
    }
    __device__ void wait_empty(const Place &at) const
    {
        const unsigned before = at.parity ^ 1; // a new stage is empty
        if (blocks > 1)
            barrier_wait_cluster(empty(at), before);
        else
            barrier_wait(empty(at), before);
    }
    __device__ void expect(const Place &at, int bytes) const
    {
        barrier_expect(full(at), bytes);
    }
    __device__ void wait_full(const Place &at) const
    {
        barrier_wait(full(at), at.parity);
    }
    // By one thread for each block: 0 .. blocks - 1 of those that emptied it.
    __device__ void release(const Place &at, int thread) const
    {
        if (thread >= blocks) return;
        if (blocks > 1)
            barrier_arrive_at(empty(at), thread);
        else
            barrier_arrive(empty(at));
    }
};
