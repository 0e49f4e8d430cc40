/* Places in texts as compilers and people write them: "k.cu:12". */
#ifndef HONE_BASE_PLACE_H
#define HONE_BASE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Splits the first `length` bytes of text: a name of at least one byte, which may hold
 * colons and blanks, the last colon, and a line from 1 to INT32_MAX in digits alone,
 * without a 0 ahead. False where they are none; *name_length and *line stay then. */
bool hone_place_split(const char *text, size_t length, size_t *name_length,
                      uint32_t *line);

#endif
