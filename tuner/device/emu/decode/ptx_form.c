// Which row of the instruction table a spelling belongs to, and what its modifiers say.
#include <string.h>

#include "emu_code.h"

// Kinds of modifiers, a bit each.
enum {
    M_ROUND = 1 << 0,
    M_IROUND = 1 << 1,
    M_FTZ = 1 << 2,
    M_SAT = 1 << 3,
    M_CMP = 1 << 4,
    M_LOGIC = 1 << 5,
    M_SPACE = 1 << 6,
    M_VECTOR = 1 << 7,
    M_MODE = 1 << 8,
    M_HINT = 1 << 9, // cache, ordering and scope
    M_NAN = 1 << 10,
    M_RELU = 1 << 11,
    M_FINITE = 1 << 12,
    M_SHAPE = 1 << 13,
    M_TYPES = 1 << 14, // more than two
    M_LAYOUT = 1 << 15,
    M_ABS = 1 << 16,
    M_XORSIGN = 1 << 17,
    M_PAIR = 1 << 18,   // two singles in 64 bits: the type f32x2
    M_PROXY = 1 << 19,  // of a fence: async and others
    M_TENSOR = 1 << 24, // axes of a tensor: 2d
    M_TX = 1 << 25,     // it ends at an mbarrier
    M_GROUP = 1 << 26,  // or in a group
    M_CAST = 1 << 27    // several destinations
};

// Without these a spelling is none of a form that has them.
#define NEEDED_MODS (M_PAIR | M_TENSOR | M_TX | M_GROUP | M_CAST)

#define T(type) (UINT32_C(1) << PTX_##type)
#define I16     (T(U16) | T(S16))
#define I32     (T(U32) | T(S32))
#define I64     (T(U64) | T(S64))
#define INTS    (I16 | I32 | I64)
#define INTS8   (T(U8) | T(S8) | INTS)
#define SIGNED  (T(S16) | T(S32) | T(S64))
#define BITS    (T(B16) | T(B32) | T(B64))
#define HALVES  (T(F16) | T(F16X2) | T(BF16) | T(BF16X2))
#define MEMORY  (INTS8 | BITS | T(B8) | T(F32) | T(F64))

