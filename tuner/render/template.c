#include "render/template.h"

#include <stdlib.h>
#include <string.h>

#include "assembly.h"
#include "base/file.h"
#include "pasting.h"

static enum hone_status out_of_memory(struct hone_error *err, const char *path)
{
    return hone_no_memory(err, "reading template '%s'", path);
}

// A macro that an #include names is known only then: its #defines stand before, some in
// headers, which are read after the text. Each round knows those of the rounds before.
static void start_round(struct hone_assembly *a)
{
    for (struct hone_file *f = a->files.loaded; f; f = f->next_loaded) {
        f->header_name = NULL;
        f->next_header = NULL;
        f->is_open = f->is_sure = f->met_once = false;
        f->once_number = 0;
    }
    a->headers = NULL;
    a->last_header = &a->headers;
    a->header_count = 0;
    a->once_count = 0;
    a->guards = NULL;
    a->has_news = a->is_waiting = false;
}

// Headers ask for further ones, which are put at the end of the list.
static enum hone_status assemble_headers(struct hone_assembly *a)
{
    enum hone_status status = HONE_OK;
    for (struct hone_file *f = a->headers; f && status == HONE_OK; f = f->next_header) {
        struct hone_strbuf text = HONE_STRBUF_INIT;
        struct hone_writing place = {.out = &text, .file = f, .as_header = true};
        status = hone_assemble_file(a, &place);
        free(f->header_text);
        f->header_text = hone_strbuf_steal(&text);
        if (status == HONE_OK && !f->header_text) status = HONE_ENOMEM;
    }
    return status;
}

static void free_headers(struct hone_template *template)
{
    for (size_t i = 0; i < template->header_count; i++) {
        free((char *)(uintptr_t) template->headers[i].name);
        free((char *)(uintptr_t) template->headers[i].text);
    }
    free(template->headers);
    template->headers = NULL;
    template->header_count = 0;
}

static enum hone_status assemble_round(struct hone_assembly *a, struct hone_file *file,
                                       struct hone_strbuf *text)
{
    struct hone_writing place = {.out = text, .file = file, .sure = true};
    start_round(a);
    hone_strbuf_clear(text);
    file->same->is_open = true;
    const enum hone_status status = hone_assemble_file(a, &place);
    return status == HONE_OK ? assemble_headers(a) : status;
}

static enum hone_status assemble_rounds(struct hone_assembly *a, struct hone_file *file,
                                        struct hone_strbuf *text)
{
    enum hone_status status;
    do {
        const struct hone_file *loaded = a->files.loaded;
        status = assemble_round(a, file, text);
        a->is_settled = !a->has_news && loaded == a->files.loaded;
    } while (status == HONE_OK && (a->has_news || a->is_waiting));
    return status;
}

static enum hone_status take_headers(struct hone_assembly *a, struct hone_template *out)
{
    if (!a->header_count) return HONE_OK;
    out->headers = calloc(a->header_count, sizeof *out->headers);
    if (!out->headers) return HONE_ENOMEM;
    for (struct hone_file *f = a->headers; f; f = f->next_header) {
        struct hone_build_header *header = &out->headers[out->header_count++];
        header->name = strdup(f->header_name);
        header->text = f->header_text;
        f->header_text = NULL;
        if (!header->name) return HONE_ENOMEM;
    }
    return HONE_OK;
}

static enum hone_status assemble(struct hone_assembly *a, struct hone_template *out,
                                 const char *path)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    struct hone_file *file =
        hone_files_open(&a->files, path, hone_path_base(path), HONE_FILE_SOURCE);
    if (!file) return HONE_ENOMEM;
    const struct hone_error *why = &file->why;
    if (why->code != HONE_OK) return hone_error_pass(a->err, why->code, why);
    enum hone_status status = assemble_rounds(a, file, &text);
    if (status == HONE_OK) status = hone_pasting_find(&out->pasting, &a->files, a->err);
    if (status == HONE_OK) status = take_headers(a, out);
    if (status == HONE_OK) {
        out->text = hone_strbuf_steal(&text);
        out->name = strdup(file->shown);
        if (!out->text || !out->name) status = HONE_ENOMEM;
    }
    hone_strbuf_fini(&text);
    return status;
}

static void hash_template(struct hone_template *template)
{
    struct hone_hash hash;
    hone_hash_begin(&hash);
    hone_hash_text(&hash, template->text);
    for (size_t i = 0; i < template->header_count; i++) {
        hone_hash_text(&hash, template->headers[i].name);
        hone_hash_text(&hash, template->headers[i].text);
    }
    hone_hash_end(&hash, template->hash);
}

static bool is_plain_name(const char *name)
{
    return hone_is_plain_path(name) && *name != '-' && *name != '.';
}

enum hone_status hone_template_read(struct hone_template *out, const char *path,
                                    const struct hone_template_places *places,
                                    struct hone_error *err)
{
    static const struct hone_template_places own_folder;
    struct hone_arena arena = {0};
    struct hone_assembly a = {.arena = &arena, .err = err};
    *out = (struct hone_template){0};
    if (!is_plain_name(hone_path_base(path)))
        return hone_fail(err, HONE_EINPUT,
                         "the name of template '%s' has a character other than letters, "
                         "digits and _ . + - @ , =",
                         path);
    enum hone_status status =
        hone_files_init(&a.files, &arena, places ? places : &own_folder, path);
    if (status == HONE_OK) status = assemble(&a, out, path);
    if (status == HONE_OK) hash_template(out);
    if (status == HONE_ENOMEM) status = out_of_memory(err, path);
    hone_files_fini(&a.files);
    hone_arena_fini(&arena);
    if (status != HONE_OK) hone_template_fini(out);
    return status;
}

void hone_template_fini(struct hone_template *template)
{
    free_headers(template);
    free(template->text);
    free(template->name);
    free(template->pasting.macros);
    *template = (struct hone_template){0};
}
