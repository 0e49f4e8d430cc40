// Operations that kernels seldom use, a lane at a time: arithmetic with a carry, fields
// of bits and bytes, and min and max with the options that GPUs have for neural networks.
// Semantics: PTX ISA 9.0, sections 9.7.1, 9.7.2 and 9.7.8.
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "emu_exec.h"
#include "exec_rare.h"
#include "narrow_float.h"

// ---- with a carry ----

__extension__ typedef unsigned __int128 uint128;
__extension__ typedef __int128 int128;

static uint64_t product_half(const struct hone_emu_insn *insn, uint64_t a, uint64_t b)
{
    unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type);
    if (insn->op == EMU_MADLOC) return a * b;
    if (insn->type == PTX_S32) return (uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32;
    if (insn->type == PTX_S64)
        return (uint64_t)((uint128)((int128)(int64_t)a * (int64_t)b) >> 64);
    return (uint64_t)((uint128)a * b >> bits);
}

// x + y + carry, or x - y - borrow, of the type's width; *carry becomes what is carried.
static uint64_t add_carry(uint64_t x, uint64_t y, bool subtract, bool wide, bool *carry)
{
    uint64_t mask = wide ? UINT64_MAX : UINT32_MAX;
    uint128 left = x & mask, right = (uint128)(y & mask) + *carry;
    *carry = subtract ? left < right : left + right > mask;
    return (uint64_t)(subtract ? left - right : left + right) & mask;
}

void hone_emu_carry_arithmetic(struct hone_emu_warp *warp,
                               const struct hone_emu_insn *insn)
{
    bool wide = hone_ptx_type_bits((enum ptx_type)insn->type) == 64;
    bool multiplies = insn->op == EMU_MADLOC || insn->op == EMU_MADHIC;
    unsigned values = multiplies ? 3 : 2;
    uint32_t in = 0, out = 0;
    if (insn->src_count > values)
        in = (uint32_t)hone_emu_read_lane(warp, insn->src[values], 0, false);
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        bool carry = in >> lane & 1;
        uint64_t x = hone_emu_read_lane(warp, insn->src[0], lane, wide);
        uint64_t y = hone_emu_read_lane(warp, insn->src[1], lane, wide);
        if (multiplies) {
            x = product_half(insn, x, y);
            y = hone_emu_read_lane(warp, insn->src[2], lane, wide);
        }
        uint64_t sum = add_carry(x, y, insn->op == EMU_SUBC, wide, &carry);
        hone_emu_write_lane(warp, insn->dst[0], lane, wide, sum);
        out |= (uint32_t)carry << lane;
    }
    if (insn->dst_count < 2) return;
    uint32_t before = (uint32_t)hone_emu_read_lane(warp, insn->dst[1], 0, false);
    hone_emu_write_lane(warp, insn->dst[1], 0, false, (before & ~warp->mask) | out);
}

void hone_emu_make_policy(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    for (uint32_t m = warp->mask; m; m &= m - 1)
        hone_emu_write_lane(warp, insn->dst[0], __builtin_ctz(m), true, 0);
}

// ---- words: each from up to three words ----

// Two products of 16 by 8 bits, added; the low or the high bytes of b.
static uint32_t dot2(const struct hone_emu_insn *insn, uint32_t a, uint32_t b, uint32_t c)
{
    for (unsigned k = 0; k < 2; k++) {
        uint32_t x = a >> 16 * k & 0xffff;
        uint32_t y = b >> (8 * k + (insn->op == EMU_DP2AHI ? 16 : 0)) & 0xff;
        int32_t sx = insn->type == PTX_S32 ? (int16_t)x : (int32_t)x;
        int32_t sy = insn->type2 == PTX_S32 ? (int8_t)y : (int32_t)y;
        c += (uint32_t)sx * (uint32_t)sy;
    }
    return c;
}

// b bits that are set, from bit a up; cut at the top.
static uint32_t make_mask(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                          uint32_t c)
{
    (void)c;
    if (insn->mode == MODE_CLAMP && a >= 32) return 0;
    uint32_t at = a & 31, end = at + (b & 31);
    if (insn->mode == MODE_CLAMP && b >= 32) end = 32;
    return (UINT32_MAX << at) & (end >= 32 ? UINT32_MAX : (UINT32_C(1) << end) - 1);
}

// The low b bits of a, extended.
static uint32_t extend_field(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                             uint32_t c)
{
    (void)c;
    uint32_t n = b & 31;
    if (insn->mode == MODE_CLAMP && b >= 32) return a;
    if (n == 0) return 0;
    uint32_t mask = UINT32_MAX << n;
    bool sign = insn->type == PTX_S32 && (a >> (n - 1) & 1);
    return (a & ~mask) | (sign ? mask : 0);
}

