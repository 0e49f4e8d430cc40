// Operands of wgmma.mma_async: which forms there are (PTX ISA 9.0, section 9.7.15.5, and
// what ptxas 13.0 takes for sm_90a), and their registers, which are more than those of
// any other instruction.
#include "ptx_decoder.h"

#include <string.h>

#include "base/grow.h"

static bool is_fp8(unsigned type)
{
    return type == PTX_E4M3 || type == PTX_E5M2;
}

static bool is_byte(unsigned type)
{
    return type == PTX_S8 || type == PTX_U8;
}

static bool types_exist(const struct hone_emu_insn *insn, bool sparse)
{
    const unsigned a = insn->type2, b = insn->type3, d = insn->type;
    if (insn->finite && !is_byte(a)) return false;
    if ((a == PTX_B1) != (insn->logic != LOGIC_NONE)) return false;
    if (a == PTX_F16) return b == a && (d == PTX_F16 || d == PTX_F32);
    if (a == PTX_BF16 || a == PTX_TF32) return b == a && d == PTX_F32;
    if (is_fp8(a)) return is_fp8(b) && (d == PTX_F16 || d == PTX_F32);
    if (is_byte(a)) return is_byte(b) && d == PTX_S32;
    return a == PTX_B1 && b == a && d == PTX_S32 && !sparse;
}

// Rows of A are 32 bytes whatever the type; a sparse one stands for twice its length.
static bool shape_exists(const struct hone_emu_insn *insn, bool sparse)
{
    const unsigned n = insn->shape[1], k = insn->shape[2];
    const unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type2);
    const bool integers = insn->type == PTX_S32;
    if (insn->shape[0] != 64 || bits == 0 || k != (sparse ? 512 : 256) / bits)
        return false;
    if (n % 8 || n == 0 || n > 256) return false;
    return !integers || n <= 24 || n % 16 == 0;
}

// A number that has to be there, among those from least to most.
static int take_choice(struct ptx_decoder *decoder, int least, int most)
{
    const struct ptx_operand *operand = &decoder->statement->operands[decoder->next++];
    const int64_t value = (int64_t)operand->bits;
    if (operand->kind != PTX_IMM || value < least || value > most) {
        hone_ptx_misuse(decoder, "no such choice");
        return least;
    }
    return (int)value;
}

static bool take_sign(struct ptx_decoder *decoder)
{
    const int sign = take_choice(decoder, -1, 1);
    if (sign == 0) hone_ptx_misuse(decoder, "neither 1 nor -1");
    return sign < 0;
}

static void take_registers(struct ptx_decoder *decoder, struct hone_emu_wgmma *wgmma,
                           unsigned first, unsigned count)
{
    const struct ptx_operand *operand = &decoder->statement->operands[decoder->next++];
    if (operand->kind != PTX_VECTOR || operand->count != count) {
        hone_ptx_misuse(decoder, "wrong number of registers");
        return;
    }
    for (unsigned k = 0; k < count && decoder->status == HONE_OK; k++) {
        if (operand->items[k].kind != PTX_REG) hone_ptx_misuse(decoder, "no register");
        wgmma->regs[first + k] = hone_ptx_destination(decoder, &operand->items[k], 32);
    }
}

static void take_descriptor(struct ptx_decoder *decoder)
{
    const struct ptx_operand *operand = &decoder->statement->operands[decoder->next++];
    hone_ptx_add_source(decoder, hone_ptx_source(decoder, operand, 64));
}

// D, A, B, {metadata, selector,} scale-d {, signs of A and B {, majors}}. A's place comes
// before B's in the text and after it among the sources.
static void take_all(struct ptx_decoder *decoder, struct hone_emu_wgmma *wgmma)
{
    struct hone_emu_insn *insn = decoder->insn;
    const struct ptx_statement *statement = decoder->statement;
    const bool half = hone_ptx_type_bits((enum ptx_type)insn->type2) == 16;
    const bool bytes = hone_ptx_type_bits((enum ptx_type)insn->type2) == 8;
    const struct ptx_operand *meta = NULL;
    take_registers(decoder, wgmma, 0, wgmma->d_count);
    if (wgmma->a_count)
        take_registers(decoder, wgmma, wgmma->d_count, wgmma->a_count);
    else
        decoder->next++;
    take_descriptor(decoder);
    if (wgmma->sparse) {
        meta = &statement->operands[decoder->next++];
        insn->imm = take_choice(decoder, 0, bytes ? 0 : 1);
    }
    const struct ptx_operand *scale = &statement->operands[decoder->next++];
    if (scale->negated) insn->negate |= 1U << HONE_EMU_WGMMA_SCALE;
    hone_ptx_add_source(decoder, hone_ptx_source(decoder, scale, 1));
    if (!wgmma->a_count)
        hone_ptx_add_source(decoder,
                            hone_ptx_source(decoder, &statement->operands[1], 64));
    if (meta) hone_ptx_add_source(decoder, hone_ptx_source(decoder, meta, 32));
    if (insn->type == PTX_S32) return;
    wgmma->negative = take_sign(decoder);
    wgmma->negative ^= take_sign(decoder);
    if (half && !wgmma->a_count) wgmma->transpose_a = take_choice(decoder, 0, 1);
    if (half) wgmma->transpose_b = take_choice(decoder, 0, 1);
}

static size_t operand_count(const struct hone_emu_insn *insn,
                            const struct hone_emu_wgmma *wgmma)
{
    const bool half = hone_ptx_type_bits((enum ptx_type)insn->type2) == 16;
    size_t count = wgmma->sparse ? 6 : 4;
    if (insn->type != PTX_S32) count += 2;
    return half ? count + (wgmma->a_count ? 1 : 2) : count;
}

void hone_ptx_take_wgmma(struct ptx_decoder *decoder)
{
    struct hone_emu_code *code = decoder->code;
    struct hone_emu_insn *insn = decoder->insn;
    const struct ptx_statement *statement = decoder->statement;
    struct hone_emu_wgmma wgmma = {
        .sparse = strstr(hone_emu_forms[insn->form].name, ".sp.") != NULL};
    if (!types_exist(insn, wgmma.sparse) || !shape_exists(insn, wgmma.sparse)) {
        hone_ptx_lacks(decoder);
        return;
    }
    wgmma.d_count = (uint16_t)(insn->shape[1] / (insn->type == PTX_F16 ? 4 : 2));
    if (statement->count > 1 && statement->operands[1].kind == PTX_VECTOR)
        wgmma.a_count = 4;
    if (statement->count != operand_count(insn, &wgmma)) {
        hone_ptx_misuse(decoder, "wrong number of operands");
        return;
    }
    wgmma.regs = hone_arena_array(decoder->arena, wgmma.d_count + wgmma.a_count,
                                  sizeof *wgmma.regs);
    if (!wgmma.regs || !HONE_GROW_IN(decoder->arena, &code->wgmmas, &code->wgmma_cap,
                                     code->wgmma_count + 1, 16)) {
        hone_ptx_decode_fail(decoder, HONE_ENOMEM, "out of memory");
        return;
    }
    take_all(decoder, &wgmma);
    insn->target = (uint32_t)code->wgmma_count;
    code->wgmmas[code->wgmma_count++] = wgmma;
}
