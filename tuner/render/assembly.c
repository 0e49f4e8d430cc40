// A file's text is copied, and its directives that read files are replaced. A file is
// inlined wherever it is included, its own guard decides there; a later inclusion is left
// out only where a compiler is sure to have read the file before and to find it guarded.
#include "assembly.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/one_of.h"
#include "pasting.h"
#include "render/toolkit.h"

enum { NESTING_MOST = 200 };

static enum hone_status out_of_memory(struct hone_assembly *a,
                                      const struct hone_writing *place)
{
    return hone_no_memory(a->err, "reading template '%s'", place->file->path);
}

static void add_line(struct hone_writing *place, int line)
{
    hone_strbuf_printf(place->out, "#line %d \"%s\"\n", line, place->file->shown);
}

static void add_newlines(struct hone_writing *place, int count)
{
    for (int i = 0; i < count; i++)
        hone_strbuf_add(place->out, "\n");
}

static bool at_line_start(const struct hone_strbuf *out)
{
    return !out->len || out->data[out->len - 1] == '\n';
}

void hone_assemble_begin(struct hone_writing *place, const struct hone_directive *d)
{
    if (at_line_start(place->out)) return;
    hone_strbuf_add(place->out, "\n");
    add_line(place, d->line);
}

void hone_assemble_end(struct hone_writing *place, const struct hone_directive *d,
                       int count)
{
    const int lines = d->lines ? d->lines : 1;
    if (count < 0 || count > lines)
        add_line(place, d->line + lines);
    else
        add_newlines(place, lines - count);
}

bool hone_words_have(const struct hone_word *words, const char *text)
{
    while (words && strcmp(words->text, text) != 0)
        words = words->next;
    return words != NULL;
}

enum hone_status hone_words_add(struct hone_assembly *a, struct hone_word **words,
                                const char *text)
{
    const struct hone_word word = {.next = *words,
                                   .text = hone_arena_strdup(a->arena, text)};
    struct hone_word *kept = hone_arena_dup(a->arena, &word, sizeof word);
    if (!kept || !word.text) return hone_no_memory(a->err, "assembling a template");
    *words = kept;
    return HONE_OK;
}

// --- errors ---

// Text that a compiler shows as it stands: nothing in it opens a comment or a literal.
static void add_shown(struct hone_strbuf *out, const char *text)
{
    for (; *text; text++) {
        const bool plain = *text >= ' ' && *text <= '~' && !hone_one_of(*text, "*\\");
        hone_strbuf_printf(out, "%c", *text == '"' ? '\'' : plain ? *text : '?');
    }
}

static bool is_certain(const struct hone_writing *place)
{
    return place->sure && !place->as_header && place->depth <= place->base;
}

enum hone_status hone_assemble_error(struct hone_assembly *a, struct hone_writing *place,
                                     const struct hone_directive *d, const char *format,
                                     ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (is_certain(place))
        return hone_fail_at(a->err, HONE_EINPUT, place->file->path, d->line, "%s", text);
    hone_assemble_begin(place, d);
    hone_strbuf_add(place->out, "#error ");
    add_shown(place->out, text);
    hone_strbuf_add(place->out, "\n");
    if (d->kind == HONE_DIRECTIVE_IF) hone_strbuf_add(place->out, "#if 0\n");
    hone_assemble_end(place, d, d->kind == HONE_DIRECTIVE_IF ? 2 : 1);
    return HONE_OK;
}

static enum hone_status assembly_explain(struct hone_assembly *a,
                                         struct hone_writing *place,
                                         const struct hone_directive *d,
                                         const struct hone_file *file, const char *name)
{
    const struct hone_error *why = &file->why;
    if (why->code != HONE_ENOTFOUND && a->files.bytes > HONE_SOURCE_MOST)
        return hone_assemble_error(a, place, d,
                                   "included file '%s': with it the files of a template "
                                   "have more than %d MiB",
                                   name, HONE_SOURCE_MOST >> 20);
    // what goes into the source is in the template's hash, so it tells of no folder
    if (!is_certain(place) && why->code != HONE_ENOTFOUND)
        return hone_assemble_error(a, place, d, "cannot use included file '%s': %s", name,
                                   hone_status_text(why->code));
    if (why->code != HONE_ENOTFOUND && why->source[0])
        return hone_assemble_error(a, place, d, "%s:%d: %s", why->source, why->line,
                                   why->text);
    if (why->code != HONE_ENOTFOUND)
        return hone_assemble_error(a, place, d, "%s", why->text);
    if (!is_certain(place))
        return hone_assemble_error(a, place, d,
                                   "cannot find included file '%s'; the script's key "
                                   "'include' names folders of headers",
                                   name);
    char advice[200] = "";
    hone_toolkit_advise(advice, sizeof advice, name);
    return hone_assemble_error(
        a, place, d, "cannot find included file '%s' beside '%s', in '%s'%s%s", name,
        place->file->path, a->files.folder,
        a->files.places->include_count ? " or a folder of the script's key 'include'"
        : a->files.places->roots.count ? " or a folder of templates"
                                       : "",
        *advice ? advice : "; the script's key 'include' names folders of headers");
}

