// What an instruction costs: its pipe, how many instructions of the hardware it becomes,
// and when its result is there.
#include "cost.h"

#include <stdlib.h>

// Cycles until a result can be used. H100: Luo et al., "Benchmarking and Dissecting the
// Nvidia Hopper GPU Architecture via Microbenchmarking", arXiv:2402.13499 (shared 29,
// L1 41); ALU 4 and SFU 18 assumed, near what the same kind of work reports for
// Volta to Ampere.
enum {
    ALU_LATENCY = 4,
    SFU_LATENCY = 18,
    SHARED_LATENCY = 29,
    L1_LATENCY = 41,
    WARP_LATENCY = 24,
    TENSOR_LATENCY = 33 // mma m16n8k16 on H100, the same work
};

static bool is_whole(enum ptx_type type)
{
    return type == PTX_U32 || type == PTX_S32 || type == PTX_U64 || type == PTX_S64;
}

// A word becomes the low one of two, the other being 0, or the low one of two is taken.
static bool only_renames(const struct hone_emu_insn *insn)
{
    const enum ptx_type to = (enum ptx_type)insn->type;
    const enum ptx_type from = (enum ptx_type)insn->type2;
    if (insn->op != EMU_CVT || insn->sat || !is_whole(to) || !is_whole(from))
        return false;
    const unsigned to_bits = hone_ptx_type_bits(to), from_bits = hone_ptx_type_bits(from);
    return from == PTX_U32 || from_bits > to_bits;
}

static enum hone_emu_class class_of(const struct hone_emu_insn *insn)
{
    enum hone_emu_class class = hone_emu_forms[insn->form].class;
    bool memory = insn->op == EMU_LD || insn->op == EMU_ST;
    if (only_renames(insn)) return HONE_EMU_FREE;
    if (!memory) return class;
    switch (insn->space) {
    case PTX_SHARED:
        return HONE_EMU_SHARED;
    case PTX_LOCAL:
        return HONE_EMU_LOCAL;
    case PTX_PARAM:
    case PTX_CONST:
        return HONE_EMU_FREE; // an operand from the constant bank
    default:
        return class;
    }
}

// The constants of 64 bits by the places of their registers; NULL: memory ran out.
enum { PLACE = 8 * HONE_EMU_LANES };

static const uint64_t **find_constants(const struct hone_emu_code *code)
{
    const size_t places = (code->register_bytes - code->doubles_at) / PLACE;
    const uint64_t **at = calloc(places + 1, sizeof *at);
    for (size_t k = 0; at && k < code->constant_count; k++)
        if (code->constants[k].bits == 64)
            at[(code->constants[k].reg - code->doubles_at) / PLACE] =
                &code->constants[k].value;
    return at;
}

static bool is_logic(const struct hone_emu_insn *insn)
{
    return insn->op == EMU_AND || insn->op == EMU_OR || insn->op == EMU_XOR;
}

// Words that logic with a constant changes, of two: x | 0 and x & ~0 are x.
static uint8_t words_of_logic(const struct hone_emu_insn *insn,
                              const struct hone_emu_code *code,
                              const uint64_t *const *constants)
{
    const uint64_t *constant = NULL;
    for (unsigned i = 0; i < insn->src_count && !constant; i++)
        constant = constants[(insn->src[i] - code->doubles_at) / PLACE];
    if (!constant) return 2;
    const uint64_t changes = insn->op == EMU_AND ? ~*constant : *constant;
    return (uint8_t)(((uint32_t)changes != 0) + (changes >> 32 != 0));
}

