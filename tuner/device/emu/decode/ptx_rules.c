// What a row of the table (optab.def) does not express: which types, shapes, modes and
// operands of an instruction go together.
#include "hone/tensor_map.h"
#include "ptx_decoder.h"

static bool quads_exist(const struct hone_emu_insn *insn)
{
    const bool half = insn->type == PTX_F16, half_sum = insn->type4 == PTX_F16;
    return insn->shape[0] == 8 && insn->shape[1] == 8 && insn->type3 == PTX_F16 &&
           !insn->sparse && !insn->logic && (half || insn->type == PTX_F32) &&
           (half_sum || (insn->type4 == PTX_F32 && !half));
}

// The shapes and types that GPUs have (PTX ISA 9.0, sections 9.7.14.5 and 9.7.14.6); of a
// sparse one, as if what is there were all.
// NOLINTNEXTLINE(readability-function-cognitive-complexity): a rule for each type
bool hone_ptx_mma_exists(const struct hone_emu_insn *insn)
{
    unsigned m = insn->shape[0], k = insn->shape[2], d = insn->type;
    unsigned a = insn->type2, b = insn->type3;
    bool wide = m == 16, float_result = d == PTX_F32 || d == PTX_F16;
    if (hone_emu_is_quads(insn)) return quads_exist(insn);
    if (insn->shape[1] != 8 || insn->type4 != d || (m != 8 && !wide)) return false;
    if (insn->mode != HONE_EMU_B_COLUMNS || (insn->sparse && !wide)) return false;
    if ((a == PTX_B1) != (insn->logic == LOGIC_AND || insn->logic == LOGIC_XOR))
        return false;
    if (insn->sparse) k /= 2;
    switch (a) {
    case PTX_F16:
        return b == a && wide && float_result && (k == 8 || k == 16);
    case PTX_BF16:
        return b == a && wide && d == PTX_F32 && (k == 8 || k == 16);
    case PTX_TF32:
        return b == a && wide && d == PTX_F32 && (k == 4 || k == 8);
    case PTX_E4M3:
    case PTX_E5M2:
        if (insn->sparse && (k == 16 || d == PTX_F16)) return false;
        return (b == PTX_E4M3 || b == PTX_E5M2) && wide && float_result &&
               (k == 16 || k == 32);
    case PTX_S4:
    case PTX_U4:
        return (b == PTX_S4 || b == PTX_U4) && d == PTX_S32 &&
               (k == 32 || (wide && k == 64));
    case PTX_B1:
        return b == a && d == PTX_S32 && !insn->sparse &&
               (k == 128 || (wide && k == 256));
    case PTX_S8:
    case PTX_U8:
        return (b == PTX_S8 || b == PTX_U8) && d == PTX_S32 &&
               (k == 16 || (wide && k == 32));
    case PTX_F64:
        return b == a && d == a && !insn->sparse &&
               (k == 4 || (wide && (k == 8 || k == 16)));
    default:
        return false;
    }
}

static bool pair_exists(const struct hone_emu_insn *insn)
{
    bool halves = insn->type == PTX_F16X2 || insn->type == PTX_BF16X2;
    bool from_fp8 = insn->type2 == PTX_E4M3X2 || insn->type2 == PTX_E5M2X2;
    bool from_halves = insn->type2 == PTX_F16X2 || insn->type2 == PTX_BF16X2;
    bool from_singles = insn->type2 == PTX_F32;
    bool nearest = insn->round == ROUND_RN;
    if (!halves && !(nearest && insn->finite)) return false;
    if (halves && !nearest && !(from_singles && insn->round == ROUND_RZ)) return false;
    if (halves && insn->finite && !from_singles) return false;
    if (from_singles) return insn->src_count == 2;
    return insn->src_count == 1 && (halves ? from_fp8 : from_halves);
}

