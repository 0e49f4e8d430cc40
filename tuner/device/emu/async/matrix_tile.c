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

// The bits of a chunk's place in its line that those above change.
static uint32_t swizzle_of(const struct hone_emu_tile *tile)
{
    return tile->span ? tile->span / HONE_EMU_CHUNK - 1 : 0;
}

static uint32_t swizzled(uint32_t swizzle, uint32_t at)
{
    return at ^ ((at >> 7 & swizzle) << 4);
}

// Chunks of rows along K, a core matrix at a time.
static void along_k(const struct hone_emu_tile *tile, uint32_t *out)
{
    const uint32_t chunks = tile->row_bytes / HONE_EMU_CHUNK, swizzle = swizzle_of(tile);
    const uint32_t line = tile->span ? tile->span : HONE_EMU_CHUNK;
    const uint32_t step = tile->span ? HONE_EMU_CHUNK : tile->leading;
    const uint32_t cores = tile->rows / ROWS, stride = tile->stride;
    uint32_t from = tile->start;
    for (uint32_t core = 0; core < cores; core++, out += chunks * ROWS, from += stride)
        for (uint32_t c = 0; c < chunks; c++)
            for (uint32_t row = 0; row < ROWS; row++)
                out[row * chunks + c] = swizzled(swizzle, from + c * step + row * line);
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
    if (!tile->transposed) {
        along_k(tile, out);
        return;
    }
    const uint32_t lines = tile->row_bytes / ELEMENT, swizzle = swizzle_of(tile);
    const uint32_t chunks = hone_emu_tile_chunks(tile) / lines;
    for (uint32_t line = 0; line < lines; line++)
        for (uint32_t c = 0; c < chunks; c++)
            *out++ = swizzled(swizzle, along_rows(tile, line, c));
}

void hone_emu_tile_take_rows(struct hone_emu_tile *tile, uint32_t first, uint32_t rows)
{
    tile->start += first / ROWS * tile->stride;
    tile->rows = rows;
}
