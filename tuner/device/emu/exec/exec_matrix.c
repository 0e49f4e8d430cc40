// Products of matrices that kernels seldom ask for: mma.sp, elements of fewer than 8
// bits, and m8n8k4 of f16, which is four products of 8 lanes each. A lane at a time; the
// others are in exec_mma.inc. Fragments: PTX ISA 9.0, sections 9.7.14.5 and 9.7.14.6.
#include <math.h>
#include <string.h>

#include "exec_matrix.h"
#include "narrow_float.h"

enum { MOST_ROWS = 16, COLUMNS = 8, MOST_DEPTH = 256 };

struct product {
    double a[MOST_ROWS][MOST_DEPTH];
    double b[MOST_DEPTH][COLUMNS];
    double c[MOST_ROWS][COLUMNS];
    uint8_t at[MOST_ROWS][MOST_DEPTH]; // the row of B that an element of A goes with
    unsigned rows, depth;              // depth: columns of A that are there
};

// ---- elements ----

static uint32_t word_of(const struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, unsigned k, unsigned lane)
{
    return (uint32_t)hone_emu_read_lane(warp, insn->src[k], (int)lane, false);
}

static double single_of(uint32_t word)
{
    float single;
    memcpy(&single, &word, sizeof single);
    return (double)single;
}

// Element e of a register's bits as the value that it stands for.
static double value_of(unsigned type, uint32_t word, unsigned e)
{
    const unsigned bits = hone_ptx_type_bits((enum ptx_type)type);
    const uint32_t element = bits < 32 ? word >> bits * e & ((1U << bits) - 1) : word;
    switch (type) {
    case PTX_F32:
        return single_of(word);
    case PTX_TF32:
        return single_of(word & 0xffffe000); // the low bits are ignored
    case PTX_BF16:
        return single_of(element << 16);
    case PTX_S32:
        return (double)(int32_t)word;
    case PTX_S8:
        return (double)(int8_t)element;
    case PTX_S4:
        return (double)(element & 7) - (double)(element & 8);
    case PTX_U8:
    case PTX_U4:
    case PTX_B1:
        return (double)element;
    default:
        return hone_widen(hone_narrow_of(type), element);
    }
}

static uint32_t saturated(double sum)
{
    return (uint32_t)(int32_t)fmin(fmax(sum, -0x1p31), 0x1p31 - 1);
}

// The bits of a sum; half of a register where it is f16.
static uint32_t bits_of(const struct hone_emu_insn *insn, double sum)
{
    if (insn->type == PTX_S32)
        return insn->finite ? saturated(sum) : (uint32_t)(int64_t)sum;
    if (insn->type == PTX_F16)
        return hone_narrow(hone_narrow_of(PTX_F16), sum, ROUND_RN, false);
    return sum != sum ? 0x7fffffff : (uint32_t)hone_bits_of_float((float)sum);
}

static double term(const struct hone_emu_insn *insn, double a, double b)
{
    return insn->logic == LOGIC_XOR ? (double)(a != b) : a * b;
}

// ---- one product of the whole warp ----

// Four bits of a sparse row say which two of four units of A are there: elements, or
// pairs of those that have 4 bits, or halves of a tf32. Rows of 4 such chunks are with
// one lane of four, those of 8 with two, as the selector says, those of 16 with four.
static unsigned chunk_bits(const struct hone_emu_insn *insn, const uint32_t *metadata,
                           unsigned row, unsigned chunk)
{
    const unsigned chunks = hone_emu_sparse_chunks(insn), selector = (unsigned)insn->imm;
    const unsigned quad = 4 * (row % 8), half = row / 8;
    if (chunks == 16)
        return metadata[quad + half + 2 * (chunk / 8)] >> 4 * (chunk % 8) & 15;
    const unsigned lane = chunks == 8 ? 2 * selector + chunk / 4 : selector;
    return metadata[quad + lane] >> (16 * half + 4 * (chunk % 4)) & 15;
}

unsigned hone_emu_sparse_column(const struct hone_emu_insn *insn,
                                const uint32_t *metadata, unsigned row, unsigned j)
{
    const unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type2);
    const unsigned each = hone_emu_sparse_each(insn), unit = bits == 4 ? 2 : 1;
    const unsigned chunk = j / each, e = j % each;
    const unsigned index = chunk_bits(insn, metadata, row, chunk) >> 2 * (e / unit) & 3;
    const unsigned within = bits == 32 ? index / 2 : unit * index + e % unit;
    return 2 * each * chunk + within;
}

static void place_sparse(struct product *p, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    uint32_t metadata[HONE_EMU_LANES];
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++)
        metadata[lane] = word_of(warp, insn, insn->src_count - 1U, lane);
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned j = 0; j < p->depth; j++)
            p->at[row][j] = (uint8_t)hone_emu_sparse_column(insn, metadata, row, j);
}

static void place_dense(struct product *p)
{
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned j = 0; j < p->depth; j++)
            p->at[row][j] = (uint8_t)j;
}

