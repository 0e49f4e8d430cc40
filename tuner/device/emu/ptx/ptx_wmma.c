// wmma: loads and stores of fragments become those of their elements, a product becomes
// mma.sync of its tiles (PTX ISA 9.0, sections 9.7.14.4 and 9.7.14.5). PTX leaves the
// layout of fragments open; here it is that of mma.sync, tile by tile, so that nothing
// has to be moved. For m8n32 rows and columns change their places: the product is
// computed as that of the transposed matrices.
#include <stdio.h>
#include <string.h>

#include "ptx_parser.h"
#include "ptx_wmma.h"

enum { MOST_REGISTERS = 8, HALF_REGISTERS = 8 };

struct builder {
    struct ptx_parser *parser;
    const struct ptx_statement *at; // the statement that is replaced
    struct ptx_wmma wmma;
};

// ---- statements ----

static struct ptx_operand immediate(uint64_t value)
{
    return (struct ptx_operand){.kind = PTX_IMM, .bits = value};
}

static struct ptx_operand new_register(const struct builder *builder, enum ptx_type type)
{
    return (struct ptx_operand){
        .kind = PTX_REG,
        .reg = hone_ptx_add_registers(builder->parser, builder->parser->kernel, type, 1)};
}

static struct ptx_operand list_of(const struct builder *builder,
                                  enum ptx_operand_kind kind,
                                  const struct ptx_operand *items, size_t count)
{
    struct ptx_operand *kept = hone_ptx_alloc(builder->parser, count, sizeof *kept);
    if (kept) memcpy(kept, items, count * sizeof *kept);
    return (struct ptx_operand){.kind = kind, .items = kept, .count = kept ? count : 0};
}

static void expand(const struct builder *builder, const char *opcode,
                   const struct ptx_operand *operands, size_t count)
{
    struct ptx_statement statement = *builder->at;
    const struct ptx_operand list = list_of(builder, PTX_VECTOR, operands, count);
    statement.opcode = opcode;
    statement.operands = list.items;
    statement.count = list.count;
    hone_ptx_add_statement(builder->parser, builder->parser->kernel, &statement);
}

#define EXPAND(builder, opcode, ...)                                                     \
    expand(builder, opcode, (const struct ptx_operand[]){__VA_ARGS__},                   \
           sizeof(const struct ptx_operand[]){__VA_ARGS__} / sizeof(struct ptx_operand))

// An opcode that is put together lives as long as the module.
static const char *keep_text(const struct builder *builder, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *kept = hone_ptx_alloc(builder->parser, size, 1);
    return kept ? memcpy(kept, text, size) : "";
}

static const char *access_opcode(const struct builder *builder, const char *verb,
                                 unsigned bits)
{
    char text[32];
    snprintf(text, sizeof text, "%s%s.b%u", verb, builder->wmma.space, bits);
    return keep_text(builder, text);
}

// ---- loads and stores ----

// The memory of a fragment: first is where the lane's element with g = t = j = 0 is;
// along the one dimension elements follow one another, along the other they are stride
// apart.
struct matrix {
    struct ptx_operand first, stride;
    uint64_t offset; // bytes, to add to first
    unsigned bytes;  // of an element; 0: it has fewer than 8 bits
    bool t_follows;  // the dimension of t is the one whose elements follow one another
};

static struct ptx_operand base_of(struct builder *builder, uint64_t *offset)
{
    const struct ptx_kernel *kernel = builder->parser->kernel;
    const struct ptx_operand *address =
        &builder->at->operands[builder->wmma.kind == PTX_WMMA_LOAD ? 1 : 0];
    struct ptx_operand base = address->items[0], wide;
    *offset = base.kind == PTX_REG ? base.bits : 0;
    if (base.kind == PTX_VAR && !*builder->wmma.space)
        builder->wmma.space = base.var->space == PTX_SHARED ? ".shared" : ".global";
    if (base.kind == PTX_REG) base.bits = 0;
    if (base.kind == PTX_REG && hone_ptx_type_bits(kernel->regs[base.reg]) == 64)
        return base;
    wide = new_register(builder, PTX_U64);
    EXPAND(builder, base.kind == PTX_REG ? "cvt.u64.u32" : "mov.u64", wide, base);
    return wide;
}

