// Copies of boxes of a tensor that a map describes (PTX ISA, cp.async.bulk.tensor;
// sm_90). A kernel gets a map by value, const __grid_constant__ TensorMap, from the
// driver's cuTensorMapEncodeTiled; in a kernel script it is the tensor_map of an
// argument.
//
// x, y are the box's first element along the innermost axis and the next one. Where a box
// reaches past the tensor, loads fill it with zeros and stores leave it out. The shared
// address is aligned to 128 bytes, to 1024 with swizzle 128, which moves the 16 bytes c
// of the 128-byte row r to c ^ r % 8.
#pragma once

#include "barrier.cuh"

struct alignas(64) TensorMap {
    unsigned long long word[16];
};

// Ahead of the first copy, so that it need not wait for the map itself.
__device__ inline void prefetch_map(const TensorMap &map)
{
    asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
}

// Arrives at barrier with all bytes of the box, those past the tensor too.
__device__ inline void load_box(unsigned to, const TensorMap &map, int x, int y,
                                unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(barrier)
                 : "memory");
}

// Of a tensor of one axis.
__device__ inline void load_box(unsigned to, const TensorMap &map, int x,
                                unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1, {%2}], [%3];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(barrier)
                 : "memory");
}

// Of a tensor of three axes.
__device__ inline void load_box(unsigned to, const TensorMap &map, int x, int y, int z,
                                unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(z), "r"(barrier)
                 : "memory");
}

// Of a tensor of four axes.
__device__ inline void load_box(unsigned to, const TensorMap &map, int x, int y, int z,
                                int w, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(barrier)
                 : "memory");
}

// Of a tensor of five axes.
__device__ inline void load_box(unsigned to, const TensorMap &map, int x, int y, int z,
                                int w, int u, unsigned barrier)
{
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx"
                 "::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];" ::"r"(to),
                 "l"(&map), "r"(x), "r"(y), "r"(z), "r"(w), "r"(u), "r"(barrier)
                 : "memory");
}

// A copy by the thread that calls this; see store.cuh for its end.
__device__ inline void store_box(const TensorMap &map, int x, int y, unsigned from)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], "
                 "[%3];" ::"l"(&map),
                 "r"(x), "r"(y), "r"(from)
                 : "memory");
}