// The position of the set bit that is |count| - 1 set bits away from base, upwards or
// downwards; all ones when there is none.
static uint32_t find_nth_set(const struct hone_emu_insn *insn, uint32_t mask,
                             uint32_t base, uint32_t count)
{
    (void)insn;
    int32_t offset = (int32_t)count;
    if (base > 31) return UINT32_MAX;
    if (offset == 0) return mask >> base & 1 ? base : UINT32_MAX;
    uint32_t left = offset < 0 ? 0 - count : count;
    for (int32_t at = (int32_t)base; at >= 0 && at < 32; at += offset < 0 ? -1 : 1)
        if (mask >> at & 1 && --left == 0) return (uint32_t)at;
    return UINT32_MAX;
}

static uint32_t saturate(int32_t x, unsigned bits, bool is_signed)
{
    int32_t most = (int32_t)((UINT32_C(1) << (is_signed ? bits - 1 : bits)) - 1);
    int32_t least = is_signed ? -most - 1 : 0;
    return (uint32_t)(x < least  ? least
                      : x > most ? most
                                 : x) &
           ((UINT32_C(1) << bits) - 1);
}

// Two integers saturated and joined, a above b, with c above both where there is room.
static uint32_t convert_and_pack(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                                 uint32_t c)
{
    unsigned bits = hone_ptx_type_bits((enum ptx_type)insn->type);
    bool is_signed = insn->type == PTX_S16 || insn->type == PTX_S8;
    uint32_t pair = saturate((int32_t)a, bits, is_signed) << bits |
                    saturate((int32_t)b, bits, is_signed);
    return bits == 16 ? pair : c << 2 * bits | pair;
}

static int64_t part_of(uint32_t word, unsigned at, unsigned width, bool is_signed)
{
    const uint64_t x = (uint64_t)word << (64 - at - width);
    return is_signed ? (int64_t)x >> (64 - width) : (int64_t)(x >> (64 - width));
}

// Distances of four bytes or of two halves; .add: their sum, added to c.
static uint32_t distances(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                          uint32_t c)
{
    const unsigned width = insn->op == EMU_ABSDIFF4 ? 8 : 16;
    const uint32_t mask = (UINT32_C(1) << width) - 1;
    uint32_t result = 0;
    for (unsigned k = 0; k < 32; k += width) {
        const int64_t x = part_of(a, k, width, insn->type2 == PTX_S32);
        const int64_t y = part_of(b, k, width, insn->type3 == PTX_S32);
        const uint32_t distance = (uint32_t)(x < y ? y - x : x - y);
        c += distance;
        result |= (distance & mask) << k;
    }
    return insn->logic == LOGIC_ADD ? c : result;
}

// The byte of both words that prmt puts at k in this mode, which begins at `at`.
static uint32_t byte_by_mode(unsigned mode, uint32_t at, uint32_t k)
{
    switch (mode) {
    case MODE_F4E:
        return at + k;
    case MODE_B4E:
        return (at - k) & 7;
    case MODE_RC8:
        return at;
    case MODE_ECL:
        return k > at ? k : at;
    case MODE_ECR:
        return k < at ? k : at;
    default:
        return (at & 1) * 2 + (k & 1);
    }
}

// prmt with a mode: the low two bits of c say where the pattern begins.
static uint32_t permute_by_mode(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                                uint32_t c)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0, at = c & 3;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t from = byte_by_mode(insn->mode, at, k);
        result |= (uint32_t)(bytes >> 8 * from & 0xff) << 8 * k;
    }
    return result;
}

// Bits 47 to 16 of the product of 24 bits by 24, plus c.
static uint32_t multiply24_high(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                                uint32_t c)
{
    int64_t x = a & 0xffffff, y = b & 0xffffff;
    if (insn->type == PTX_S32) {
        x = (int32_t)(a << 8) >> 8;
        y = (int32_t)(b << 8) >> 8;
    }
    return (uint32_t)(x * y >> 16) + (insn->op == EMU_MAD24HI ? c : 0);
}

// On the halves of a word, or on all of it.
static uint32_t arithmetic_of_parts(const struct hone_emu_insn *insn, uint32_t a,
                                    uint32_t b, uint32_t c)
{
    const unsigned width = insn->type == PTX_S32 ? 32 : 16;
    const bool is_signed = insn->type != PTX_U16X2;
    uint32_t result = 0;
    (void)c;
    for (unsigned k = 0; k < 32; k += width) {
        const int64_t x = part_of(a, k, width, is_signed);
        const int64_t y = part_of(b, k, width, is_signed);
        int64_t r = insn->op == EMU_ADD2                ? x + y
                    : (x < y) == (insn->op == EMU_MIN2) ? x
                                                        : y;
        if (insn->relu && r < 0) r = 0;
        result |= (uint32_t)((uint64_t)r & (UINT32_MAX >> (32 - width))) << k;
    }
    return result;
}

