/* Floats of 8 and 16 bits as doubles, which hold each of them exactly, and back with one
 * rounding. f16: IEEE 754 binary16; bf16: the upper half of binary32; e4m3, e5m2: OCP
 * 8-bit floating point (e4m3 has no infinity). A NaN made here is what GPUs make. */
#ifndef HONE_BASE_NARROW_H
#define HONE_BASE_NARROW_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum hone_narrow_kind {
    HONE_NARROW_F16,
    HONE_NARROW_BF16,
    HONE_NARROW_E4M3,
    HONE_NARROW_E5M2
};

/* Directions of rounding. Every other number means HONE_ROUND_EVEN. */
enum hone_round {
    HONE_ROUND_EVEN = 1, /* to nearest, ties to even */
    HONE_ROUND_ZERO,
    HONE_ROUND_DOWN,
    HONE_ROUND_UP,
    HONE_ROUND_AWAY /* to nearest, ties away from zero */
};

struct hone_narrow {
    int fraction_bits, least_exponent;
    /* Codes; infinity is nan where there is none. */
    uint32_t sign, largest, infinity, nan;
};

static inline const struct hone_narrow *hone_narrow_format(enum hone_narrow_kind kind)
{
    static const struct hone_narrow formats[] = {
        [HONE_NARROW_F16] = {10, -14, 0x8000, 0x7bff, 0x7c00, 0x7fff},
        [HONE_NARROW_BF16] = {7, -126, 0x8000, 0x7f7f, 0x7f80, 0x7fff},
        [HONE_NARROW_E4M3] = {3, -6, 0x80, 0x7e, 0x7f, 0x7f},
        [HONE_NARROW_E5M2] = {2, -14, 0x80, 0x7b, 0x7c, 0x7f},
    };
    return &formats[kind];
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

/* The number that a code stands for. NaN comes without a sign. */
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

/* value >> shift for shift > 0, rounded. negative: value is the magnitude of a negative
 * number, for the directions. */
static inline uint64_t hone_round_shift(uint64_t value, int shift, bool negative,
                                        unsigned round)
{
    if (shift > 60) shift = 60;
    uint64_t q = value >> shift, rest = value & ((UINT64_C(1) << shift) - 1);
    uint64_t half = UINT64_C(1) << (shift - 1);
    switch (round) {
    case HONE_ROUND_ZERO:
        return q;
    case HONE_ROUND_DOWN:
        return q + (negative && rest);
    case HONE_ROUND_UP:
        return q + (!negative && rest);
    case HONE_ROUND_AWAY:
        return q + (rest >= half);
    default:
        return q + (rest > half || (rest == half && (q & 1)));
    }
}

/* The code of a number, rounded once. finite: what is too large, also infinity, becomes
 * the largest finite number; else it becomes infinity, or NaN where there is none. */
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
    uint64_t significand = (magnitude & (UINT64_MAX >> 12)) | UINT64_C(1) << 52;
    uint64_t q = hone_round_shift(significand, 52 - f + below, negative, round);
    if (!below) q += (uint64_t)(exponent - format->least_exponent) << f;
    if (q <= format->largest) return sign | (uint32_t)q;
    bool stays = finite || round == HONE_ROUND_ZERO ||
                 (round == HONE_ROUND_DOWN && !negative) ||
                 (round == HONE_ROUND_UP && negative);
    return sign | (stays ? format->largest : format->infinity);
}

#endif
