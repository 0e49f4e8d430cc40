/* wgmma of a warp: products that it has issued, in groups that it commits and waits for.
 * A product is that of four warps: it can be made once all four have issued it, and has
 * to be made before one of them passes the wait for its group. */
#ifndef HONE_DEVICE_EMU_PRODUCTS_H
#define HONE_DEVICE_EMU_PRODUCTS_H

#include "decode/emu_code.h"
#include "register_pool.h" /* how many warps a group has */

struct hone_emu_product {
    uint64_t a, b; /* descriptors; of a that is in registers 0 */
    uint32_t site; /* number of the instruction */
    uint32_t group;
    bool adds;                         /* to what D has */
    uint32_t metadata[HONE_EMU_LANES]; /* of a sparse one */
};

/* What a register really has while nobody may read it. */
struct hone_emu_hidden {
    uint32_t offset; /* in the register file */
    uint32_t lanes[HONE_EMU_LANES];
};

/* The state of a warp; zero: it has issued nothing. */
struct hone_emu_products {
    struct hone_emu_product *items; /* not yet made, in the order of their issue */
    size_t count, cap;
    uint64_t made; /* before them */
    uint32_t committed;
    bool waits;      /* the warp is stopped until that many are made: */
    uint64_t wanted; /* as counted by made */
    struct hone_emu_hidden *hidden;
    size_t hidden_count, hidden_cap;
};

/* A block begins. Keeps the memory. */
void hone_emu_products_begin(struct hone_emu_products *products);
void hone_emu_products_fini(struct hone_emu_products *products);

/* False where there is no memory. */
bool hone_emu_products_add(struct hone_emu_products *products,
                           const struct hone_emu_product *product);
/* How many are made when all but the newest in_flight groups are. */
uint64_t hone_emu_products_needed(const struct hone_emu_products *products,
                                  uint64_t in_flight);
/* The first one is made. */
void hone_emu_products_drop_first(struct hone_emu_products *products);

/* The register's lanes at offset of the register file become ones, until all are shown.
 * False where there is no memory: then it keeps what it has. */
bool hone_emu_products_hide(struct hone_emu_products *products, uint8_t *regs,
                            uint32_t offset);
void hone_emu_products_show(struct hone_emu_products *products, uint8_t *regs);

#endif
