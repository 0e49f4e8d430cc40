// Operands of a statement, taken apart as the letters of its row say (optab.def): which
// registers an instruction reads and writes; labels become positions.
#include "ptx_decoder.h"

#include <string.h>

void hone_ptx_add_source(struct ptx_decoder *decoder, uint32_t reg)
{
    struct hone_emu_insn *insn = decoder->insn;
    if (insn->src_count == HONE_EMU_SRC)
        hone_ptx_misuse(decoder, "too much");
    else
        insn->src[insn->src_count++] = reg;
}

static void add_destination(struct ptx_decoder *decoder, uint32_t reg)
{
    struct hone_emu_insn *insn = decoder->insn;
    if (insn->dst_count == HONE_EMU_DST)
        hone_ptx_misuse(decoder, "too much");
    else
        insn->dst[insn->dst_count++] = reg;
}

// ---- one operand: a function a kind, all called through the table of letters ----

static void take_destination(struct ptx_decoder *decoder,
                             const struct ptx_operand *operand, uint32_t bits)
{
    add_destination(decoder, hone_ptx_destination(decoder, operand, bits));
}

static void take_predicate(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                           uint32_t bits)
{
    (void)bits;
    if (operand->negated)
        decoder->insn->negate |= (uint8_t)(1U << decoder->insn->src_count);
    hone_ptx_add_source(decoder, hone_ptx_source(decoder, operand, 1));
}

static void take_source(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        uint32_t bits)
{
    if (bits == 1)
        take_predicate(decoder, operand, bits);
    else
        hone_ptx_add_source(decoder, hone_ptx_source(decoder, operand, bits));
}

// d, or d|p with both of the given widths; the second register is there in any case.
static void take_pair(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                      uint32_t bits)
{
    static const struct ptx_operand sink = {.kind = PTX_SINK};
    bool pair = operand->kind == PTX_PAIR;
    add_destination(decoder, hone_ptx_destination(
                                 decoder, pair ? &operand->items[0] : operand, bits));
    add_destination(decoder,
                    hone_ptx_destination(decoder, pair ? &operand->items[1] : &sink, 1));
}

// Registers of what is stored lie between the addresses of some, whose bits come first.
static uint8_t address_bit(const struct hone_emu_insn *insn)
{
    const bool stores = insn->op == EMU_STASYNC || insn->op == EMU_REDASYNC;
    return (uint8_t)(0x80U >> (stores && insn->src_count ? 1 : insn->src_count));
}

static void take_address(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                         uint32_t bits)
{
    (void)bits;
    struct hone_emu_insn *insn = decoder->insn;
    if (operand->kind != PTX_ADDRESS || operand->count != 1) {
        hone_ptx_misuse(decoder, "no address");
        return;
    }
    struct ptx_operand base = operand->items[0];
    int64_t *offset = insn->src_count > 1 ? &insn->imm
                      : insn->src_count   ? &insn->offset2
                                          : &insn->offset;
    uint32_t reg;
    if (base.kind == PTX_REG) {
        *offset = (int64_t)base.bits;
        base.bits = 0;
        reg = hone_ptx_source(decoder, &base, 0);
    } else if (base.kind == PTX_VAR && base.var->of_call) {
        insn->space = PTX_LOCAL; // whatever the instruction says
        reg = hone_ptx_constant(decoder, 64, base.var->address + base.bits);
    } else if (base.kind == PTX_VAR || base.kind == PTX_IMM) {
        if (base.kind == PTX_VAR && insn->space == PTX_SPACE_NONE)
            insn->space = base.var->space; // its name says where it is
        reg = hone_ptx_source(decoder, &base, 64);
    } else {
        hone_ptx_misuse(decoder, "no address");
        return;
    }
    if (decoder->code->reg_bits[reg] == 64) insn->wide |= address_bit(insn);
    hone_ptx_add_source(decoder, reg);
}

