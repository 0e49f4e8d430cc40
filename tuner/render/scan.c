// One pass over the characters. A position is always behind joined lines, so that the
// rest of the code sees none of them. The rules are those that NVRTC 13.0 was seen to
// follow (tests/unit/test_includes.c): a backslash joins lines over carriage returns but
// not over blanks, '%:' is '#', raw literals count in dead code too. Trigraphs are on
// with --std=c++11 and c++14 only: the two that could make a directive are refused.
#include "render/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "hone/strbuf.h"
#include "pasting.h"

enum { LONGEST_DELIMITER = 16, LONGEST_PREFIX = 4 };

struct scanner {
    char *text;
    const char *at, *end;
    int line;
    struct hone_strbuf body;      // of the directive that is being read
    bool in_directive, keeps;     // keeps: the body takes what is read
    bool code;                    // since the directive before
    struct hone_directive **last; // where the next one goes
    const char *name;
    struct hone_arena *arena;
    const struct hone_code_reader *reader;
    struct hone_error *err;
};

static enum hone_status out_of_memory(struct scanner *s)
{
    return hone_no_memory(s->err, "reading '%s'", s->name);
}

static const char *behind_joined(const char *p, const char *end, int *lines)
{
    while (p < end && *p == '\\') {
        const char *q = p + 1;
        while (q < end && *q == '\r')
            q++;
        if (q == end || *q != '\n') break;
        p = q + 1;
        ++*lines;
    }
    return p;
}

// The character at the position, -1 at the end.
static int peek(struct scanner *s)
{
    s->at = behind_joined(s->at, s->end, &s->line);
    return s->at < s->end ? (unsigned char)*s->at : -1;
}

// The one behind it.
static int peek_next(const struct scanner *s)
{
    int lines = 0;
    if (s->at == s->end) return -1;
    const char *p = behind_joined(s->at + 1, s->end, &lines);
    return p < s->end ? (unsigned char)*p : -1;
}

static void step(struct scanner *s)
{
    if (*s->at == '\n') s->line++;
    s->at++;
}

// Steps over the character and keeps it in the body.
static void scan_take(struct scanner *s)
{
    if (s->keeps) hone_strbuf_add_bytes(&s->body, s->at, 1);
    step(s);
}

static bool scan_is_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}

static bool in_word(int c)
{
    return hone_is_name_part((char)c) || c == '$' || c >= 0x80;
}

// What a line of a comment begins with must not look like a directive.
static void blank_hash(struct scanner *s)
{
    char *p = s->text + (s->at - s->text);
    while (p < s->end && scan_is_blank((unsigned char)*p))
        p++;
    if (p < s->end && (*p == '#' || *p == '%')) *p = ' ';
}

static int peek_in_comment(struct scanner *s)
{
    const char *before = s->at;
    const int c = peek(s);
    if (s->at == before) return c;
    blank_hash(s);
    return peek(s);
}

static void step_two(struct scanner *s)
{
    step(s);
    peek(s);
    step(s);
}

static enum hone_status skip_comment(struct scanner *s)
{
    const int line = s->line;
    const bool whole = peek_next(s) == '*';
    step_two(s);
    for (int c; (c = peek_in_comment(s)) >= 0;) {
        if (!whole && c == '\n') return HONE_OK;
        if (whole && c == '*' && peek_next(s) == '/') {
            step_two(s);
            return HONE_OK;
        }
        step(s);
        if (c == '\n') blank_hash(s);
    }
    return whole ? hone_fail_at(s->err, HONE_EINPUT, s->name, line,
                                "the comment that begins here does not end")
                 : HONE_OK;
}

static bool starts_comment(struct scanner *s)
{
    return peek(s) == '/' && (peek_next(s) == '/' || peek_next(s) == '*');
}

static enum hone_status skip_blanks(struct scanner *s)
{
    enum hone_status status = HONE_OK;
    while (status == HONE_OK) {
        if (starts_comment(s))
            status = skip_comment(s);
        else if (scan_is_blank(peek(s)))
            step(s);
        else
            break;
        if (s->in_directive) hone_strbuf_add(&s->body, " ");
    }
    return status;
}

