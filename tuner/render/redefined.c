// A #define in a template that takes the place of the script's: every configuration would
// be built with the same value. Only what a compiler is sure to read is judged.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/identifier.h"
#include "render/scan.h"
#include "render_internal.h"

struct walk {
    const struct hone_kernel *kernel;
    const char *path; // of the template
    const struct hone_template *template;
    bool with_params;
    struct hone_directive *first;
    int line_offset;  // from the text's lines to those of the file
    char file[256];   // "" for the template itself
    int depth, doubt; // of #if; the depth from which on it is not sure what is read, or 0
    struct hone_error *err;
};

static bool defines_name(const struct hone_directive *d, const char *name)
{
    const size_t length = strlen(name);
    return d->kind == HONE_DIRECTIVE_DEFINE && strncmp(d->body, name, length) == 0 &&
           !hone_is_name_part(d->body[length]);
}

// What the script gives as a macro that d defines: its name, and what it is.
static const char *name_of(const struct walk *w, const struct hone_directive *d,
                           const char **what)
{
    const struct hone_kernel_def *def = &w->kernel->def;
    *what = "parameter";
    for (size_t i = 0; w->with_params && i < def->space.param_count; i++)
        if (defines_name(d, def->space.params[i].name)) return def->space.params[i].name;
    *what = "problem size";
    for (size_t i = 0; i < def->define_count; i++)
        if (defines_name(d, def->defines[i])) return def->defines[i];
    return NULL;
}

// "#ifndef NAME" and "#define NAME" around a file, of a macro that nothing has defined.
static bool is_guard(const struct walk *w, const struct hone_directive *d)
{
    const char *what;
    const struct hone_directive *next = d->next;
    const struct hone_kernel_def *def = &w->kernel->def;
    if (d->kind != HONE_DIRECTIVE_IFNDEF || !next || next->code_before) return false;
    if (!defines_name(next, d->body) || name_of(w, next, &what)) return false;
    if (strncmp(d->body, "__", 2) == 0 || strstr(d->body, "HONE")) return false;
    for (size_t i = 0; i < def->option_count; i++)
        if (strstr(def->options[i], d->body)) return false;
    for (const struct hone_directive *p = w->first; p != d; p = p->next)
        if (defines_name(p, d->body)) return false;
    return true;
}

static void take_line(struct walk *w, const struct hone_directive *d)
{
    const int line = (int)strtol(d->body, NULL, 10);
    const char *name = strchr(d->body, '"');
    w->line_offset = line - d->line - d->lines;
    if (!name) return;
    snprintf(w->file, sizeof w->file, "%.*s", (int)strcspn(name + 1, "\""), name + 1);
    if (strcmp(w->file, w->template->name) == 0) w->file[0] = '\0';
}

static void take_condition(struct walk *w, const struct hone_directive *d)
{
    const bool opens = d->kind == HONE_DIRECTIVE_IF || d->kind == HONE_DIRECTIVE_IFDEF ||
                       d->kind == HONE_DIRECTIVE_IFNDEF;
    const bool turns = d->kind == HONE_DIRECTIVE_ELIF || d->kind == HONE_DIRECTIVE_ELSE;
    if (opens) w->depth++;
    if (((opens && !is_guard(w, d)) || turns) && !w->doubt) w->doubt = w->depth;
    if (d->kind != HONE_DIRECTIVE_ENDIF) return;
    if (w->doubt == w->depth) w->doubt = 0;
    w->depth--;
}

static enum hone_status refuse_override(struct walk *w, const struct hone_directive *d)
{
    const char *what, *name = name_of(w, d, &what);
    const int line = d->line + w->line_offset;
    if (!name || w->doubt) return HONE_OK;
    return hone_fail_at(w->err, HONE_EINPUT, w->file[0] ? w->file : w->path, line,
                        "%s is a %s of %s: its value comes from there; write '#ifndef "
                        "%s' and '#endif' around line %d",
                        name, what, w->kernel->def.source, name, line);
}

static enum hone_status walk_text(struct walk *w)
{
    struct hone_arena arena = {0};
    struct hone_scan scan = {0};
    char *text = hone_arena_strdup(&arena, w->template->text);
    enum hone_status status =
        text ? hone_scan(&scan, &arena, text, strlen(text), w->path, NULL, w->err)
             : hone_no_memory(w->err, "for template '%s'", w->path);
    w->first = scan.directives;
    for (const struct hone_directive *d = w->first; d && status == HONE_OK; d = d->next) {
        if (strcmp(d->name, "line") == 0) take_line(w, d);
        take_condition(w, d);
        status = refuse_override(w, d);
    }
    hone_arena_fini(&arena);
    return status;
}

enum hone_status hone_redefinitions_refuse(const struct hone_kernel *kernel,
                                           struct hone_error *err)
{
    const char *reference = kernel->def.reference.template_path;
    struct walk w = {.kernel = kernel,
                     .path = kernel->def.template_path,
                     .template = &kernel->template,
                     .with_params = true,
                     .err = err};
    const enum hone_status status = walk_text(&w);
    if (status != HONE_OK || !reference) return status;
    // The reference knows no parameter, and may use the name for something else.
    w = (struct walk){
        .kernel = kernel, .path = reference, .template = &kernel->reference, .err = err};
    return walk_text(&w);
}
