// The element types of buffers and scalars, and the kinds of arguments: a table each.
#include <string.h>

#include "hone/kernel.h"

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