static struct matrix begin_matrix(struct builder *builder)
{
    const struct ptx_wmma *wmma = &builder->wmma;
    // of A rows are g's, of B columns are; C and D are as A, but where all is turned
    const bool rows_are_g = wmma->matrix == 'a' || (hone_ptx_wmma_is_sum(wmma) &&
                                                    !hone_ptx_wmma_is_turned(wmma));
    const unsigned rows = wmma->matrix == 'b' ? wmma->k : wmma->m;
    const unsigned columns = wmma->matrix == 'a' ? wmma->k : wmma->n;
    const struct ptx_wmma_spot spot = hone_ptx_wmma_spot(wmma, 0);
    struct matrix out = {.bytes = hone_ptx_type_bits(wmma->types[0]) / 8,
                         .t_follows = rows_are_g != wmma->columns,
                         .stride = immediate(wmma->columns ? rows : columns)};
    if (builder->at->count == 3) out.stride = builder->at->operands[2];
    const struct ptx_operand base = base_of(builder, &out.offset);
    const struct ptx_operand lane = new_register(builder, PTX_U32);
    const struct ptx_operand g = new_register(builder, PTX_U32);
    const struct ptx_operand t = new_register(builder, PTX_U32);
    const struct ptx_operand at = new_register(builder, PTX_U64);
    const struct ptx_operand follows = new_register(builder, PTX_U64);
    out.first = new_register(builder, PTX_U64);
    EXPAND(builder, "mov.u32", lane,
           (struct ptx_operand){.kind = PTX_SPECIAL, .name = "%laneid"});
    EXPAND(builder, "shr.u32", g, lane, immediate(2));
    EXPAND(builder, "and.b32", t, lane, immediate(3));
    EXPAND(builder, "mul.lo.u32", t, t, immediate(spot.each));
    EXPAND(builder, "mul.wide.u32", at, out.t_follows ? g : t, out.stride);
    EXPAND(builder, "cvt.u64.u32", follows, out.t_follows ? t : g);
    EXPAND(builder, "add.u64", at, at, follows);
    if (out.bytes) {
        EXPAND(builder, "mad.lo.u64", out.first, at, immediate(out.bytes), base);
        return out;
    }
    EXPAND(builder, "mul.lo.u64", at, at, immediate(hone_ptx_type_bits(wmma->types[0])));
    EXPAND(builder, "shr.u64", at, at, immediate(3));
    EXPAND(builder, "add.u64", out.first, at, base);
    return out;
}

// The address of element j of a register.
static struct ptx_operand element_address(const struct builder *builder,
                                          const struct matrix *matrix,
                                          const struct ptx_wmma_spot *spot, unsigned j)
{
    const unsigned strides = matrix->t_follows ? spot->g : spot->t + j;
    const unsigned follows = matrix->t_follows ? spot->t + j : spot->g;
    struct ptx_operand base = matrix->first;
    if (strides) {
        base = new_register(builder, PTX_U64);
        EXPAND(builder, "mul.wide.u32", base, matrix->stride,
               immediate((uint64_t)strides * matrix->bytes));
        EXPAND(builder, "add.u64", base, base, matrix->first);
    }
    base.bits = matrix->offset + (uint64_t)follows * matrix->bytes;
    struct ptx_operand address = list_of(builder, PTX_ADDRESS, &base, 1);
    address.bits = base.bits;
    return address;
}

// Bytes of a register that do not follow one another in memory: those of 8 bits.
static void load_bytes(const struct builder *builder, const struct matrix *matrix,
                       const struct ptx_wmma_spot *spot, struct ptx_operand reg)
{
    const char *load = access_opcode(builder, "ld", 8);
    EXPAND(builder, "mov.b32", reg, immediate(0));
    for (unsigned j = 0; j < spot->count; j++) {
        const struct ptx_operand byte = new_register(builder, PTX_U32);
        EXPAND(builder, load, byte, element_address(builder, matrix, spot, j));
        EXPAND(builder, "shl.b32", byte, byte, immediate(8 * j));
        EXPAND(builder, "or.b32", reg, reg, byte);
    }
}

// Loads the register, or stores it.
static void expand_access(const struct builder *builder, const char *opcode,
                          struct ptx_operand reg, struct ptx_operand address)
{
    const bool load = builder->wmma.kind == PTX_WMMA_LOAD;
    const struct ptx_operand operands[] = {load ? reg : address, load ? address : reg};
    expand(builder, opcode, operands, 2);
}