// To the closing quote or the end of the line.
static void take_literal(struct scanner *s)
{
    const int quote = peek(s);
    scan_take(s);
    for (int c; (c = peek(s)) >= 0 && c != '\n';) {
        scan_take(s);
        if (c == quote) return;
        if (c == '\\' && peek(s) >= 0 && peek(s) != '\n') scan_take(s);
    }
}

// Whether what stands behind R" opens a raw literal; its end is )DELIMITER".
static bool read_delimiter(const char *p, const char *end,
                           char closing[LONGEST_DELIMITER + 3])
{
    size_t n = 0;
    closing[n++] = ')';
    for (; p < end && *p != '('; p++) {
        if (n > LONGEST_DELIMITER || hone_one_of(*p, " )\\\t\v\f\r\n\"")) return false;
        closing[n++] = *p;
    }
    closing[n++] = '"';
    closing[n] = '\0';
    return p < end;
}

// Lines are not joined and comments not skipped in it.
static enum hone_status take_raw_literal(struct scanner *s)
{
    char closing[LONGEST_DELIMITER + 3];
    const int line = s->line;
    if (!read_delimiter(s->at + 1, s->end, closing)) {
        take_literal(s);
        return HONE_OK;
    }
    const size_t length = strlen(closing);
    for (; (size_t)(s->end - s->at) >= length; scan_take(s)) {
        if (memcmp(s->at, closing, length) == 0) {
            for (size_t i = 0; i < length; i++)
                scan_take(s);
            return HONE_OK;
        }
        if (s->line > line && (*s->at == '#' || (s->at[0] == '%' && s->at[1] == ':')))
            return hone_fail_at(s->err, HONE_EINPUT, s->name, s->line,
                                "'#' in the later lines of a raw literal: only a "
                                "compiler tells it from a directive; write \\x23 in "
                                "an ordinary literal");
    }
    return hone_fail_at(s->err, HONE_EINPUT, s->name, line,
                        "the raw literal that begins here does not end");
}

static bool is_raw_prefix(const char *word, size_t length)
{
    static const char *const prefixes[] = {"R", "u8R", "uR", "UR", "LR"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strlen(prefixes[i]) == length && memcmp(prefixes[i], word, length) == 0)
            return true;
    return false;
}

static bool ends_with_has_include(const struct hone_strbuf *body, size_t from)
{
    const char *word = body->data + from;
    return strcmp(word, "__has_include") == 0 || strcmp(word, "__has_include_next") == 0;
}

// <name> or "name" as written; anything else is left.
static void take_header_name(struct scanner *s)
{
    const int open = peek(s);
    const int close = open == '<' ? '>' : '"';
    if (open != '<' && open != '"') return;
    scan_take(s);
    for (int c; (c = peek(s)) >= 0 && c != '\n';) {
        scan_take(s);
        if (c == close) return;
    }
}

static enum hone_status take_has_include(struct scanner *s)
{
    enum hone_status status = skip_blanks(s);
    if (status != HONE_OK || peek(s) != '(') return status;
    scan_take(s);
    status = skip_blanks(s);
    if (status == HONE_OK) take_header_name(s);
    return status;
}

static enum hone_status take_word(struct scanner *s)
{
    char word[LONGEST_PREFIX];
    size_t length = 0;
    const size_t from = s->body.len;
    for (int c; in_word(c = peek(s)); length++) {
        if (length < sizeof word) word[length] = (char)c;
        scan_take(s);
    }
    if (s->in_directive && ends_with_has_include(&s->body, from))
        return take_has_include(s);
    return length < sizeof word && peek(s) == '"' && is_raw_prefix(word, length)
               ? take_raw_literal(s)
               : HONE_OK;
}

