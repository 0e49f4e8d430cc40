// Where a script's template lies: beside the script, in ../templates, likewise of the
// file that a linked script leads to, or in a given folder; and the folders of headers
// that it names.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/root.h"
#include "bind_internal.h"
#include "render/sources.h"
#include "render/toolkit.h"

// Scripts see no files outside these folders unless io is allowed.
bool hone_path_leads_out(const char *name)
{
    if (name[0] == '/') return true;
    for (const char *p = name; p; p = strchr(p, '/')) {
        p += *p == '/';
        if (strncmp(p, "..", 2) == 0 && (p[2] == '/' || p[2] == '\0')) return true;
    }
    return false;
}

static const char *templates_join(lua_State *L, const char *folder, const char *name)
{
    bool here = strcmp(folder, ".") == 0;
    const char *path = here ? name : lua_pushfstring(L, "%s/%s", folder, name);
    const char *copy = hone_script_strdup(L, path);
    if (!here) lua_pop(L, 1);
    return copy;
}

// A place in script memory; NULL when there is no such folder.
static const char *place_of(lua_State *L, const char *folder)
{
    struct hone_error err = {0};
    char *place = hone_root_place(folder, &err);
    if (!place && err.code == HONE_ENOTFOUND) return NULL;
    if (!place) hone_script_raise(L, err.code, 0, "%s", err.text);
    const char *copy = hone_arena_strdup(&hone_script_of(L)->arena, place);
    free(place);
    if (!copy) hone_script_raise(L, HONE_ENOMEM, 0, "out of memory for '%s'", folder);
    return copy;
}

static void add_folder(lua_State *L, const char *name)
{
    struct hone_script *script = hone_script_of(L);
    script->folders[script->folder_count] =
        (struct hone_script_folder){.name = name, .place = place_of(L, name)};
    script->folder_count++;
}

// A folder and ../templates beside it. That is nobody's word but a name, so a link by
// this name leads no further than what is beside it anyway.
static void add_pair(lua_State *L, const char *folder)
{
    struct hone_script *script = hone_script_of(L);
    add_folder(L, folder);
    add_folder(L, templates_join(L, folder, "../templates"));
    const char *parent = place_of(L, templates_join(L, folder, ".."));
    const struct hone_roots roots = {
        .folders = &parent, .count = parent != NULL, .fixed = true};
    struct hone_script_folder *templates = &script->folders[script->folder_count - 1];
    templates->leads_out = templates->place && !script->options->allow_io &&
                           !hone_root_holds(&roots, templates->place);
}

// The folder of the file that a script which is a link leads to; NULL for others.
static const char *linked_folder(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    struct stat info;
    if (lstat(script->path, &info) != 0 || !S_ISLNK(info.st_mode)) return NULL;
    char *file = hone_file_target(script->path);
    char *folder = file ? hone_path_folder(file) : NULL;
    const char *copy = folder ? hone_arena_strdup(&script->arena, folder) : NULL;
    free(folder);
    free(file);
    return copy;
}

static void find_folders(lua_State *L)
{
    struct hone_script *script = hone_script_of(L);
    const struct hone_script_options *options = script->options;
    if (script->folders) return;
    script->folders =
        hone_script_alloc(L, 4 + options->template_path_count, sizeof *script->folders);
    add_pair(L, script->folder);
    const char *linked = linked_folder(L);
    if (linked) add_pair(L, linked);
    for (size_t i = 0; i < options->template_path_count; i++)
        add_folder(L, options->template_path[i]);
}

_Noreturn static void raise_not_found(lua_State *L, const char *name, int line)
{
    const struct hone_script *script = hone_script_of(L);
    lua_pushliteral(L, "");
    for (size_t i = 0; i < script->folder_count; i++) {
        const struct hone_script_folder *folder = &script->folders[i];
        if (folder->leads_out && hone_file_exists(templates_join(L, folder->name, name)))
            hone_script_raise(L, HONE_EINPUT, line,
                              "template folder '%s' is a link that leads out of the "
                              "folder it lies in, to '%s': name that with --templates",
                              folder->name, folder->place);
        lua_pushfstring(L, "%s'%s'", i ? ", " : "", folder->name);
        lua_concat(L, 2);
    }
    hone_script_raise(L, HONE_EINPUT, line, "no template '%s' in %s", name,
                      name[0] == '/' ? "the file system" : lua_tostring(L, -1));
}

const char *hone_templates_find(lua_State *L, const char *name, int line)
{
    const struct hone_script *script = hone_script_of(L);
    if (name[0] == '\0')
        hone_script_raise(L, HONE_EINPUT, line, "the template has no name");
    if (hone_path_leads_out(name) && !script->options->allow_io)
        hone_script_raise(
            L, HONE_EINPUT, line,
            "template '%s' leads out of the template folders (--allow-io allows "
            "it)",
            name);
    if (name[0] == '/' && hone_file_exists(name)) return hone_script_strdup(L, name);
    find_folders(L);
    for (size_t i = 0; name[0] != '/' && i < script->folder_count; i++) {
        const char *path = templates_join(L, script->folders[i].name, name);
        if (!script->folders[i].leads_out && hone_file_exists(path)) return path;
    }
    raise_not_found(L, name, line);
}

const char *const *hone_templates_folders(lua_State *L, size_t *count)
{
    const struct hone_script *script = hone_script_of(L);
    find_folders(L);
    const char **places = hone_script_alloc(L, script->folder_count, sizeof *places);
    *count = 0;
    for (size_t i = 0; i < script->folder_count; i++)
        if (script->folders[i].place && !script->folders[i].leads_out)
            places[(*count)++] = script->folders[i].place;
    return places;
}

static bool may_include(lua_State *L, const char *name, const char *place)
{
    struct hone_roots roots = {.fixed = true};
    if (hone_script_of(L)->options->allow_io) return true;
    if (!place) return false;
    if (name[0] == '/') return hone_toolkit_holds(place);
    roots.folders = hone_templates_folders(L, &roots.count);
    return !hone_path_leads_out(name) && hone_root_holds(&roots, place);
}

void hone_templates_find_include(lua_State *L, struct hone_include_folder *out, int line)
{
    const char *script_folder = hone_script_of(L)->folder, *name = out->name;
    if (!hone_is_plain_path(name))
        hone_script_raise(L, HONE_EINPUT, line,
                          "the name of include folder '%s' is empty or has a character "
                          "other than letters, digits and _ . + - @ , = /",
                          name);
    out->folder = name[0] == '/' ? hone_script_strdup(L, name)
                                 : templates_join(L, script_folder, name);
    out->place = place_of(L, out->folder);
    if (hone_path_leads_out(name) && !may_include(L, name, out->place))
        hone_script_raise(L, HONE_EINPUT, line,
                          "include folder '%s' lies neither below the script's folder "
                          "'%s' nor in a CUDA toolkit (--allow-io allows others)",
                          name, script_folder);
    if (!out->place)
        hone_script_raise(L, HONE_EINPUT, line, "no include folder '%s' in '%s'", name,
                          name[0] == '/' ? "the file system" : script_folder);
    if (!may_include(L, name, out->place))
        hone_script_raise(L, HONE_EINPUT, line,
                          "include folder '%s' leads out of the script's folder '%s' "
                          "(--allow-io allows it)",
                          name, script_folder);
}
