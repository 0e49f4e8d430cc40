// Where a script's template lies: beside the script, in ../templates, or in a given
// folder; and the folders of headers that it names.
#include <stdlib.h>
#include <string.h>

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

static const char *nth_folder(lua_State *L, size_t i)
{
    const struct hone_script *script = hone_script_of(L);
    if (i == 0) return script->folder;
    if (i == 1) return templates_join(L, script->folder, "../templates");
    i -= 2;
    return i < script->options->template_path_count ? script->options->template_path[i]
                                                    : NULL;
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
    lua_pushliteral(L, "");
    const char *folder;
    for (size_t i = 0; name[0] != '/' && (folder = nth_folder(L, i)); i++) {
        const char *path = templates_join(L, folder, name);
        if (hone_file_exists(path)) {
            lua_pop(L, 1);
            return path;
        }
        lua_pushfstring(L, "%s'%s'", i ? ", " : "", folder);
        lua_concat(L, 2);
    }
    hone_script_raise(L, HONE_EINPUT, line, "no template '%s' in %s", name,
                      name[0] == '/' ? "the file system" : lua_tostring(L, -1));
}

const char *const *hone_templates_folders(lua_State *L, size_t *count)
{
    const struct hone_script *script = hone_script_of(L);
    *count = script->options->template_path_count + 2;
    const char **folders = hone_script_alloc(L, *count, sizeof *folders);
    for (size_t i = 0; i < *count; i++)
        folders[i] = hone_script_strdup(L, nth_folder(L, i));
    return folders;
}

static bool may_include(lua_State *L, const char *name, const char *folder)
{
    struct hone_roots roots = {0};
    if (hone_script_of(L)->options->allow_io) return true;
    if (name[0] == '/') return hone_toolkit_holds(folder);
    roots.folders = hone_templates_folders(L, &roots.count);
    return !hone_path_leads_out(name) && hone_root_holds_folder(&roots, folder);
}

const char *hone_templates_find_include(lua_State *L, const char *name, int line)
{
    const struct hone_roots anywhere = {.folders = &(const char *const){"/"}, .count = 1};
    const char *script_folder = hone_script_of(L)->folder;
    if (!hone_is_plain_path(name))
        hone_script_raise(L, HONE_EINPUT, line,
                          "the name of include folder '%s' is empty or has a character "
                          "other than letters, digits and _ . + - @ , = /",
                          name);
    const char *folder = name[0] == '/' ? hone_script_strdup(L, name)
                                        : templates_join(L, script_folder, name);
    if (hone_path_leads_out(name) && !may_include(L, name, folder))
        hone_script_raise(L, HONE_EINPUT, line,
                          "include folder '%s' lies neither below the script's folder "
                          "'%s' nor in a CUDA toolkit (--allow-io allows others)",
                          name, script_folder);
    if (!hone_root_holds_folder(&anywhere, folder))
        hone_script_raise(L, HONE_EINPUT, line, "no include folder '%s' in '%s'", name,
                          name[0] == '/' ? "the file system" : script_folder);
    if (!may_include(L, name, folder))
        hone_script_raise(L, HONE_EINPUT, line,
                          "include folder '%s' leads out of the script's folder '%s' "
                          "(--allow-io allows it)",
                          name, script_folder);
    return folder;
}
