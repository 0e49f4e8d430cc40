/* A CUDA template as a compiler without include path can take it: local includes are
 * inlined, and #line directives keep every message at the file and line its author
 * wrote. */
#ifndef HONE_RENDER_TEMPLATE_H
#define HONE_RENDER_TEMPLATE_H

#include <stdbool.h>
#include <stddef.h>

#include "hash.h"
#include "hone/status.h"

struct hone_template {
    char *text; /* starts with a #line directive */
    char *name; /* file name without its folder: what #line and messages call it */
    char hash[HONE_HASH_TEXT];
};

/* Read path. A line #include "x.cuh" is replaced by that file, searched beside the file
 * that includes it, then beside the template; its second and later inclusions are empty,
 * whatever #if they stand under. #include <x> stays. EINPUT with file and line for an
 * include that is missing or includes itself, ENOTFOUND for a missing template. No
 * folder names reach the text, so that it (and its hash) is the same on every machine. */
enum hone_status hone_template_read(struct hone_template *out, const char *path,
                                    struct hone_error *err);
void hone_template_fini(struct hone_template *template);

/* What the template does with a macro. */
struct hone_template_use {
    bool used;        /* mentioned in code, not only in its own #ifndef and #define */
    bool has_default; /* guarded by #ifndef or defined(): the file compiles without it */
};
void hone_template_uses(const struct hone_template *template, const char *const *names,
                        size_t count, struct hone_template_use *uses);

#endif
