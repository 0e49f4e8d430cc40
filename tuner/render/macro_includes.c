// #include NAME. A compiler would look up what NAME stands for where it meets it; here
// each #define of NAME also sets HONE_INCLUDE_NAME to the number of the file that it
// names, and an #if over that number takes the place of the #include. A NAME that is
// defined elsewhere (a parameter, an option) leads to no number, and so to an #error.
#include <string.h>

#include "assembly.h"

static struct hone_include_macro *find_macro(const struct hone_assembly *a,
                                             const char *name, size_t length)
{
    struct hone_include_macro *macro = a->macros;
    while (macro &&
           (strlen(macro->name) != length || memcmp(macro->name, name, length) != 0))
        macro = macro->next;
    return macro;
}

static enum hone_status add_macro(struct hone_assembly *a, const char *name)
{
    struct hone_include_macro *macro = hone_arena_alloc(a->arena, sizeof *macro);
    if (macro) macro->name = hone_arena_strdup(a->arena, name);
    if (!macro || !macro->name) return hone_fail(a->err, HONE_ENOMEM, "out of memory");
    macro->last = &macro->files;
    macro->next = a->macros;
    a->macros = macro;
    a->again = true;
    return HONE_OK;
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_$");
}

static enum hone_status include_one(struct hone_assembly *a, struct hone_writing *place,
                                    const struct hone_directive *d, const char *written)
{
    bool angled;
    const char *name = hone_header_name(a->arena, written, &angled);
    if (!name) return hone_fail(a->err, HONE_ENOMEM, "out of memory");
    return hone_assemble_include(a, place, d, name, angled, false);
}

static enum hone_status include_any(struct hone_assembly *a, struct hone_writing *place,
                                    const struct hone_directive *d,
                                    const struct hone_include_macro *macro)
{
    int number = 0;
    enum hone_status status = HONE_OK;
    hone_assemble_begin(place, d);
    place->depth++;
    for (const struct hone_word *file = macro->files; file && !status;
         file = file->next) {
        hone_strbuf_printf(place->out, "#%s HONE_INCLUDE_%s == %d\n",
                           number ? "elif" : "if", macro->name, number + 1);
        number++;
        status = include_one(a, place, d, file->text);
    }
    if (!status) {
        hone_strbuf_printf(place->out, "#else\n#line %d \"%s\"\n", d->line,
                           place->file->shown);
        status = hone_assemble_error(a, place, d,
                                     "#include %s: the macro is not one of those that "
                                     "the files define as a file's name",
                                     macro->name);
    }
    place->depth--;
    hone_strbuf_add(place->out, "#endif\n");
    hone_assemble_end(place, d, -1);
    return status;
}

enum hone_status hone_assemble_macro_include(struct hone_assembly *a,
                                             struct hone_writing *place,
                                             const struct hone_directive *d)
{
    const size_t length = word_length(d->body);
    if (!length || d->body[length])
        return hone_assemble_error(a, place, d,
                                   "#include %.80s: only a compiler can tell which file "
                                   "that is; write \"file\", <file> or a macro that is "
                                   "defined as one of these",
                                   d->body);
    const struct hone_include_macro *macro = find_macro(a, d->body, length);
    if (!macro) {
        const enum hone_status status = add_macro(a, d->body);
        hone_assemble_begin(place, d);
        hone_assemble_end(place, d, 0);
        return status;
    }
    if (!macro->files)
        return hone_assemble_error(a, place, d,
                                   "#include %s: no #define before it in the files makes "
                                   "the macro a file's name",
                                   macro->name);
    return include_any(a, place, d, macro);
}

// The number of the file, from 1; 0 when the macro is something else; -1: out of memory.
static int number_of(struct hone_assembly *a, struct hone_include_macro *macro,
                     const char *value)
{
    bool angled;
    int number = 1;
    const size_t length = strlen(value);
    const char *name = hone_header_name(a->arena, value, &angled);
    if (!name) return -1;
    if (!*name || strlen(name) + 2 != length) return 0;
    for (const struct hone_word *file = macro->files; file; file = file->next, number++)
        if (strcmp(file->text, value) == 0) return number;
    const struct hone_word word = {.text = hone_arena_strdup(a->arena, value)};
    *macro->last = hone_arena_dup(a->arena, &word, sizeof word);
    if (!*macro->last || !word.text) return -1;
    macro->last = &(*macro->last)->next;
    return number;
}

static enum hone_status pin_definition(struct hone_assembly *a,
                                       struct hone_writing *place,
                                       const struct hone_directive *d,
                                       struct hone_include_macro *macro)
{
    const char *value = d->body + strlen(macro->name);
    const bool takes_arguments = *value == '(';
    value += strspn(value, " \t");
    const int number = takes_arguments ? 0 : number_of(a, macro, value);
    if (number < 0) return hone_fail(a->err, HONE_ENOMEM, "out of memory");
    hone_strbuf_printf(place->out, "#undef HONE_INCLUDE_%s\n#define HONE_INCLUDE_%s %d\n",
                       macro->name, macro->name, number);
    return HONE_OK;
}

enum hone_status hone_assemble_pin(struct hone_assembly *a, struct hone_writing *place,
                                   const struct hone_directive *d)
{
    enum hone_status status = HONE_OK;
    const size_t length = word_length(d->body);
    if (d->kind == HONE_DIRECTIVE_UNDEF && d->body[length] == '\0' && length &&
        !hone_words_have(a->undefined, d->body))
        status = hone_words_add(a, &a->undefined, d->body);
    if (d->kind != HONE_DIRECTIVE_UNDEF && d->kind != HONE_DIRECTIVE_DEFINE)
        return status;
    if (d->kind == HONE_DIRECTIVE_DEFINE && !place->as_header && !status)
        status = hone_assemble_note(a, d);
    struct hone_include_macro *macro = find_macro(a, d->body, length);
    if (!macro || status != HONE_OK) return status;
    if (place->out->len && place->out->data[place->out->len - 1] != '\n')
        hone_strbuf_add(place->out, "\n");
    if (d->kind == HONE_DIRECTIVE_UNDEF)
        hone_strbuf_printf(place->out, "#undef HONE_INCLUDE_%s\n", macro->name);
    else
        status = pin_definition(a, place, d, macro);
    hone_assemble_end(place, d, -1);
    return status;
}