// [map, {coordinates}]: as many as the spelling has axes.
static void take_tensor(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        uint32_t bits)
{
    const struct ptx_operand *items = operand->items;
    if (operand->kind != PTX_ADDRESS || operand->count != 2 ||
        items[1].kind != PTX_VECTOR || items[1].count != decoder->insn->shape[0] ||
        (items[0].kind == PTX_REG && items[0].bits != 0)) {
        hone_ptx_misuse(decoder, "no tensor with a coordinate for each axis");
        return;
    }
    hone_ptx_add_source(decoder, hone_ptx_source(decoder, &items[0], bits));
    for (size_t i = 0; i < items[1].count; i++)
        hone_ptx_add_source(decoder, hone_ptx_source(decoder, &items[1].items[i], 32));
}

// One for each axis of pixels, which are those between the first and the last.
static void take_offsets(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                         uint32_t bits)
{
    const uint16_t axes = decoder->insn->shape[0];
    if (operand->kind != PTX_VECTOR || axes < 3 || operand->count != axes - 2U) {
        hone_ptx_misuse(decoder, "no offset for each axis of pixels");
        return;
    }
    for (size_t i = 0; i < operand->count; i++)
        hone_ptx_add_source(decoder, hone_ptx_source(decoder, &operand->items[i], bits));
}

// The registers of a load or store: as wide as the type, or wider.
static void take_vector(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        uint32_t needed, bool load)
{
    struct hone_emu_insn *insn = decoder->insn;
    bool vector = operand->kind == PTX_VECTOR;
    const struct ptx_operand *items = vector ? operand->items : operand;
    if ((vector ? operand->count : 1) != insn->lanes) {
        hone_ptx_misuse(decoder, "wrong number of registers");
        return;
    }
    for (size_t i = 0; i < insn->lanes; i++) {
        bool is_reg = items[i].kind == PTX_REG;
        uint32_t bits = is_reg ? decoder->code->reg_bits[items[i].reg] : needed;
        if (bits < needed) hone_ptx_misuse(decoder, "too narrow a register");
        if (bits > needed && insn->lanes == 8)
            hone_ptx_misuse(decoder, "too wide a register");
        if (bits == 64) insn->wide |= (uint8_t)(1U << i);
        if (load)
            take_destination(decoder, &items[i], bits);
        else
            hone_ptx_add_source(decoder, hone_ptx_source(decoder, &items[i], bits));
    }
}

static void take_loaded(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        uint32_t bits)
{
    take_vector(decoder, operand, bits, true);
}

static void take_stored(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                        uint32_t bits)
{
    take_vector(decoder, operand, bits, false);
}

// How many registers the next fragment has: of mma D, A, B, C in turn, of ldmatrix and
// its kind one a matrix.
static size_t fragment_size(const struct hone_emu_insn *insn, bool dst)
{
    if (insn->op != EMU_MMA) return insn->lanes;
    unsigned a = hone_emu_a_registers(insn), b = hone_emu_b_registers(insn);
    if (dst || insn->src_count >= a + b)
        return hone_emu_sum_registers(insn,
                                      (enum ptx_type)(dst ? insn->type : insn->type4));
    return insn->src_count ? b : a;
}

static void take_fragment(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                          bool dst)
{
    bool vector = operand->kind == PTX_VECTOR;
    const struct ptx_operand *items = vector ? operand->items : operand;
    uint32_t bits = decoder->insn->type == PTX_F64 ? 64 : 32;
    size_t count = vector ? operand->count : 1;
    if (count != fragment_size(decoder->insn, dst))
        hone_ptx_misuse(decoder, "wrong number of registers");
    for (size_t i = 0; i < count && decoder->status == HONE_OK; i++) {
        if (dst)
            take_destination(decoder, &items[i], bits);
        else
            take_source(decoder, &items[i], bits);
    }
}

static void take_written_fragment(struct ptx_decoder *decoder,
                                  const struct ptx_operand *operand, uint32_t bits)
{
    (void)bits;
    take_fragment(decoder, operand, true);
}

static void take_read_fragment(struct ptx_decoder *decoder,
                               const struct ptx_operand *operand, uint32_t bits)
{
    (void)bits;
    take_fragment(decoder, operand, false);
}

static void take_label(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                       uint32_t bits)
{
    const struct ptx_label *label = NULL;
    (void)bits;
    if (operand->kind == PTX_NAME)
        label = hone_ptx_find_label(decoder->kernel, decoder->statement->scope,
                                    operand->name);
    if (!label)
        hone_ptx_misuse(decoder, "no label");
    else
        decoder->insn->target = label->position;
}