// --- files ---

static bool is_undefined(const struct hone_assembly *a, const char *guard)
{
    return hone_words_have(a->undefined, guard);
}

static bool has_guard(const struct hone_assembly *a, const struct hone_file *file)
{
    return file->guard && !is_undefined(a, file->guard);
}

// Whether another file has the guard of this one: then it may be empty where it is read.
static bool shares_guard(struct hone_assembly *a, struct hone_file *file, bool *shares)
{
    *shares = false;
    if (!file->guard) return true;
    for (const struct hone_guard *g = a->guards; g; g = g->next)
        if (strcmp(g->file->guard, file->guard) == 0) {
            *shares = g->file != file->same;
            return true;
        }
    const struct hone_guard guard = {.next = a->guards, .file = file->same};
    struct hone_guard *kept = hone_arena_dup(a->arena, &guard, sizeof guard);
    if (kept) a->guards = kept;
    return kept != NULL;
}

static bool begin_once(struct hone_assembly *a, struct hone_writing *place)
{
    struct hone_file *same = place->file->same;
    const bool is_template = !place->nesting && !place->as_header;
    if (is_template || !place->file->has_once) return false;
    if (!same->once_number) same->once_number = ++a->once_count;
    hone_strbuf_printf(place->out, "#ifndef HONE_ONCE_%d\n", same->once_number);
    return true;
}

static enum hone_status inline_file(struct hone_assembly *a, struct hone_writing *place,
                                    const struct hone_directive *d,
                                    struct hone_file *file, enum hone_inclusion inclusion)
{
    bool shares;
    const bool sure = inclusion == HONE_INCLUDES_IT && is_certain(place);
    struct hone_writing inner = {
        .out = place->out, .file = file, .nesting = place->nesting + 1};
    if (inner.nesting > NESTING_MOST || place->out->len > HONE_SOURCE_MOST)
        return hone_fail_at(a->err, HONE_EINPUT, place->file->path, d->line,
                            "included files are nested more than %d deep or make more "
                            "than %d bytes of source",
                            NESTING_MOST, HONE_SOURCE_MOST);
    if (!shares_guard(a, file, &shares)) return out_of_memory(a, place);
    inner.sure = sure && !shares;
    file->same->is_sure |= sure;
    file->same->is_open = true;
    file->same->met_once = false;
    const enum hone_status status = hone_assemble_file(a, &inner);
    file->same->is_open = false;
    hone_assemble_end(place, d, -1);
    return status;
}

static enum hone_status include_inline(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_file *file,
                                       enum hone_inclusion inclusion)
{
    const struct hone_file *same = file->same;
    const bool guarded = has_guard(a, file);
    hone_assemble_begin(place, d);
    if ((same->is_open && (guarded || same->met_once)) ||
        (same->is_sure && (guarded || file->always_once))) {
        hone_assemble_end(place, d, 0);
        return HONE_OK;
    }
    if (same->is_open)
        return hone_assemble_error(a, place, d, "included file '%s' includes itself",
                                   file->shown);
    return inline_file(a, place, d, file, inclusion);
}

static enum hone_status include_header(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_file *file)
{
    if (!file->header_name) {
        file->header_name = hone_arena_printf(a->arena, "hone.%zu/%s", ++a->header_count,
                                              hone_path_base(file->shown));
        if (!file->header_name) return out_of_memory(a, place);
        *a->last_header = file;
        a->last_header = &file->next_header;
    }
    hone_assemble_begin(place, d);
    hone_strbuf_printf(place->out, "#include \"%s\"\n", file->header_name);
    hone_assemble_end(place, d, 1);
    return HONE_OK;
}

enum hone_status hone_assemble_include(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_include_name name,
                                       enum hone_inclusion inclusion)
{
    if (!hone_is_plain_path(name.text))
        return hone_assemble_error(a, place, d,
                                   "the name of an included file has a character other "
                                   "than letters, digits and _ . + - @ , = /");
    struct hone_file *file = hone_files_find(&a->files, place->file, name);
    if (!file) return out_of_memory(a, place);
    if (file->why.code != HONE_OK) return assembly_explain(a, place, d, file, name.text);
    return place->as_header || file->kind == HONE_FILE_HEADER
               ? include_header(a, place, d, file)
               : include_inline(a, place, d, file, inclusion);
}

