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

static int lower(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

bool hone_word_begins(const char *name, const char *word, bool whole)
{
    while (*word && lower(*name) == lower(*word)) {
        name++;
        word++;
    }
    return !*word && (!whole || !*name);
}

// What somebody may have meant: the name in letters of another case, then one that word
// begins, or with as few letters changed.
static size_t suggest_distance(const char *word, const char *name, size_t changed)
{
    enum { BEGINS = 3 }; // letters
    const size_t length = strlen(word);
    if (hone_word_begins(name, word, true)) return 0;
    if (length >= BEGINS && hone_word_begins(name, word, false)) return 1;
    return changed < length ? changed : HONE_WORD_MAX + 1;
}

const char *hone_suggest(const char *word, const char *const *names, size_t count)
{
    const size_t length = strlen(word), third = length / 3;
    const size_t most = length < 4 ? 1 : third > 2 ? third : 2;
    size_t nearest = most + 1, fewest = HONE_WORD_MAX + 1;
    const char *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const size_t changed = hone_word_distance(word, names[i]);
        const size_t d = suggest_distance(word, names[i], changed);
        if (d > most || d > nearest || (d == nearest && changed >= fewest)) continue;
        nearest = d;
        fewest = changed;
        best = names[i];
    }
    return best;
}
