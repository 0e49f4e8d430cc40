// Finds whose address, among the shared arrays, a register holds. It is a data flow over
// the registers as they are declared, blind to the order of instructions: what is
// computed from the address of one array and from numbers, in every place that writes
// the register, is an address of that one. Where two arrays, or a pointer that was
// loaded, may have gone into it, nothing is said of it.
#include <stdlib.h>
#include <string.h>

#include "emu_code.h"

// What a register is known to hold, from less to more that it may be: nothing was written
// yet; a number; what was loaded, which may be a pointer; anything. From ARRAY on it is
// an address of the array of that number.
enum { NOTHING, NUMBER, LOADED, ANYTHING, ARRAY };

struct origins {
    const struct hone_emu_code *code;
    uint32_t *regs;
    bool changed;
};

static uint32_t either(uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (low == high || low == NOTHING) return high;
    return high <= LOADED ? high : ANYTHING;
}

static uint32_t sum(uint32_t a, uint32_t b)
{
    const uint32_t low = a < b ? a : b, high = a < b ? b : a;
    if (low <= NUMBER) return low == NOTHING ? NOTHING : high;
    return high == LOADED ? LOADED : ANYTHING;
}

// How far two places of one array are apart is a number.
static uint32_t difference(uint32_t from, uint32_t by)
{
    if (from == by && by >= ARRAY) return NUMBER;
    return from && by > LOADED ? ANYTHING : sum(from, by);
}

// A multiple of what may be a pointer is none.
static uint32_t multiple(uint32_t of)
{
    return of == LOADED ? NUMBER : of < ARRAY ? of : ANYTHING;
}

static uint32_t source(const struct origins *o, const struct hone_emu_insn *insn,
                       unsigned k)
{
    return o->regs[insn->src[k]];
}

// Any operation on the first sources, as a comparison: of an array it tells nothing.
static uint32_t mixture(const struct origins *o, const struct hone_emu_insn *insn,
                        unsigned count)
{
    uint32_t out = NUMBER;
    for (unsigned k = 0; k < count && k < insn->src_count; k++) {
        const uint32_t one = source(o, insn, k);
        out = out && one >= ARRAY ? ANYTHING : sum(out, one);
    }
    return out;
}

static bool has_float(uint8_t type)
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64;
}

static uint32_t loaded(const struct hone_emu_insn *insn)
{
    const bool narrow = hone_ptx_type_bits((enum ptx_type)insn->type) < 32;
    return narrow || insn->space == PTX_PARAM ? NUMBER : LOADED;
}

static uint32_t packed(const struct origins *o, const struct hone_emu_insn *insn)
{
    uint32_t out = NUMBER;
    for (unsigned k = 0; k < insn->src_count; k++)
        out = sum(out, source(o, insn, k));
    return out;
}

static uint32_t result(const struct origins *o, const struct hone_emu_insn *insn)
{
    switch (insn->op) {
    case EMU_LD:
        return loaded(insn);
    case EMU_ATOM:
    case EMU_LDMATRIX:
        return LOADED;
    case EMU_MOV:
    case EMU_UNPACK:
    case EMU_ADDWINDOW:
    case EMU_SUBWINDOW:
    case EMU_SHUFFLE:
    case EMU_MAPA:
        return source(o, insn, 0);
    case EMU_CVT:
        return has_float(insn->type) || has_float(insn->type2) ? NUMBER
                                                               : source(o, insn, 0);
    case EMU_ADD:
    case EMU_OR:
    case EMU_XOR:
        return sum(source(o, insn, 0), source(o, insn, 1));
    case EMU_SUB:
        return difference(source(o, insn, 0), source(o, insn, 1));
    case EMU_MUL:
    case EMU_MULWIDE:
    case EMU_SHL:
        return multiple(mixture(o, insn, 2));
    case EMU_MAD:
    case EMU_MADWIDE:
        return sum(multiple(mixture(o, insn, 2)), source(o, insn, 2));
    case EMU_SELP:
    case EMU_MIN:
    case EMU_MAX:
        return either(source(o, insn, 0), source(o, insn, 1));
    case EMU_PACK:
        return packed(o, insn);
    default:
        return mixture(o, insn, insn->src_count);
    }
}

static void write(struct origins *o, uint32_t reg, uint32_t value)
{
    const uint32_t old = o->regs[reg];
    o->regs[reg] = either(old, value);
    o->changed |= o->regs[reg] != old;
}

static void flow(struct origins *o, const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = hone_emu_wgmma_of(o->code, insn);
    const uint32_t value = insn->dst_count ? result(o, insn) : NOTHING;
    for (unsigned k = 0; k < insn->dst_count; k++)
        write(o, insn->dst[k], value);
    for (unsigned k = 0; wgmma && k < wgmma->d_count; k++)
        write(o, wgmma->regs[k], LOADED);
}

// ---- the arrays ----

// Its number; that of none where there is no room for more.
static size_t array_number(struct hone_emu_code *code, const struct ptx_variable *array)
{
    size_t k = 0;
    while (k < code->array_count && code->arrays[k] != array)
        k++;
    if (k == code->array_count && k < HONE_EMU_MOST_ARRAYS)
        code->arrays[code->array_count++] = array;
    return k;
}

static void know_constants(struct origins *o, struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->special_count; k++)
        o->regs[code->specials[k].reg] = NUMBER;
    for (size_t k = 0; k < code->constant_count; k++) {
        const struct hone_emu_constant *constant = &code->constants[k];
        const size_t number = constant->of ? array_number(code, constant->of) : 0;
        o->regs[constant->reg] = !constant->of ? NUMBER
                                 : number < HONE_EMU_MOST_ARRAYS
                                     ? ARRAY + (uint32_t)number
                                     : ANYTHING;
    }
}

static bool touches(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_LD || insn->op == EMU_ST || insn->op == EMU_ATOM ||
           insn->op == EMU_LDMATRIX || insn->op == EMU_STMATRIX ||
           insn->op == EMU_CPASYNC;
}

static bool has_arrays(const struct hone_emu_code *code)
{
    for (size_t k = 0; k < code->constant_count; k++)
        if (code->constants[k].of) return true;
    return false;
}

enum hone_status hone_emu_find_arrays(struct hone_emu_code *code, struct hone_error *err)
{
    enum { MAX_ROUNDS = 50 }; // a value goes far against the order of the text in none
    if (!has_arrays(code)) return HONE_OK;
    struct origins o = {.code = code, .changed = true};
    o.regs = calloc(code->reg_count + 1, sizeof *o.regs);
    code->owners = hone_arena_array(code->arena, code->count + 1, sizeof *code->owners);
    code->arrays =
        hone_arena_array(code->arena, HONE_EMU_MOST_ARRAYS, sizeof *code->arrays);
    const bool room = o.regs && code->owners && code->arrays;
    if (room) know_constants(&o, code);
    for (int round = 0; room && o.changed && round < MAX_ROUNDS; round++) {
        o.changed = false;
        for (size_t k = 0; k < code->count; k++)
            flow(&o, &code->insns[k]);
    }
    for (size_t k = 0; room && k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        const uint32_t base =
            touches(insn) && !o.changed ? o.regs[insn->src[0]] : NOTHING;
        code->owners[k] = base >= ARRAY ? (uint8_t)(base - ARRAY + 1) : 0;
    }
    free(o.regs);
    return room ? HONE_OK : hone_no_memory(err, "decoding PTX");
}
