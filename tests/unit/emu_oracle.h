/* Scalar arithmetic that the emulator's operations are held to: written for its
 * plainness, sharing nothing with the executor. */
#ifndef HONE_EMU_ORACLE_H
#define HONE_EMU_ORACLE_H

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float f32_of(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline double f64_of(uint64_t x)
{
    double f;
    memcpy(&f, &x, sizeof f);
    return f;
}

static inline uint64_t bits_of(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return isnan(f) ? 0x7fffffff : bits;
}

static inline uint64_t bits_of_double(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static inline float ftz(float x)
{
    return fpclassify(x) == FP_SUBNORMAL ? copysignf(0.0f, x) : x;
}

static inline float sat(float x)
{
    return isnan(x) || x <= 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

enum arithmetic { PLUS, TIMES, OVER, FUSED, ROOT };

// In a rounding mode of the host.
static inline float rounded(int mode, enum arithmetic what, float x, float y, float z)
{
    volatile float a = x, b = y, c = z, r = 0.0f;
    fesetround(mode);
    switch (what) {
    case PLUS:
        r = a + b;
        break;
    case TIMES:
        r = a * b;
        break;
    case OVER:
        r = a / b;
        break;
    case FUSED:
        r = fmaf(a, b, c);
        break;
    case ROOT:
        r = sqrtf(a);
        break;
    }
    fesetround(FE_TONEAREST);
    return r;
}

static inline double rounded_double(int mode, enum arithmetic what, double x, double y,
                                    double z)
{
    volatile double a = x, b = y, c = z, r = 0.0;
    fesetround(mode);
    switch (what) {
    case PLUS:
        r = a + b;
        break;
    case TIMES:
        r = a * b;
        break;
    case OVER:
        r = a / b;
        break;
    case FUSED:
        r = fma(a, b, c);
        break;
    case ROOT:
        r = sqrt(a);
        break;
    }
    fesetround(FE_TONEAREST);
    return r;
}

static inline float narrowed(int mode, double x)
{
    volatile double a = x;
    fesetround(mode);
    volatile float r = (float)a;
    fesetround(FE_TONEAREST);
    return r;
}

static inline float minimum(float x, float y)
{
    if (isnan(x)) return y;
    if (isnan(y)) return x;
    if (x == y) return signbit(x) ? x : y;
    return x < y ? x : y;
}

static inline double round_by(int mode, double x)
{
    return mode == FE_TOWARDZERO ? trunc(x)
           : mode == FE_DOWNWARD ? floor(x)
           : mode == FE_UPWARD   ? ceil(x)
                                 : nearbyint(x);
}

// To an integer of [low, high]; NaN gives 0.
static inline uint64_t clamped(double x, double low, double high, uint64_t least,
                               uint64_t most)
{
    if (isnan(x)) return 0;
    if (x <= low) return least;
    if (x >= high) return most;
    return x < 0 ? (uint64_t)(int64_t)x : (uint64_t)x;
}

static inline uint32_t byte_of(uint32_t a, uint32_t b, uint32_t nibble)
{
    uint32_t byte = ((nibble & 4 ? b : a) >> 8 * (nibble & 3)) & 255;
    return nibble & 8 ? (byte >> 7) * 255 : byte;
}

static inline uint64_t field(uint64_t x, unsigned at, unsigned len, unsigned width,
                             bool is_signed)
{
    // bit by bit, as the manual defines bfe
    unsigned top = width - 1, end = at + len - 1 < top ? at + len - 1 : top;
    uint64_t sign = is_signed && len ? x >> end & 1 : 0, r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= (i < len && at + i <= top ? x >> (at + i) & 1 : sign) << i;
    return r;
}

static inline uint64_t with_field(uint64_t f, uint64_t x, unsigned at, unsigned len,
                                  unsigned width)
{
    for (unsigned i = 0; i < len && at + i < width; i++) {
        uint64_t bit = UINT64_C(1) << (at + i);
        x = (x & ~bit) | (f >> i & 1) << (at + i);
    }
    return x;
}

static inline unsigned length_of(uint64_t x)
{
    unsigned n = 0;
    while (x)
        n++, x >>= 1;
    return n;
}

static inline uint64_t reversed(uint64_t x, unsigned width)
{
    uint64_t r = 0;
    for (unsigned i = 0; i < width; i++)
        r |= (x >> i & 1) << (width - 1 - i);
    return r;
}

// A 16-bit float with e exponent and m fraction bits, found by search over all of them.
static inline double half_value(unsigned bits, int e, int m)
{
    int exponent = (int)(bits >> m) & ((1 << e) - 1), bias = (1 << (e - 1)) - 1;
    double fraction = bits & ((1U << m) - 1);
    double x = exponent ? ldexp(1.0 + ldexp(fraction, -m), exponent - bias)
                        : ldexp(fraction, 1 - bias - m);
    if (exponent == (1 << e) - 1) x = fraction > 0 ? (double)NAN : (double)INFINITY;
    return bits & 0x8000 ? -x : x;
}

// Nearest, ties to even: the largest value not above |x| and its successor are compared.
static inline uint64_t half_nearest(double x, int e, int m)
{
    unsigned sign = signbit(x) ? 0x8000 : 0, low = 0, high = ((1U << e) - 1) << m;
    if (isnan(x)) return 0x7fff;
    double y = fabs(x);
    while (high - low > 1) {
        unsigned middle = low + (high - low) / 2;
        if (half_value(middle, e, m) <= y)
            low = middle;
        else
            high = middle;
    }
    double below = half_value(low, e, m), above = half_value(high, e, m);
    if (isinf(y)) return sign | high;
    if (isinf(above)) above = ldexp(2.0, (1 << (e - 1)) - 1);
    double to_below = y - below, to_above = above - y;
    bool up = to_above < to_below || (to_above == to_below && (low & 1));
    return sign | (up ? high : low);
}

#endif