// SASS instructions for one of PTX, from what ptxas makes of them for sm_80 and sm_90
// (assumed where a sequence has several paths).
static uint8_t slots_of(const struct hone_emu_insn *insn,
                        const struct hone_emu_code *code,
                        const uint64_t *const *constants)
{
    bool wide = hone_ptx_type_bits((enum ptx_type)insn->type) == 64;
    bool is_float = insn->type == PTX_F32 || insn->type == PTX_F64;
    enum hone_emu_class class = class_of(insn);
    if (class == HONE_EMU_FREE) return 0;
    if (insn->op == EMU_DIV || insn->op == EMU_REM) return is_float ? 10 : wide ? 70 : 20;
    if ((insn->op == EMU_SQRT || insn->op == EMU_RCP) && insn->round) return 8;
    if (wide && is_logic(insn)) return words_of_logic(insn, code, constants);
    if (insn->op == EMU_CVT && insn->type == PTX_S64 && insn->type2 == PTX_S32)
        return 1; // the high word is made of the sign
    if (class == HONE_EMU_INT && wide)
        return insn->op == EMU_MUL || insn->op == EMU_MAD ? 4 : 2;
    return 1;
}

static uint16_t latency_of(const struct hone_emu_insn *insn, uint8_t slots)
{
    switch (class_of(insn)) {
    case HONE_EMU_FREE:
    case HONE_EMU_CONTROL:
    case HONE_EMU_BARRIER:
    case HONE_EMU_ASYNC:
        return 0;
    case HONE_EMU_SFU:
        return SFU_LATENCY;
    case HONE_EMU_SHARED:
        return SHARED_LATENCY;
    case HONE_EMU_TENSOR:
        return TENSOR_LATENCY;
    case HONE_EMU_WARP:
        return WARP_LATENCY;
    case HONE_EMU_LOCAL:
        return L1_LATENCY;
    case HONE_EMU_GLOBAL: // known when its addresses are
    case HONE_EMU_ATOMIC:
        return 0;
    case HONE_EMU_FP32:
    case HONE_EMU_FP64:
    case HONE_EMU_INT:
    case HONE_EMU_CLASS_COUNT:
        break;
    }
    return (uint16_t)(ALU_LATENCY * (slots > 2 ? slots : 1));
}

struct hone_emu_cost *hone_emu_costs_new(const struct hone_emu_code *code)
{
    const uint64_t **constants = find_constants(code);
    struct hone_emu_cost *costs =
        constants ? calloc(code->count + 1, sizeof *costs) : NULL;
    for (size_t k = 0; costs && k < code->count; k++) {
        const struct hone_emu_insn *insn = &code->insns[k];
        const uint8_t slots = slots_of(insn, code, constants);
        costs[k] = (struct hone_emu_cost){
            .class = class_of(insn), .slots = slots, .latency = latency_of(insn, slots)};
    }
    free(constants);
    return costs;
}

enum hone_tensor_input hone_emu_tensor_of(const struct hone_emu_insn *insn)
{
    switch (hone_ptx_type_bits((enum ptx_type)insn->type2)) {
    case 64:
        return HONE_TENSOR_F64;
    case 32:
        return HONE_TENSOR_TF32;
    case 16:
        return HONE_TENSOR_HALF;
    default:
        return insn->type == PTX_S32 ? HONE_TENSOR_S8 : HONE_TENSOR_F8;
    }
}

double hone_emu_macs_of(const struct hone_emu_insn *insn)
{
    return (double)insn->shape[0] * insn->shape[1] * insn->shape[2] *
           (hone_emu_is_quads(insn) ? 4 : 1) / (insn->sparse ? 2 : 1);
}

// A product of N columns: a row of A has 32 bytes whatever the type, and takes as many
// cycles: N / 2 for its 64 rows, as the dense peak of H100 (989 TFLOP/s in bf16, 132
// multiprocessors, 1.83 GHz) says. Shared memory gives 128 bytes a cycle; B of a sparse
// product has twice the rows.
void hone_emu_product_cost_of(struct hone_emu_product_cost *out,
                              const struct hone_emu_code *code,
                              const struct hone_emu_insn *insn)
{
    const struct hone_emu_wgmma *wgmma = &code->wgmmas[insn->target];
    const double columns = insn->shape[1];
    out->macs = insn->shape[0] * columns * insn->shape[2] / (wgmma->sparse ? 2 : 1);
    out->tensor = columns / 2;
    out->shared = (wgmma->a_count ? 0 : 16) + columns / (wgmma->sparse ? 2 : 4);
}
