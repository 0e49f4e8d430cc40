/* What a wmma opcode says, and where the elements of its fragments lie. */
#ifndef HONE_DEVICE_PTX_WMMA_H
#define HONE_DEVICE_PTX_WMMA_H

#include "ptx.h"

enum ptx_wmma_kind { PTX_WMMA_LOAD, PTX_WMMA_STORE, PTX_WMMA_MMA };

struct ptx_wmma {
    enum ptx_wmma_kind kind;
    char matrix;  /* of a load or store: a, b, c, d */
    bool columns; /* they follow one another in memory, not rows */
    bool saturates;
    unsigned m, n, k;
    const char *bits;       /* of a product of bits: ".xor.popc", ".and.popc"; else "" */
    const char *space;      /* ".global", ".shared" or "" */
    enum ptx_type types[4]; /* in the order of the opcode */
    unsigned type_count;
};

/* False for what is no wmma that GPUs have. */
bool hone_ptx_wmma_read(struct ptx_wmma *out, const char *opcode);

/* The type of A's elements. */
enum ptx_type hone_ptx_wmma_factor(const struct ptx_wmma *wmma);
/* Is C or D loaded or stored? */
bool hone_ptx_wmma_is_sum(const struct ptx_wmma *wmma);
/* Is it m8n8, whose products are of one tile of 8 rows? */
bool hone_ptx_wmma_is_small(const struct ptx_wmma *wmma);
/* Is the product computed as that of the transposed matrices? */
bool hone_ptx_wmma_is_turned(const struct ptx_wmma *wmma);

/* The left factor of mma.sync comes in tiles of 16 rows (8 of m8n8), the right one in
 * tiles of 8 columns. */
struct ptx_wmma_tiles {
    unsigned left, right;                 /* tiles */
    unsigned left_each, right_each, each; /* registers a tile; each: of C and D */
};
struct ptx_wmma_tiles hone_ptx_wmma_tiles(const struct ptx_wmma *wmma,
                                          enum ptx_type factor, enum ptx_type sum);

/* Where a register of a fragment that is loaded or stored begins: its element j, of lane
 * l, lies at l / 4 + g of the one dimension and each * (l % 4) + t + j of the other. */
struct ptx_wmma_spot {
    unsigned g, t, each, count; /* count: elements of the register */
};
struct ptx_wmma_spot hone_ptx_wmma_spot(const struct ptx_wmma *wmma, unsigned r);

/* Registers of such a fragment that hold different elements. */
unsigned hone_ptx_wmma_registers(const struct ptx_wmma *wmma);

#endif
