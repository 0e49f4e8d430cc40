#include "element.h"

#include <math.h>
#include <string.h>

// IEEE-like formats of up to 16 bits; e4m3 (OCP 8-bit floating point, 2023) has no
// infinity and only one NaN.
struct format {
    int exponent_bits, mantissa_bits;
    bool has_infinity;
};

static const struct format formats[] = {
    [HONE_F16] = {5, 10, true},
    [HONE_BF16] = {8, 7, true},
    [HONE_E4M3] = {4, 3, false},
    [HONE_E5M2] = {5, 2, true},
};

// Significant bits of the floating types, so many as an exact multiple of 2^-bits below 1
// needs.
static const int precision[] = {
    [HONE_F64] = 53, [HONE_F32] = 24, [HONE_F16] = 11,
    [HONE_BF16] = 8, [HONE_E4M3] = 4, [HONE_E5M2] = 3,
};

bool hone_dtype_is_float(enum hone_dtype dtype)
{
    return dtype <= HONE_E5M2;
}

int hone_dtype_precision(enum hone_dtype dtype)
{
    return precision[dtype];
}

static bool is_signed(enum hone_dtype dtype)
{
    return dtype <= HONE_I8;
}

static int bias(struct format f)
{
    return (1 << (f.exponent_bits - 1)) - 1;
}

static double decode(struct format f, unsigned bits)
{
    const unsigned mantissa_mask = (1u << f.mantissa_bits) - 1;
    const unsigned exponent_mask = (1u << f.exponent_bits) - 1;
    const unsigned mantissa = bits & mantissa_mask;
    const int exponent = (int)(bits >> f.mantissa_bits & exponent_mask);
    const bool top = (unsigned)exponent == exponent_mask;
    double value;
    if (top && f.has_infinity)
        value = mantissa ? (double)NAN : (double)INFINITY;
    else if (top && mantissa == mantissa_mask)
        value = (double)NAN;
    else if (exponent)
        value = ldexp(1.0 + ldexp(mantissa, -f.mantissa_bits), exponent - bias(f));
    else
        value = ldexp(mantissa, 1 - bias(f) - f.mantissa_bits);
    return bits >> (f.exponent_bits + f.mantissa_bits) & 1 ? -value : value;
}

static unsigned encode(struct format f, double value)
{
    const unsigned sign = (unsigned)(signbit(value) != 0)
                          << (f.exponent_bits + f.mantissa_bits);
    const unsigned nan = (1u << (f.exponent_bits + f.mantissa_bits)) - 1;
    const unsigned infinity = f.has_infinity ? nan - ((1u << f.mantissa_bits) - 1)
                                             : nan; // first code not finite
    const double a = fabs(value);
    if (isnan(a)) return sign | nan;
    if (isinf(a)) return sign | infinity;
    int exponent = a > 0 ? ilogb(a) : 1 - bias(f);
    if (exponent < 1 - bias(f)) exponent = 1 - bias(f); // subnormal
    if (exponent > bias(f) + 1) return sign | infinity;
    // Rounding up to the next power of two carries into the exponent field, as it should.
    unsigned units = (unsigned)rint(ldexp(a, f.mantissa_bits - exponent));
    unsigned bits = units + ((unsigned)(exponent + bias(f) - 1) << f.mantissa_bits);
    return sign | (bits < infinity ? bits : infinity);
}

#define LOAD(type)                                                                       \
    do {                                                                                 \
        type x;                                                                          \
        memcpy(&x, (const char *)data + i * sizeof x, sizeof x);                         \
        return (double)x;                                                                \
    } while (0)

double hone_element_load(enum hone_dtype dtype, const void *data, size_t i)
{
    uint16_t half;
    switch (dtype) {
    case HONE_F64:
        LOAD(double);
    case HONE_F32:
        LOAD(float);
    case HONE_F16:
    case HONE_BF16:
        memcpy(&half, (const char *)data + 2 * i, 2);
        return decode(formats[dtype], half);
    case HONE_E4M3:
    case HONE_E5M2:
        return decode(formats[dtype], ((const uint8_t *)data)[i]);
    case HONE_I64:
        LOAD(int64_t);
    case HONE_I32:
        LOAD(int32_t);
    case HONE_I16:
        LOAD(int16_t);
    case HONE_I8:
        LOAD(int8_t);
    case HONE_U64:
        LOAD(uint64_t);
    case HONE_U32:
        LOAD(uint32_t);
    case HONE_U16:
        LOAD(uint16_t);
    case HONE_U8:
        LOAD(uint8_t);
    }
    return (double)NAN;
}

