// __has_include: each one in a condition or in a macro's value is replaced by its answer.
// A compiler would ask the file system, and its answer would be in no hash.
#include <string.h>

#include "assembly.h"
#include "base/identifier.h"
#include "base/one_of.h"
#include "pasting.h"

struct reader {
    struct hone_assembly *a;
    struct hone_writing *place;
    const char *at;
    struct hone_strbuf out;
    bool found;  // one was there,
    bool failed; // and has no form that can be answered here
    enum hone_status status;
};

static bool in_word(char c)
{
    return hone_is_name_part(c) || c == '$' || (unsigned char)c >= 0x80;
}

static size_t conditions_word_length(const char *p)
{
    size_t length = 0;
    while (in_word(p[length]))
        length++;
    return length;
}

static bool is_question(const struct hone_assembly *a, const char *word, size_t length)
{
    char text[128];
    if (length >= sizeof text) return false;
    memcpy(text, word, length);
    text[length] = '\0';
    return strcmp(text, "__has_include") == 0 ||
           strcmp(text, "__has_include_next") == 0 || strcmp(text, "__has_embed") == 0 ||
           hone_words_have(a->aliases, text);
}

static bool answer(struct reader *r, struct hone_include_name name)
{
    if (!hone_is_plain_path(name.text)) return false;
    const struct hone_file *file = hone_files_find(&r->a->files, r->place->file, name);
    if (!file) r->status = hone_no_memory(r->a->err, "assembling a template");
    return file && file->why.code == HONE_OK;
}

// Behind the word: ("x") or (<x>).
static void take_question(struct reader *r)
{
    struct hone_include_name name = {.text = ""};
    const char *p = r->at + strspn(r->at, " \t");
    r->found = true;
    p += *p == '(' ? 1 + strspn(p + 1, " \t") : 0;
    if (r->at != p) name = hone_include_name_of(r->a->arena, p);
    if (!name.text) r->status = hone_no_memory(r->a->err, "assembling a template");
    r->failed |= !name.text || !*name.text;
    if (r->failed) return;
    const char *close = p + strlen(name.text) + 2;
    close += strspn(close, " \t");
    r->failed = *close != ')';
    if (r->failed) return;
    hone_strbuf_add(&r->out, answer(r, name) ? "1" : "0");
    r->at = close + 1;
}

static void copy(struct reader *r, size_t length)
{
    hone_strbuf_add_bytes(&r->out, r->at, length);
    r->at += length;
}

static void copy_literal(struct reader *r)
{
    const char quote = *r->at;
    size_t length = 1;
    while (r->at[length] && r->at[length] != quote)
        length += r->at[length] == '\\' && r->at[length + 1] ? 2 : 1;
    copy(r, r->at[length] ? length + 1 : length);
}

// At "defined": whether the compiler has the question is answered as well, for a macro
// could take the word "defined" away from it. Its other names are macros, and stay.
static bool answer_defined(struct reader *r)
{
    const char *p = r->at + strlen("defined");
    p += strspn(p, " \t");
    const bool open = *p == '(';
    p += open ? 1 + strspn(p + 1, " \t") : 0;
    const size_t length = conditions_word_length(p);
    const char *close = p + length;
    if (open) close += strspn(close, " \t");
    if (!is_question(r->a, p, length) || (open && *close != ')')) return false;
    if (strncmp(p, "__has_", 6) != 0) {
        copy(r, (size_t)(close - r->at) + open);
        return true;
    }
    const bool is_embed = length == strlen("__has_embed"); // which is refused
    hone_strbuf_add(&r->out, is_embed ? "0" : "1");
    r->at = close + open;
    return r->found = true;
}

static void read_questions(struct reader *r)
{
    while (*r->at && !r->failed) {
        const size_t length = conditions_word_length(r->at);
        if (*r->at == '"' || *r->at == '\'') {
            copy_literal(r);
        } else if (!length) {
            copy(r, 1);
        } else if (is_question(r->a, r->at, length)) {
            r->at += length;
            take_question(r);
        } else if (length != 7 || memcmp(r->at, "defined", 7) != 0 ||
                   !answer_defined(r)) {
            copy(r, length);
        }
    }
    // In a literal, whose end a compiler may see elsewhere, and which _Pragma reads.
    r->failed |= hone_pasting_is_question(r->out.data);
}