static void read_factors(struct product *p, const struct hone_emu_warp *warp,
                         const struct hone_emu_insn *insn)
{
    const unsigned a = insn->type2, b = insn->type3;
    const unsigned each = 32 / hone_ptx_type_bits((enum ptx_type)a), halves = p->rows / 8;
    const unsigned first = hone_emu_a_registers(insn);
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++) {
        const unsigned group = lane / 4, within = each * (lane % 4);
        for (unsigned r = 0; r < first; r++)
            for (unsigned e = 0; e < each; e++)
                p->a[group + 8 * (r % halves)][within + 4 * each * (r / halves) + e] =
                    value_of(a, word_of(warp, insn, r, lane), e);
        for (unsigned r = 0; r < hone_emu_b_registers(insn); r++)
            for (unsigned e = 0; e < each; e++)
                p->b[within + 4 * each * r + e][group] =
                    value_of(b, word_of(warp, insn, first + r, lane), e);
    }
}

static void add_terms(struct product *p, const struct hone_emu_insn *insn)
{
    for (unsigned row = 0; row < p->rows; row++)
        for (unsigned j = 0; j < p->depth; j++)
            for (unsigned n = 0; n < COLUMNS; n++)
                p->c[row][n] += term(insn, p->a[row][j], p->b[p->at[row][j]][n]);
}

// Element n of C, and of D, of a lane: two neighbours a row.
static double *sum_at(struct product *p, unsigned lane, unsigned n)
{
    return &p->c[lane / 4 + 8 * (n / 2)][2 * (lane % 4) + n % 2];
}

static void multiply_warp(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct product p; // filled as far as it is read
    p.rows = hone_emu_rows(insn), p.depth = hone_emu_depth(insn) / (insn->sparse ? 2 : 1);
    const unsigned first = hone_emu_a_registers(insn) + hone_emu_b_registers(insn);
    const unsigned packed = insn->type == PTX_F16 ? 2 : 1, sums = p.rows / 4;
    read_factors(&p, warp, insn);
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++)
        for (unsigned n = 0; n < sums; n++)
            *sum_at(&p, lane, n) = value_of(
                insn->type4, word_of(warp, insn, first + n / packed, lane), n % packed);
    if (insn->sparse)
        place_sparse(&p, warp, insn);
    else
        place_dense(&p);
    add_terms(&p, insn);
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++)
        for (unsigned n = 0; n < sums; n += packed) {
            uint32_t word = bits_of(insn, *sum_at(&p, lane, n));
            if (packed == 2) word |= bits_of(insn, *sum_at(&p, lane, n + 1)) << 16;
            hone_emu_write_lane(warp, insn->dst[n / packed], (int)lane, false, word);
        }
}

// ---- four products of 8 lanes each ----

struct quads {
    double a[4][8][4], b[4][4][8], c[4][8][8];
};

// Lanes 4q to 4q + 3 and those 16 behind them make product q.
static unsigned product_of(unsigned lane)
{
    return lane / 4 % 4;
}

static void read_quads(struct quads *q, const struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, unsigned lane)
{
    const unsigned which = product_of(lane), own = lane % 4, upper = 4 * (lane / 16);
    for (unsigned e = 0; e < 4; e++) {
        const double a = value_of(PTX_F16, word_of(warp, insn, e / 2, lane), e % 2);
        const double b = value_of(PTX_F16, word_of(warp, insn, 2 + e / 2, lane), e % 2);
        if (insn->mode & HONE_EMU_A_COLUMNS)
            q->a[which][e + upper][own] = a;
        else
            q->a[which][own + upper][e] = a;
        if (insn->mode & HONE_EMU_B_COLUMNS)
            q->b[which][e][own + upper] = b;
        else
            q->b[which][own][e + upper] = b;
    }
}

// Element e of C or D: rows as f16, or four pairs in two rows as f32.
static double *quad_sum(struct quads *q, enum ptx_type type, unsigned lane, unsigned e)
{
    const unsigned own = lane % 4, upper = 4 * (lane / 16);
    if (type == PTX_F16) return &q->c[product_of(lane)][own + upper][e];
    return &q->c[product_of(lane)][(own & 1) + (e & 2) + upper]
                [(e & 4) + (own & 2) + (e & 1)];
}

static void write_quads(struct quads *q, struct hone_emu_warp *warp,
                        const struct hone_emu_insn *insn, unsigned lane)
{
    const enum ptx_type type = (enum ptx_type)insn->type;
    const unsigned packed = type == PTX_F16 ? 2 : 1;
    for (unsigned e = 0; e < 8; e += packed) {
        uint32_t word = bits_of(insn, *quad_sum(q, type, lane, e));
        if (packed == 2) word |= bits_of(insn, *quad_sum(q, type, lane, e + 1)) << 16;
        hone_emu_write_lane(warp, insn->dst[e / packed], (int)lane, false, word);
    }
}

static void multiply_quads(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    struct quads q;
    const enum ptx_type type = (enum ptx_type)insn->type4;
    const unsigned packed = type == PTX_F16 ? 2 : 1;
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++) {
        read_quads(&q, warp, insn, lane);
        for (unsigned e = 0; e < 8; e++)
            *quad_sum(&q, type, lane, e) =
                value_of(type, word_of(warp, insn, 4 + e / packed, lane), e % packed);
    }
    for (unsigned which = 0; which < 4; which++)
        for (unsigned row = 0; row < 8; row++)
            for (unsigned k = 0; k < 4; k++)
                for (unsigned n = 0; n < 8; n++)
                    q.c[which][row][n] += q.a[which][row][k] * q.b[which][k][n];
    for (unsigned lane = 0; lane < HONE_EMU_LANES; lane++)
        write_quads(&q, warp, insn, lane);
}

void hone_emu_multiply_seldom(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn)
{
    if (hone_emu_is_quads(insn))
        multiply_quads(warp, insn);
    else
        multiply_warp(warp, insn);
}
