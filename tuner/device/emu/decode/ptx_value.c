// Values of operands: the register that holds each. Immediates, addresses of variables
// and special registers get registers of their own.
#include "ptx_decoder.h"

#include <string.h>

#include "base/grow.h"

enum special_when { WHEN_BLOCK, WHEN_READ };

static const struct {
    const char *text;
    uint8_t bits;
    enum special_when when;
} specials[] = {
#define SPECIAL_ROW(name, text, bits, when) {text, bits, WHEN_##when},
    HONE_EMU_SPECIAL_LIST(SPECIAL_ROW)
#undef SPECIAL_ROW
};

// ---- registers ----

uint32_t hone_ptx_new_register(struct ptx_decoder *decoder, uint32_t bits)
{
    struct hone_emu_code *code = decoder->code;
    if (!HONE_GROW_IN(decoder->arena, &code->reg_bits, &code->reg_cap,
                      code->reg_count + 1, 64)) {
        hone_ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
        return 0;
    }
    code->reg_bits[code->reg_count] = (uint8_t)bits;
    return (uint32_t)code->reg_count++;
}

// A constant's register, found by its value and what it is an address of: kernels have
// thousands.
struct constant_key {
    uint64_t id[2]; // both
    uint32_t reg;
};

static uint32_t constant_of(struct ptx_decoder *decoder, uint32_t bits, uint64_t value,
                            const struct ptx_variable *of)
{
    struct hone_emu_code *code = decoder->code;
    if (bits == 32) value &= UINT32_MAX;
    const struct constant_key wanted = {.id = {value, (uintptr_t)of}};
    const struct constant_key *known = hone_ptx_names_get(
        &decoder->constants, bits, (const char *)wanted.id, sizeof wanted.id);
    if (known) return known->reg;
    struct constant_key *key = hone_arena_alloc(decoder->arena, sizeof *key);
    if (!key || !HONE_GROW_IN(decoder->arena, &code->constants, &code->constant_cap,
                              code->constant_count + 1, 64)) {
        hone_ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
        return 0;
    }
    *key = wanted;
    key->reg = hone_ptx_new_register(decoder, bits);
    code->constants[code->constant_count++] = (struct hone_emu_constant){
        .reg = key->reg, .bits = bits, .value = value, .of = of};
    if (!hone_ptx_names_put(&decoder->constants, decoder->arena, bits, (char *)key->id,
                            sizeof key->id, key))
        hone_ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
    return key->reg;
}

uint32_t hone_ptx_constant(struct ptx_decoder *decoder, uint32_t bits, uint64_t value)
{
    return constant_of(decoder, bits, value, NULL);
}

static int find_special(const char *name)
{
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (strcmp(specials[i].text, name) == 0) return i;
    return -1;
}

int hone_ptx_find_clock(const char *name, uint32_t *bits)
{
    int which = find_special(name);
    if (which < 0 || specials[which].when != WHEN_READ) return -1;
    *bits = specials[which].bits;
    return which;
}

// "%envreg0" to "%envreg31".
static bool is_environment(const char *name)
{
    static const char prefix[] = "%envreg";
    const size_t len = sizeof prefix - 1;
    if (strncmp(name, prefix, len) != 0 || !name[len]) return false;
    const char *number = name + len;
    if (strspn(number, "0123456789") != strlen(number) || strlen(number) > 2)
        return false;
    return number[1] ? number[0] < '3' || (number[0] == '3' && number[1] < '2') : true;
}

static uint32_t special(struct ptx_decoder *decoder, const char *name, uint32_t bits)
{
    struct hone_emu_code *code = decoder->code;
    int which = find_special(name);
    if (which < 0 && is_environment(name) && bits == 32)
        return hone_ptx_constant(decoder, 32, 0); // nothing is there
    if (which < 0 || specials[which].when == WHEN_READ || specials[which].bits != bits) {
        hone_ptx_decode_fail(decoder, HONE_EUNSUPPORTED,
                             "%.40s as an operand of %.60s at PTX line %u", name,
                             decoder->statement->opcode, decoder->statement->line);
        return 0;
    }
    for (size_t i = 0; i < code->special_count; i++)
        if ((int)code->specials[i].which == which) return code->specials[i].reg;
    if (!HONE_GROW_IN(decoder->arena, &code->specials, &code->special_cap,
                      code->special_count + 1, 64)) {
        hone_ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
        return 0;
    }
    uint32_t reg = hone_ptx_new_register(decoder, bits);
    code->specials[code->special_count++] =
        (struct hone_emu_special_use){.reg = reg, .which = (enum emu_special)which};
    return reg;
}

