// Which macros a template uses, by its words: comments, literals and its own #ifndef and
// #define of them do not count. And which of its words is a name of the script, misspelt.
#include <string.h>

#include "base/ascii.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "base/suggest.h"
#include "render/template.h"

// The end of a string or character literal that starts at p, at most the end of its line.
static const char *skip_literal(const char *p, const char *end)
{
    char quote = *p++;
    for (; p < end && *p != quote && *p != '\n'; p++)
        if (*p == '\\' && p + 1 < end) p++;
    return p < end && *p == quote ? p + 1 : p;
}

static bool starts(const char *p, const char *end, const char *text)
{
    size_t len = strlen(text);
    return (size_t)(end - p) >= len && memcmp(p, text, len) == 0;
}

struct token {
    const char *start;
    size_t len;
};

static bool is(struct token token, const char *word)
{
    return token.len == strlen(word) && memcmp(token.start, word, token.len) == 0;
}

static const char *skip_line(const char *q, const char *end)
{
    while (q < end && *q != '\n')
        q++;
    return q;
}

// From the start of a block comment to behind its end.
static const char *skip_block(const char *q, const char *end)
{
    for (q += 2; q < end && !starts(q, end, "*/");)
        q++;
    return q < end ? q + 2 : q;
}

// The next word (identifier or number) at or after *p, past comments and literals.
// *joined tells whether only blanks and an opening parenthesis stand between it and the
// word before.
static struct token next_word(const char **p, const char *end, bool *joined)
{
    *joined = true;
    const char *q = *p;
    while (q < end && !hone_is_name_part(*q)) {
        if (*q != ' ' && *q != '\t' && *q != '(') *joined = false;
        if (starts(q, end, "//"))
            q = skip_line(q, end);
        else if (starts(q, end, "/*"))
            q = skip_block(q, end);
        else
            q = *q == '"' || *q == '\'' ? skip_literal(q, end) : q + 1;
    }
    struct token word = {.start = q};
    while (q < end && hone_is_name_part(*q))
        q++;
    word.len = (size_t)(q - word.start);
    *p = q;
    return word;
}

static void find_uses(const char *text, const char *const *names, size_t count,
                      struct hone_template_use *uses)
{
    const char *p = text, *end = p + strlen(p);
    struct token before = {.start = ""};
    for (;;) {
        bool joined;
        struct token word = next_word(&p, end, &joined);
        if (!word.len) return;
        bool guard = joined && (is(before, "ifndef") || is(before, "defined"));
        bool definition = joined && is(before, "define");
        for (size_t i = 0; i < count; i++) {
            if (!is(word, names[i])) continue;
            uses[i].has_default |= guard;
            uses[i].used |= !guard && !definition;
        }
        before = word;
    }
}

void hone_template_uses(const struct hone_template *template, const char *const *names,
                        size_t count, struct hone_template_use *uses)
{
    memset(uses, 0, count * sizeof *uses);
    find_uses(template->text, names, count, uses);
    for (size_t i = 0; i < template->header_count; i++)
        find_uses(template->headers[i].text, names, count, uses);
}

// --- axes of the grid ---

static const char *skip_back(const char *text, const char *p)
{
    while (p > text && hone_one_of(p[-1], " \t\n"))
        p--;
    return p;
}

// Whether the word that ends before p is that one.
static bool ends_with(const char *text, const char *p, const char *word)
{
    const size_t len = strlen(word);
    return (size_t)(p - text) >= len && memcmp(p - len, word, len) == 0 &&
           ((size_t)(p - text) == len || !hone_is_name_part(p[-1 - (long)len]));
}

// p is behind a closing parenthesis: of a cast, and of no condition or (void)?
static bool is_cast(const char *text, const char *p)
{
    size_t depth = 0;
    const char *open = p;
    do {
        open--;
        depth += *open == ')';
        depth -= *open == '(';
    } while (depth && open > text);
    const char *before = skip_back(text, open);
    return !ends_with(text, before, "if") && !ends_with(text, before, "while") &&
           !ends_with(text, before, "for") && strncmp(open, "(void)", 6) != 0;
}

