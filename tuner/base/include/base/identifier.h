/* Names that scripts, templates and headers can share. ASCII, whatever the locale says.
 */
#ifndef HONE_BASE_IDENTIFIER_H
#define HONE_BASE_IDENTIFIER_H

#include <stdbool.h>

/* What an identifier begins with: a letter or '_'; and consists of: also digits. */
static inline bool hone_is_name_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static inline bool hone_is_name_part(char c)
{
    return hone_is_name_start(c) || (c >= '0' && c <= '9');
}

/* The end of the identifier that text starts with; NULL when it starts with none. */
const char *hone_identifier_end(const char *text);

/* A keyword of Lua 5.4, C17 or C++20. */
bool hone_identifier_is_keyword(const char *name);

/* A macro of C's standard headers (standard_macros.c): NULL, errno, INT_MAX. */
bool hone_identifier_is_macro(const char *name);

/* Why name cannot be one in C and C++ or a part of one, as "cannot be a name in C": no
 * identifier, the compiler's ("_Name", "__name"), over 255 bytes. NULL: it can. */
const char *hone_identifier_fault(const char *name);

#endif
