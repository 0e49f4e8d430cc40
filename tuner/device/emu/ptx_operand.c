// Operands of a statement: the registers it reads and writes. Immediates and special
// registers get registers of their own; labels become positions.
#include "ptx_decoder.h"

#include <string.h>

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

static void *grow(struct ptx_decoder *decoder, void *items, size_t *cap, size_t count,
                  size_t size)
{
    if (count < *cap) return items;
    size_t wanted = *cap ? *cap * 2 : 64;
    void *grown = hone_arena_array(decoder->arena, wanted, size);
    if (!grown) {
        ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
        return NULL;
    }
    if (count) memcpy(grown, items, count * size);
    *cap = wanted;
    return grown;
}

uint32_t ptx_new_register(struct ptx_decoder *decoder, uint32_t bits)
{
    struct hone_emu_code *code = decoder->code;
    void *grown = grow(decoder, code->reg_bits, &code->reg_cap, code->reg_count, 1);
    if (!grown) return 0;
    code->reg_bits = grown;
    code->reg_bits[code->reg_count] = (uint8_t)bits;
    return (uint32_t)code->reg_count++;
}

static uint32_t constant(struct ptx_decoder *decoder, uint32_t bits, uint64_t value)
{
    struct hone_emu_code *code = decoder->code;
    if (bits == 32) value &= UINT32_MAX;
    for (size_t i = code->constant_count; i-- > 0;)
        if (code->constants[i].value == value && code->constants[i].bits == bits)
            return code->constants[i].reg;
    void *grown = grow(decoder, code->constants, &code->constant_cap,
                       code->constant_count, sizeof *code->constants);
    if (!grown) return 0;
    code->constants = grown;
    uint32_t reg = ptx_new_register(decoder, bits);
    code->constants[code->constant_count++] =
        (struct hone_emu_constant){.reg = reg, .bits = bits, .value = value};
    return reg;
}

static int find_special(const char *name)
{
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (strcmp(specials[i].text, name) == 0) return i;
    return -1;
}

static uint32_t special(struct ptx_decoder *decoder, const char *name, uint32_t bits)
{
    struct hone_emu_code *code = decoder->code;
    int which = find_special(name);
    if (which < 0 || specials[which].when == WHEN_READ || specials[which].bits != bits) {
        ptx_decode_fail(decoder, HONE_EUNSUPPORTED,
                        "%.40s as an operand of %.60s at PTX line %u", name,
                        decoder->statement->opcode, decoder->statement->line);
        return 0;
    }
    for (size_t i = 0; i < code->special_count; i++)
        if ((int)code->specials[i].which == which) return code->specials[i].reg;
    void *grown = grow(decoder, code->specials, &code->special_cap, code->special_count,
                       sizeof *code->specials);
    if (!grown) return 0;
    code->specials = grown;
    uint32_t reg = ptx_new_register(decoder, bits);
    code->specials[code->special_count++] =
        (struct hone_emu_special_use){.reg = reg, .which = (enum emu_special)which};
    return reg;
}

