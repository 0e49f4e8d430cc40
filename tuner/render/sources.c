#include "render/sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/one_of.h"
#include "hone/strbuf.h"

bool hone_is_plain_path(const char *name)
{
    for (const char *p = name; *p; p++)
        if (!hone_is_alnum(*p) && !hone_one_of(*p, "_.+-@,=/")) return false;
    return *name != '\0';
}

static size_t sources_word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                        "0123456789_");
}

// X of "#ifndef X" and "#if !defined(X)", *length long; 0 for anything else.
static const char *guard_of(size_t *length, const struct hone_directive *d)
{
    const char *p = d->body;
    const bool asks = d->kind == HONE_DIRECTIVE_IF && *p == '!';
    *length = 0;
    if (asks) {
        p += 1 + strspn(p + 1, " ");
        if (strncmp(p, "defined", 7) != 0) return p;
        p += 7 + strspn(p + 7, " (");
    } else if (d->kind != HONE_DIRECTIVE_IFNDEF) {
        return p;
    }
    const char *behind = p + sources_word_length(p);
    if (!behind[strspn(behind, asks ? " )" : "")]) *length = (size_t)(behind - p);
    return p;
}

static int depth_change(const struct hone_directive *d)
{
    if (d->kind == HONE_DIRECTIVE_ENDIF) return -1;
    return d->kind == HONE_DIRECTIVE_IF || d->kind == HONE_DIRECTIVE_IFDEF ||
           d->kind == HONE_DIRECTIVE_IFNDEF;
}

// Does the #if that comes first end with the last directive, without an alternative?
static bool is_wrapped(const struct hone_scan *scan)
{
    int depth = 0;
    const struct hone_directive *first = scan->directives;
    if (!first || first->code_before || scan->code_after) return false;
    for (const struct hone_directive *d = first; d; d = d->next) {
        const bool other =
            d->kind == HONE_DIRECTIVE_ELSE || d->kind == HONE_DIRECTIVE_ELIF;
        if ((other && depth == 1) || (d != first && depth == 0)) return false;
        depth += depth_change(d);
    }
    return depth == 0;
}

static bool find_guard(struct hone_arena *arena, struct hone_file *file)
{
    size_t length;
    const struct hone_directive *first = file->scan.directives;
    if (!is_wrapped(&file->scan) || !first->next) return true;
    const struct hone_directive *second = first->next;
    const char *guard = guard_of(&length, first);
    if (!length || second->kind != HONE_DIRECTIVE_DEFINE || second->code_before ||
        sources_word_length(second->body) != length ||
        memcmp(second->body, guard, length) != 0)
        return true;
    file->guard = hone_arena_printf(arena, "%.*s", (int)length, guard);
    return file->guard != NULL;
}

static void find_once(struct hone_file *file)
{
    int depth = file->guard ? -1 : 0;
    for (const struct hone_directive *d = file->scan.directives; d; d = d->next) {
        depth += depth_change(d);
        if (d->kind != HONE_DIRECTIVE_ONCE) continue;
        file->has_once = true;
        file->always_once |= depth == 0;
    }
}

// What a file leaves open must not reach into the file that includes it.
static enum hone_status check_ends(const struct hone_file *file, struct hone_error *err)
{
    int depth = 0;
    for (const struct hone_directive *d = file->scan.directives; d; d = d->next) {
        depth += depth_change(d);
        if (depth < 0)
            return hone_fail_at(err, HONE_EINPUT, file->path, d->line,
                                "#endif without an #if in the same file");
    }
    size_t end = file->size;
    while (end && hone_one_of(file->text[end - 1], "\r\n"))
        end--;
    if (end && file->text[end - 1] == '\\')
        return hone_fail(err, HONE_EINPUT, "'%s' ends in a line that is to be continued",
                         file->path);
    if (depth > 0)
        return hone_fail(err, HONE_EINPUT, "'%s' ends within an #if", file->path);
    return HONE_OK;
}

static void find_same(struct hone_files *files, struct hone_file *file)
{
    file->same = file;
    for (struct hone_file *f = files->loaded; f; f = f->next_loaded)
        if (f->device == file->device && f->inode == file->inode) file->same = f->same;
    file->next_loaded = files->loaded;
    files->loaded = file;
}

static enum hone_status sources_load(struct hone_files *files, struct hone_file *file)
{
    struct hone_root_file read;
    enum hone_status status =
        hone_root_read(&read, &files->allowed, file->path, HONE_SOURCE_MOST, &file->why);
    if (status != HONE_OK) return status;
    char *text = read.text;
    if (read.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) memcpy(text, "   ", 3);
    file->text = text;
    file->size = read.size;
    file->device = read.device;
    file->inode = read.inode;
    find_same(files, file);
    files->bytes += read.size;
    if (files->bytes > HONE_SOURCE_MOST)
        return hone_fail(&file->why, HONE_EINPUT,
                         "'%s' makes more than %d bytes of source with what it includes",
                         file->path, HONE_SOURCE_MOST);
    status = hone_scan(&file->scan, files->arena, text, file->size, file->path, NULL,
                       &file->why);
    if (status == HONE_OK) status = check_ends(file, &file->why);
    if (status == HONE_OK && !find_guard(files->arena, file))
        status = hone_no_memory(&file->why, "reading a source");
    if (status != HONE_OK) return status;
    find_once(file);
    return HONE_OK;
}

