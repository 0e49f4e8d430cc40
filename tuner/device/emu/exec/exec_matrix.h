/* Products of exec_matrix.c, for the table of every executor. */
#ifndef HONE_DEVICE_EXEC_MATRIX_H
#define HONE_DEVICE_EXEC_MATRIX_H

#include "emu_exec.h"

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
