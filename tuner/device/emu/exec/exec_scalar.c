// Conversions between all types, one value at a time.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "emu_exec.h"
#include "narrow_float.h"

// ---- types ----

static bool is_float(enum ptx_type type)
{
    return type == PTX_F16 || type == PTX_BF16 || type == PTX_F32 || type == PTX_F64 ||
           type == PTX_TF32;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S8 || type == PTX_S16 || type == PTX_S32 || type == PTX_S64;
}

static uint64_t extend(uint64_t bits, enum ptx_type type)
{
    unsigned spare = 64 - hone_ptx_type_bits(type);
    return is_signed(type) ? (uint64_t)((int64_t)(bits << spare) >> spare)
                           : bits << spare >> spare;
}

// ---- rounding ----

static double round_integer(double x, enum emu_round round)
{
    switch (round) {
    case ROUND_RZ:
    case ROUND_RZI:
        return trunc(x);
    case ROUND_RM:
    case ROUND_RMI:
        return floor(x);
    case ROUND_RP:
    case ROUND_RPI:
        return ceil(x);
    case ROUND_NONE:
    case ROUND_RN:
    case ROUND_RNI:
    case ROUND_RNA:
        break;
    }
    return rint(x);
}

// ---- conversions ----

static int host_round(enum emu_round round)
{
    return round == ROUND_RZ   ? FE_TOWARDZERO
           : round == ROUND_RM ? FE_DOWNWARD
           : round == ROUND_RP ? FE_UPWARD
                               : FE_TONEAREST;
}

static double flush_single(double x)
{
    return fabs(x) < 0x1p-126 ? copysign(0.0, x) : x;
}

static double read_float(const struct hone_emu_insn *insn, uint64_t bits)
{
    switch (insn->type2) {
    case PTX_F16:
    case PTX_BF16:
        return hone_widen(hone_narrow_of(insn->type2), bits & 0xffff);
    case PTX_F64:
        return hone_double_of(bits);
    default:
        break;
    }
    double x = (double)hone_float_of(bits);
    return insn->ftz ? flush_single(x) : x;
}

// A single of which only 10 bits of the fraction are kept.
static uint64_t narrow_tf32(double x, unsigned round, bool finite)
{
    uint64_t bits = hone_bits_of_float((float)x), magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) return bits;
    bool negative = bits >> 31;
    magnitude = hone_round_shift(magnitude, 13, negative, round) << 13;
    if (finite && magnitude >= 0x7f800000) magnitude = 0x7f7fe000;
    return (uint64_t)negative << 31 | magnitude;
}

// Launches run to nearest: a change of the mode, which empties the pipeline, takes far
// longer than a conversion.
static float single_of(double x, int mode)
{
    if (mode == FE_TONEAREST) return (float)x;
    volatile double wide = x; // volatile: converted here, in this rounding mode
    fesetround(mode);
    volatile float single = (float)wide;
    fesetround(FE_TONEAREST);
    return single;
}

static uint64_t write_float(const struct hone_emu_insn *insn, double x)
{
    if (insn->sat) x = x > 0.0 ? fmin(x, 1.0) : 0.0;
    if (insn->relu && x <= 0.0) x = 0.0;
    switch (insn->type) {
    case PTX_F16:
    case PTX_BF16:
        return hone_narrow(hone_narrow_of(insn->type), x, insn->round, insn->finite);
    case PTX_TF32:
        return narrow_tf32(x, insn->round, insn->finite);
    case PTX_F64:
        return hone_bits_of(x);
    default:
        break;
    }
    const float single = single_of(x, host_round((enum emu_round)insn->round));
    return hone_bits_of_float(insn->ftz ? (float)flush_single((double)single) : single);
}

// PTX rounds an integer to a float once: not by way of another float.
static uint64_t float_from_integer(const struct hone_emu_insn *insn, uint64_t bits)
{
    const bool negative = is_signed((enum ptx_type)insn->type2) && (int64_t)bits < 0;
    const uint64_t magnitude = negative ? 0 - bits : bits;
    if (magnitude <= UINT64_C(1) << DBL_MANT_DIG) // a double is equal
        return write_float(insn, negative ? -(double)magnitude : (double)magnitude);
    volatile int64_t s = (int64_t)bits;
    volatile uint64_t u = bits;
    fesetround(host_round((enum emu_round)insn->round));
    volatile float single = negative ? (float)s : (float)u;
    volatile double wide = negative ? (double)s : (double)u;
    fesetround(FE_TONEAREST);
    if (insn->type == PTX_F64) return hone_bits_of(wide);
    if (insn->type == PTX_F32 && !insn->sat) return hone_bits_of_float(single);
    // beyond 2^53 every half has overflowed and a bfloat is far from a tie, but for
    // exactness the wide value is rounded to odd: its last bit remembers what was cut off
    volatile double down = negative ? (double)s : (double)u;
    fesetround(FE_TOWARDZERO);
    down = negative ? (double)s : (double)u;
    fesetround(FE_TONEAREST);
    bool inexact = negative ? (int64_t)down != s : (uint64_t)down != u;
    double odd = inexact ? hone_double_of(hone_bits_of(down) | 1) : down;
    return write_float(insn, odd);
}

static uint64_t saturate_integer(uint64_t bits, enum ptx_type from, enum ptx_type to)
{
    bool negative = is_signed(from) && (int64_t)bits < 0;
    unsigned width = hone_ptx_type_bits(to) - (is_signed(to) ? 1 : 0);
    uint64_t most = width == 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
    if (!negative) return bits > most ? most : bits;
    if (!is_signed(to)) return 0;
    return (int64_t)bits < -(int64_t)most - 1 ? ~most : bits;
}

static uint64_t integer_from_float(const struct hone_emu_insn *insn, double x)
{
    enum ptx_type to = (enum ptx_type)insn->type;
    unsigned width = hone_ptx_type_bits(to);
    double end = ldexp(1.0, (int)width - (is_signed(to) ? 1 : 0));
    bool large = insn->type2 == PTX_F64 || width == 64; // PTX ISA 9.0, cvt: NaN
    if (x != x) return large ? UINT64_C(1) << (width - 1) : 0;
    x = round_integer(x, (enum emu_round)insn->round);
    uint64_t most = (is_signed(to) ? UINT64_MAX >> 1 : UINT64_MAX) >> (64 - width);
    if (x >= end) return most;
    if (!is_signed(to)) return x <= 0.0 ? 0 : (uint64_t)x;
    return x < -end ? ~most : (uint64_t)(int64_t)x;
}

uint64_t hone_emu_convert(const struct hone_emu_insn *insn, uint64_t bits)
{
    enum ptx_type to = (enum ptx_type)insn->type, from = (enum ptx_type)insn->type2;
    if (is_float(from)) {
        double x = read_float(insn, bits);
        if (!is_float(to)) return extend(integer_from_float(insn, x), to);
        if (insn->round >= ROUND_RNI && insn->round <= ROUND_RPI)
            x = round_integer(x, (enum emu_round)insn->round);
        return write_float(insn, x);
    }
    bits = extend(bits, from);
    if (is_float(to)) return float_from_integer(insn, bits);
    if (insn->sat) bits = saturate_integer(bits, from, to);
    return extend(bits, to);
}
