/* wgmma: products of four warps (a warp group), which each of them issues and waits for.
 * The handlers are in exec_wgmma.inc, compiled for each instruction set; what makes one
 * product is handed on from there. */
#ifndef HONE_DEVICE_EXEC_PRODUCTS_H
#define HONE_DEVICE_EXEC_PRODUCTS_H

#include "emu_exec.h"

enum {
    HONE_EMU_PRODUCT_ROWS = 64,
    HONE_EMU_PRODUCT_COLUMNS = 256, /* at most */
    HONE_EMU_PRODUCT_BYTES = 64     /* of a row along K, at most */
};

/* A product that is to be made now. The matrices in shared memory lie here as bytes, row
 * by row along K, or, where they are transposed, k by k. */
struct hone_emu_work {
    const struct hone_emu_insn *insn;
    const struct hone_emu_wgmma *wgmma;
    struct hone_emu_warp *warps;            /* four of them */
    const struct hone_emu_product *product; /* of the first one */
    uint8_t a[HONE_EMU_PRODUCT_ROWS * HONE_EMU_PRODUCT_BYTES / 2];
    uint8_t b[HONE_EMU_PRODUCT_COLUMNS * HONE_EMU_PRODUCT_BYTES];
};
typedef void hone_emu_multiply(const struct hone_emu_work *work);

/* The whole warp issues the wgmma.mma_async, commits a group, or waits. */
void hone_emu_products_issue(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                             hone_emu_multiply *multiply);
void hone_emu_products_commit(struct hone_emu_warp *warp);
void hone_emu_products_wait(struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            hone_emu_multiply *multiply);

#endif
