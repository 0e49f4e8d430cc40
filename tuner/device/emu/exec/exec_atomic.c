// Atomics: one step on one element in memory.
#include <string.h>

#include "emu_exec.h"
#include "exec_rare.h"
#include "narrow_float.h"

static float flush(float x)
{
    return __builtin_fabsf(x) < 0x1p-126f ? __builtin_copysignf(0.0f, x) : x;
}

static uint64_t add_single(enum ptx_space space, uint64_t old, uint64_t b)
{
    float x = hone_float_of(old), y = hone_float_of(b);
    if (space != PTX_GLOBAL) return hone_bits_of_float(x + y);
    // in global memory subnormals are flushed (PTX ISA, atom)
    return hone_bits_of_float(flush(flush(x) + flush(y)));
}

// Each half by itself: the sum rounded once, or the lesser or greater number.
static uint64_t halves(const struct hone_emu_insn *insn, uint64_t old, uint64_t b)
{
    const struct hone_narrow *format = hone_narrow_of(insn->type);
    uint64_t result = 0;
    for (unsigned k = 0; k < hone_ptx_type_bits((enum ptx_type)insn->type); k += 16) {
        double x = hone_widen(format, old >> k & 0xffff);
        double y = hone_widen(format, b >> k & 0xffff);
        double r = insn->logic == LOGIC_ADD
                       ? hone_fused_to_odd(x, 1.0, y)
                       : (double)hone_emu_select_float(insn, (float)x, (float)y,
                                                       insn->logic == LOGIC_MIN);
        result |= (uint64_t)hone_narrow(format, r, ROUND_RN, false) << k;
    }
    return result;
}

static bool less(enum ptx_type type, uint64_t x, uint64_t y)
{
    if (type == PTX_S32) return (int32_t)x < (int32_t)y;
    if (type == PTX_S64) return (int64_t)x < (int64_t)y;
    return x < y;
}

static uint64_t combined(const struct hone_emu_insn *insn, uint64_t old, uint64_t b)
{
    enum ptx_type type = (enum ptx_type)insn->type;
    switch ((enum emu_logic)insn->logic) {
    case LOGIC_ADD:
        return type == PTX_F64 ? hone_bits_of(hone_double_of(old) + hone_double_of(b))
                               : old + b;
    case LOGIC_MIN:
        return less(type, b, old) ? b : old;
    case LOGIC_MAX:
        return less(type, old, b) ? b : old;
    case LOGIC_AND:
        return old & b;
    case LOGIC_OR:
        return old | b;
    case LOGIC_XOR:
        return old ^ b;
    case LOGIC_INC:
        return old >= b ? 0 : old + 1;
    case LOGIC_DEC:
        return old == 0 || old > b ? b : old - 1;
    case LOGIC_CAS:
    case LOGIC_EXCH:
    case LOGIC_NONE:
    case LOGIC_POPC:
        break;
    }
    return b;
}

uint64_t hone_emu_atomic(const struct hone_emu_insn *insn, enum ptx_space space,
                         uint8_t *p, uint64_t b, uint64_t c)
{
    enum ptx_type type = (enum ptx_type)insn->type;
    size_t bytes = hone_ptx_type_bits(type) / 8;
    uint64_t old = 0, value;
    memcpy(&old, p, bytes);
    if (insn->logic == LOGIC_CAS)
        value = (old ^ b) << (64 - 8 * bytes) == 0 ? c : old;
    else if (type >= PTX_F16 && type <= PTX_BF16X2)
        value = halves(insn, old, b);
    else if (type == PTX_F32 && insn->logic == LOGIC_ADD)
        value = add_single(space, old, b);
    else
        value = combined(insn, old, b);
    memcpy(p, &value, bytes);
    return old;
}