// Modes that belong to an operation; of those required one must be there.
static bool mode_fits(const struct hone_emu_insn *insn)
{
    static const struct {
        uint8_t op, least, most;
        bool required;
    } modes[] = {{EMU_SHUFFLE, MODE_UP, MODE_IDX, true},
                 {EMU_VOTE, MODE_ALL, MODE_BALLOT, true},
                 {EMU_TESTP, MODE_FINITE, MODE_SUBNORMAL, true},
                 {EMU_BMSK, MODE_CLAMP, MODE_WRAP, true},
                 {EMU_SZEXT, MODE_CLAMP, MODE_WRAP, true},
                 {EMU_PRMTMODE, MODE_F4E, MODE_RC16, true},
                 {EMU_BFIND, MODE_SHIFTAMT, MODE_SHIFTAMT, false},
                 {EMU_LDMATRIX, MODE_TRANS, MODE_TRANS, false},
                 {EMU_STMATRIX, MODE_TRANS, MODE_TRANS, false},
                 {EMU_MOVMATRIX, MODE_TRANS, MODE_TRANS, false},
                 {EMU_TMALOAD, MODE_IM2COL, MODE_TILE, false},
                 {EMU_TMACAST, MODE_IM2COL, MODE_TILE, false},
                 {EMU_TMAPREFETCH, MODE_IM2COL, MODE_TILE, false},
                 {EMU_TMASTORE, MODE_TILE, MODE_NO_OFFS, false},
                 {EMU_MAPREPLACE, MODE_BOX_DIM, MODE_FILL, true},
                 {EMU_BRA, MODE_UNI, MODE_UNI, false},
                 {EMU_EXIT, MODE_UNI, MODE_UNI, false}};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i].op == insn->op)
            return insn->mode
                       ? insn->mode >= modes[i].least && insn->mode <= modes[i].most
                       : !modes[i].required;
    return true;
}

static bool atomic_exists(const struct hone_emu_insn *insn)
{
    enum ptx_type type = (enum ptx_type)insn->type;
    enum emu_logic logic = (enum emu_logic)insn->logic;
    bool half = type >= PTX_F16 && type <= PTX_BF16X2, vector = insn->lanes > 1;
    bool cas = logic == LOGIC_CAS, exchange = logic == LOGIC_EXCH;
    bool bounds = logic == LOGIC_MIN || logic == LOGIC_MAX;
    if (logic == LOGIC_NONE || logic == LOGIC_POPC) return false;
    if (cas != (insn->src_count == 3 && !vector)) return false;
    if (half) return logic == LOGIC_ADD || (bounds && vector);
    if (type == PTX_F32 || type == PTX_F64) return logic == LOGIC_ADD;
    if (type == PTX_B16) return cas || (exchange && insn->dst_count);
    return true;
}

// Reductions of bulk copies (PTX ISA 9.0, section 9.7.9.25.4.2), and of red.async, which
// alone has types of 64 bits with a sign.
bool hone_emu_bulk_reduces(enum emu_logic logic, enum ptx_type of, bool peer)
{
    const uint32_t type = UINT32_C(1) << of;
    const uint32_t words = 1U << PTX_U32 | 1U << PTX_S32;
    const uint32_t longs = 1U << PTX_U64 | (peer ? 1U << PTX_S64 : 0);
    const uint32_t halves = 1U << PTX_F16 | 1U << PTX_BF16;
    const uint32_t floats = 1U << PTX_F32 | 1U << PTX_F64;
    const uint32_t bits = 1U << PTX_B32 | 1U << PTX_B64;
    if (of == PTX_NONE) return logic == LOGIC_NONE;
    switch (logic) {
    case LOGIC_ADD:
        return type & (words | longs | (peer ? 0 : halves | floats));
    case LOGIC_MIN:
    case LOGIC_MAX:
        return type & (words | (peer ? 0 : longs | 1U << PTX_S64 | halves));
    case LOGIC_INC:
    case LOGIC_DEC:
        return of == PTX_U32;
    case LOGIC_AND:
    case LOGIC_OR:
    case LOGIC_XOR:
        return type & (peer ? 1U << PTX_B32 : bits);
    case LOGIC_NONE:
    case LOGIC_CAS:
    case LOGIC_EXCH:
    case LOGIC_POPC:
        break;
    }
    return false;
}

