#include "base/suggest.h"

#include <string.h>

static size_t min3(size_t a, size_t b, size_t c)
{
    size_t m = a < b ? a : b;
    return m < c ? m : c;
}

// In one row (Wagner, Fischer 1974).
size_t hone_word_distance(const char *a, const char *b)
{
    size_t m = strlen(a), n = strlen(b), row[HONE_WORD_MAX + 1];
    if (m > HONE_WORD_MAX || n > HONE_WORD_MAX) return HONE_WORD_MAX + 1;
    for (size_t j = 0; j <= n; j++)
        row[j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            size_t cost = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = min3(row[j] + 1, row[j - 1] + 1, cost);
        }
    }
    return row[n];
}

const char *hone_suggest(const char *word, const char *const *names, size_t count)
{
    size_t third = strlen(word) / 3;
    size_t nearest = (third > 2 ? third : 2) + 1;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        size_t d = hone_word_distance(word, names[i]);
        if (d >= nearest || d >= strlen(word)) continue;
        nearest = d;
        best = names[i];
    }
    return best;
}
