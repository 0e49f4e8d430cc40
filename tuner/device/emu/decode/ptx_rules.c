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

static bool reduction_exists(const struct hone_emu_insn *insn)
{
    if (insn->type == PTX_F32)
        return insn->logic == LOGIC_MIN || insn->logic == LOGIC_MAX;
    return insn->logic != LOGIC_NONE;
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

static const char *wrong_async(const struct hone_emu_insn *insn)
{
    switch (insn->op) {
    case EMU_STASYNC:
        return insn->lanes * hone_ptx_type_bits((enum ptx_type)insn->type) > 128
                   ? "more than 128 bits"
                   : NULL;
    case EMU_BULKSTORE:
    case EMU_BULKPEER:
    case EMU_REDASYNC:
        return hone_emu_bulk_reduces((enum emu_logic)insn->logic,
                                     (enum ptx_type)insn->type, insn->op != EMU_BULKSTORE)
                   ? NULL
                   : "no operation";
    case EMU_TMALOAD:
    case EMU_TMACAST:
    case EMU_TMAPREFETCH:
    case EMU_TMASTORE:
        return wrong_copy(insn);
    case EMU_MAPREPLACE:
        return wrong_field(insn);
    case EMU_MAPPUBLISH:
    case EMU_MAPACQUIRE:
        return insn->imm == HONE_MAP_BYTES ? NULL : "wrong size";
    default:
        return NULL;
    }
}

static const char *wrong_comparison(const struct hone_emu_insn *insn)
{
    if (insn->cmp == CMP_NONE) return "no comparison";
    if ((insn->logic != LOGIC_NONE) != (insn->src_count == 3)) return "no combination";
    return insn->op == EMU_SETP && insn->logic > LOGIC_XOR ? "no combination" : NULL;
}

// Rows of A have their metadata in one lane of four, in two, or in all of them.
static const char *wrong_selector(const struct hone_emu_insn *insn)
{
    const unsigned chunks = hone_emu_sparse_chunks(insn);
    const int64_t most = chunks == 4 ? 3 : chunks == 8 ? 1 : 0;
    return !insn->sparse || (insn->imm >= 0 && insn->imm <= most) ? NULL : "no selector";
}

static const char *wrong_registers(int64_t each)
{
    return each >= 24 && each <= 256 && each % 8 == 0
               ? NULL
               : "no number of registers (24 to 256, a multiple of 8)";
}

// NOLINTNEXTLINE(readability-function-cognitive-complexity): a rule for each operation
const char *hone_ptx_inconsistency(const struct hone_emu_insn *insn)
{
    if (!mode_fits(insn)) return "no mode";
    switch (insn->op) {
    case EMU_LD:
    case EMU_ST:
        return insn->lanes == 8 && hone_ptx_type_bits((enum ptx_type)insn->type) != 32
                   ? "no vector"
                   : NULL;
    case EMU_SETP:
    case EMU_HSETP:
        return wrong_comparison(insn);
    case EMU_MMA:
        return wrong_selector(insn);
    case EMU_PAIRFMA:
        return insn->round ? NULL : "no rounding";
    case EMU_CVTPAIR:
        return pair_exists(insn) ? NULL : "no conversion";
    case EMU_LDMATRIX:
    case EMU_STMATRIX:
    case EMU_MOVMATRIX:
        return insn->shape[0] == 8 && insn->shape[1] == 8 && insn->shape[2] == 0
                   ? NULL
                   : "no shape";
    case EMU_SET:
        return insn->cmp == CMP_NONE || !insn->type2 ? "no comparison" : NULL;
    case EMU_CVT:
    case EMU_SLCT:
    case EMU_DP4A:
    case EMU_DP2ALO:
    case EMU_DP2AHI:
        return insn->type2 ? NULL : "no second type";
    case EMU_VOTE:
        return (insn->mode == MODE_BALLOT) == (insn->type == PTX_B32) ? NULL
                                                                      : "wrong type";
    case EMU_CVTPACK:
        return insn->type2 == PTX_S32 &&
                       (hone_ptx_type_bits(insn->type) == 16) == (insn->src_count == 2)
                   ? NULL
                   : "no conversion";
    case EMU_ABSDIFF4:
    case EMU_ABSDIFF2:
        return insn->type3 && (insn->logic == LOGIC_NONE || insn->logic == LOGIC_ADD)
                   ? NULL
                   : "no operation";
    case EMU_ATOM:
        return atomic_exists(insn) ? NULL : "no operation";
    case EMU_REDUX:
        return reduction_exists(insn) ? NULL : "no operation";
    case EMU_INCREGS:
    case EMU_DECREGS:
        return wrong_registers(insn->imm);
    case EMU_BARRED:
        return insn->logic == LOGIC_NONE ? "no operation" : NULL;
    case EMU_CPASYNC:
        return insn->imm == 4 || insn->imm == 8 || insn->imm == 16 ? NULL : "wrong size";
    default:
        return wrong_async(insn);
    }
}