float hone_emu_select_float(const struct hone_emu_insn *insn, float x, float y,
                            bool least)
{
    bool negative = signbit(x) != signbit(y);
    if (insn->magnitude) {
        x = fabsf(x);
        y = fabsf(y);
    }
    bool tie = x == y;
    float r = x != x             ? y
              : y != y           ? x
              : tie              ? (signbit(x) != 0) == least ? x : y
              : (x < y) == least ? x
                                 : y;
    if (insn->nan && (x != x || y != y)) r = (float)NAN;
    return insn->xorsign && r == r ? copysignf(r, negative ? -1.0f : 1.0f) : r;
}

static float flushed(const struct hone_emu_insn *insn, uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return insn->ftz && fabsf(x) < 0x1p-126f ? copysignf(0.0f, x) : x;
}

static uint32_t select_single(const struct hone_emu_insn *insn, uint32_t a, uint32_t b,
                              uint32_t c)
{
    (void)c;
    return (uint32_t)hone_bits_of_float(hone_emu_select_float(
        insn, flushed(insn, a), flushed(insn, b), insn->op == EMU_FMIN));
}

void hone_emu_word_operation(struct hone_emu_warp *warp, const struct hone_emu_insn *insn)
{
    static uint32_t (*const operations[EMU_OP_COUNT])(const struct hone_emu_insn *,
                                                      uint32_t, uint32_t, uint32_t) = {
        [EMU_DP2ALO] = dot2,
        [EMU_DP2AHI] = dot2,
        [EMU_BMSK] = make_mask,
        [EMU_SZEXT] = extend_field,
        [EMU_FNS] = find_nth_set,
        [EMU_CVTPACK] = convert_and_pack,
        [EMU_ABSDIFF4] = distances,
        [EMU_ABSDIFF2] = distances,
        [EMU_PRMTMODE] = permute_by_mode,
        [EMU_MUL24HI] = multiply24_high,
        [EMU_MAD24HI] = multiply24_high,
        [EMU_ADD2] = arithmetic_of_parts,
        [EMU_MIN2] = arithmetic_of_parts,
        [EMU_MAX2] = arithmetic_of_parts,
        [EMU_FMIN] = select_single,
        [EMU_FMAX] = select_single,
    };
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        uint32_t in[3] = {0};
        for (unsigned k = 0; k < insn->src_count && k < 3; k++)
            in[k] = (uint32_t)hone_emu_read_lane(warp, insn->src[k], lane, false);
        hone_emu_write_lane(warp, insn->dst[0], lane, false,
                            operations[insn->op](insn, in[0], in[1], in[2]));
    }
}

// ---- pairs of singles ----

static uint32_t pair_half(const struct hone_emu_insn *insn, const uint32_t in[3])
{
    // volatile: neither constant nor moved across a change of the rounding mode
    volatile float a = flushed(insn, in[0]), b = flushed(insn, in[1]), r;
    const float c = flushed(insn, in[2]);
    if (insn->op == EMU_PAIRADD)
        r = a + b;
    else if (insn->op == EMU_PAIRSUB)
        r = a - b;
    else if (insn->op == EMU_PAIRMUL)
        r = a * b;
    else
        r = fmaf(a, b, c);
    if (r != r) return 0x7fffffff;
    const float result = r;
    uint32_t bits = (uint32_t)hone_bits_of_float(result);
    return (uint32_t)hone_bits_of_float(flushed(insn, bits));
}

void hone_emu_pair_arithmetic(struct hone_emu_warp *warp,
                              const struct hone_emu_insn *insn)
{
    static const int modes[] = {[ROUND_NONE] = FE_TONEAREST,
                                [ROUND_RN] = FE_TONEAREST,
                                [ROUND_RZ] = FE_TOWARDZERO,
                                [ROUND_RM] = FE_DOWNWARD,
                                [ROUND_RP] = FE_UPWARD};
    fesetround(insn->round <= ROUND_RP ? modes[insn->round] : FE_TONEAREST);
    for (uint32_t m = warp->mask; m; m &= m - 1) {
        const int lane = __builtin_ctz(m);
        uint32_t low[3] = {0}, high[3] = {0};
        for (unsigned k = 0; k < insn->src_count && k < 3; k++) {
            const uint64_t both = hone_emu_read_lane(warp, insn->src[k], lane, true);
            low[k] = (uint32_t)both;
            high[k] = (uint32_t)(both >> 32);
        }
        hone_emu_write_lane(warp, insn->dst[0], lane, true,
                            (uint64_t)pair_half(insn, high) << 32 | pair_half(insn, low));
    }
    fesetround(FE_TONEAREST);
}
