/* Products of exec_matrix.c, for the table of every executor; and sparse rows of A, which
 * wgmma has as well. PTX ISA 9.0, sections 9.7.14.6 and 9.7.15.6. */
#ifndef HONE_DEVICE_EXEC_MATRIX_H
#define HONE_DEVICE_EXEC_MATRIX_H

#include "emu_exec.h"

/* The column of A, a warp's 16 rows, that element j of what is there stands in. metadata:
 * of each lane. */
unsigned hone_emu_sparse_column(const struct hone_emu_insn *insn,
                                const uint32_t *metadata, unsigned row, unsigned j);

/* Is it one of them? */
static inline bool hone_emu_is_seldom(const struct hone_emu_insn *insn)
{
    return insn->sparse || hone_emu_is_quads(insn) ||
           hone_ptx_type_bits((enum ptx_type)insn->type2) < 8;
}
/* All lanes of the warp are here. */
void hone_emu_multiply_seldom(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn);

#endif
