// Addresses of the chunks of a matrix in shared memory.
#include "matrix_tile.h"

#include <stddef.h>

enum { ELEMENT = 2 /* bytes, of a transposed matrix */, ROWS = 8 /* of a core matrix */ };

const char *hone_emu_tile_read(uint64_t descriptor, struct hone_emu_tile *out)
{
    static const uint32_t spans[] = {0, 128, 64, 32};
    out->start = (uint32_t)(descriptor & 0x3fff) << 4;
    out->leading = (uint32_t)(descriptor >> 16 & 0x3fff) << 4;
    out->stride = (uint32_t)(descriptor >> 32 & 0x3fff) << 4;
    out->span = spans[descriptor >> 62];
    if (descriptor >> 49 & 7)
        return "has a base offset, which is not emulated: let the pattern of its swizzle "
               "begin at a multiple of 8 rows of 128 bytes";
    return NULL;
}

static uint32_t swizzled(const struct hone_emu_tile *tile, uint32_t at)
{
    if (tile->span == 0) return at;
    return at ^ ((at >> 7 & (tile->span / HONE_EMU_CHUNK - 1)) << 4);
}

// Chunk c of a row along K.
static uint32_t along_k(const struct hone_emu_tile *tile, uint32_t row, uint32_t c)
{
    const uint32_t base = tile->start + row / ROWS * tile->stride;
    if (tile->span) return base + row % ROWS * tile->span + c * HONE_EMU_CHUNK;
    return base + row % ROWS * HONE_EMU_CHUNK + c * tile->leading;
}

// Chunk c of 8 rows at one k.
static uint32_t along_rows(const struct hone_emu_tile *tile, uint32_t k, uint32_t c)
{
    if (tile->span == 0)
        return tile->start + c * tile->stride + k % ROWS * HONE_EMU_CHUNK +
               k / ROWS * tile->leading;
    const uint32_t each = tile->span / HONE_EMU_CHUNK;
    return tile->start + c % each * HONE_EMU_CHUNK + c / each * tile->leading +
           k % ROWS * tile->span + k / ROWS * tile->stride;
}

void hone_emu_tile_addresses(const struct hone_emu_tile *tile, uint32_t *out)
{
    const uint32_t lines = tile->transposed ? tile->row_bytes / ELEMENT : tile->rows;
    const uint32_t chunks = hone_emu_tile_chunks(tile) / lines;
    for (uint32_t line = 0; line < lines; line++)
        for (uint32_t c = 0; c < chunks; c++)
            *out++ = swizzled(tile, tile->transposed ? along_rows(tile, line, c)
                                                     : along_k(tile, line, c));
}