static void take_immediate(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                           uint32_t bits)
{
    (void)bits;
    if (operand->kind != PTX_IMM)
        hone_ptx_misuse(decoder, "no immediate");
    else
        decoder->insn->imm = (int64_t)operand->bits;
}

// A field that each axis has is of one; which fields do is looked at later.
static void take_axis(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                      uint32_t bits)
{
    take_immediate(decoder, operand, bits);
    decoder->insn->shape[0] = 1;
    if (operand->bits >= 5) hone_ptx_misuse(decoder, "no axis");
}

// A register of cvt may be wider than its type: bit of insn->wide says so.
static uint32_t loose_bits(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                           uint32_t bits, uint8_t bit)
{
    if (operand->kind == PTX_REG && decoder->code->reg_bits[operand->reg] == 64)
        bits = 64;
    if (bits == 64) decoder->insn->wide |= bit;
    return bits;
}

static void take_loose_destination(struct ptx_decoder *decoder,
                                   const struct ptx_operand *operand, uint32_t bits)
{
    take_destination(decoder, operand, loose_bits(decoder, operand, bits, 1));
}

static void take_loose_source(struct ptx_decoder *decoder,
                              const struct ptx_operand *operand, uint32_t bits)
{
    take_source(decoder, operand, loose_bits(decoder, operand, bits, 2));
}

// ---- mov: plain, a clock, or between a register and the vector of its parts ----

static void take_parts(struct ptx_decoder *decoder, const struct ptx_operand *to,
                       const struct ptx_operand *from)
{
    struct hone_emu_insn *insn = decoder->insn;
    bool unpacks = to->kind == PTX_VECTOR;
    const struct ptx_operand *parts = unpacks ? to : from;
    const struct ptx_operand *whole = unpacks ? from : to;
    uint32_t bits = hone_ptx_class_of(insn->type);
    unsigned count = (unsigned)parts->count;
    if ((count != 2 && count != 4) || hone_ptx_type_bits(insn->type) / count < 16 ||
        whole->kind == PTX_VECTOR) {
        hone_ptx_misuse(decoder, "wrong number of parts");
        return;
    }
    insn->op = unpacks ? EMU_UNPACK : EMU_PACK;
    insn->lanes = (uint8_t)count;
    if (unpacks)
        take_source(decoder, whole, bits);
    else
        take_destination(decoder, whole, bits);
    for (size_t i = 0; i < count; i++)
        if (unpacks)
            take_destination(decoder, &parts->items[i], 32);
        else
            take_source(decoder, &parts->items[i], 32);
}

static void take_mov(struct ptx_decoder *decoder)
{
    const struct ptx_statement *statement = decoder->statement;
    struct hone_emu_insn *insn = decoder->insn;
    uint32_t bits = hone_ptx_class_of(insn->type), clock_bits;
    if (statement->count != 2) {
        hone_ptx_misuse(decoder, "wrong number of operands");
        return;
    }
    const struct ptx_operand *to = &statement->operands[0],
                             *from = &statement->operands[1];
    decoder->next = 2;
    if (to->kind == PTX_VECTOR || from->kind == PTX_VECTOR) {
        take_parts(decoder, to, from);
        return;
    }
    int clock =
        from->kind == PTX_SPECIAL ? hone_ptx_find_clock(from->name, &clock_bits) : -1;
    take_destination(decoder, to, bits);
    if (clock < 0) {
        take_source(decoder, from, bits);
        return;
    }
    insn->op = EMU_CLOCK;
    insn->mode = (uint8_t)clock;
    if (clock_bits != bits) hone_ptx_misuse(decoder, "wrong width");
}

// ---- what has no operand: the carry of extended-precision arithmetic, CC.CF ----

static uint32_t carry_register(struct ptx_decoder *decoder)
{
    if (decoder->carry == 0) decoder->carry = hone_ptx_new_register(decoder, 1);
    return decoder->carry;
}

static void take_carry(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                       uint32_t bits)
{
    (void)operand, (void)bits;
    hone_ptx_add_source(decoder, carry_register(decoder));
}

