/* Macros of an emitted header, read back. */
#ifndef HONE_EMIT_SHIPPED_OPTIONS_H
#define HONE_EMIT_SHIPPED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

/* The configuration of an element of NAME_defines, or of NAME_DEFINES: size bytes between
 * the quotes of the literal, whose words a shell would read. "NAME=VALUE" each, ended by
 * NULL, in the arena; *out is NULL where it is no such list. False: out of memory. */
bool hone_shipped_options(const char ***out, struct hone_arena *arena, const char *text,
                          size_t size);

#endif
