// The element types of buffers and scalars, and the kinds of arguments: a table each.
#include <math.h>
#include <string.h>

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

// Up to there a double holds every integer.
static const double whole_most = 0x1p53;

static bool dtype_holds(enum hone_dtype dtype, double value, bool whole)
{
    const char kind = dtypes[dtype].name[0];
    const bool is_signed = kind == 'i', is_integer = is_signed || kind == 'u';
    const double span = ldexp(1, 8 * (int)dtypes[dtype].size);
    if (!(fabs(value) <= whole_most)) return false;
    if ((whole || is_integer) && value != floor(value)) return false;
    if (!is_integer) return true;
    return value >= (is_signed ? -span / 2 : 0) && value < (is_signed ? span / 2 : span);
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