// A preprocessing number: 1'000 is one, 1e+5 too.
static void take_number(struct scanner *s)
{
    for (int c = peek(s); in_word(c) || c == '.' || c == '\''; c = peek(s)) {
        if (c == '\'' && !in_word(peek_next(s))) return;
        scan_take(s);
        const int sign = peek(s);
        if (hone_one_of((char)c, "eEpP") && (sign == '+' || sign == '-')) scan_take(s);
    }
}

static enum hone_status take_token(struct scanner *s)
{
    const int c = peek(s);
    s->code |= !s->in_directive;
    if (c == '"' || c == '\'')
        take_literal(s);
    else if (hone_is_digit(c) || (c == '.' && hone_is_digit(peek_next(s))))
        take_number(s);
    else if (in_word(c))
        return take_word(s);
    else
        scan_take(s);
    return HONE_OK;
}

static const struct {
    const char *name;
    enum hone_directive_kind kind;
} kinds[] = {
    {"include", HONE_DIRECTIVE_INCLUDE}, {"include_next", HONE_DIRECTIVE_FOREIGN},
    {"import", HONE_DIRECTIVE_FOREIGN},  {"__include_macros", HONE_DIRECTIVE_FOREIGN},
    {"embed", HONE_DIRECTIVE_FOREIGN},   {"define", HONE_DIRECTIVE_DEFINE},
    {"undef", HONE_DIRECTIVE_UNDEF},     {"if", HONE_DIRECTIVE_IF},
    {"ifdef", HONE_DIRECTIVE_IFDEF},     {"ifndef", HONE_DIRECTIVE_IFNDEF},
    {"elif", HONE_DIRECTIVE_ELIF},       {"else", HONE_DIRECTIVE_ELSE},
    {"elifdef", HONE_DIRECTIVE_ELSE},    {"elifndef", HONE_DIRECTIVE_ELSE},
    {"endif", HONE_DIRECTIVE_ENDIF},
};

static enum hone_directive_kind scan_kind_of(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].name, name) == 0) return kinds[i].kind;
    return HONE_DIRECTIVE_OTHER;
}

// The start of the line that p is on; p itself where more than blanks stand before it.
static const char *start_of_line(const struct scanner *s, const char *p)
{
    const char *q = p;
    while (q > s->text && scan_is_blank((unsigned char)q[-1]))
        q--;
    return q == s->text || q[-1] == '\n' ? q : p;
}

static const char *keep_body(struct scanner *s)
{
    char *body = s->body.data;
    size_t length = s->body.len;
    while (length && scan_is_blank((unsigned char)body[length - 1]))
        length--;
    while (length && scan_is_blank((unsigned char)*body))
        body++, length--;
    return s->body.failed ? NULL : hone_arena_printf(s->arena, "%.*s", (int)length, body);
}

// Behind '#' and blanks: the name, and the file that an include names.
static enum hone_status take_name(struct scanner *s, struct hone_directive *directive)
{
    hone_strbuf_clear(&s->body);
    while (in_word(peek(s)))
        scan_take(s);
    directive->name = keep_body(s);
    if (!directive->name) return out_of_memory(s);
    directive->kind = scan_kind_of(directive->name);
    hone_strbuf_clear(&s->body);
    const enum hone_status status = skip_blanks(s);
    if (directive->kind <= HONE_DIRECTIVE_FOREIGN) take_header_name(s);
    return status;
}

static enum hone_status finish_directive(struct scanner *s,
                                         struct hone_directive *directive)
{
    if (peek(s) == '\n') step(s);
    directive->end = (size_t)(s->at - s->text);
    for (const char *p = s->text + directive->start; p < s->at; p++)
        directive->lines += *p == '\n';
    directive->body = keep_body(s);
    s->in_directive = s->keeps = false;
    s->code = false;
    if (!directive->body) return out_of_memory(s);
    if (strcmp(directive->name, "pragma") == 0 && strcmp(directive->body, "once") == 0)
        directive->kind = HONE_DIRECTIVE_ONCE;
    *s->last = hone_arena_dup(s->arena, directive, sizeof *directive);
    if (!*s->last) return out_of_memory(s);
    s->last = &(*s->last)->next;
    return HONE_OK;
}