// Bits of a register in its class: 1, 32 or 64.
uint32_t hone_ptx_class_of(enum ptx_type type)
{
    unsigned bits = hone_ptx_type_bits(type);
    return bits == 1 ? 1 : bits <= 32 ? 32 : bits;
}

static uint64_t float_immediate(const struct ptx_operand *operand, uint32_t bits)
{
    double wide;
    float narrow;
    uint32_t word = (uint32_t)operand->bits;
    uint64_t value = operand->bits;
    if (bits == 64 && operand->single) {
        memcpy(&narrow, &word, sizeof narrow);
        wide = (double)narrow;
        memcpy(&value, &wide, sizeof wide);
    } else if (bits == 32 && !operand->single) {
        memcpy(&wide, &operand->bits, sizeof wide);
        narrow = (float)wide;
        memcpy(&word, &narrow, sizeof word);
        value = word;
    }
    return value;
}

// ---- values ----

// Bits 0: a register of 32 or 64 bits.
static uint32_t checked_register(struct ptx_decoder *decoder,
                                 const struct ptx_operand *operand, uint32_t bits)
{
    uint32_t have = decoder->code->reg_bits[operand->reg];
    if (have != bits && (bits != 0 || have == 1)) hone_ptx_misuse(decoder, "wrong width");
    return operand->reg;
}

uint32_t hone_ptx_source(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                         uint32_t bits)
{
    uint32_t wanted = bits ? bits : 32;
    switch (operand->kind) {
    case PTX_REG:
        return checked_register(decoder, operand, bits);
    case PTX_IMM:
        if (bits == 1)
            return hone_ptx_constant(decoder, 1, operand->bits ? UINT32_MAX : 0);
        return hone_ptx_constant(decoder, wanted, operand->bits);
    case PTX_FIMM:
        if (bits == 1) hone_ptx_misuse(decoder, "a float");
        return hone_ptx_constant(decoder, wanted, float_immediate(operand, wanted));
    case PTX_VAR:
        if (operand->var->of_call) {
            hone_ptx_decode_fail(decoder, HONE_EUNSUPPORTED,
                                 "the address of parameter %.40s at PTX line %u",
                                 operand->var->name, decoder->statement->line);
            return 0;
        }
        return constant_of(decoder, bits ? bits : 64,
                           operand->var->address + operand->bits,
                           operand->var->space == PTX_SHARED ? operand->var : NULL);
    case PTX_SPECIAL:
        return special(decoder, operand->name, wanted);
    case PTX_NAME:
        if (hone_ptx_names_get(&decoder->module->function_names, 0, operand->name,
                               strlen(operand->name)))
            hone_ptx_decode_fail(decoder, HONE_EUNSUPPORTED,
                                 "the address of function %.40s at PTX line %u",
                                 operand->name, decoder->statement->line);
        break;
    case PTX_SINK:
    case PTX_VECTOR:
    case PTX_ADDRESS:
    case PTX_PAIR:
        break;
    }
    hone_ptx_misuse(decoder, "no value");
    return 0;
}

uint32_t hone_ptx_destination(struct ptx_decoder *decoder,
                              const struct ptx_operand *operand, uint32_t bits)
{
    if (operand->kind == PTX_SINK) {
        uint32_t *sink = &decoder->sink[bits == 1 ? 0 : bits == 64 ? 2 : 1];
        if (*sink == 0) *sink = hone_ptx_new_register(decoder, bits ? bits : 32);
        return *sink;
    }
    if (operand->kind != PTX_REG) {
        hone_ptx_misuse(decoder, "no register");
        return 0;
    }
    return checked_register(decoder, operand, bits);
}
