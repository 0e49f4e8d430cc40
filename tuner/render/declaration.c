// A walk over the tokens of a source, directives left out, up to a name in parentheses
// behind __global__; then over its parameters.
#include "render/declaration.h"

#include <stdio.h>
#include <string.h>

#include "base/identifier.h"
#include "base/one_of.h"
#include "c_type.h"

struct walk {
    const char *at, *source;
    const char *token; // of the current one; its end is at
    size_t len;        // 0: the end
    bool fresh;        // only blanks since the line's begin
    bool directive;    // one was skipped since this was cleared
};

static const char *skip_quoted(const char *at)
{
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static const char *skip_line(const char *at)
{
    while (*at && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return at;
}

static const char *skip_comment(const char *at)
{
    if (at[1] == '/') return skip_line(at);
    const char *end = strstr(at + 2, "*/");
    return end ? end + 2 : at + strlen(at);
}

static const char *skip_raw(const char *at)
{
    char close[24];
    const size_t len = strcspn(at + 2, "(");
    snprintf(close, sizeof close, ")%.*s\"", (int)(len < 17 ? len : 17), at + 2);
    const char *end = strstr(at + 2, close);
    return end ? end + strlen(close) : at + strlen(at);
}

static const char *skip_number(const char *at)
{
    while (hone_is_name_part(*at) || *at == '.' ||
           (*at == '\'' && hone_is_name_part(at[1])))
        at++;
    return at;
}

// Comments, directives and blanks.
static void skip_between(struct walk *walk)
{
    for (;; walk->at++) {
        const char c = *walk->at;
        if (c == '/' && (walk->at[1] == '/' || walk->at[1] == '*')) {
            walk->at = skip_comment(walk->at) - 1;
        } else if (c == '#' && walk->fresh) {
            walk->directive = true;
            walk->at = skip_line(walk->at) - 1;
        } else if (c == '\n') {
            walk->fresh = true;
        } else if (c != ' ' && c != '\t' && c != '\r' && c != '\f' && c != '\v' &&
                   !(c == '\\' && walk->at[1] == '\n')) {
            return;
        }
    }
}

static bool next(struct walk *walk)
{
    skip_between(walk);
    walk->fresh = false;
    walk->token = walk->at;
    if (walk->at[0] == 'R' && walk->at[1] == '"')
        walk->at = skip_raw(walk->at);
    else if (hone_is_name_start(*walk->at))
        walk->at = hone_identifier_end(walk->at);
    else if (*walk->at >= '0' && *walk->at <= '9')
        walk->at = skip_number(walk->at);
    else if (*walk->at == '"' || *walk->at == '\'')
        walk->at = skip_quoted(walk->at);
    else if (*walk->at)
        walk->at++;
    walk->len = (size_t)(walk->at - walk->token);
    return walk->len > 0;
}

static bool is(const struct walk *walk, const char *word)
{
    return strlen(word) == walk->len && memcmp(walk->token, word, walk->len) == 0;
}

// Is there nothing but space before it on its line?
static bool begins_line(const char *source, const char *at)
{
    while (at > source && (at[-1] == ' ' || at[-1] == '\t'))
        at--;
    return at == source || at[-1] == '\n';
}

// How often the source defines that name, whatever the conditions; *value is the last
// one's, to the end of its line.
static size_t find_define(const char *source, const char *name, size_t len,
                          const char **value)
{
    size_t count = 0;
    for (const char *at = source; (at = strchr(at, '#')); at++) {
        const char *word = at + 1 + strspn(at + 1, " \t");
        if (strncmp(word, "define", 6) != 0 || !begins_line(source, at)) continue;
        word += 6;
        word += strspn(word, " \t");
        if (strncmp(word, name, len) != 0 || hone_is_name_part(word[len])) continue;
        *value = word + len;
        count++;
    }
    return count;
}

struct parameter {
    struct hone_c_type type;
    const char *begin, *end;
    const char *name; // the last word, which may be one
    size_t name_len;
    bool cut; // a default value, an extent: no words of the type follow
    bool odd; // a reference, a template, a pointer to a function
};

static void put_on_a_line(char *out, size_t size, const char *begin, const char *end)
{
    size_t used = 0;
    for (const char *p = begin; p < end && used + 1 < size; p++) {
        const bool blank = hone_one_of(*p, " \t\r\n");
        if (!blank || (used && out[used - 1] != ' ')) out[used++] = blank ? ' ' : *p;
    }
    while (used && out[used - 1] == ' ')
        used--;
    out[used] = '\0';
}

static void finish_param(struct hone_declaration *out, const struct parameter *p)
{
    if (!p->begin || out->count == HONE_DECLARED_MAX) return;
    struct hone_declared_param *param = &out->params[out->count];
    *param = (struct hone_declared_param){.pointers = p->type.pointers};
    put_on_a_line(param->text, sizeof param->text, p->begin, p->end);
    if (!p->odd && p->name_len < sizeof param->name)
        snprintf(param->name, sizeof param->name, "%.*s", (int)p->name_len,
                 p->name ? p->name : "");
    if (!p->odd) hone_c_type_tell(&p->type, &param->type, &param->dtype);
    if (p->type.words == 0 || strcmp(param->text, "void") != 0) out->count++;
}

// A word of the type: a macro stands for its only value. The last word is the name, which
// says nothing of the type either way.
static void take_word(struct hone_declaration *out, struct parameter *p,
                      const struct walk *walk)
{
    const char *value = "";
    const size_t defined = find_define(walk->source, walk->token, walk->len, &value);
    if (!defined) {
        hone_c_type_word(&p->type, walk->token, walk->len);
        return;
    }
    out->varies = true;
    struct walk inner = {.at = value, .source = walk->source};
    const char *end = skip_line(value);
    if (defined > 1 || *value == '(') p->odd = true;
    while (!p->odd && next(&inner) && inner.token < end) {
        if (is(&inner, "*"))
            p->type.pointers++;
        else if (hone_is_name_start(*inner.token))
            hone_c_type_word(&p->type, inner.token, inner.len);
        else
            p->odd = true;
    }
}

static void take_token(struct hone_declaration *out, struct parameter *p,
                       const struct walk *walk, int depth)
{
    if (!p->begin) p->begin = walk->token;
    p->end = walk->at;
    if (is(walk, "=")) p->cut = true;
    if (p->cut) return;
    if (depth == 0 && is(walk, "[")) p->type.pointers++;
    if (is(walk, "&") || is(walk, "<") || is(walk, "(") || is(walk, ":")) p->odd = true;
    if (depth > 0) return;
    if (is(walk, "*")) p->type.pointers++;
    if (!hone_is_name_start(*walk->token)) return;
    p->name = walk->token;
    p->name_len = walk->len;
    take_word(out, p, walk);
}

// From behind '(' to ')'.
static bool read_list(struct hone_declaration *out, struct walk *walk)
{
    struct parameter p = {0};
    int depth = 0;
    walk->directive = false;
    while (next(walk)) {
        if (depth == 0 && (is(walk, ",") || is(walk, ")"))) {
            const bool last = is(walk, ")");
            finish_param(out, &p);
            p = (struct parameter){0};
            if (!last) continue;
            out->varies |= walk->directive;
            return !walk->directive;
        }
        const bool opens = hone_one_of(*walk->token, "([{<");
        const bool closes = hone_one_of(*walk->token, ")]}>");
        if (closes) depth--;
        take_token(out, &p, walk, depth);
        if (opens) depth++;
    }
    return false;
}

static bool equal(const struct hone_declaration *a, const struct hone_declaration *b)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->params[i].type != b->params[i].type ||
            a->params[i].dtype != b->params[i].dtype ||
            a->params[i].pointers != b->params[i].pointers)
            return false;
    return true;
}

bool hone_declaration_find(struct hone_declaration *out, const char *source,
                           const char *entry)
{
    static const struct hone_declaration none;
    struct walk walk = {.at = source, .source = source, .fresh = true};
    bool kernel = false, named = false, found = false;
    while (next(&walk)) {
        if (is(&walk, "__global__")) kernel = true;
        if (kernel && named && is(&walk, "(")) {
            struct hone_declaration other = none;
            if (!read_list(&other, &walk)) return false;
            if (found && !equal(out, &other)) return false;
            if (!found) *out = other;
            found = true;
        }
        named = is(&walk, entry);
        if (is(&walk, ";") || is(&walk, "{") || is(&walk, "}")) kernel = false;
    }
    return found;
}
