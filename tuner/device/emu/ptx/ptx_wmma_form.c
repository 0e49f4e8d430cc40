// The opcodes of wmma, and fragments laid out as those of mma.sync, tile by tile.
#include "ptx_wmma.h"

#include <stdio.h>
#include <string.h>

// ---- opcodes ----

static bool is_text(const char *word, size_t size, const char *text)
{
    return strlen(text) == size && memcmp(word, text, size) == 0;
}

static bool read_word(struct ptx_wmma *out, const char *word, size_t size)
{
    const enum ptx_type type = hone_ptx_type_find(word, size);
    if (type != PTX_NONE) {
        if (out->type_count == 4) return false;
        out->types[out->type_count++] = type;
    } else if (is_text(word, size, "row") || is_text(word, size, "col")) {
        out->columns = *word == 'c';
    } else if (is_text(word, size, "global")) {
        out->space = ".global";
    } else if (is_text(word, size, "shared") || is_text(word, size, "shared::cta")) {
        out->space = ".shared";
    } else if (is_text(word, size, "xor") || is_text(word, size, "and")) {
        out->bits = *word == 'x' ? ".xor.popc" : ".and.popc";
    } else if (is_text(word, size, "satfinite")) {
        out->saturates = true;
    } else if (!is_text(word, size, "sync") && !is_text(word, size, "aligned") &&
               !is_text(word, size, "rn") && !is_text(word, size, "popc")) {
        return sscanf(word, "m%un%uk%u", &out->m, &out->n, &out->k) == 3;
    }
    return true;
}

// The type of A's and B's elements; one of 16 bits for C and D of products of floats.
enum ptx_type hone_ptx_wmma_factor(const struct ptx_wmma *wmma)
{
    const bool halves = wmma->type_count == 2; // f16: the types of D and C alone
    if (wmma->kind != PTX_WMMA_MMA) return wmma->types[0];
    return halves ? PTX_F16 : wmma->types[1];
}

bool hone_ptx_wmma_is_sum(const struct ptx_wmma *wmma)
{
    return wmma->matrix == 'c' || wmma->matrix == 'd';
}

static bool is_shape(const struct ptx_wmma *wmma, unsigned m, unsigned n, unsigned k)
{
    return wmma->m == m && wmma->n == n && wmma->k == k;
}

// Are there fragments of the type in this shape?
static bool has_fragments(const struct ptx_wmma *wmma, enum ptx_type type, bool sum)
{
    const bool whole = is_shape(wmma, 16, 16, 16) || is_shape(wmma, 8, 32, 16) ||
                       is_shape(wmma, 32, 8, 16);
    if (type == PTX_F64) return is_shape(wmma, 8, 8, 4);
    if (is_shape(wmma, 8, 8, 32))
        return sum ? type == PTX_S32 : type == PTX_S4 || type == PTX_U4;
    if (is_shape(wmma, 8, 8, 128)) return type == (sum ? PTX_S32 : PTX_B1);
    if (is_shape(wmma, 16, 16, 8)) return type == (sum ? PTX_F32 : PTX_TF32);
    if (sum) return whole && (type == PTX_F16 || type == PTX_F32 || type == PTX_S32);
    return whole &&
           (type == PTX_F16 || type == PTX_BF16 || type == PTX_S8 || type == PTX_U8);
}

static bool exists(const struct ptx_wmma *wmma)
{
    const enum ptx_type type = hone_ptx_wmma_factor(wmma);
    const bool product = wmma->kind == PTX_WMMA_MMA;
    const unsigned types = !product ? 1 : type == PTX_F16 ? 2 : 4;
    if (wmma->type_count != types) return false;
    const bool narrow = hone_ptx_type_bits(type) < 8,
               integers =
                   type == PTX_S8 || type == PTX_U8 || type == PTX_S4 || type == PTX_U4;
    if (wmma->saturates && !integers) return false;
    if ((product && type == PTX_B1) != (*wmma->bits != '\0')) return false;
    if (narrow && !product && wmma->columns != (wmma->matrix == 'b')) return false;
    return has_fragments(wmma, type, !product && hone_ptx_wmma_is_sum(wmma)) &&
           (!product || has_fragments(wmma, wmma->types[0], true));
}