static const char *wrong_atomic(const struct hone_emu_insn *insn)
{
    return atomic_exists(insn) ? NULL : "no operation";
}

static const char *wrong_reduction(const struct hone_emu_insn *insn)
{
    const bool bounds = insn->logic == LOGIC_MIN || insn->logic == LOGIC_MAX;
    const bool exists = insn->type == PTX_F32 ? bounds : insn->logic != LOGIC_NONE;
    return exists ? NULL : "no operation";
}

static const char *wrong_barrier(const struct hone_emu_insn *insn)
{
    return insn->logic == LOGIC_NONE ? "no operation" : NULL;
}

// ---- numbers and types ----

static const char *wrong_vector(const struct hone_emu_insn *insn)
{
    return insn->lanes == 8 && hone_ptx_type_bits((enum ptx_type)insn->type) != 32
               ? "no vector"
               : NULL;
}

static const char *wrong_comparison(const struct hone_emu_insn *insn)
{
    if (insn->cmp == CMP_NONE) return "no comparison";
    if ((insn->logic != LOGIC_NONE) != (insn->src_count == 3)) return "no combination";
    return insn->op == EMU_SETP && insn->logic > LOGIC_XOR ? "no combination" : NULL;
}

static const char *wrong_set(const struct hone_emu_insn *insn)
{
    return insn->cmp == CMP_NONE || !insn->type2 ? "no comparison" : NULL;
}

static const char *wrong_rounding(const struct hone_emu_insn *insn)
{
    return insn->round ? NULL : "no rounding";
}

static const char *wrong_second_type(const struct hone_emu_insn *insn)
{
    return insn->type2 ? NULL : "no second type";
}

static const char *wrong_pair(const struct hone_emu_insn *insn)
{
    return pair_exists(insn) ? NULL : "no conversion";
}

static const char *wrong_pack(const struct hone_emu_insn *insn)
{
    return insn->type2 == PTX_S32 &&
                   (hone_ptx_type_bits(insn->type) == 16) == (insn->src_count == 2)
               ? NULL
               : "no conversion";
}

static const char *wrong_difference(const struct hone_emu_insn *insn)
{
    return insn->type3 && (insn->logic == LOGIC_NONE || insn->logic == LOGIC_ADD)
               ? NULL
               : "no operation";
}

// ---- matrices and warps ----

// Rows of A have their metadata in one lane of four, in two, or in all of them.
static const char *wrong_selector(const struct hone_emu_insn *insn)
{
    const unsigned chunks = hone_emu_sparse_chunks(insn);
    const int64_t most = chunks == 4 ? 3 : chunks == 8 ? 1 : 0;
    return !insn->sparse || (insn->imm >= 0 && insn->imm <= most) ? NULL : "no selector";
}

static const char *wrong_matrix(const struct hone_emu_insn *insn)
{
    return insn->shape[0] == 8 && insn->shape[1] == 8 && insn->shape[2] == 0 ? NULL
                                                                             : "no shape";
}

static const char *wrong_vote(const struct hone_emu_insn *insn)
{
    return (insn->mode == MODE_BALLOT) == (insn->type == PTX_B32) ? NULL : "wrong type";
}

static const char *wrong_registers(const struct hone_emu_insn *insn)
{
    return insn->imm >= 24 && insn->imm <= 256 && insn->imm % 8 == 0
               ? NULL
               : "no number of registers (24 to 256, a multiple of 8)";
}

// ---- asynchronous operations ----

static const char *wrong_size(const struct hone_emu_insn *insn)
{
    return insn->imm == 4 || insn->imm == 8 || insn->imm == 16 ? NULL : "wrong size";
}

static const char *wrong_width(const struct hone_emu_insn *insn)
{
    return insn->lanes * hone_ptx_type_bits((enum ptx_type)insn->type) > 128
               ? "more than 128 bits"
               : NULL;
}

static const char *wrong_bulk(const struct hone_emu_insn *insn)
{
    return hone_emu_bulk_reduces((enum emu_logic)insn->logic, (enum ptx_type)insn->type,
                                 insn->op != EMU_BULKSTORE)
               ? NULL
               : "no operation";
}