static char *arena_folder(struct hone_arena *arena, const char *path)
{
    char *folder = hone_path_folder(path);
    char *copy = hone_arena_strdup(arena, folder);
    free(folder);
    return copy;
}

// Where the folders lie is found once: one that becomes a link later is no way out. One
// that is not there holds no file.
static bool fix_folders(struct hone_arena *arena, const char **folders, size_t *count)
{
    size_t kept = 0;
    for (size_t i = 0; i < *count; i++) {
        struct hone_error why = {0};
        char *place = hone_root_place(folders[i], &why);
        if (!place && why.code == HONE_ENOMEM) return false;
        if (!place) continue;
        folders[kept] = hone_arena_strdup(arena, place);
        free(place);
        if (!folders[kept++]) return false;
    }
    *count = kept;
    return true;
}

enum hone_status hone_files_init(struct hone_files *files, struct hone_arena *arena,
                                 const struct hone_template_places *places,
                                 const char *template_path)
{
    *files = (struct hone_files){.arena = arena, .places = places};
    files->folder = arena_folder(arena, template_path);
    const char **folders = hone_arena_array(
        arena, places->roots.count + places->include_count + 1, sizeof *folders);
    if (!files->folder || !folders) return HONE_ENOMEM;
    size_t count = 0;
    if (!places->roots.count) folders[count++] = files->folder;
    for (size_t i = 0; i < places->roots.count; i++)
        folders[count++] = places->roots.folders[i];
    for (size_t i = 0; i < places->include_count; i++)
        folders[count++] =
            places->roots.fixed ? places->includes[i].place : places->includes[i].folder;
    const bool is_open = places->roots.anywhere || places->roots.fixed;
    if (!is_open && !fix_folders(arena, folders, &count)) return HONE_ENOMEM;
    files->allowed = (struct hone_roots){.folders = folders,
                                         .count = count,
                                         .anywhere = places->roots.anywhere,
                                         .fixed = true};
    return HONE_OK;
}

struct hone_file *hone_files_open(struct hone_files *files, const char *path,
                                  const char *shown, enum hone_file_kind kind)
{
    struct hone_file **link =
        &files->buckets[hone_hash64(path, strlen(path)) % HONE_FILE_BUCKETS];
    for (; *link; link = &(*link)->next)
        if (strcmp((*link)->path, path) == 0) return *link;
    struct hone_file *file = hone_arena_alloc(files->arena, sizeof *file);
    if (!file) return NULL;
    file->path = hone_arena_strdup(files->arena, path);
    file->shown = hone_arena_strdup(files->arena, shown);
    file->kind = kind;
    if (!file->path || !file->shown) return NULL;
    *link = file;
    return sources_load(files, file) == HONE_ENOMEM ? NULL : file;
}

struct search {
    struct hone_files *files;
    const struct hone_file *from;
    const char *name;
    struct hone_file *found; // the last that was tried
    bool out_of_memory;
};

// Whether the search is over: the file was found, or is there and must not be read.
static bool try_folder(struct search *s, const char *folder, const char *shown,
                       enum hone_file_kind kind)
{
    struct hone_arena *arena = s->files->arena;
    const bool here = !shown || strcmp(shown, ".") == 0;
    const char *path =
        s->name[0] == '/' ? s->name : hone_arena_printf(arena, "%s/%s", folder, s->name);
    const char *called =
        here ? s->name : hone_arena_printf(arena, "%s/%s", shown, s->name);
    struct hone_file *file =
        path && called ? hone_files_open(s->files, path, called, kind) : NULL;
    s->out_of_memory |= !file;
    s->found = file;
    return !file || file->why.code != HONE_ENOTFOUND;
}

static bool try_beside(struct search *s)
{
    struct hone_arena *arena = s->files->arena;
    const char *folder = arena_folder(arena, s->from->path);
    const char *shown = arena_folder(arena, s->from->shown);
    s->out_of_memory |= !folder || !shown;
    return s->out_of_memory || try_folder(s, folder, shown, s->from->kind);
}

static bool try_roots(struct search *s)
{
    const struct hone_template_places *places = s->files->places;
    if (try_folder(s, s->files->folder, NULL, HONE_FILE_SOURCE)) return true;
    for (size_t i = 0; i < places->roots.count; i++)
        if (try_folder(s, places->roots.folders[i], NULL, HONE_FILE_SOURCE)) return true;
    return false;
}

static bool try_includes(struct search *s)
{
    const struct hone_template_places *places = s->files->places;
    for (size_t i = 0; i < places->include_count; i++)
        if (try_folder(s, places->includes[i].folder, places->includes[i].name,
                       HONE_FILE_HEADER))
            return true;
    return false;
}

struct hone_file *hone_files_find(struct hone_files *files, const struct hone_file *from,
                                  struct hone_include_name name)
{
    struct search s = {.files = files, .from = from, .name = name.text};
    const bool roots = from->kind == HONE_FILE_SOURCE;
    bool done = !name.angled && (try_beside(&s) || (roots && try_roots(&s)));
    done = done || try_includes(&s);
    if (!done && name.angled && roots) try_roots(&s);
    if (!s.found && !s.out_of_memory) try_beside(&s); // to say where nothing is
    return s.out_of_memory ? NULL : s.found;
}

void hone_files_fini(struct hone_files *files)
{
    for (struct hone_file *f = files->loaded; f; f = f->next_loaded) {
        free(f->text);
        free(f->header_text);
    }
}