bool hone_ptx_wmma_read(struct ptx_wmma *out, const char *opcode)
{
    static const struct {
        const char *text;
        enum ptx_wmma_kind kind;
        char matrix;
    } heads[] = {{"wmma.load.a.", PTX_WMMA_LOAD, 'a'},
                 {"wmma.load.b.", PTX_WMMA_LOAD, 'b'},
                 {"wmma.load.c.", PTX_WMMA_LOAD, 'c'},
                 {"wmma.store.d.", PTX_WMMA_STORE, 'd'},
                 {"wmma.mma.", PTX_WMMA_MMA, '\0'}};
    size_t h = 0, size;
    while (h < sizeof heads / sizeof *heads &&
           strncmp(opcode, heads[h].text, strlen(heads[h].text)) != 0)
        h++;
    if (h == sizeof heads / sizeof *heads) return false;
    *out = (struct ptx_wmma){
        .kind = heads[h].kind, .matrix = heads[h].matrix, .bits = "", .space = ""};
    for (const char *word = opcode + strlen(heads[h].text); *word; word += size) {
        word += *word == '.';
        size = strcspn(word, ".");
        if (!read_word(out, word, size)) return false;
    }
    return exists(out);
}

// ---- layouts ----

bool hone_ptx_wmma_is_small(const struct ptx_wmma *wmma)
{
    return wmma->m == 8 && wmma->n == 8;
}

bool hone_ptx_wmma_is_turned(const struct ptx_wmma *wmma)
{
    return wmma->m == 8 && wmma->n == 32;
}

// Elements of a register, and its bytes.
static unsigned packed(enum ptx_type type)
{
    const unsigned bits = hone_ptx_type_bits(type);
    return bits < 32 ? 32 / bits : 1;
}

struct ptx_wmma_tiles hone_ptx_wmma_tiles(const struct ptx_wmma *wmma,
                                          enum ptx_type factor, enum ptx_type sum)
{
    const bool turned = hone_ptx_wmma_is_turned(wmma);
    const unsigned rows = turned ? wmma->n : wmma->m;
    const unsigned columns = turned ? wmma->m : wmma->n;
    const unsigned height = hone_ptx_wmma_is_small(wmma) ? 8 : 16;
    const unsigned right_each = wmma->k / (4 * packed(factor));
    return (struct ptx_wmma_tiles){.left = rows / height,
                                   .right = columns / 8,
                                   .left_each = right_each * height / 8,
                                   .right_each = right_each,
                                   .each = height / 4 / packed(sum)};
}

struct ptx_wmma_spot hone_ptx_wmma_spot(const struct ptx_wmma *wmma, unsigned r)
{
    const enum ptx_type type = wmma->types[0];
    const unsigned p = packed(type);
    const bool turned = hone_ptx_wmma_is_turned(wmma);
    if (hone_ptx_wmma_is_sum(wmma)) {
        const struct ptx_wmma_tiles tiles = hone_ptx_wmma_tiles(wmma, PTX_S8, type);
        const unsigned tile = r / tiles.each, e = r % tiles.each * p;
        const unsigned height = hone_ptx_wmma_is_small(wmma) ? 8 : 16;
        return (struct ptx_wmma_spot){.g = tile / tiles.right * height + 8 * (e / 2),
                                      .t = tile % tiles.right * 8 + e % 2,
                                      .each = 2,
                                      .count = p};
    }
    const struct ptx_wmma_tiles tiles = hone_ptx_wmma_tiles(wmma, type, PTX_S32);
    const bool left = (wmma->matrix == 'a') != turned;
    const unsigned each = left ? tiles.left_each : tiles.right_each;
    const unsigned tile = r / each, e = r % each;
    const unsigned halves = left && !hone_ptx_wmma_is_small(wmma) ? 2 : 1;
    return (struct ptx_wmma_spot){.g = tile * 8 * halves + 8 * (e % halves),
                                  .t = 4 * p * (e / halves),
                                  .each = p,
                                  .count = p};
}

// Registers of a fragment that hold different elements; f16 has the factors' twice and
// more, in 8 registers.
unsigned hone_ptx_wmma_registers(const struct ptx_wmma *wmma)
{
    const enum ptx_type type = wmma->types[0];
    if (hone_ptx_wmma_is_sum(wmma)) {
        const struct ptx_wmma_tiles tiles = hone_ptx_wmma_tiles(wmma, PTX_S8, type);
        return tiles.left * tiles.right * tiles.each;
    }
    const struct ptx_wmma_tiles tiles = hone_ptx_wmma_tiles(wmma, type, PTX_S32);
    const bool left = (wmma->matrix == 'a') != hone_ptx_wmma_is_turned(wmma);
    return left ? tiles.left * tiles.left_each : tiles.right * tiles.right_each;
}
