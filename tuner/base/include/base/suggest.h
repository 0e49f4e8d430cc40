/* The known name nearest to a mistyped one (Levenshtein distance), for error messages. */
#ifndef HONE_BASE_SUGGEST_H
#define HONE_BASE_SUGGEST_H

#include <stdbool.h>
#include <stddef.h>

/* First a name in letters of another case, then one that begins with word (of 3 letters
 * or more) or is a letter away, then the nearest. NULL when nothing is near: more than a
 * third of the letters would change, at least 2, of short words 1. */
const char *hone_suggest(const char *word, const char *const *names, size_t count);

/* Does name begin with word, or is it (whole), whatever the case of ASCII letters? */
bool hone_word_begins(const char *name, const char *word, bool whole);

enum { HONE_WORD_MAX = 63 }; /* longer words are near to nothing */

/* Letters to insert, delete or change; more than HONE_WORD_MAX for longer words. */
size_t hone_word_distance(const char *a, const char *b);

#endif