// A token of the code. A question stands also in what a literal says, for _Pragma.
static enum hone_status take_code(struct scanner *s)
{
    const int line = s->line;
    hone_strbuf_clear(&s->body);
    s->keeps = true;
    const enum hone_status status = take_token(s);
    s->keeps = false;
    if (status != HONE_OK) return status;
    if (s->body.failed) return out_of_memory(s);
    if (hone_pasting_is_question(s->body.data))
        return hone_fail_at(s->err, HONE_EINPUT, s->name, line,
                            "__has_include is answered in #if and #elif only; a compiler "
                            "would look for the file here as well");
    if (s->reader) s->reader->take(s->reader->context, s->body.data, s->body.len, line);
    return HONE_OK;
}

// At '#'.
static enum hone_status take_directive(struct scanner *s)
{
    const char *start = start_of_line(s, s->at);
    struct hone_directive directive = {
        .start = (size_t)(start - s->text), .line = s->line, .code_before = s->code};
    if (peek(s) == '%')
        step_two(s);
    else
        step(s);
    s->in_directive = s->keeps = true;
    enum hone_status status = skip_blanks(s);
    if (status == HONE_OK) status = take_name(s, &directive);
    while (status == HONE_OK && peek(s) >= 0 && peek(s) != '\n') {
        if (starts_comment(s) || scan_is_blank(peek(s)))
            status = skip_blanks(s);
        else
            status = take_token(s);
    }
    return status == HONE_OK ? finish_directive(s, &directive) : status;
}

static bool at_hash(struct scanner *s)
{
    return peek(s) == '#' || (peek(s) == '%' && peek_next(s) == ':');
}

static enum hone_status scan_lines(struct scanner *s)
{
    enum hone_status status = HONE_OK;
    for (bool fresh = true; status == HONE_OK && peek(s) >= 0;) {
        if (peek(s) == '\n') {
            fresh = true;
            step(s);
        } else if (starts_comment(s) || scan_is_blank(peek(s))) {
            status = skip_blanks(s);
        } else if (fresh && at_hash(s)) {
            status = take_directive(s);
        } else {
            fresh = false;
            status = take_code(s);
        }
    }
    return status;
}

// '#' and a backslash, which joins lines, as C has them for old keyboards.
static enum hone_status refuse_trigraphs(const char *text, size_t size, const char *name,
                                         struct hone_error *err)
{
    int line = 1;
    for (size_t i = 0; i + 2 < size; i++) {
        line += text[i] == '\n';
        if (text[i] != '?' || text[i + 1] != '?') continue;
        if (text[i + 2] != '=' && text[i + 2] != '/') continue;
        return hone_fail_at(err, HONE_EINPUT, name, line,
                            "the trigraph '%.3s' may be '%c': write that instead",
                            text + i, text[i + 2] == '=' ? '#' : '\\');
    }
    return HONE_OK;
}

enum hone_status hone_scan(struct hone_scan *out, struct hone_arena *arena, char *text,
                           size_t size, const char *name,
                           const struct hone_code_reader *reader, struct hone_error *err)
{
    struct scanner s = {.text = text,
                        .at = text,
                        .end = text + size,
                        .line = 1,
                        .body = HONE_STRBUF_INIT,
                        .last = &out->directives,
                        .name = name,
                        .arena = arena,
                        .reader = reader,
                        .err = err};
    *out = (struct hone_scan){0};
    if (memchr(text, '\0', size))
        return hone_fail_at(err, HONE_EINPUT, name, 1, "the text has a NUL byte");
    const enum hone_status unread = refuse_trigraphs(text, size, name, err);
    if (unread != HONE_OK) return unread;
    const enum hone_status status = scan_lines(&s);
    out->code_after = s.code;
    hone_strbuf_fini(&s.body);
    return status;
}