// The same of two halves, loaded or stored.
static void move_halves(const struct builder *builder, const struct matrix *matrix,
                        const struct ptx_wmma_spot *spot, struct ptx_operand reg,
                        bool load)
{
    const char *access = access_opcode(builder, load ? "ld" : "st", 16);
    const struct ptx_operand halves[] = {new_register(builder, PTX_B16),
                                         new_register(builder, PTX_B16)};
    const struct ptx_operand pair = list_of(builder, PTX_VECTOR, halves, 2);
    if (!load) EXPAND(builder, "mov.b32", pair, reg);
    for (unsigned j = 0; j < 2; j++) {
        const struct ptx_operand address = element_address(builder, matrix, spot, j);
        expand_access(builder, access, halves[j], address);
    }
    if (load) EXPAND(builder, "mov.b32", reg, pair);
}

static void move_register(const struct builder *builder, const struct matrix *matrix,
                          unsigned r, struct ptx_operand reg)
{
    const bool load = builder->wmma.kind == PTX_WMMA_LOAD;
    const struct ptx_wmma_spot spot = hone_ptx_wmma_spot(&builder->wmma, r);
    const unsigned bits = matrix->bytes == 8 ? 64 : 32;
    const char *access = access_opcode(builder, load ? "ld" : "st", bits);
    if (spot.count > 1 && !matrix->t_follows) {
        if (spot.count == 2)
            move_halves(builder, matrix, &spot, reg, load);
        else
            load_bytes(builder, matrix, &spot, reg);
        return;
    }
    const struct ptx_operand address = element_address(builder, matrix, &spot, 0);
    expand_access(builder, access, reg, address);
}

// The registers of an operand; NULL after an error where they are of another number.
static const struct ptx_operand *
registers(const struct builder *builder, const struct ptx_operand *operand, size_t count)
{
    const size_t given = operand->kind == PTX_VECTOR ? operand->count : 1;
    if (given != count) {
        hone_ptx_error(builder->parser, builder->at->line,
                       "%zu registers of a fragment that has %zu", given, count);
        return NULL;
    }
    return operand->kind == PTX_VECTOR ? operand->items : operand;
}

static void move_fragment(struct builder *builder)
{
    const struct ptx_statement *at = builder->at;
    const bool load = builder->wmma.kind == PTX_WMMA_LOAD;
    const unsigned count = hone_ptx_wmma_registers(&builder->wmma);
    const bool doubled =
        builder->wmma.types[0] == PTX_F16 && !hone_ptx_wmma_is_sum(&builder->wmma);
    const unsigned given = doubled ? HALF_REGISTERS : count;
    const struct ptx_operand *regs =
        registers(builder, &at->operands[load ? 0 : 1], given);
    if (!regs) return;
    const struct matrix matrix = begin_matrix(builder);
    // a register may be that of the base
    struct ptx_operand values[MOST_REGISTERS];
    for (unsigned r = 0; r < count; r++) {
        values[r] =
            load ? new_register(builder, matrix.bytes == 8 ? PTX_B64 : PTX_B32) : regs[r];
        move_register(builder, &matrix, r, values[r]);
    }
    for (unsigned r = 0; load && r < given; r++)
        EXPAND(builder, matrix.bytes == 8 ? "mov.b64" : "mov.b32", regs[r],
               values[r % count]);
}

// ---- products ----

// "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
static const char *product_opcode(const struct builder *builder, enum ptx_type sum)
{
    const struct ptx_wmma *wmma = &builder->wmma;
    const enum ptx_type a = hone_ptx_wmma_factor(wmma);
    const enum ptx_type b = wmma->type_count == 4 ? wmma->types[2] : a;
    const bool turned = hone_ptx_wmma_is_turned(wmma);
    char text[96];
    snprintf(text, sizeof text, "mma.sync.aligned.m%un8k%u.row.col%s.%s.%s.%s.%s%s",
             hone_ptx_wmma_is_small(wmma) ? 8U : 16U, wmma->k,
             wmma->saturates ? ".satfinite" : "", hone_ptx_type_name(sum),
             hone_ptx_type_name(turned ? b : a), hone_ptx_type_name(turned ? a : b),
             hone_ptx_type_name(sum), wmma->bits);
    return keep_text(builder, text);
}

// Pairs of f16 as singles, two registers for one.
static void widen(const struct builder *builder, const struct ptx_operand *pairs,
                  unsigned count, struct ptx_operand *out)
{
    for (unsigned r = 0; r < count; r++) {
        const struct ptx_operand halves[] = {new_register(builder, PTX_B16),
                                             new_register(builder, PTX_B16)};
        EXPAND(builder, "mov.b32", list_of(builder, PTX_VECTOR, halves, 2), pairs[r]);
        for (unsigned j = 0; j < 2; j++) {
            out[2 * r + j] = new_register(builder, PTX_F32);
            EXPAND(builder, "cvt.f32.f16", out[2 * r + j], halves[j]);
        }
    }
}

