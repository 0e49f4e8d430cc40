// Undefined bits through operations: what a result does not depend on is not undefined.
// Rules that are not written out here take the whole result to be undefined.
#include "undefined.h"

#include <math.h>
#include <string.h>

// ---- what a rule sees: the sources in one lane ----

enum { SOURCES = 4 };

struct operands {
    const struct hone_emu_insn *insn;
    unsigned count;
    uint64_t value[SOURCES], undefined[SOURCES];
    uint32_t origin;                // of the first with undefined bits, no guess if any
    bool any;                       // some bit is undefined
    uint64_t depends[HONE_EMU_DST]; // bits that differ when undefined ones are 0 or 1
};

static uint64_t read_lane(const struct hone_emu_warp *warp,
                          const struct hone_emu_code *code, uint32_t offset,
                          uint32_t lane)
{
    const unsigned width = hone_emu_register_bits(code, offset);
    uint64_t value = 0;
    memcpy(&value, warp->regs + hone_emu_place_of(code, offset, lane),
           width == 64 ? 8 : 4);
    return width == 1 ? value >> lane & 1 : value;
}

static void write_lane(const struct hone_emu_warp *warp, const struct hone_emu_code *code,
                       uint32_t offset, uint32_t lane, uint64_t value)
{
    const unsigned width = hone_emu_register_bits(code, offset);
    uint8_t *at = warp->regs + hone_emu_place_of(code, offset, lane);
    uint32_t word;
    if (width > 1) {
        memcpy(at, &value, width / 8);
        return;
    }
    memcpy(&word, at, sizeof word);
    word = (word & ~(UINT32_C(1) << lane)) | (uint32_t)(value & 1) << lane;
    memcpy(at, &word, sizeof word);
}

static struct operands operands_of(const struct hone_emu_shadow *shadow,
                                   const struct hone_emu_warp *warp,
                                   const struct hone_emu_insn *insn, uint32_t lane)
{
    struct operands in = {.insn = insn, .count = insn->src_count};
    for (unsigned k = 0; k < insn->src_count; k++) {
        uint64_t undefined = hone_emu_undefined_bits(shadow, insn->src[k], lane);
        if (undefined && (!in.any || hone_emu_is_guess(shadow, in.origin)))
            in.origin = hone_emu_origin_at(
                shadow, hone_emu_origin(shadow, insn->src[k], lane), insn);
        in.any |= undefined != 0;
        if (k >= SOURCES) continue;
        in.undefined[k] = undefined;
        in.value[k] = read_lane(warp, shadow->code, insn->src[k], lane);
        if (hone_emu_register_bits(shadow->code, insn->src[k]) == 1)
            in.value[k] ^= insn->negate >> k & 1;
    }
    return in;
}