// Copies of pixels have an offset for each axis of theirs, those of boxes have none.
static const char *wrong_copy(const struct hone_emu_insn *insn)
{
    const bool pixels = insn->mode == MODE_IM2COL || insn->mode == MODE_NO_OFFS;
    const unsigned axes = insn->shape[0], beside = insn->op == EMU_TMAPREFETCH ? 1
                                                   : insn->op == EMU_TMASTORE  ? 2
                                                   : insn->op == EMU_TMALOAD   ? 3
                                                                               : 4;
    if (pixels && axes < 3) return "no pixels of so few axes";
    const unsigned offsets = insn->mode == MODE_IM2COL ? axes - 2 : 0;
    return insn->src_count == beside + axes + offsets ? NULL : "wrong number of offsets";
}

static const char *wrong_field(const struct hone_emu_insn *insn)
{
    const bool of_axis = insn->mode <= MODE_GLOBAL_STRIDE;
    const bool wide =
        insn->mode == MODE_GLOBAL_STRIDE || insn->mode == MODE_GLOBAL_ADDRESS;
    if (of_axis != (insn->shape[0] == 1)) return of_axis ? "no axis" : "an axis";
    if (insn->mode == MODE_GLOBAL_STRIDE && insn->imm > 3) return "no axis";
    return wide == (insn->type == PTX_B64) ? NULL : "wrong width";
}

static const char *wrong_map(const struct hone_emu_insn *insn)
{
    return insn->imm == HONE_MAP_BYTES ? NULL : "wrong size";
}

// ---- by operation ----

typedef const char *ptx_rule(const struct hone_emu_insn *insn);

static ptx_rule *const rules[EMU_OP_COUNT] = {
    [EMU_LD] = wrong_vector,
    [EMU_ST] = wrong_vector,
    [EMU_SETP] = wrong_comparison,
    [EMU_HSETP] = wrong_comparison,
    [EMU_SET] = wrong_set,
    [EMU_PAIRFMA] = wrong_rounding,
    [EMU_CVT] = wrong_second_type,
    [EMU_SLCT] = wrong_second_type,
    [EMU_DP4A] = wrong_second_type,
    [EMU_DP2ALO] = wrong_second_type,
    [EMU_DP2AHI] = wrong_second_type,
    [EMU_CVTPAIR] = wrong_pair,
    [EMU_CVTPACK] = wrong_pack,
    [EMU_ABSDIFF4] = wrong_difference,
    [EMU_ABSDIFF2] = wrong_difference,
    [EMU_ATOM] = wrong_atomic,
    [EMU_REDUX] = wrong_reduction,
    [EMU_BARRED] = wrong_barrier,
    [EMU_MMA] = wrong_selector,
    [EMU_LDMATRIX] = wrong_matrix,
    [EMU_STMATRIX] = wrong_matrix,
    [EMU_MOVMATRIX] = wrong_matrix,
    [EMU_VOTE] = wrong_vote,
    [EMU_INCREGS] = wrong_registers,
    [EMU_DECREGS] = wrong_registers,
    [EMU_CPASYNC] = wrong_size,
    [EMU_STASYNC] = wrong_width,
    [EMU_BULKSTORE] = wrong_bulk,
    [EMU_BULKPEER] = wrong_bulk,
    [EMU_REDASYNC] = wrong_bulk,
    [EMU_TMALOAD] = wrong_copy,
    [EMU_TMACAST] = wrong_copy,
    [EMU_TMAPREFETCH] = wrong_copy,
    [EMU_TMASTORE] = wrong_copy,
    [EMU_MAPREPLACE] = wrong_field,
    [EMU_MAPPUBLISH] = wrong_map,
    [EMU_MAPACQUIRE] = wrong_map,
};

const char *hone_ptx_inconsistency(const struct hone_emu_insn *insn)
{
    if (!mode_fits(insn)) return "no mode";
    return rules[insn->op] ? rules[insn->op](insn) : NULL;
}