// Bits of a register in its class: 1, 32 or 64.
uint32_t ptx_class_of(enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
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

// ---- operands ----

// The register that a source operand reads; bits 0 takes a register of 32 or 64 bits as
// it is.
static uint32_t source(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                       uint32_t bits)
{
    uint32_t wanted = bits ? bits : 32;
    switch (operand->kind) {
    case PTX_REG: {
        uint32_t have = decoder->code->reg_bits[operand->reg];
        if (have != bits && (bits != 0 || have == 1)) ptx_misuse(decoder, "wrong width");
        return operand->reg;
    }
    case PTX_IMM:
        if (bits == 1) return constant(decoder, 1, operand->bits ? UINT32_MAX : 0);
        return constant(decoder, wanted, operand->bits);
    case PTX_FIMM:
        if (bits == 1) ptx_misuse(decoder, "a float");
        return constant(decoder, wanted, float_immediate(operand, wanted));
    case PTX_VAR: {
        uint64_t address = operand->var->address + operand->bits;
        return constant(decoder, bits ? bits : 64, address);
    }
    case PTX_SPECIAL:
        return special(decoder, operand->name, wanted);
    case PTX_NAME:
    case PTX_SINK:
    case PTX_VECTOR:
    case PTX_ADDRESS:
    case PTX_PAIR:
        break;
    }
    ptx_misuse(decoder, "no value");
    return 0;
}

static uint32_t destination(struct ptx_decoder *decoder,
                            const struct ptx_operand *operand, uint32_t bits)
{
    if (operand->kind == PTX_SINK) {
        uint32_t *sink = &decoder->sink[bits == 1 ? 0 : bits == 64 ? 2 : 1];
        if (*sink == 0) *sink = ptx_new_register(decoder, bits ? bits : 32);
        return *sink;
    }
    if (operand->kind != PTX_REG) {
        ptx_misuse(decoder, "no register");
        return 0;
    }
    uint32_t have = decoder->code->reg_bits[operand->reg];
    if (have != bits && (bits != 0 || have == 1)) ptx_misuse(decoder, "wrong width");
    return operand->reg;
}

void ptx_add_source(struct ptx_decoder *decoder, uint32_t reg)
{
    struct hone_emu_insn *insn = decoder->insn;
    if (insn->src_count == HONE_EMU_SRC)
        ptx_misuse(decoder, "too much");
    else
        insn->src[insn->src_count++] = reg;
}

static void add_destination(struct ptx_decoder *decoder, uint32_t reg)
{
    struct hone_emu_insn *insn = decoder->insn;
    if (insn->dst_count == HONE_EMU_DST)
        ptx_misuse(decoder, "too much");
    else
        insn->dst[insn->dst_count++] = reg;
}

static void take_predicate(struct ptx_decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->negated)
        decoder->insn->negate |= (uint8_t)(1U << decoder->insn->src_count);
    ptx_add_source(decoder, source(decoder, operand, 1));
}

// d, or d|p with both of the given widths; the second register is there in any case.
static void take_pair(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                      uint32_t bits)
{
    static const struct ptx_operand sink = {.kind = PTX_SINK};
    bool pair = operand->kind == PTX_PAIR;
    add_destination(decoder,
                    destination(decoder, pair ? &operand->items[0] : operand, bits));
    add_destination(decoder, destination(decoder, pair ? &operand->items[1] : &sink, 1));
}

static void take_address(struct ptx_decoder *decoder, const struct ptx_operand *operand)
{
    struct hone_emu_insn *insn = decoder->insn;
    if (operand->kind != PTX_ADDRESS || operand->count != 1) {
        ptx_misuse(decoder, "no address");
        return;
    }
    struct ptx_operand base = operand->items[0];
    int64_t *offset = insn->src_count ? &insn->offset2 : &insn->offset;
    uint32_t reg;
    if (base.kind == PTX_REG) {
        *offset = (int64_t)base.bits;
        base.bits = 0;
        reg = source(decoder, &base, 0);
    } else if (base.kind == PTX_VAR || base.kind == PTX_IMM) {
        reg = source(decoder, &base, 64);
    } else {
        ptx_misuse(decoder, "no address");
        return;
    }
    if (decoder->code->reg_bits[reg] == 64)
        insn->wide |= (uint8_t)(0x80U >> insn->src_count);
    ptx_add_source(decoder, reg);
}

// The registers of a load or store; any that is as wide as the type or wider.
static void take_vector(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        bool load)
{
    struct hone_emu_insn *insn = decoder->insn;
    bool vector = operand->kind == PTX_VECTOR;
    const struct ptx_operand *items = vector ? operand->items : operand;
    if ((vector ? operand->count : 1) != insn->lanes) {
        ptx_misuse(decoder, "wrong number of registers");
        return;
    }
    uint32_t needed = ptx_class_of(insn->type);
    for (size_t i = 0; i < insn->lanes; i++) {
        bool is_reg = items[i].kind == PTX_REG;
        uint32_t bits = is_reg ? decoder->code->reg_bits[items[i].reg] : needed;
        if (bits < needed) ptx_misuse(decoder, "too narrow a register");
        if (bits == 64) insn->wide |= (uint8_t)(1U << i);
        if (load)
            add_destination(decoder, destination(decoder, &items[i], bits));
        else
            ptx_add_source(decoder, source(decoder, &items[i], bits));
    }
}

