/* The known name nearest to a mistyped one (Levenshtein distance), for error messages. */
#ifndef HONE_BASE_SUGGEST_H
#define HONE_BASE_SUGGEST_H

#include <stddef.h>

/* NULL when nothing is near (more than a third of the letters, at least 2, would change).
 */
const char *hone_suggest(const char *word, const char *const *names, size_t count);

enum { HONE_WORD_MAX = 63 }; /* longer words are near to nothing */

/* Letters to insert, delete or change; more than HONE_WORD_MAX for longer words. */
size_t hone_word_distance(const char *a, const char *b);

#endif
