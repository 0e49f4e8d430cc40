// Places registers in a warp's register file.
#include <string.h>

#include "emu_code.h"

static uint32_t bytes_of(uint32_t bits)
{
    return bits == 1 ? 4 : bits == 32 ? 4 * HONE_EMU_LANES : 8 * HONE_EMU_LANES;
}

enum hone_status hone_emu_place_registers(struct hone_emu_code *code,
                                          struct hone_error *err)
{
    uint32_t *at = hone_arena_array(code->arena, code->reg_count + 1, sizeof *at);
    if (!at) return hone_fail(err, HONE_ENOMEM, "out of memory");
    uint32_t next = 0;
    for (unsigned pass = 0; pass < 2; pass++) {
        next = (next + 255) & ~255U;
        for (size_t r = 0; r < code->reg_count; r++) {
            if ((code->reg_bits[r] == 1) != (pass == 0)) continue;
            at[r] = next;
            next += bytes_of(code->reg_bits[r]);
        }
    }
    for (size_t k = 0; k < code->count; k++) {
        struct hone_emu_insn *insn = &code->insns[k];
        for (unsigned j = 0; j < insn->dst_count; j++)
            insn->dst[j] = at[insn->dst[j]];
        for (unsigned j = 0; j < insn->src_count; j++)
            insn->src[j] = at[insn->src[j]];
        if (insn->guard != HONE_EMU_NO_GUARD) insn->guard = at[insn->guard];
    }
    for (size_t k = 0; k < code->constant_count; k++)
        code->constants[k].reg = at[code->constants[k].reg];
    for (size_t k = 0; k < code->special_count; k++)
        code->specials[k].reg = at[code->specials[k].reg];
    code->register_bytes = next;
    return HONE_OK;
}
