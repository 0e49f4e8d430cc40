// The parameters of a kernel, read from the list behind its name in PTX (PTX ISA, 5.2 and
// 10.1): .param, an alignment, a type, what it points to, a name, an extent.
#include "build/params.h"

#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "base/one_of.h"

static const char *skip_blanks(const char *at)
{
    for (;;) {
        at += strspn(at, " \t\r\n");
        if (strncmp(at, "//", 2) != 0) return at;
        at += strcspn(at, "\n");
    }
}

static bool is_word_part(char c)
{
    return hone_is_name_part(c) || c == '$' || c == '%';
}

// Behind the word, and blanks, when text begins with just it; else NULL.
static const char *skip_word(const char *text, const char *word)
{
    const size_t len = strlen(word);
    if (strncmp(text, word, len) != 0 || is_word_part(text[len])) return NULL;
    return skip_blanks(text + len);
}

// What follows the name of that kernel.
static const char *find_list(const char *ptx, const char *entry)
{
    static const char word[] = ".entry";
    for (const char *at = ptx; (at = strstr(at, word));) {
        at += sizeof word - 1;
        const char *after =
            *at == ' ' || *at == '\t' ? skip_word(skip_blanks(at), entry) : NULL;
        if (after) return after;
    }
    return NULL;
}

static bool read_type(struct hone_build_param *param, const char *word, size_t len)
{
    char *end;
    const unsigned long bits = len > 1 ? strtoul(word + 1, &end, 10) : 0;
    if (bits < 8 || bits > 128 || bits % 8 || end != word + len) return false;
    param->bytes = bits / 8;
    if (!param->align) param->align = param->bytes;
    if (*word == 'f') param->kind = HONE_PARAM_FLOAT;
    if (*word == 'u' || *word == 's') param->kind = HONE_PARAM_INTEGER;
    return hone_one_of(*word, "fusb");
}

// A directive of the declaration: an alignment, which behind .ptr is that of what is
// pointed to, a type, or a space.
static const char *read_directive(struct hone_build_param *param, const char *at)
{
    static const char *const spaces[] = {"param", "const", "global", "shared", "local"};
    const char *word = at + 1;
    size_t len = 0;
    while (is_word_part(word[len]))
        len++;
    const char *after = skip_blanks(word + len);
    if (len == 5 && memcmp(word, "align", len) == 0) {
        char *end;
        const unsigned long align = strtoul(after, &end, 10);
        if (end == after) return NULL;
        if (!param->pointer) param->align = align;
        return skip_blanks(end);
    }
    if (len == 3 && memcmp(word, "ptr", len) == 0) {
        param->pointer = true;
        return after;
    }
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++)
        if (strlen(spaces[i]) == len && memcmp(word, spaces[i], len) == 0) return after;
    return read_type(param, word, len) ? after : NULL;
}

static const char *read_extent(struct hone_build_param *param, const char *at)
{
    if (*at != '[') return at;
    char *end;
    const unsigned long count = strtoul(skip_blanks(at + 1), &end, 10);
    const char *after = skip_blanks(end);
    if (*after != ']' || count > 1u << 20) return NULL;
    param->bytes *= count;
    param->kind = HONE_PARAM_STRUCT;
    return skip_blanks(after + 1);
}

static const char *read_param(struct hone_build_param *param, const char *at)
{
    *param = (struct hone_build_param){0};
    while (at && *at == '.')
        at = read_directive(param, at);
    if (!at || !param->bytes || !is_word_part(*at)) return NULL;
    while (is_word_part(*at))
        at++;
    return read_extent(param, skip_blanks(at));
}

bool hone_build_params(struct hone_build_params *out, const struct hone_build *build,
                       const char *entry)
{
    out->count = 0;
    const char *at = build->ptx ? find_list(build->ptx, entry) : NULL;
    if (!at) return false;
    if (*at != '(') return *at == '{' || *at == '.'; // it takes nothing
    at = skip_blanks(at + 1);
    while (*at != ')') {
        if (out->count == HONE_PARAMS_MAX) return false;
        at = read_param(&out->items[out->count], at);
        if (!at || (*at != ',' && *at != ')')) return false;
        out->count++;
        if (*at == ',') at = skip_blanks(at + 1);
    }
    return true;
}
