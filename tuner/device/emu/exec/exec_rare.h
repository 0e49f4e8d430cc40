/* Handlers of exec_rare.c, for the tables of every executor. */
#ifndef HONE_DEVICE_EXEC_RARE_H
#define HONE_DEVICE_EXEC_RARE_H

#include "emu_exec.h"

/* add, sub and mad with .cc, addc, subc, madc. */
void hone_emu_carry_arithmetic(struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn);
/* What makes one word of up to three. */
void hone_emu_word_operation(struct hone_emu_warp *warp,
                             const struct hone_emu_insn *insn);

/* A cache policy, which nothing here asks for. */
void hone_emu_make_policy(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);

/* min (least) or max with .NaN and .xorsign.abs as the instruction has them. */
float hone_emu_select_float(const struct hone_emu_insn *insn, float x, float y,
                            bool least);

/* add, sub, mul and fma of .f32x2. */
void hone_emu_pair_arithmetic(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn);

/* clang-format off */
#define RARE_TABLE                                                                       \
    [EMU_PAIRADD][PTX_NONE] = hone_emu_pair_arithmetic,                                  \
    [EMU_PAIRSUB][PTX_NONE] = hone_emu_pair_arithmetic,                                  \
    [EMU_PAIRMUL][PTX_NONE] = hone_emu_pair_arithmetic,                                  \
    [EMU_PAIRFMA][PTX_NONE] = hone_emu_pair_arithmetic,                                  \
    [EMU_ADDC][PTX_NONE] = hone_emu_carry_arithmetic,                                    \
    [EMU_SUBC][PTX_NONE] = hone_emu_carry_arithmetic,                                    \
    [EMU_MADLOC][PTX_NONE] = hone_emu_carry_arithmetic,                                  \
    [EMU_MADHIC][PTX_NONE] = hone_emu_carry_arithmetic,                                  \
    [EMU_DP2ALO][PTX_NONE] = hone_emu_word_operation,                                    \
    [EMU_DP2AHI][PTX_NONE] = hone_emu_word_operation,                                    \
    [EMU_BMSK][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_SZEXT][PTX_NONE] = hone_emu_word_operation,                                     \
    [EMU_FNS][PTX_NONE] = hone_emu_word_operation,                                       \
    [EMU_CVTPACK][PTX_NONE] = hone_emu_word_operation,                                   \
    [EMU_ABSDIFF4][PTX_NONE] = hone_emu_word_operation,                                  \
    [EMU_ABSDIFF2][PTX_NONE] = hone_emu_word_operation,                                  \
    [EMU_PRMTMODE][PTX_NONE] = hone_emu_word_operation,                                  \
    [EMU_MUL24HI][PTX_NONE] = hone_emu_word_operation,                                   \
    [EMU_MAD24HI][PTX_NONE] = hone_emu_word_operation,                                   \
    [EMU_ADD2][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_MIN2][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_MAX2][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_FMIN][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_FMAX][PTX_NONE] = hone_emu_word_operation,                                      \
    [EMU_POLICY][PTX_NONE] = hone_emu_make_policy,
/* clang-format on */

#endif
