/* Names within scopes, as a hash table in an arena: registers, variables, functions and
 * labels of PTX, of which a text may have a million. */
#ifndef HONE_DEVICE_PTX_NAMES_H
#define HONE_DEVICE_PTX_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

struct ptx_name {
    const char *text; /* NULL: free */
    size_t len;
    uint32_t scope;
    void *value;
};

struct ptx_names {
    struct ptx_name *slots;
    size_t cap, count;
};

/* The latest value of a name counts. text is kept, not copied. False: out of memory. */
bool hone_ptx_names_put(struct ptx_names *names, struct hone_arena *arena, uint32_t scope,
                        const char *text, size_t len, void *value);
/* NULL when the scope has no such name. */
void *hone_ptx_names_get(const struct ptx_names *names, uint32_t scope, const char *text,
                         size_t len);

#endif
