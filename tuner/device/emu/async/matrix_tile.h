/* Matrices of wgmma in shared memory: which bytes a descriptor names. A matrix is fetched
 * in chunks of 16 bytes, the units that swizzles move: 16 bytes along K of one row where
 * K is the major dimension, else 8 rows of 16 bits at one k. Layouts: PTX ISA 9.0,
 * sections 9.7.15.5.1 (strides, canonical layouts) and 5.5.7 (swizzles). Not yet compared
 * with hardware. */
#ifndef HONE_DEVICE_EMU_MATRIX_TILE_H
#define HONE_DEVICE_EMU_MATRIX_TILE_H

#include <stdbool.h>
#include <stdint.h>

enum { HONE_EMU_CHUNK = 16, HONE_EMU_MOST_CHUNKS = 1024 };
enum { HONE_EMU_WARP_ROWS = 16 }; /* of A, of each warp */

struct hone_emu_tile {
    uint32_t start, leading, stride; /* bytes */
    uint32_t span;                   /* of the swizzle: 32, 64, 128; 0: there is none */
    uint32_t rows, row_bytes;        /* of A, or columns of B; along K */
    bool transposed;                 /* MN-major: elements of 16 bits */
};

/* Why the descriptor names no matrix; NULL: it does, and out says which. */
const char *hone_emu_tile_read(uint64_t descriptor, struct hone_emu_tile *out);

static inline uint32_t hone_emu_tile_chunks(const struct hone_emu_tile *tile)
{
    return tile->rows * tile->row_bytes / HONE_EMU_CHUNK;
}
/* Addresses of all chunks in shared memory: row by row, or k by k where the matrix is
 * transposed. There is room for HONE_EMU_MOST_CHUNKS. */
void hone_emu_tile_addresses(const struct hone_emu_tile *tile, uint32_t *out);
/* Let it be so many of its rows, multiples of 8; it is not transposed. */
void hone_emu_tile_take_rows(struct hone_emu_tile *tile, uint32_t first, uint32_t rows);

#endif