// --- directives ---

struct hone_include_name hone_include_name_of(struct hone_arena *arena, const char *text)
{
    const bool angled = *text == '<', opens = angled || *text == '"';
    const char *close = opens ? strchr(text + 1, angled ? '>' : '"') : NULL;
    const int length = close ? (int)(close - text - 1) : 0;
    return (struct hone_include_name){
        .text = hone_arena_printf(arena, "%.*s", length, close ? text + 1 : ""),
        .angled = angled};
}

static enum hone_status assemble_include(struct hone_assembly *a,
                                         struct hone_writing *place,
                                         const struct hone_directive *d)
{
    if (*d->body != '<' && *d->body != '"')
        return hone_assemble_macro_include(a, place, d);
    const struct hone_include_name name = hone_include_name_of(a->arena, d->body);
    if (!name.text) return out_of_memory(a, place);
    if (!*name.text)
        return hone_assemble_error(a, place, d,
                                   "the name of an included file does not end");
    return hone_assemble_include(a, place, d, name, HONE_INCLUDES_IT);
}

static enum hone_status assemble_once(struct hone_writing *place,
                                      const struct hone_directive *d, bool *done)
{
    struct hone_file *same = place->file->same;
    same->met_once |= place->depth <= place->base;
    *done = same->once_number > 0;
    if (!*done) return HONE_OK;
    hone_assemble_begin(place, d);
    hone_strbuf_printf(place->out, "#define HONE_ONCE_%d\n", same->once_number);
    hone_assemble_end(place, d, 1);
    return HONE_OK;
}

static enum hone_status assemble_directive(struct hone_assembly *a,
                                           struct hone_writing *place,
                                           const struct hone_directive *d, bool *done)
{
    *done = false;
    switch ((int)d->kind) {
    case HONE_DIRECTIVE_INCLUDE:
        *done = true;
        return assemble_include(a, place, d);
    case HONE_DIRECTIVE_FOREIGN:
        *done = true;
        return hone_assemble_error(a, place, d, "#%s is not read; write #include",
                                   d->name);
    case HONE_DIRECTIVE_ONCE:
        return assemble_once(place, d, done);
    case HONE_DIRECTIVE_IF:
    case HONE_DIRECTIVE_ELIF:
        return hone_assemble_condition(a, place, d, done);
    case HONE_DIRECTIVE_DEFINE:
        return hone_assemble_definition(a, place, d, done);
    case HONE_DIRECTIVE_OTHER:
        *done = strcmp(d->name, "error") != 0 && strcmp(d->name, "warning") != 0 &&
                hone_pasting_is_question(d->body);
        return *done ? hone_assemble_error(a, place, d,
                                           "__has_include is answered in #if and #elif "
                                           "only, not in #%s",
                                           d->name)
                     : HONE_OK;
    default:
        return HONE_OK;
    }
}

static void follow_depth(struct hone_writing *place, const struct hone_directive *d)
{
    switch ((int)d->kind) {
    case HONE_DIRECTIVE_IF:
    case HONE_DIRECTIVE_IFDEF:
    case HONE_DIRECTIVE_IFNDEF:
        place->depth++;
        break;
    case HONE_DIRECTIVE_ENDIF:
        place->depth--;
        break;
    default:
        break;
    }
}

static enum hone_status assemble_one(struct hone_assembly *a, struct hone_writing *place,
                                     const struct hone_directive *d)
{
    bool done;
    enum hone_status status = assemble_directive(a, place, d, &done);
    if (status != HONE_OK) return status;
    if (!done)
        hone_strbuf_add_bytes(place->out, place->file->text + d->start,
                              d->end - d->start);
    follow_depth(place, d);
    return done ? HONE_OK : hone_assemble_pin(a, place, d);
}

enum hone_status hone_assemble_file(struct hone_assembly *a, struct hone_writing *place)
{
    const struct hone_file *file = place->file;
    size_t at = 0;
    place->depth = 0;
    place->base = has_guard(a, file) ? 1 : 0;
    const bool once = begin_once(a, place);
    add_line(place, 1);
    for (const struct hone_directive *d = file->scan.directives; d; d = d->next) {
        hone_strbuf_add_bytes(place->out, file->text + at, d->start - at);
        const enum hone_status status = assemble_one(a, place, d);
        if (status != HONE_OK) return status;
        at = d->end;
    }
    hone_strbuf_add_bytes(place->out, file->text + at, file->size - at);
    if (!at_line_start(place->out)) hone_strbuf_add(place->out, "\n");
    if (once) hone_strbuf_add(place->out, "#endif\n");
    return place->out->failed ? out_of_memory(a, place) : HONE_OK;
}
