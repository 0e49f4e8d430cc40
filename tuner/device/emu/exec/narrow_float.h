/* Which narrow float a type of PTX is, and what else is done with bits of floats. */
#ifndef HONE_DEVICE_NARROW_FLOAT_H
#define HONE_DEVICE_NARROW_FLOAT_H

#include "base/narrow.h"
#include "decode/emu_code.h"

/* The format of a type; that of f16 for types that are none of these. */
static inline const struct hone_narrow *hone_narrow_of(unsigned type)
{
    switch (type) {
    case PTX_BF16:
    case PTX_BF16X2:
        return hone_narrow_format(HONE_NARROW_BF16);
    case PTX_E4M3:
    case PTX_E4M3X2:
        return hone_narrow_format(HONE_NARROW_E4M3);
    case PTX_E5M2:
    case PTX_E5M2X2:
        return hone_narrow_format(HONE_NARROW_E5M2);
    default:
        return hone_narrow_format(HONE_NARROW_F16);
    }
}

/* The value of a single, whose NaN is the one that GPUs make. */
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

/* a * b + c of 16-bit floats; where a double cannot hold it, the neighbour with an odd
 * last bit (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). */
static inline double hone_fused_to_odd(double a, double b, double c)
{
    double p = a * b, s = p + c; /* the product is exact */
    double t = s - p, error = (p - (s - t)) + (c - t);
    uint64_t bits = hone_bits_of(s);
    bool inexact = error > 0.0 || error < 0.0; /* not where s is infinite or NaN */
    uint64_t further = (error > 0.0) == (s > 0.0) ? 1 : UINT64_MAX;
    return hone_double_of(bits + (inexact && !(bits & 1) ? further : 0));
}

#endif
