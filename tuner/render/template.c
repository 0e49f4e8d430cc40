#include "template.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "file.h"
#include "strbuf.h"

// One file of the inclusion tree. open while its lines are being read: meeting it again
// then is a cycle, later it is a repetition.
struct source {
    struct source *next;
    const char *path; // as opened
    const char *real; // identity
    const char *name; // in #line: relative to the template
    bool open;
};

struct reader {
    struct hone_arena arena;
    struct hone_strbuf out;
    struct source *sources; // newest first; the last one is the template
    const char *folder;     // of the template
    struct hone_error *err;
};

static enum hone_status out_of_memory(struct hone_error *err, const char *path)
{
    return hone_fail(err, HONE_ENOMEM, "out of memory reading template '%s'", path);
}

static void add_line_directive(struct hone_strbuf *out, int line, const char *name)
{
    hone_strbuf_printf(out, "#line %d \"", line);
    for (; *name; name++) {
        if (*name == '"' || *name == '\\') hone_strbuf_add(out, "\\");
        hone_strbuf_add_bytes(out, name, 1);
    }
    hone_strbuf_add(out, "\"\n");
}

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

// Whether a block comment is still open after this line.
static bool comment_after(const char *p, const char *end, bool in_comment)
{
    while (p < end) {
        if (in_comment) {
            bool closes = starts(p, end, "*/");
            in_comment = !closes;
            p += closes ? 2 : 1;
        } else if (starts(p, end, "//")) {
            return false;
        } else if (starts(p, end, "/*")) {
            in_comment = true;
            p += 2;
        } else {
            p = *p == '"' || *p == '\'' ? skip_literal(p, end) : p + 1;
        }
    }
    return in_comment;
}

static const char *skip_blanks(const char *p, const char *end)
{
    while (p < end && (*p == ' ' || *p == '\t'))
        p++;
    return p;
}

// The name in a line of the form #include "name", in the arena; NULL for any other line.
static const char *local_include(struct hone_arena *arena, const char *p, const char *end)
{
    p = skip_blanks(p, end);
    if (p == end || *p != '#') return NULL;
    p = skip_blanks(p + 1, end);
    if (!starts(p, end, "include")) return NULL;
    p = skip_blanks(p + strlen("include"), end);
    if (p == end || *p != '"') return NULL;
    const char *close = memchr(p + 1, '"', (size_t)(end - p - 1));
    if (!close) return NULL;
    return hone_arena_printf(arena, "%.*s", (int)(close - p - 1), p + 1);
}

static const char *arena_join(struct hone_arena *arena, const char *folder,
                              const char *name)
{
    char *path = hone_path_join(folder, name);
    const char *copy = hone_arena_strdup(arena, path);
    free(path);
    return copy;
}

static const char *arena_folder(struct hone_arena *arena, const char *path)
{
    char *folder = hone_path_folder(path);
    const char *copy = hone_arena_strdup(arena, folder);
    free(folder);
    return copy;
}

// Fill in where an included name leads to; false when no such file exists.
static bool resolve(struct reader *reader, const struct source *from, const char *name,
                    struct source *found)
{
    const char *beside = arena_folder(&reader->arena, from->path);
    const char *shown = arena_folder(&reader->arena, from->name);
    if (!beside || !shown) return false;
    found->path = arena_join(&reader->arena, beside, name);
    found->name =
        strcmp(shown, ".") == 0 ? name : arena_join(&reader->arena, shown, name);
    if (!found->path || !hone_file_exists(found->path)) {
        found->path = arena_join(&reader->arena, reader->folder, name);
        found->name = name;
    }
    char *real = found->path ? hone_path_real(found->path) : NULL;
    found->real = hone_arena_strdup(&reader->arena, real);
    free(real);
    return found->real && found->name;
}

static const struct source *known(const struct reader *reader, const char *real)
{
    for (const struct source *s = reader->sources; s; s = s->next)
        if (strcmp(s->real, real) == 0) return s;
    return NULL;
}

static enum hone_status read_source(struct reader *reader, const struct source *what);

