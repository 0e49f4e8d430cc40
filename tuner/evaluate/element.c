#include "element.h"

#include <math.h>
#include <string.h>

#include "base/narrow.h"
#include "fill_rule.h"

// Floating types are IEEE-like; e4m3 (OCP 8-bit floating point, 2023) has no infinity and
// only one NaN.
#define FLOAT_TYPE(size, significant, exponent, infinity)                                \
    {                                                                                    \
        .bytes = (size), .precision = (significant), .exponent_bits = (exponent),        \
        .has_infinity = (infinity), .step = 1.0 / (double)(1ull << (significant))        \
    }

static const struct hone_fill_rule types[] = {
    [HONE_F64] = FLOAT_TYPE(8, 53, 11, 1),
    [HONE_F32] = FLOAT_TYPE(4, 24, 8, 1),
    [HONE_F16] = FLOAT_TYPE(2, 11, 5, 1),
    [HONE_BF16] = FLOAT_TYPE(2, 8, 8, 1),
    [HONE_E4M3] = FLOAT_TYPE(1, 4, 4, 0),
    [HONE_E5M2] = FLOAT_TYPE(1, 3, 5, 1),
    [HONE_I64] = {.bytes = 8, .has_sign = 1},
    [HONE_I32] = {.bytes = 4, .has_sign = 1},
    [HONE_I16] = {.bytes = 2, .has_sign = 1},
    [HONE_I8] = {.bytes = 1, .has_sign = 1},
    [HONE_U64] = {.bytes = 8},
    [HONE_U32] = {.bytes = 4},
    [HONE_U16] = {.bytes = 2},
    [HONE_U8] = {.bytes = 1},
};

bool hone_dtype_is_float(enum hone_dtype dtype)
{
    return types[dtype].precision > 0;
}

int hone_dtype_precision(enum hone_dtype dtype)
{
    return (int)types[dtype].precision;
}

#define LOAD(type)                                                                       \
    do {                                                                                 \
        type x;                                                                          \
        memcpy(&x, (const char *)data + i * sizeof x, sizeof x);                         \
        return (double)x;                                                                \
    } while (0)

static double load_half(enum hone_narrow_kind kind, const void *data, size_t i)
{
    uint16_t code;
    memcpy(&code, (const char *)data + i * sizeof code, sizeof code);
    return hone_widen(hone_narrow_format(kind), code);
}

static double load_byte(enum hone_narrow_kind kind, const void *data, size_t i)
{
    return hone_widen(hone_narrow_format(kind), ((const uint8_t *)data)[i]);
}

double hone_element_load(enum hone_dtype dtype, const void *data, size_t i)
{
    switch (dtype) {
    case HONE_F64:
        LOAD(double);
    case HONE_F32:
        LOAD(float);
    case HONE_F16:
        return load_half(HONE_NARROW_F16, data, i);
    case HONE_BF16:
        return load_half(HONE_NARROW_BF16, data, i);
    case HONE_E4M3:
        return load_byte(HONE_NARROW_E4M3, data, i);
    case HONE_E5M2:
        return load_byte(HONE_NARROW_E5M2, data, i);
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
        store_int(dtype, data, i, (int64_t)hone_fill_encode(&types[dtype], value));
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

void hone_element_from_arg(const struct hone_job_arg *arg, void *data)
{
    unsigned char narrow[8] = {0};
    if (!arg->wide) {
        hone_element_from_value(arg->dtype, data, arg->value);
        return;
    }
    hone_element_from_value(arg->narrow, narrow, arg->value);
    hone_element_store(arg->dtype, data, 0, hone_element_load(arg->narrow, narrow, 0));
}

struct hone_fill_rule hone_fill_rule_of(const struct hone_job_arg *arg, uint64_t seed)
{
    struct hone_fill_rule rule = types[arg->dtype];
    rule.seed = seed;
    rule.fill = (unsigned)arg->fill;
    rule.low = arg->data.low;
    if (arg->fill == HONE_FILL_INTEGERS)
        rule.choices = (uint64_t)(arg->data.high - arg->data.low) + 1;
    if (arg->fill == HONE_FILL_FILE) rule.period = arg->data.size / rule.bytes;
    return rule;
}

static void repeat_file(const struct hone_job_arg *arg, uint64_t first, size_t count,
                        unsigned char *out)
{
    const size_t size = hone_dtype_size(arg->dtype), period = arg->data.size / size;
    const unsigned char *from = arg->data.bytes;
    for (size_t i = 0; i < count; i++)
        memcpy(out + i * size, from + (size_t)((first + i) % period) * size, size);
}

#define FILL(bits)                                                                       \
    for (size_t i = 0; i < count; i++) {                                                 \
        const uint##bits##_t x = (uint##bits##_t)hone_fill_element(&rule, first + i);    \
        memcpy((char *)out + i * sizeof x, &x, sizeof x);                                \
    }

static void fill_wide(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                      size_t count, void *out)
{
    struct hone_job_arg narrow = *arg;
    narrow.dtype = arg->narrow;
    const struct hone_fill_rule rule = hone_fill_rule_of(&narrow, seed);
    for (size_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        if (arg->fill == HONE_FILL_FILE)
            repeat_file(&narrow, first + i, 1, (unsigned char *)&bits);
        else
            bits = hone_fill_element(&rule, first + i);
        hone_element_store(arg->dtype, out, i, hone_element_load(narrow.dtype, &bits, 0));
    }
}

void hone_element_fill(const struct hone_job_arg *arg, uint64_t seed, uint64_t first,
                       size_t count, void *out)
{
    if (arg->wide) {
        fill_wide(arg, seed, first, count, out);
        return;
    }
    const struct hone_fill_rule rule = hone_fill_rule_of(arg, seed);
    if (arg->fill == HONE_FILL_FILE)
        repeat_file(arg, first, count, out);
    else if (rule.bytes == 1)
        FILL(8)
    else if (rule.bytes == 2)
        FILL(16)
    else if (rule.bytes == 4)
        FILL(32)
    else
        FILL(64)
}
