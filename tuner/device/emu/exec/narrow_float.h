/* Floats of 8 and 16 bits as doubles, which hold each of them exactly, and back with one
 * rounding. f16: IEEE 754 binary16; bf16: the upper half of binary32; e4m3, e5m2: OCP
 * 8-bit floating point (e4m3 has no infinity). A NaN made here is the one that GPUs make.
 */
#ifndef HONE_DEVICE_NARROW_FLOAT_H
#define HONE_DEVICE_NARROW_FLOAT_H

#include <string.h>

#include "decode/emu_code.h"

struct hone_narrow {
    int fraction_bits, least_exponent;
    uint32_t sign, largest, infinity,
        nan; /* as bits; infinity is nan where there is none */
};

/* Of f16 for types that are none of these. */
static inline const struct hone_narrow *hone_narrow_of(unsigned type)
{
    static const struct hone_narrow half = {10, -14, 0x8000, 0x7bff, 0x7c00, 0x7fff};
    static const struct hone_narrow brain = {7, -126, 0x8000, 0x7f7f, 0x7f80, 0x7fff};
    static const struct hone_narrow e4m3 = {3, -6, 0x80, 0x7e, 0x7f, 0x7f};
    static const struct hone_narrow e5m2 = {2, -14, 0x80, 0x7b, 0x7c, 0x7f};
    switch (type) {
    case PTX_BF16:
    case PTX_BF16X2:
        return &brain;
    case PTX_E4M3:
    case PTX_E4M3X2:
        return &e4m3;
    case PTX_E5M2:
    case PTX_E5M2X2:
        return &e5m2;
    default:
        return &half;
    }
}

static inline double hone_double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint64_t hone_bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Of a single, whose NaN is the one that GPUs make. */
static inline float hone_float_of(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float x;
    memcpy(&x, &word, sizeof x);
    return x;
}

static inline uint64_t hone_bits_of_float(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return x == x ? word : 0x7fffffff;
}

static inline double hone_widen(const struct hone_narrow *format, uint32_t bits)
{
    int f = format->fraction_bits;
    uint32_t magnitude = bits & (format->sign - 1);
    uint64_t sign = (bits & format->sign) ? UINT64_C(1) << 63 : 0;
    uint64_t exponent = magnitude >> f, unit = (uint64_t)(1023 + format->least_exponent);
    if (magnitude > format->largest)
        return hone_double_of(magnitude == format->infinity && magnitude != format->nan
                                  ? sign | UINT64_C(0x7ff) << 52
                                  : UINT64_C(0x7ff8) << 48);
    if (exponent == 0) // the fraction times the least step
        return hone_double_of(sign | (unit - (uint64_t)f) << 52) * (double)magnitude;
    uint64_t fraction = magnitude & ((1U << f) - 1);
    return hone_double_of(sign | (exponent - 1 + unit) << 52 | fraction << (52 - f));
}

/* The integer part of value >> shift, rounded. */
static inline uint64_t hone_round_shift(uint64_t value, int shift, bool negative,
                                        unsigned round)
{
    if (shift > 60) shift = 60;
    uint64_t q = value >> shift, rest = value & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    switch (round) {
    case ROUND_RZ:
        return q;
    case ROUND_RM:
        return q + (negative && rest);
    case ROUND_RP:
        return q + (!negative && rest);
    case ROUND_RNA:
        return q + (rest >= half);
    default:
        return q + (rest > half || (rest == half && (q & 1)));
    }
}

static inline uint32_t hone_narrow(const struct hone_narrow *format, double x,
                                   unsigned round, bool finite)
{
    uint64_t bits = hone_bits_of(x), magnitude = bits & (UINT64_MAX >> 1);
    uint64_t infinity = UINT64_C(0x7ff) << 52;
    bool negative = bits >> 63;
    uint32_t sign = negative ? format->sign : 0;
    if (magnitude > infinity) return format->nan;
    if (magnitude == infinity)
        return sign | (finite ? format->largest : format->infinity);
    if (magnitude == 0) return sign;
    int exponent = (int)(magnitude >> 52) - 1023, f = format->fraction_bits;
    int below = exponent < format->least_exponent ? format->least_exponent - exponent : 0;
    uint64_t whole = (magnitude & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    uint64_t q = hone_round_shift(whole, 52 - f + below, negative, round);
    if (!below) q += (uint64_t)(exponent - format->least_exponent) << f;
    if (q <= format->largest) return sign | (uint32_t)q;
    bool stays = finite || round == ROUND_RZ || (round == ROUND_RM && !negative) ||
                 (round == ROUND_RP && negative);
    return sign | (stays ? format->largest : format->infinity);
}

/* a * b + c of 16-bit floats; where a double cannot hold it, the neighbour with an odd
 * last bit (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). */
static inline double hone_fused_to_odd(double a, double b, double c)
{
    double p = a * b, s = p + c; /* the product is exact */
    double t = s - p, error = (p - (s - t)) + (c - t);
    if (!(error > 0.0 || error < 0.0)) return s; /* exact, infinite or NaN */
    uint64_t bits = hone_bits_of(s);
    if (bits & 1) return s;
    return hone_double_of((error > 0.0) == (s > 0.0) ? bits + 1 : bits - 1);
}

#endif
