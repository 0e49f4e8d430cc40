// From registers to global memory by way of shared memory: panels of rows of 128 bytes
// that leave by asynchronous copies (store_box) of a map with swizzle 128.
//
//   threads   write at panel_place(...); fence_async(); a barrier of all of them
//   one       store_box(...); commit_stores(); wait_for_reads<n>() before a panel is
//             written again, then a barrier; wait_for_stores<0>() before it ends
#pragma once

#include "barrier.cuh"

// The bytes from byte on of a row of a panel; byte in 0 .. 127.
__device__ inline unsigned panel_place(unsigned panel, int row, int byte)
{
    return panel + row * 128 + (byte ^ row % 8 * 16);
}

// Four matrices of 8 rows of 16 bytes; lane l names where row l % 8 of matrix l / 8 goes,
// and has of each matrix in words[i] the bytes 4 (l % 4) .. of row l / 4 (PTX ISA,
// stmatrix).
__device__ inline void store_matrices(unsigned to, const unsigned (&words)[4])
{
    asm volatile(
        "stmatrix.sync.aligned.m8n8.x4.shared::cta.b16 [%0], {%1, %2, %3, %4};" ::"r"(to),
        "r"(words[0]), "r"(words[1]), "r"(words[2]), "r"(words[3])
        : "memory");
}

// Groups of this thread's copies to global memory, in the order in which they were made.
__device__ inline void commit_stores()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Until all but the last open groups have read shared memory.
template <int open> __device__ inline void wait_for_reads()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(open) : "memory");
}
// Until all but the last open groups have written.
template <int open> __device__ inline void wait_for_stores()
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(open) : "memory");
}