static void narrow(const struct builder *builder, const struct ptx_operand *singles,
                   unsigned count, const struct ptx_operand *pairs)
{
    for (unsigned r = 0; r < count; r++) {
        struct ptx_operand halves[2];
        for (unsigned j = 0; j < 2; j++) {
            halves[j] = new_register(builder, PTX_B16);
            EXPAND(builder, "cvt.rn.f16.f32", halves[j], singles[2 * r + j]);
        }
        EXPAND(builder, "mov.b32", pairs[r], list_of(builder, PTX_VECTOR, halves, 2));
    }
}

static void multiply_tiles(const struct builder *builder,
                           const struct ptx_wmma_tiles *tiles, const char *opcode,
                           const struct ptx_operand *left,
                           const struct ptx_operand *right, const struct ptx_operand *c,
                           const struct ptx_operand *d)
{
    for (unsigned l = 0; l < tiles->left; l++)
        for (unsigned r = 0; r < tiles->right; r++) {
            const unsigned sum = (l * tiles->right + r) * tiles->each;
            EXPAND(builder, opcode, list_of(builder, PTX_VECTOR, d + sum, tiles->each),
                   list_of(builder, PTX_VECTOR, left + l * tiles->left_each,
                           tiles->left_each),
                   list_of(builder, PTX_VECTOR, right + r * tiles->right_each,
                           tiles->right_each),
                   list_of(builder, PTX_VECTOR, c + sum, tiles->each));
        }
}

static void multiply(struct builder *builder)
{
    const struct ptx_wmma *wmma = &builder->wmma;
    const struct ptx_operand *operands = builder->at->operands;
    const enum ptx_type d_type = wmma->types[0];
    const enum ptx_type c_type = wmma->types[wmma->type_count - 1];
    const bool mixed = d_type != c_type; // of f16 and f32: the sum is of singles
    const enum ptx_type factor = hone_ptx_wmma_factor(wmma),
                        sum = mixed ? PTX_F32 : d_type;
    const struct ptx_wmma_tiles tiles = hone_ptx_wmma_tiles(wmma, factor, sum);
    const bool turned = hone_ptx_wmma_is_turned(wmma), doubled = factor == PTX_F16;
    const unsigned left_count = tiles.left * tiles.left_each;
    const unsigned right_count = tiles.right * tiles.right_each;
    const unsigned count = tiles.left * tiles.right * tiles.each;
    const struct ptx_operand *left = registers(builder, &operands[turned ? 2 : 1],
                                               doubled ? HALF_REGISTERS : left_count);
    const struct ptx_operand *right = registers(builder, &operands[turned ? 1 : 2],
                                                doubled ? HALF_REGISTERS : right_count);
    const struct ptx_operand *d =
        registers(builder, &operands[0], mixed && d_type == PTX_F16 ? count / 2 : count);
    const struct ptx_operand *c =
        registers(builder, &operands[3], mixed && c_type == PTX_F16 ? count / 2 : count);
    struct ptx_operand wide[MOST_REGISTERS];
    if (!left || !right || !d || !c) return;
    if (mixed && c_type == PTX_F16) {
        widen(builder, c, count / 2, wide);
        c = wide;
    }
    for (unsigned r = 0; mixed && d_type == PTX_F16 && r < count; r++)
        wide[r] = new_register(builder, PTX_F32);
    multiply_tiles(builder, &tiles, product_opcode(builder, sum), left, right, c,
                   mixed && d_type == PTX_F16 ? wide : d);
    if (mixed && d_type == PTX_F16) narrow(builder, wide, count / 2, d);
}

bool hone_ptx_expand_wmma(struct ptx_parser *parser, const struct ptx_statement *at)
{
    struct builder builder = {.parser = parser, .at = at};
    if (!hone_ptx_wmma_read(&builder.wmma, at->opcode)) return false;
    const bool product = builder.wmma.kind == PTX_WMMA_MMA;
    const size_t address = builder.wmma.kind == PTX_WMMA_LOAD ? 1 : 0;
    const bool fits = product ? at->count == 4
                              : (at->count == 2 || at->count == 3) &&
                                    at->operands[address].kind == PTX_ADDRESS;
    if (!fits)
        hone_ptx_error(parser, at->line, "wrong operands of %.60s", at->opcode);
    else if (product)
        multiply(&builder);
    else
        move_fragment(&builder);
    return true;
}