static enum hone_status write_answers(struct reader *r, const struct hone_directive *d)
{
    hone_assemble_begin(r->place, d);
    hone_strbuf_printf(r->place->out, "#%s %s\n", d->name, r->out.data);
    hone_assemble_end(r->place, d, 1);
    return r->out.failed ? hone_no_memory(r->a->err, "assembling a template") : HONE_OK;
}

static const char *const unanswered =
    "__has_include is answered only in the forms (\"file\") and (<file>), not from "
    "macros";

enum hone_status hone_assemble_condition(struct hone_assembly *a,
                                         struct hone_writing *place,
                                         const struct hone_directive *d, bool *done)
{
    struct reader r = {.a = a, .place = place, .at = d->body, .out = HONE_STRBUF_INIT};
    read_questions(&r);
    *done = r.found || r.failed;
    if (r.failed && d->kind == HONE_DIRECTIVE_ELIF) {
        hone_assemble_begin(place, d);
        hone_strbuf_add(place->out, "#elif 1\n");
    }
    if (r.status == HONE_OK && r.failed)
        r.status = hone_assemble_error(a, place, d, "%s", unanswered);
    else if (r.status == HONE_OK && r.found)
        r.status = write_answers(&r, d);
    hone_strbuf_fini(&r.out);
    return r.status;
}

// The length of NAME in "NAME(P) __has_include(P)"; 0 for any other definition.
static size_t alias_of(const struct hone_assembly *a, const char *body)
{
    const size_t name = conditions_word_length(body);
    const char *p = body + name;
    if (!name || *p++ != '(') return 0;
    p += strspn(p, " \t");
    const char *parameter = p;
    const size_t length = conditions_word_length(p);
    p += length + strspn(p + length, " \t");
    if (!length || *p++ != ')') return 0;
    p += strspn(p, " \t");
    const size_t question = conditions_word_length(p);
    if (!is_question(a, p, question)) return 0;
    p += question + strspn(p + question, " \t");
    if (*p++ != '(') return 0;
    p += strspn(p, " \t");
    if (conditions_word_length(p) != length || memcmp(p, parameter, length) != 0)
        return 0;
    p += length + strspn(p + length, " \t");
    return *p == ')' && !p[1] ? name : 0;
}

static enum hone_status define_alias(struct hone_assembly *a, struct hone_writing *place,
                                     const struct hone_directive *d, size_t length)
{
    const char *alias = hone_arena_printf(a->arena, "%.*s", (int)length, d->body);
    if (!alias) return hone_no_memory(a->err, "assembling a template");
    hone_assemble_begin(place, d);
    hone_strbuf_printf(place->out, "#define %s(file) 0\n", alias);
    hone_assemble_end(place, d, 1);
    return hone_words_have(a->aliases, alias) ? HONE_OK
                                              : hone_words_add(a, &a->aliases, alias);
}

enum hone_status hone_assemble_definition(struct hone_assembly *a,
                                          struct hone_writing *place,
                                          const struct hone_directive *d, bool *done)
{
    const size_t alias = alias_of(a, d->body);
    struct reader r = {.a = a, .place = place, .at = d->body, .out = HONE_STRBUF_INIT};
    *done = true;
    if (alias) return define_alias(a, place, d, alias);
    copy(&r, conditions_word_length(
                 r.at)); // a macro may be defined again by the name of an alias
    read_questions(&r);
    *done = r.found;
    if (r.status == HONE_OK && r.failed)
        r.status = hone_assemble_error(a, place, d, "%s", unanswered);
    else if (r.status == HONE_OK && r.found)
        r.status = write_answers(&r, d);
    hone_strbuf_fini(&r.out);
    return r.status;
}