// The registers of a fragment of mma, or of the matrices of ldmatrix and its kind.
static void take_fragment(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                          bool dst)
{
    struct hone_emu_insn *insn = decoder->insn;
    bool vector = operand->kind == PTX_VECTOR;
    const struct ptx_operand *items = vector ? operand->items : operand;
    uint32_t bits = insn->type == PTX_F64 ? 64 : 32;
    size_t count = vector ? operand->count : 1, wanted = insn->lanes;
    if (insn->op == EMU_MMA) {
        unsigned a = hone_emu_a_registers(insn), b = hone_emu_b_registers(insn);
        unsigned c = insn->shape[0] / 4U / (insn->type == PTX_F16 ? 2 : 1);
        wanted = dst || insn->src_count >= a + b ? c : insn->src_count ? b : a;
    }
    if (count != wanted) ptx_misuse(decoder, "wrong number of registers");
    for (size_t i = 0; i < count && decoder->status == HONE_OK; i++) {
        if (dst)
            add_destination(decoder, destination(decoder, &items[i], bits));
        else
            ptx_add_source(decoder, source(decoder, &items[i], bits));
    }
}

static void take_label(struct ptx_decoder *decoder, const struct ptx_operand *operand)
{
    int64_t position =
        operand->kind == PTX_NAME
            ? ptx_find_label(decoder->kernel, decoder->statement->scope, operand->name)
            : -1;
    if (position < 0)
        ptx_misuse(decoder, "no label");
    else
        decoder->insn->target = (uint32_t)position;
}

static void take_immediate(struct ptx_decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->kind != PTX_IMM)
        ptx_misuse(decoder, "no immediate");
    else
        decoder->insn->imm = (int64_t)operand->bits;
}

// A register of any width for cvt, whose operands may be wider than the types.
static void take_loose(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                       enum ptx_type type, bool dst)
{
    uint32_t bits = ptx_class_of(type);
    if (operand->kind == PTX_REG && decoder->code->reg_bits[operand->reg] == 64) {
        bits = 64;
        decoder->insn->wide |= dst ? 1 : 2;
    }
    if (dst)
        add_destination(decoder, destination(decoder, operand, bits));
    else
        ptx_add_source(decoder, source(decoder, operand, bits));
}

// mov: plain, a clock, or between a register and the vector of its parts.
static void take_mov(struct ptx_decoder *decoder)
{
    const struct ptx_statement *statement = decoder->statement;
    struct hone_emu_insn *insn = decoder->insn;
    uint32_t bits = ptx_class_of(insn->type);
    if (statement->count != 2) {
        ptx_misuse(decoder, "wrong number of operands");
        return;
    }
    const struct ptx_operand *to = &statement->operands[0],
                             *from = &statement->operands[1];
    decoder->next = 2;
    const struct ptx_operand *parts = to->kind == PTX_VECTOR     ? to
                                      : from->kind == PTX_VECTOR ? from
                                                                 : NULL;
    unsigned part_bits =
        parts && parts->count ? ptx_type_bits(insn->type) / (unsigned)parts->count : 0;
    if (parts &&
        (part_bits < 16 || (parts->count != 2 && parts->count != 4) || to == from)) {
        ptx_misuse(decoder, "wrong number of parts");
    } else if (parts == to) {
        insn->op = EMU_UNPACK;
        insn->lanes = (uint8_t)parts->count;
        ptx_add_source(decoder, source(decoder, from, bits));
        for (size_t i = 0; i < parts->count; i++)
            add_destination(decoder, destination(decoder, &parts->items[i], 32));
    } else if (parts) {
        insn->op = EMU_PACK;
        insn->lanes = (uint8_t)parts->count;
        add_destination(decoder, destination(decoder, to, bits));
        for (size_t i = 0; i < parts->count; i++)
            ptx_add_source(decoder, source(decoder, &parts->items[i], 32));
    } else {
        int which = from->kind == PTX_SPECIAL ? find_special(from->name) : -1;
        add_destination(decoder, destination(decoder, to, bits));
        if (which >= 0 && specials[which].when == WHEN_READ) {
            insn->op = EMU_CLOCK;
            insn->mode = (uint8_t)which;
            if (specials[which].bits != bits) ptx_misuse(decoder, "wrong width");
        } else if (bits == 1) {
            take_predicate(decoder, from);
        } else {
            ptx_add_source(decoder, source(decoder, from, bits));
        }
    }
}

