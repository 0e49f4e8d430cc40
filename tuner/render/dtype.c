// The element types of buffers and scalars, and the kinds of arguments: a table each.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/narrow.h"
#include "render/fill_data.h"

static const struct {
    const char *name;
    size_t size;
} dtypes[] = {
#define DTYPE_ROW(id, text, bytes) [HONE_##id] = {text, bytes},
    HONE_DTYPE_LIST(DTYPE_ROW)
#undef DTYPE_ROW
};

const char *hone_arg_kind_name(enum hone_arg_kind kind)
{
    static const char *const names[] = {
#define KIND_NAME(id, text) [HONE_ARG_##id] = (text),
        HONE_ARG_LIST(KIND_NAME)
#undef KIND_NAME
    };
    return names[kind];
}

size_t hone_dtype_size(enum hone_dtype dtype)
{
    return dtypes[dtype].size;
}

const char *hone_dtype_name(enum hone_dtype dtype)
{
    return dtypes[dtype].name;
}

enum hone_status hone_dtype_parse(enum hone_dtype *out, const char *name)
{
    for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
        if (strcmp(dtypes[i].name, name) != 0) continue;
        *out = (enum hone_dtype)i;
        return HONE_OK;
    }
    return HONE_ENOTFOUND;
}

// The largest finite number of a floating type.
static double float_most(enum hone_dtype dtype)
{
    static const struct {
        enum hone_dtype dtype;
        enum hone_narrow_kind kind;
    } narrow[] = {{HONE_F16, HONE_NARROW_F16},
                  {HONE_BF16, HONE_NARROW_BF16},
                  {HONE_E4M3, HONE_NARROW_E4M3},
                  {HONE_E5M2, HONE_NARROW_E5M2}};
    for (size_t i = 0; i < sizeof narrow / sizeof *narrow; i++) {
        const struct hone_narrow *format = hone_narrow_format(narrow[i].kind);
        if (narrow[i].dtype == dtype) return hone_widen(format, format->largest);
    }
    return dtype == HONE_F32 ? (double)FLT_MAX : DBL_MAX;
}

struct hone_dtype_range hone_dtype_range(enum hone_dtype dtype)
{
    const double whole_most = 0x1p53;
    const char kind = dtypes[dtype].name[0];
    const int bits = 8 * (int)dtypes[dtype].size;
    struct hone_dtype_range range = {.whole = kind == 'i' || kind == 'u'};
    if (kind == 'u') {
        range.high = fmin(ldexp(1, bits) - 1, whole_most);
    } else if (kind == 'i') {
        range.high = fmin(ldexp(1, bits - 1) - 1, whole_most);
        range.low = -fmin(ldexp(1, bits - 1), whole_most);
    } else {
        range.high = fmin(float_most(dtype), whole_most);
        range.low = -range.high;
    }
    return range;
}

static bool dtype_holds(enum hone_dtype dtype, double value, bool whole)
{
    const struct hone_dtype_range range = hone_dtype_range(dtype);
    return value >= range.low && value <= range.high &&
           (!(whole || range.whole) || value == floor(value));
}

bool hone_fill_data_fits(const struct hone_fill_data *data, enum hone_fill fill,
                         enum hone_dtype dtype)
{
    if (fill == HONE_FILL_FILE)
        return data->size && data->size <= HONE_FILL_FILE_MAX &&
               data->size % dtypes[dtype].size == 0;
    const bool whole = fill == HONE_FILL_INTEGERS;
    return !data->size && dtype_holds(dtype, data->low, whole) &&
           dtype_holds(dtype, data->high, whole) && data->low <= data->high;
}
