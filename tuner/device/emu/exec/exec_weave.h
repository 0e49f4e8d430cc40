/* Warps that give way between accesses by which they hear of others: a launch that is
 * woven shows what is wrong only where two of them are interleaved there. A kernel that
 * hears of nobody is never woven. */
#ifndef HONE_DEVICE_EXEC_WEAVE_H
#define HONE_DEVICE_EXEC_WEAVE_H

#include "emu_exec.h"

/* The warp has executed the instruction: its lanes may give way to others, of the warp
 * too, as is drawn by the block and the launch's seed. */
void hone_emu_weave(struct hone_emu_warp *warp, const struct hone_emu_insn *insn);

#endif