// A block that takes its number from a counter, as tickets are taken: an atomic whose
// result is more than thrown away.
static bool takes_number(const char *text, struct token word)
{
    if (word.len > 6 && memcmp(word.start, "fetch_", 6) == 0) return true;
    if (word.len < 7 || memcmp(word.start, "atomic", 6) != 0) return false;
    const char *p = skip_back(text, word.start);
    if (p == text) return false;
    if (p[-1] == ')') return is_cast(text, p);
    return hone_one_of(p[-1], "=(,?:&|+-*/%<>!^[") || ends_with(text, p, "return");
}

static void find_block_reads(const char *text, size_t axis, bool *reads, bool *could)
{
    const char *p = text, *end = p + strlen(p);
    for (;;) {
        bool joined;
        const struct token word = next_word(&p, end, &joined);
        if (!word.len) return;
        *could |= is(word, "asm") || is(word, "cooperative_groups") ||
                  takes_number(text, word) ||
                  (is(word, "gridDim") && (*p != '.' || p[1] == "xyz"[axis]));
        if (!is(word, "blockIdx")) continue;
        *could |= *p != '.';
        *reads |= *p == '.' && p[1] == "xyz"[axis];
    }
}

bool hone_template_reads_block(const struct hone_template *template, size_t axis,
                               bool *could)
{
    bool reads = *could = false;
    find_block_reads(template->text, axis, &reads, could);
    for (size_t i = 0; i < template->header_count; i++)
        find_block_reads(template->headers[i].text, axis, &reads, could);
    return reads;
}

// --- names that are spelled otherwise ---

// A word of the template beside a name of the script.
struct spelling {
    const char *name;
    const char *const *others; // names of the script, which no misspelt one is
    size_t count;
    size_t distance; // of the nearest so far
    char *nearest;
};

static bool is_name(struct token word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is(word, names[i])) return true;
    return false;
}

// TILE_M and TILE_N are two names, not one misspelt.
static bool differs_in_the_last(const char *a, const char *b, size_t len)
{
    return strlen(b) == len && memcmp(a, b, len - 1) == 0;
}

static void compare_spelling(struct spelling *s, struct token word)
{
    char text[HONE_WORD_MAX + 1];
    const size_t len = strlen(s->name);
    const size_t longer = word.len > len ? word.len - len : len - word.len;
    if (longer >= s->distance || word.len > HONE_WORD_MAX) return;
    if (is_name(word, s->others, s->count)) return;
    memcpy(text, word.start, word.len);
    text[word.len] = '\0';
    if (differs_in_the_last(s->name, text, len)) return;
    const size_t distance =
        hone_same_letters(s->name, text) ? 0 : hone_word_distance(s->name, text);
    if (distance >= s->distance) return;
    s->distance = distance;
    memcpy(s->nearest, text, word.len + 1);
}

static bool is_defined_as_something(const char *behind, const char *end)
{
    while (behind < end && (*behind == ' ' || *behind == '\t'))
        behind++;
    return behind < end && *behind != '\n' && *behind != '\r' &&
           !starts(behind, end, "//") && !starts(behind, end, "/*");
}

static void find_spelling(struct spelling *s, const char *text, bool macros)
{
    const char *p = text, *end = p + strlen(p);
    struct token before = {.start = ""};
    for (;;) {
        bool joined;
        const struct token word = next_word(&p, end, &joined);
        if (!word.len) return;
        if (!macros ||
            (joined && is(before, "define") && is_defined_as_something(p, end)))
            compare_spelling(s, word);
        before = word;
    }
}

bool hone_template_nearest(char nearest[HONE_WORD_MAX + 1],
                           const struct hone_template *template, const char *name,
                           const char *const *others, size_t count, bool only_macros)
{
    enum { SHORTEST = 3, SHORT = 4 }; // where one letter, or two, make another name
    const size_t len = strlen(name);
    const size_t most = len > SHORT ? (len / 3 > 2 ? len / 3 : 2) : 1;
    struct spelling s = {name, others, count, most + 1, nearest};
    nearest[0] = '\0';
    if (len < SHORTEST) return false;
    find_spelling(&s, template->text, true);
    if (s.distance > most && !only_macros) find_spelling(&s, template->text, false);
    return s.distance <= most;
}
