/* How far a kernel's result can be trusted to be a GPU's. */
#ifndef HONE_DEVICE_FIDELITY_H
#define HONE_DEVICE_FIDELITY_H

#include "decode/emu_code.h"

/* Does the instruction's result differ from a GPU's within the bounds that PTX names? */
bool hone_emu_is_approximate(const struct hone_emu_insn *insn);
/* Does the code have asynchronous copies, which may be made early or late? */
bool hone_emu_has_copies(const struct hone_emu_code *code);
/* Does it have others than cp.async: bulk copies, stores to other blocks, products? */
bool hone_emu_has_async(const struct hone_emu_code *code);
/* Writes a sentence that names the approximate instructions and where their values have
 * gone. reached: what checked launches found, HONE_EMU_REACHED_... of check.h */
void hone_emu_describe_fidelity(char *out, size_t size, const struct hone_emu_code *code,
                                unsigned reached);

#endif