// The low bytes of an integer are its value modulo the width (little-endian hosts and
// GPUs).
static void store_int(enum hone_dtype dtype, void *data, size_t i, int64_t value)
{
    const size_t size = hone_dtype_size(dtype);
    memcpy((char *)data + i * size, &value, size);
}

void hone_element_store(enum hone_dtype dtype, void *data, size_t i, double value)
{
    const float single = (float)value;
    if (dtype == HONE_F64)
        memcpy((char *)data + i * sizeof value, &value, sizeof value);
    else if (dtype == HONE_F32)
        memcpy((char *)data + i * sizeof single, &single, sizeof single);
    else if (hone_dtype_is_float(dtype))
        store_int(dtype, data, i, (int64_t)encode(formats[dtype], value));
    else if (value >= 0x1p63)
        store_int(dtype, data, i, (int64_t)(uint64_t)value);
    else
        store_int(dtype, data, i, (int64_t)value);
}

void hone_element_from_value(enum hone_dtype dtype, void *data, struct hone_value value)
{
    int64_t integer = 0;
    double number = 0;
    if (value.type == HONE_BOOL)
        value = (struct hone_value){.type = HONE_INT, .i = value.b};
    if (!hone_dtype_is_float(dtype) && hone_value_to_int(value, &integer))
        store_int(dtype, data, 0, integer);
    else if (hone_value_to_double(value, &number))
        hone_element_store(dtype, data, 0, number);
}

// Random access to a random sequence: splitmix64 (Steele, Lea, Flood 2014) at position i.
static uint64_t random_at(uint64_t seed, uint64_t i)
{
    uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(enum hone_dtype dtype, uint64_t random)
{
    if (!hone_dtype_is_float(dtype))
        return is_signed(dtype) ? (double)(random % 17) - 8 : (double)(random % 9);
    const int bits = precision[dtype];
    const double scale = 1.0 / (double)(UINT64_C(1) << bits);
    return (double)(random >> (63 - bits)) * scale - 1.0;
}

static double index_value(enum hone_dtype dtype, uint64_t i)
{
    const size_t width = 8 * hone_dtype_size(dtype);
    int bits = hone_dtype_is_float(dtype) ? precision[dtype]
                                          : (int)width - (int)is_signed(dtype);
    if (bits > 53) bits = 53;
    return (double)(i & ((UINT64_C(1) << bits) - 1));
}

// Random steps without the sum of those before: each is near its mean place.
static uint64_t offset(uint64_t seed, uint64_t i)
{
    return i == 0 ? 0 : 4 * i + random_at(seed, i) % 5;
}

// Box and Muller (1958), of the two halves of one random number.
static double normal(uint64_t random)
{
    const double u = ((double)(random >> 32) + 0.5) * 0x1p-32;
    const double v = (double)(random & UINT32_MAX) * 0x1p-32;
    return sqrt(-2 * log(u)) * cos(2 * acos(-1.0) * v);
}

static double value_at(const struct hone_job_arg *arg, uint64_t seed, uint64_t i)
{
    const struct hone_fill_data *data = &arg->data;
    switch (arg->fill) {
    case HONE_FILL_UNIFORM:
        return uniform(arg->dtype, random_at(seed, i));
    case HONE_FILL_NORMAL:
        return normal(random_at(seed, i));
    case HONE_FILL_INTEGERS:
        return data->low +
               (double)(random_at(seed, i) % ((uint64_t)(data->high - data->low) + 1));
    case HONE_FILL_INDEX:
        return index_value(arg->dtype, i);
    case HONE_FILL_OFFSETS:
        return index_value(arg->dtype, offset(seed, i));
    case HONE_FILL_CONSTANT:
        return data->low;
    case HONE_FILL_ONE:
        return 1;
    case HONE_FILL_ZERO:
    case HONE_FILL_FILE:
    case HONE_FILL_COUNT:
        break;
    }
    return 0;
}

static void repeat_file(const struct hone_job_arg *arg, uint64_t first, size_t count,
                        unsigned char *out)
{
    const size_t size = hone_dtype_size(arg->dtype), period = arg->data.size / size;
    const unsigned char *from = arg->data.bytes;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * size, from + (size_t)((first + i) % period) * size, size);
}

void hone_element_fill(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                       size_t count, void *out)
{
    if (arg->fill == HONE_FILL_FILE) {
        repeat_file(arg, first, count, out);
        return;
    }
    for (size_t i = 0; i < count; i++)
        hone_element_store(arg->dtype, out, i, value_at(arg, seed, first + i));
}