static uint64_t low_bits(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static unsigned type_bits(const struct hone_emu_insn *insn)
{
    return hone_ptx_type_bits((enum ptx_type)insn->type);
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

// ---- results that are copies of source bits ----

// The handler runs with all undefined bits 0, then 1: the bits that differ depend on
// them, each on one, so that this is exact.
struct registers_kept {
    uint8_t bytes[HONE_EMU_DST + SOURCES][8 * HONE_EMU_LANES];
};

static uint32_t kept_register(const struct hone_emu_insn *insn, unsigned k)
{
    return k < insn->dst_count ? insn->dst[k] : insn->src[k - insn->dst_count];
}

static void copy_registers(const struct hone_emu_shadow *shadow,
                           struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                           struct registers_kept *kept, bool back)
{
    for (unsigned k = 0; k < insn->dst_count + (unsigned)insn->src_count; k++) {
        const uint32_t at = kept_register(insn, k);
        const unsigned bits = hone_emu_register_bits(shadow->code, at);
        const size_t size = bits == 1 ? 4 : bits / 8 * (size_t)HONE_EMU_LANES;
        if (back)
            memcpy(warp->regs + at, kept->bytes[k], size);
        else
            memcpy(kept->bytes[k], warp->regs + at, size);
    }
}

static void run_filled(const struct hone_emu_shadow *shadow, struct hone_emu_warp *warp,
                       const struct hone_emu_insn *insn, uint32_t lanes, bool ones)
{
    for (unsigned k = 0; k < insn->src_count; k++)
        for (uint32_t m = lanes; m; m &= m - 1) {
            const uint32_t lane = (uint32_t)__builtin_ctz(m), at = insn->src[k];
            const uint64_t bits = hone_emu_undefined_bits(shadow, at, lane);
            const uint64_t value = read_lane(warp, shadow->code, at, lane);
            if (bits)
                write_lane(warp, shadow->code, at, lane,
                           ones ? value | bits : value & ~bits);
        }
    insn->run(warp, insn);
}

static void find_dependence(const struct hone_emu_shadow *shadow,
                            struct hone_emu_warp *warp, const struct hone_emu_insn *insn,
                            uint32_t lanes, struct operands *in)
{
    struct registers_kept kept;
    const uint32_t mask = warp->mask;
    copy_registers(shadow, warp, insn, &kept, false);
    hone_emu_set_mask(warp, lanes);
    for (int ones = 0; ones < 2; ones++) {
        run_filled(shadow, warp, insn, lanes, ones);
        for (uint32_t m = lanes; m; m &= m - 1)
            for (unsigned k = 0; k < insn->dst_count; k++) {
                const uint32_t lane = (uint32_t)__builtin_ctz(m);
                in[lane].depends[k] ^= read_lane(warp, shadow->code, insn->dst[k], lane);
            }
        copy_registers(shadow, warp, insn, &kept, true);
    }
    hone_emu_set_mask(warp, mask);
}

// The sources that must be defined, a bit each, for the result to be copies of the bits
// of the others; -1 where it is not.
static int controls_of(const struct hone_emu_insn *insn)
{
    const enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    switch (insn->op) {
    case EMU_MOV:
    case EMU_NOT:
    case EMU_BREV:
    case EMU_PACK:
    case EMU_UNPACK:
    case EMU_COPYSIGN:
        return 0;
    case EMU_SHL:
    case EMU_SHR:
    case EMU_SZEXT:
        return 1 << 1;
    case EMU_SHFL:
    case EMU_SHFR:
    case EMU_SHFLC:
    case EMU_SHFRC:
    case EMU_PRMT:
    case EMU_PRMTMODE:
        return 1 << 2;
    case EMU_BFE:
        return 1 << 1 | 1 << 2;
    case EMU_BFI:
        return 1 << 2 | 1 << 3;
    case EMU_ABS:
    case EMU_NEG:
        return (to == PTX_F32 || to == PTX_F64) && !insn->ftz ? 0 : -1;
    case EMU_CVT:
        return to >= PTX_B8 && to <= PTX_S64 && from >= PTX_B8 && from <= PTX_S64 &&
                       !insn->sat
                   ? 0
                   : -1;
    default:
        return -1;
    }
}

static bool controls_are_defined(const struct operands *in, int controls)
{
    for (unsigned k = 0; k < in->count && k < SOURCES; k++)
        if (controls >> k & 1 && in->undefined[k]) return false;
    return true;
}

// ---- integers ----

// Carries go up.
static uint64_t upward(uint64_t bits)
{
    return 0 - (bits & (0 - bits));
}

// A product is undefined from the lowest bit on that an undefined one can reach.
static uint64_t product(const struct operands *in)
{
    uint64_t result = 0;
    for (unsigned k = 0; k < 2; k++) {
        const uint64_t other = in->value[1 - k] | in->undefined[1 - k];
        if (in->undefined[k] == 0 || other == 0) continue;
        const unsigned at = (unsigned)__builtin_ctzll(in->undefined[k]) +
                            (unsigned)__builtin_ctzll(other);
        if (at < 64) result |= UINT64_C(1) << at;
    }
    return upward(result);
}

static uint64_t logic(uint8_t op, const struct operands *in)
{
    const uint64_t a = in->value[0], b = in->value[1];
    const uint64_t ua = in->undefined[0], ub = in->undefined[1];
    if (op == EMU_AND) return (ua | ub) & (a | ua) & (b | ub);
    if (op == EMU_OR) return (ua | ub) & (~a | ua) & (~b | ub);
    return in->insn->src[0] == in->insn->src[1] ? 0 : ua | ub;
}

// lop3: a bit is undefined where the table's result is not the same for all that its
// sources may be.
static uint64_t lookup(const struct operands *in)
{
    uint64_t may[2] = {0, 0};
    for (unsigned k = 0; k < 8; k++) {
        uint64_t here = UINT32_MAX; // bits in which the sources can be k's
        for (unsigned s = 0; s < 3; s++) {
            const bool one = k >> (2 - s) & 1;
            here &= in->undefined[s] | (one ? in->value[s] : ~in->value[s]);
        }
        may[(uint64_t)in->insn->imm >> k & 1] |= here;
    }
    return may[0] & may[1];
}

// What an integer may be, ordered as unsigned numbers whatever its type.
struct interval {
    uint64_t low, high;
};

static struct interval interval_of(const struct operands *in, unsigned k)
{
    const unsigned bits = type_bits(in->insn);
    const uint64_t sign =
        is_signed((enum ptx_type)in->insn->type) ? UINT64_C(1) << (bits - 1) : 0;
    const uint64_t value = (in->value[k] ^ sign) & low_bits(bits);
    const uint64_t undefined = in->undefined[k] & low_bits(bits);
    return (struct interval){value & ~undefined, value | undefined};
}

// The known side decides.
static uint64_t lesser(const struct operands *in, bool least)
{
    const struct interval a = interval_of(in, 0), b = interval_of(in, 1);
    const bool first = least ? a.high <= b.low : a.low >= b.high;
    const bool second = least ? b.high <= a.low : b.low >= a.high;
    return first ? in->undefined[0] : second ? in->undefined[1] : UINT64_MAX;
}

static uint64_t lesser_float(const struct operands *in, bool least)
{
    const double bound = least ? -(double)INFINITY : (double)INFINITY;
    for (unsigned k = 0; k < 2; k++) {
        float single;
        double x;
        const uint32_t word = (uint32_t)in->value[k];
        memcpy(&single, &word, sizeof single);
        memcpy(&x, &in->value[k], sizeof x);
        if (in->insn->type == PTX_F32) x = (double)single;
        if (in->undefined[k] == 0 && x == bound) return 0;
    }
    return UINT64_MAX;
}

// ---- comparisons and choices ----

// Is the comparison the same whatever the undefined bits are?
static bool is_decided(const struct operands *in)
{
    const struct hone_emu_insn *insn = in->insn;
    const uint64_t bits = low_bits(type_bits(insn));
    const uint64_t undefined = (in->undefined[0] | in->undefined[1]) & bits;
    if (undefined == 0) return true;
    if (insn->type == PTX_F32 || insn->type == PTX_F64) return false;
    const struct interval a = interval_of(in, 0), b = interval_of(in, 1);
    switch (insn->cmp) {
    case CMP_EQ:
    case CMP_NE:
        return ((in->value[0] ^ in->value[1]) & bits & ~undefined) != 0;
    case CMP_LT:
    case CMP_GE:
        return a.high < b.low || a.low >= b.high;
    case CMP_LE:
    case CMP_GT:
        return a.high <= b.low || a.low > b.high;
    default:
        return false;
    }
}

// A predicate joins a comparison with the third source; depends: it changes with the
// undefined bits of that.
static uint64_t joined(const struct operands *in, bool decided, uint64_t depends)
{
    const bool has_third = in->insn->logic != LOGIC_NONE;
    if (decided) return depends;
    if (has_third && in->undefined[2] == 0) {
        if (in->insn->logic == LOGIC_AND) return in->value[2] & 1;
        if (in->insn->logic == LOGIC_OR) return ~in->value[2] & 1;
    }
    return 1;
}

static uint64_t choice(const struct operands *in, bool known, bool first)
{
    if (known) return in->undefined[first ? 0 : 1];
    return in->undefined[0] | in->undefined[1] | (in->value[0] ^ in->value[1]);
}

static uint64_t choice_by_sign(const struct operands *in)
{
    const bool is_float = in->insn->type2 == PTX_F32;
    const bool negative = in->value[2] >> 31 & 1;
    const bool known = is_float ? in->undefined[2] == 0 : !(in->undefined[2] >> 31 & 1);
    if (is_float && known && negative) return choice(in, false, true); // -0, NaN
    return choice(in, known, !negative);
}

// ---- pairs of 16 bits ----

static uint64_t by_halves(const struct operands *in)
{
    const enum ptx_type type = (enum ptx_type)in->insn->type;
    uint64_t undefined = 0;
    for (unsigned k = 0; k < in->count && k < SOURCES; k++)
        undefined |= in->undefined[k];
    if (type == PTX_S32) return UINT64_MAX; // min and max with .relu of a whole word
    return (undefined & 0xffff ? 0xffff : 0) |
           (undefined >> 16 & 0xffff ? 0xffff0000 : 0);
}

// The first of two singles is the upper half.
static uint64_t converted_pair(const struct operands *in)
{
    const unsigned half = type_bits(in->insn) / 2;
    const uint64_t mask = low_bits(half);
    if (in->count == 2)
        return (in->undefined[0] ? mask << half : 0) | (in->undefined[1] ? mask : 0);
    const unsigned from = hone_ptx_type_bits((enum ptx_type)in->insn->type2) / 2;
    const bool low = in->undefined[0] & low_bits(from);
    const bool high = in->undefined[0] >> from & low_bits(from);
    return (low ? mask : 0) | (high ? mask << half : 0);
}

// The low parts decide p and the high ones q; single values decide both.
static bool half_is_decided(const struct operands *in, unsigned k)
{
    const bool pairs = type_bits(in->insn) == 32;
    const uint64_t undefined = in->undefined[0] | in->undefined[1];
    return (undefined >> (pairs ? 16 * k : 0) & 0xffff) == 0;
}

// ---- all of them ----

static uint64_t whole(const struct operands *in)
{
    if (in->insn->op == EMU_CVT &&
        !(in->undefined[0] &
          low_bits(hone_ptx_type_bits((enum ptx_type)in->insn->type2))))
        return 0;
    return type_bits(in->insn) == 16 ? 0xffff : UINT64_MAX;
}

static bool is_integer(const struct hone_emu_insn *insn)
{
    return insn->type >= PTX_B8 && insn->type <= PTX_S64;
}

// Undefined bits of destination k, where sources have some.
static uint64_t result_bits(const struct operands *in, unsigned k)
{
    const struct hone_emu_insn *insn = in->insn;
    const int controls = controls_of(insn);
    if (controls >= 0)
        return controls_are_defined(in, controls) ? in->depends[k] : whole(in);
    switch (insn->op) {
    case EMU_AND:
    case EMU_OR:
    case EMU_XOR:
        return logic(insn->op, in);
    case EMU_LOP3:
        return lookup(in);
    case EMU_SUB:
        if (is_integer(insn) && insn->src[0] == insn->src[1]) return 0;
        return is_integer(insn) ? upward(in->undefined[0] | in->undefined[1]) : whole(in);
    case EMU_ADD:
    case EMU_NEG:
    case EMU_ADDWINDOW:
    case EMU_SUBWINDOW:
        return is_integer(insn) ? upward(in->undefined[0] | in->undefined[1]) : whole(in);
    case EMU_MUL:
    case EMU_MULWIDE:
        return is_integer(insn) ? product(in) : whole(in);
    case EMU_MAD:
    case EMU_MADWIDE:
        return upward(product(in) | in->undefined[2]);
    case EMU_MIN:
    case EMU_MAX:
        return is_integer(insn) ? lesser(in, insn->op == EMU_MIN)
                                : lesser_float(in, insn->op == EMU_MIN);
    case EMU_SETP:
        return joined(in, is_decided(in), in->depends[k]);
    case EMU_HSETP:
        return joined(in, half_is_decided(in, k), in->depends[k]);
    case EMU_SELP:
        return choice(in, in->undefined[2] == 0, in->value[2] & 1);
    case EMU_SLCT:
        return choice_by_sign(in);
    case EMU_CVTPAIR:
        return converted_pair(in);
    case EMU_HADD:
    case EMU_HSUB:
    case EMU_HMUL:
    case EMU_HFMA:
    case EMU_HNEG:
    case EMU_HABS:
    case EMU_HMIN:
    case EMU_HMAX:
    case EMU_HEX2:
    case EMU_HTANH:
    case EMU_ADD2:
    case EMU_MIN2:
    case EMU_MAX2:
        return by_halves(in);
    default:
        return whole(in);
    }
}

static bool needs_dependence(const struct hone_emu_insn *insn)
{
    return insn->src_count <= SOURCES &&
           (controls_of(insn) >= 0 || insn->op == EMU_SETP || insn->op == EMU_HSETP);
}

void hone_emu_define(const struct hone_emu_shadow *shadow, struct hone_emu_warp *warp,
                     const struct hone_emu_insn *insn, uint32_t mask)
{
    struct operands in[HONE_EMU_LANES];
    uint32_t lanes = 0;
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        in[lane] = operands_of(shadow, warp, insn, lane);
        lanes |= (uint32_t)in[lane].any << lane;
    }
    if (lanes && needs_dependence(insn)) find_dependence(shadow, warp, insn, lanes, in);
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint32_t lane = (uint32_t)__builtin_ctz(m);
        for (unsigned k = 0; k < insn->dst_count; k++)
            hone_emu_set_undefined(shadow, insn->dst[k], lane,
                                   in[lane].any ? result_bits(&in[lane], k) : 0,
                                   in[lane].origin);
    }
}