static void take_operand(struct ptx_decoder *decoder, char letter,
                         const struct ptx_operand *operand)
{
    struct hone_emu_insn *insn = decoder->insn;
    uint32_t bits = ptx_class_of(insn->type);
    enum ptx_type second = insn->type2 ? insn->type2 : insn->type;
    unsigned twice = ptx_type_bits(insn->type) * 2;
    switch (letter) {
    case 'd':
        add_destination(decoder, destination(decoder, operand, bits));
        break;
    case 'D':
        add_destination(decoder, destination(decoder, operand, twice <= 32 ? 32 : 64));
        break;
    case 'e':
        take_loose(decoder, operand, insn->type, true);
        break;
    case 'r':
        add_destination(decoder, destination(decoder, operand, 32));
        break;
    case 'p':
        add_destination(decoder, destination(decoder, operand, 1));
        break;
    case 'P':
        take_pair(decoder, operand, bits);
        break;
    case 'R':
        take_pair(decoder, operand, 32);
        break;
    case 'Q':
        take_pair(decoder, operand, 1);
        break;
    case 's':
    case 't':
        if (bits == 1)
            take_predicate(decoder, operand);
        else
            ptx_add_source(decoder, source(decoder, operand, bits));
        break;
    case 'S':
        if (insn->op == EMU_CVT)
            take_loose(decoder, operand, second, false);
        else
            ptx_add_source(decoder, source(decoder, operand, ptx_class_of(second)));
        break;
    case 'W':
        ptx_add_source(decoder, source(decoder, operand, twice <= 32 ? 32 : 64));
        break;
    case 'u':
    case 'U':
        ptx_add_source(decoder, source(decoder, operand, 32));
        break;
    case 'L':
        ptx_add_source(decoder, source(decoder, operand, 64));
        break;
    case 'c':
    case 'C':
        take_predicate(decoder, operand);
        break;
    case 'a':
        take_address(decoder, operand);
        break;
    case 'v':
        take_vector(decoder, operand, true);
        break;
    case 'x':
        take_vector(decoder, operand, false);
        break;
    case 'V':
        take_fragment(decoder, operand, true);
        break;
    case 'X':
        take_fragment(decoder, operand, false);
        break;
    case 'i':
        take_immediate(decoder, operand);
        break;
    case 'l':
        take_label(decoder, operand);
        break;
    default:
        break;
    }
}

static bool is_optional(char letter)
{
    return letter == 'U' || letter == 't' || letter == 'C';
}

void ptx_take_operands(struct ptx_decoder *decoder, const char *letters)
{
    const struct ptx_statement *statement = decoder->statement;
    if (*letters == 'M') {
        take_mov(decoder);
        return;
    }
    size_t required = 0;
    for (const char *c = letters; *c; c++)
        required += !is_optional(*c);
    if (statement->count < required || statement->count > strlen(letters)) {
        ptx_misuse(decoder, "wrong number of operands");
        return;
    }
    size_t extra = statement->count - required;
    for (const char *c = letters; *c && decoder->status == HONE_OK; c++) {
        if (is_optional(*c) && extra == 0) continue;
        if (is_optional(*c)) extra--;
        take_operand(decoder, *c, &statement->operands[decoder->next++]);
    }
}
