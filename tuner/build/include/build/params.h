/* What a kernel takes, as its PTX declares it. */
#ifndef HONE_BUILD_PARAMS_H
#define HONE_BUILD_PARAMS_H

#include "hone/build.h"

enum hone_param_kind {
    HONE_PARAM_BITS,    /* .b32 and its like: any type of that size */
    HONE_PARAM_INTEGER, /* .u32, .s64; an address as well */
    HONE_PARAM_FLOAT,   /* .f32, .f64 */
    HONE_PARAM_STRUCT   /* an array of bytes: a struct by value, a half */
};

struct hone_build_param {
    enum hone_param_kind kind;
    size_t bytes, align;
    bool pointer; /* .ptr, which not every compiler writes */
};

enum { HONE_PARAMS_MAX = 256 };

struct hone_build_params {
    struct hone_build_param items[HONE_PARAMS_MAX];
    size_t count;
};

/* false when the PTX is not known, has no such kernel, or declares it in a way that is
 * not understood: then nothing is known of what it takes. */
bool hone_build_params(struct hone_build_params *out, const struct hone_build *build,
                       const char *entry);

#endif