const struct hone_emu_form hone_emu_forms[] = {
#define ROW(name, op, types, mods, operands, class, fidelity)                            \
    {name, EMU_##op, types, mods, operands, HONE_EMU_##class, HONE_EMU_##fidelity},
#include "optab.def"
#undef ROW
};
const size_t hone_emu_form_count = sizeof hone_emu_forms / sizeof *hone_emu_forms;

const char *hone_emu_class_name(enum hone_emu_class class)
{
    static const char *const names[] = {
#define CLASS_NAME(name, text) text,
        HONE_EMU_CLASS_LIST(CLASS_NAME)
#undef CLASS_NAME
    };
    return names[class];
}

/* clang-format off */
static const struct {
    const char *text;
    uint32_t kind;
    uint8_t value;
} modifiers[] = {
    {"rn", M_ROUND, ROUND_RN}, {"rz", M_ROUND, ROUND_RZ},
    {"rm", M_ROUND, ROUND_RM}, {"rp", M_ROUND, ROUND_RP},
    {"rni", M_IROUND, ROUND_RNI}, {"rzi", M_IROUND, ROUND_RZI},
    {"rmi", M_IROUND, ROUND_RMI}, {"rpi", M_IROUND, ROUND_RPI},
    {"rna", M_ROUND, ROUND_RNA}, {"ftz", M_FTZ, 1}, {"sat", M_SAT, 1},
    {"NaN", M_NAN, 1}, {"abs", M_ABS, 1}, {"xorsign", M_XORSIGN, 1},
    {"relu", M_RELU, 1}, {"satfinite", M_FINITE, 1},
    {"eq", M_CMP, CMP_EQ}, {"ne", M_CMP, CMP_NE}, {"lt", M_CMP, CMP_LT},
    {"le", M_CMP, CMP_LE},
    {"gt", M_CMP, CMP_GT}, {"ge", M_CMP, CMP_GE}, {"lo", M_CMP, CMP_LT},
    {"ls", M_CMP, CMP_LE},
    {"hi", M_CMP, CMP_GT}, {"hs", M_CMP, CMP_GE}, {"equ", M_CMP, CMP_EQU},
    {"neu", M_CMP, CMP_NEU}, {"ltu", M_CMP, CMP_LTU}, {"leu", M_CMP, CMP_LEU},
    {"gtu", M_CMP, CMP_GTU}, {"geu", M_CMP, CMP_GEU}, {"num", M_CMP, CMP_NUM},
    {"nan", M_CMP, CMP_NAN},
    {"and", M_LOGIC, LOGIC_AND}, {"or", M_LOGIC, LOGIC_OR}, {"xor", M_LOGIC, LOGIC_XOR},
    {"add", M_LOGIC, LOGIC_ADD}, {"min", M_LOGIC, LOGIC_MIN}, {"max", M_LOGIC, LOGIC_MAX},
    {"inc", M_LOGIC, LOGIC_INC}, {"dec", M_LOGIC, LOGIC_DEC}, {"cas", M_LOGIC, LOGIC_CAS},
    {"exch", M_LOGIC, LOGIC_EXCH}, {"popc", M_LOGIC, LOGIC_POPC},
    {"global", M_SPACE, PTX_GLOBAL}, {"const", M_SPACE, PTX_CONST},
    {"shared", M_SPACE, PTX_SHARED}, {"shared::cta", M_SPACE, PTX_SHARED},
    {"shared::cluster", M_SPACE, PTX_SHARED}, {"param::func", M_SPACE, PTX_PARAM},
    {"local", M_SPACE, PTX_LOCAL}, {"param", M_SPACE, PTX_PARAM},
    {"param::entry", M_SPACE, PTX_PARAM},
    {"v2", M_VECTOR, 2}, {"v4", M_VECTOR, 4}, {"v8", M_VECTOR, 8},
    {"x1", M_VECTOR, 1}, {"x2", M_VECTOR, 2},
    {"x4", M_VECTOR, 4}, {"row", M_LAYOUT, 0}, {"col", M_LAYOUT, 1},
    {"trans", M_MODE, MODE_TRANS},
    {"im2col", M_MODE, MODE_IM2COL}, {"tile", M_MODE, MODE_TILE},
    {"im2col_no_offs", M_MODE, MODE_NO_OFFS},
    {"box_dim", M_MODE, MODE_BOX_DIM}, {"global_dim", M_MODE, MODE_GLOBAL_DIM},
    {"element_stride", M_MODE, MODE_ELEMENT_STRIDE},
    {"global_stride", M_MODE, MODE_GLOBAL_STRIDE},
    {"global_address", M_MODE, MODE_GLOBAL_ADDRESS}, {"rank", M_MODE, MODE_RANK},
    {"elemtype", M_MODE, MODE_ELEMTYPE}, {"interleave_layout", M_MODE, MODE_INTERLEAVE},
    {"swizzle_mode", M_MODE, MODE_SWIZZLE}, {"fill_mode", M_MODE, MODE_FILL},
    {"mbarrier::complete_tx::bytes", M_TX, 0}, {"bulk_group", M_GROUP, 0},
    {"multicast::cluster", M_CAST, 0},
    {"up", M_MODE, MODE_UP}, {"down", M_MODE, MODE_DOWN}, {"bfly", M_MODE, MODE_BFLY},
    {"idx", M_MODE, MODE_IDX}, {"all", M_MODE, MODE_ALL}, {"any", M_MODE, MODE_ANY},
    {"uni", M_MODE, MODE_UNI}, {"ballot", M_MODE, MODE_BALLOT},
    {"finite", M_MODE, MODE_FINITE}, {"infinite", M_MODE, MODE_INFINITE},
    {"number", M_MODE, MODE_NUMBER}, {"notanumber", M_MODE, MODE_NOTANUMBER},
    {"normal", M_MODE, MODE_NORMAL}, {"subnormal", M_MODE, MODE_SUBNORMAL},
    {"shiftamt", M_MODE, MODE_SHIFTAMT},
    {"clamp", M_MODE, MODE_CLAMP}, {"wrap", M_MODE, MODE_WRAP},
    {"f4e", M_MODE, MODE_F4E}, {"b4e", M_MODE, MODE_B4E}, {"rc8", M_MODE, MODE_RC8},
    {"ecl", M_MODE, MODE_ECL}, {"ecr", M_MODE, MODE_ECR}, {"rc16", M_MODE, MODE_RC16},
    {"nc", M_HINT, ORDER_READ_ONLY},
    {"ca", M_HINT, 0}, {"cg", M_HINT, 0}, {"cs", M_HINT, 0},
    {"lu", M_HINT, 0}, {"cv", M_HINT, 0}, {"wb", M_HINT, 0}, {"wt", M_HINT, 0},
    {"L1", M_HINT, 0}, {"L2", M_HINT, 0}, {"weak", M_HINT, 0},
    {"volatile", M_HINT, ORDER_STRONG}, {"relaxed", M_HINT, ORDER_STRONG},
    {"acquire", M_HINT, ORDER_STRONG | ORDER_ACQUIRE},
    {"release", M_HINT, ORDER_STRONG | ORDER_RELEASE},
    {"acq_rel", M_HINT, ORDER_STRONG | ORDER_ACQUIRE | ORDER_RELEASE},
    {"sc", M_HINT, ORDER_STRONG | ORDER_ACQUIRE | ORDER_RELEASE},
    {"cta", M_HINT, ORDER_BLOCK}, {"gpu", M_HINT, 0}, {"cluster", M_HINT, ORDER_CLUSTER},
    {"sys", M_HINT, 0}, {"gl", M_HINT, 0}, {"aligned", M_HINT, ORDER_ALIGNED},
    {"noftz", M_HINT, 0}, {"mmio", M_HINT, ORDER_STRONG}, {"proxy", M_PROXY, 0},
    {"alias", M_PROXY, 0}, {"async", M_PROXY, 0}, {"async::generic", M_PROXY, 0},
    {"tensormap::generic", M_HINT, 0}, {"tensormap", M_HINT, 0}, {"b1024", M_HINT, 0},
    {"sync_restrict::shared::cta", M_HINT, 0},
    {"sync_restrict::shared::cluster", M_HINT, 0},
};
/* clang-format on */

// m16n8k8; m8n8.
static bool read_shape(struct hone_emu_insn *insn, const char *word, size_t len)
{
    uint16_t shape[3] = {0};
    size_t at = 0;
    for (size_t i = 0; i < 3 && at < len; i++) {
        if (word[at++] != "mnk"[i]) return false;
        for (; at < len && word[at] >= '0' && word[at] <= '9'; at++)
            shape[i] = (uint16_t)(shape[i] % 100 * 10 + (word[at] - '0'));
        if (shape[i] == 0) return false;
    }
    if (at != len || len == 0) return false;
    memcpy(insn->shape, shape, sizeof shape);
    return true;
}

static bool apply_type(struct hone_emu_insn *insn, enum ptx_type type, uint32_t *kinds)
{
    uint8_t *slots[] = {&insn->type, &insn->type2, &insn->type3, &insn->type4};
    size_t slot = 0;
    while (slot < 4 && *slots[slot])
        slot++;
    if (slot == 4) return false;
    *slots[slot] = (uint8_t)type;
    if (slot > 1) *kinds |= M_TYPES;
    return true;
}

static void set_field(struct hone_emu_insn *insn, uint32_t kind, uint8_t value)
{
    switch (kind) {
    case M_ROUND:
    case M_IROUND:
        insn->round = value;
        break;
    case M_CMP:
        insn->cmp = value;
        break;
    case M_LOGIC: // the bits of .xor.popc are joined by xor, then counted
        if (value != LOGIC_POPC || !insn->logic) insn->logic = value;
        break;
    case M_LAYOUT: // of A, then of B
        insn->mode = (uint8_t)(insn->mode << 1 | value);
        break;
    case M_SPACE:
        insn->space = value;
        break;
    case M_VECTOR:
        insn->lanes = value;
        break;
    case M_MODE:
        insn->mode = value;
        break;
    case M_HINT:
        insn->order |= value;
        break;
    default:
        break;
    }
}

static void set_flag(struct hone_emu_insn *insn, uint32_t kind, uint8_t value)
{
    const struct {
        uint32_t kind;
        bool *flag;
    } flags[] = {{M_FTZ, &insn->ftz},        {M_SAT, &insn->sat},
                 {M_NAN, &insn->nan},        {M_RELU, &insn->relu},
                 {M_FINITE, &insn->finite},  {M_ABS, &insn->magnitude},
                 {M_XORSIGN, &insn->xorsign}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (flags[i].kind == kind) *flags[i].flag |= value;
}

static bool apply_modifier(struct hone_emu_insn *insn, const char *word, size_t len,
                           uint32_t *kinds)
{
    if (len > 4 && (memcmp(word, "L1::", 4) == 0 || memcmp(word, "L2::", 4) == 0)) {
        *kinds |= M_HINT;
        insn->policy |= len == 14 && memcmp(word, "L2::cache_hint", 14) == 0;
        return true;
    }
    enum ptx_type type = hone_ptx_type_find(word, len);
    if (len == 5 && memcmp(word, "f32x2", 5) == 0) {
        *kinds |= M_PAIR;
        insn->lanes = 2;
        type = PTX_B64;
    }
    if (type != PTX_NONE) return apply_type(insn, type, kinds);
    if (len == 2 && word[0] >= '1' && word[0] <= '5' && word[1] == 'd') {
        *kinds |= M_TENSOR;
        insn->shape[0] = (uint8_t)(word[0] - '0');
        return true;
    }
    if (read_shape(insn, word, len)) {
        *kinds |= M_SHAPE;
        return true;
    }
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        if (strlen(modifiers[i].text) != len || memcmp(modifiers[i].text, word, len) != 0)
            continue;
        *kinds |= modifiers[i].kind;
        set_field(insn, modifiers[i].kind, modifiers[i].value);
        set_flag(insn, modifiers[i].kind, modifiers[i].value);
        insn->cluster |= strcmp(modifiers[i].text, "shared::cluster") == 0;
        return true;
    }
    return false;
}

// Whether opcode is the form's name, with or without modifiers. Each instruction asks all
// forms, of which most differ in the first letter.
static bool is_named(const struct hone_emu_form *form, const char *opcode)
{
    if (opcode[0] != form->name[0]) return false;
    size_t len = strlen(form->name);
    return strncmp(opcode, form->name, len) == 0 &&
           (opcode[len] == '\0' || opcode[len] == '.');
}

// The form is named so: whether it takes the modifiers.
static bool matches(const struct hone_emu_form *form, const char *opcode,
                    struct hone_emu_insn *insn)
{
    size_t len = strlen(form->name);
    uint32_t kinds = 0;
    for (const char *word = opcode + len; *word == '.';) {
        size_t n = strcspn(++word, ".");
        if (!apply_modifier(insn, word, n, &kinds)) return false;
        word += n;
    }
    bool typed = insn->type ? (form->types >> insn->type & 1) : form->types == 0;
    const uint32_t needed = form->mods & NEEDED_MODS;
    return typed && (kinds & ~form->mods) == 0 && (kinds & needed) == needed;
}

// "vote.ballot.sync" is spelled with its mode in front, as CUB does and ptxas takes it.
static void take_mode_of_name(struct hone_emu_insn *insn, const char *name)
{
    uint32_t kinds = 0;
    if (insn->op != EMU_VOTE || insn->mode) return;
    const char *word = strchr(name, '.') + 1;
    apply_modifier(insn, word, strcspn(word, "."), &kinds);
}

bool hone_emu_find_form(const struct ptx_statement *statement, struct hone_emu_insn *insn)
{
    for (size_t i = 0; i < hone_emu_form_count; i++) {
        if (!is_named(&hone_emu_forms[i], statement->opcode)) continue;
        struct hone_emu_insn candidate = {.form = (uint16_t)i,
                                          .op = (uint8_t)hone_emu_forms[i].op,
                                          .guard = HONE_EMU_NO_GUARD,
                                          .line = statement->line,
                                          .lanes = 1};
        if (!matches(&hone_emu_forms[i], statement->opcode, &candidate)) continue;
        bool aligned = strncmp(hone_emu_forms[i].name, "bar.", 4) == 0;
        *insn = candidate;
        take_mode_of_name(insn, hone_emu_forms[i].name);
        if (aligned) insn->order |= ORDER_ALIGNED;
        insn->sparse = strncmp(hone_emu_forms[i].name, "mma.sp", 6) == 0;
        if (strcmp(hone_emu_forms[i].name, "ldu") == 0) insn->order |= ORDER_READ_ONLY;
        return true;
    }
    return false;
}
