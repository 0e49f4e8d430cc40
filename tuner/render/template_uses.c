// Which macros a template uses, by its words: comments, literals and its own #ifndef and
// #define of them do not count.
#include <string.h>

#include "base/identifier.h"
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
