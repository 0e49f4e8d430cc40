/* Names that scripts, templates and headers can share. ASCII, whatever the locale says.
 */
#ifndef HONE_BASE_IDENTIFIER_H
#define HONE_BASE_IDENTIFIER_H

#include <stdbool.h>

/* The end of the identifier that text starts with; NULL when it starts with none. */
const char *hone_identifier_end(const char *text);

/* A keyword of Lua 5.4, C17 or C++20. */
bool hone_identifier_is_keyword(const char *name);

/* Why name cannot be one in C and C++ or a part of one, as "cannot be a name in C": no
 * identifier, the compiler's ("_Name", "__name"), over 255 bytes. NULL: it can. */
const char *hone_identifier_fault(const char *name);

#endif
