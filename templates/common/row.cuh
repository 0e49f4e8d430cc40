// Rows of a matrix, each worked on by ROW_THREADS threads of a block of ROWS times that.
// CHUNKS chunks of each thread of a row make a tile: a row of one tile is read once and
// stays in registers, a longer one is read again.
#pragma once

#include "tile.cuh"

#ifndef ROW_THREADS // threads a row
#define ROW_THREADS 512
#endif
#ifndef ROWS // rows a block
#define ROWS 1
#endif
#ifndef CHUNKS // vectors that a thread loads at once and keeps
#define CHUNKS 8
#endif
#ifndef MIN_BLOCKS // blocks a multiprocessor that registers must allow
#define MIN_BLOCKS 2
#endif

static_assert(CHUNKS >= 1, "CHUNKS must be at least 1");
static_assert(ROW_THREADS >= 1 && (ROW_THREADS & (ROW_THREADS - 1)) == 0,
              "ROW_THREADS must be a power of two");
static_assert(MIN_BLOCKS >= 1, "MIN_BLOCKS must be at least 1");
static_assert(ROWS >= 1, "ROWS must be at least 1");
static_assert(ROW_THREADS * ROWS % 32 == 0 && ROW_THREADS * ROWS <= 1024,
              "a block is 1 to 32 warps");

constexpr int BLOCK = ROW_THREADS * ROWS;
typedef Tile<ROW_THREADS, CHUNKS> RowTile;

// A row of cols elements, maybe 0, from data on.
__device__ inline Span span_of_row(const TYPE *data, int cols)
{
    const int skip = elements_before(data);
    return {skip, skip + cols};
}
__device__ inline int tiles_of(const Span &span)
{
    return (span.end + RowTile::size - 1) / RowTile::size;
}

// The row that a block's thread works on; rows of the last block may not exist.
__device__ inline long long row_of_thread(unsigned block = blockIdx.x)
{
    return (long long)block * ROWS + threadIdx.x / ROW_THREADS;
}
