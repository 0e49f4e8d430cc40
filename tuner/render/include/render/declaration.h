/* The parameters of a kernel as its source declares them, read without a compiler: what
 * is no plain type of C or CUDA is told as unknown, never guessed. */
#ifndef HONE_RENDER_DECLARATION_H
#define HONE_RENDER_DECLARATION_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/kernel.h"

enum hone_declared_type {
    HONE_DECLARED_UNKNOWN, /* a typedef, a struct, a vector, a template's, ... */
    HONE_DECLARED_VOID,
    HONE_DECLARED_BOOL,
    HONE_DECLARED_ELEMENT /* dtype tells which */
};

struct hone_declared_param {
    char text[64]; /* "const float *x", cut where it is longer */
    char name[64]; /* "x"; "" where none is told, or it is longer */
    enum hone_declared_type type;
    enum hone_dtype dtype;
    unsigned pointers; /* how many '*' or '[]'; the type is what they lead to */
};

enum { HONE_DECLARED_MAX = 256 };

struct hone_declaration {
    struct hone_declared_param params[HONE_DECLARED_MAX];
    size_t count;
    /* Directives in the list or macros that the source defines: another configuration may
     * have other parameters. */
    bool varies;
};

/* false when source declares no __global__ function of that name, or several that
 * differ. source is a text as a compiler takes it, its macros not expanded. */
bool hone_declaration_find(struct hone_declaration *out, const char *source,
                           const char *entry);

/* The same of a C++ name as compilers mangle it: what it tells of the types. false for
 * any other name. */
bool hone_declaration_of_mangled(struct hone_declaration *out, const char *mangled);

#endif