static enum hone_status include(struct reader *reader, const struct source *from,
                                int line, const char *name)
{
    struct source found = {0};
    if (!resolve(reader, from, name, &found))
        return hone_fail_at(reader->err, HONE_EINPUT, from->path, line,
                            "cannot find included file '%s' beside '%s' or in '%s'", name,
                            from->path, reader->folder);
    const struct source *before = known(reader, found.real);
    if (before && before->open)
        return hone_fail_at(reader->err, HONE_EINPUT, from->path, line,
                            "included file '%s' includes itself", name);
    if (before) {
        hone_strbuf_add(&reader->out, "\n");
        return HONE_OK;
    }
    enum hone_status status = read_source(reader, &found);
    if (status == HONE_OK) add_line_directive(&reader->out, line + 1, from->name);
    return status;
}

static enum hone_status copy_lines(struct reader *reader, const struct source *source,
                                   const char *p, const char *end)
{
    bool in_comment = false;
    for (int line = 1; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        const char *stop = newline ? newline : end;
        const char *name = in_comment ? NULL : local_include(&reader->arena, p, stop);
        if (name) {
            enum hone_status status = include(reader, source, line, name);
            if (status != HONE_OK) return status;
        } else {
            hone_strbuf_add_bytes(&reader->out, p, (size_t)(stop - p));
            hone_strbuf_add(&reader->out, "\n");
            in_comment = comment_after(p, stop, in_comment);
        }
        p = newline ? newline + 1 : end;
    }
    return HONE_OK;
}

static enum hone_status read_source(struct reader *reader, const struct source *what)
{
    char *text = NULL;
    size_t size = 0;
    enum hone_status status = hone_file_read(&text, &size, what->path, reader->err);
    if (status != HONE_OK) return status;
    struct source *source = hone_arena_dup(&reader->arena, what, sizeof *what);
    if (source) {
        source->next = reader->sources;
        source->open = true;
        reader->sources = source;
        add_line_directive(&reader->out, 1, source->name);
        status = copy_lines(reader, source, text, text + size);
        source->open = false;
    } else {
        status = out_of_memory(reader->err, what->path);
    }
    free(text);
    return status;
}

enum hone_status hone_template_read(struct hone_template *out, const char *path,
                                    struct hone_error *err)
{
    struct reader reader = {.out = HONE_STRBUF_INIT, .err = err};
    *out = (struct hone_template){0};
    struct source source = {.path = path, .name = hone_path_base(path)};
    char *real = hone_path_real(path);
    source.real = hone_arena_strdup(&reader.arena, real ? real : path);
    free(real);
    reader.folder = arena_folder(&reader.arena, path);
    enum hone_status status = HONE_ENOMEM;
    if (source.real && reader.folder) status = read_source(&reader, &source);
    if (status == HONE_OK) {
        out->text = hone_strbuf_steal(&reader.out);
        out->name = strdup(source.name);
    }
    if (status == HONE_ENOMEM || (status == HONE_OK && (!out->text || !out->name)))
        status = out_of_memory(err, path);
    hone_strbuf_fini(&reader.out);
    hone_arena_fini(&reader.arena);
    if (status != HONE_OK) {
        hone_template_fini(out);
        return status;
    }
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, out->text);
    hone_hash_end(&hash, out->hash);
    return HONE_OK;
}

void hone_template_fini(struct hone_template *template)
{
    free(template->text);
    free(template->name);
    *template = (struct hone_template){0};
}

struct token {
    const char *start;
    size_t len;
};

static bool is(struct token token, const char *word)
{
    return token.len == strlen(word) && memcmp(token.start, word, token.len) == 0;
}

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

// The next word (identifier or number) at or after *p, past comments and literals.
// *joined tells whether only blanks and an opening parenthesis stand between it and the
// word before.
static struct token next_word(const char **p, const char *end, bool *joined)
{
    *joined = true;
    const char *q = *p;
    while (q < end && !in_word(*q)) {
        if (*q != ' ' && *q != '\t' && *q != '(') *joined = false;
        if (starts(q, end, "//")) {
            while (q < end && *q != '\n')
                q++;
        } else if (starts(q, end, "/*")) {
            for (q += 2; q < end && !starts(q, end, "*/");)
                q++;
            q = q < end ? q + 2 : q;
        } else {
            q = *q == '"' || *q == '\'' ? skip_literal(q, end) : q + 1;
        }
    }
    struct token word = {.start = q};
    while (q < end && in_word(*q))
        q++;
    word.len = (size_t)(q - word.start);
    *p = q;
    return word;
}

void hone_template_uses(const struct hone_template *template, const char *const *names,
                        size_t count, struct hone_template_use *uses)
{
    const char *p = template->text, *end = p + strlen(p);
    memset(uses, 0, count * sizeof *uses);
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