static void give_carry(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                       uint32_t bits)
{
    (void)operand, (void)bits;
    add_destination(decoder, carry_register(decoder));
}

// ---- letters ----

enum letter_kind { NEEDED, OPTIONAL, IMPLICIT /* no operand of the text */ };

enum operand_width { OWN, SECOND, TWICE, BIT, WORD, LONG };

static uint32_t width_of(const struct hone_emu_insn *insn, enum operand_width width)
{
    switch (width) {
    case SECOND:
        return hone_ptx_class_of(insn->type2 ? insn->type2 : insn->type);
    case TWICE:
        return hone_ptx_type_bits(insn->type) * 2 <= 32 ? 32 : 64;
    case BIT:
        return 1;
    case WORD:
        return 32;
    case LONG:
        return 64;
    case OWN:
        break;
    }
    return hone_ptx_class_of(insn->type);
}

static const struct letter {
    char name;
    enum letter_kind kind;
    enum operand_width width;
    void (*take)(struct ptx_decoder *decoder, const struct ptx_operand *operand,
                 uint32_t bits);
} letters[] = {
    {'d', NEEDED, OWN, take_destination},
    {'D', NEEDED, TWICE, take_destination},
    {'e', NEEDED, OWN, take_loose_destination},
    {'r', NEEDED, WORD, take_destination},
    {'p', NEEDED, BIT, take_destination},
    {'P', NEEDED, OWN, take_pair},
    {'R', NEEDED, WORD, take_pair},
    {'Q', NEEDED, BIT, take_pair},
    {'s', NEEDED, OWN, take_source},
    {'t', OPTIONAL, OWN, take_source},
    {'S', NEEDED, SECOND, take_source},
    {'f', NEEDED, SECOND, take_loose_source},
    {'W', NEEDED, TWICE, take_source},
    {'u', NEEDED, WORD, take_source},
    {'U', OPTIONAL, WORD, take_source},
    {'L', NEEDED, LONG, take_source},
    {'c', NEEDED, BIT, take_predicate},
    {'C', OPTIONAL, BIT, take_predicate},
    {'a', NEEDED, LONG, take_address},
    {'m', NEEDED, LONG, take_address},
    {'T', NEEDED, LONG, take_tensor},
    {'O', OPTIONAL, WORD, take_offsets},
    {'I', OPTIONAL, WORD, take_axis},
    {'v', NEEDED, OWN, take_loaded},
    {'x', NEEDED, OWN, take_stored},
    {'V', NEEDED, OWN, take_written_fragment},
    {'X', NEEDED, OWN, take_read_fragment},
    {'i', NEEDED, WORD, take_immediate},
    {'l', NEEDED, WORD, take_label},
    {'k', IMPLICIT, BIT, take_carry},
    {'K', IMPLICIT, BIT, give_carry},
};

static const struct letter *find_letter(char name)
{
    size_t i = 0;
    while (letters[i].name != name)
        i++;
    return &letters[i];
}

void hone_ptx_take_operands(struct ptx_decoder *decoder, const char *row)
{
    const struct ptx_statement *statement = decoder->statement;
    if (*row == 'M') {
        take_mov(decoder);
        return;
    }
    if (*row == 'G') {
        hone_ptx_take_wgmma(decoder);
        return;
    }
    size_t counts[3] = {0}, count = statement->count;
    for (const char *c = row; *c; c++)
        counts[find_letter(*c)->kind]++;
    if (decoder->insn->policy && count > 0) // does nothing here
        hone_ptx_source(decoder, &statement->operands[--count], 64);
    if (count < counts[NEEDED] || count > counts[NEEDED] + counts[OPTIONAL]) {
        hone_ptx_misuse(decoder, "wrong number of operands");
        return;
    }
    size_t extra = count - counts[NEEDED];
    for (; *row && decoder->status == HONE_OK; row++) {
        const struct letter *letter = find_letter(*row);
        const struct ptx_operand *operand = NULL;
        if (letter->kind == OPTIONAL && extra == 0) continue;
        if (letter->kind == OPTIONAL) extra--;
        if (letter->kind != IMPLICIT) operand = &statement->operands[decoder->next++];
        letter->take(decoder, operand, width_of(decoder->insn, letter->width));
    }
}
