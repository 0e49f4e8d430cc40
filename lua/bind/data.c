// Data for a buffer from a file beside the script: raw elements, as the GPU has them.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/root.h"
#include "bind_internal.h"

// Reads all of a file into script memory, so that raising later leaks nothing.
static void read_file(lua_State *L, struct hone_fill_data *out, const char *path,
                      int line)
{
    struct hone_script *script = hone_script_of(L);
    const char *folder = script->folder;
    const struct hone_roots roots = {
        .folders = &folder, .count = 1, .anywhere = script->options->allow_io};
    struct hone_root_file file;
    struct hone_error err = {0};
    if (hone_root_read(&file, &roots, path, HONE_FILL_FILE_MAX, &err) != HONE_OK)
        hone_script_raise(L, err.code, line, "%s", err.text);
    void *copy = hone_arena_dup(&script->arena, file.text, file.size);
    free(file.text);
    if (!copy)
        hone_script_raise(L, HONE_ENOMEM, line, "out of memory for the data in '%s'",
                          path);
    out->bytes = copy;
    out->size = file.size;
}

void hone_data_load(lua_State *L, struct hone_fill_data *out, const char *name,
                    enum hone_dtype dtype, int line)
{
    const struct hone_script *script = hone_script_of(L);
    const size_t size = hone_dtype_size(dtype);
    if (!*name || (hone_path_leads_out(name) && !script->options->allow_io))
        hone_script_raise(L, HONE_EINPUT, line,
                          "file '%s' is not beside the script (--allow-io allows others)",
                          name);
    const char *path =
        *name == '/' ? name : lua_pushfstring(L, "%s/%s", script->folder, name);
    if (!hone_file_exists(path))
        hone_script_raise(L, HONE_EINPUT, line, "no file '%s' in '%s'", name,
                          script->folder);
    read_file(L, out, path, line);
    if (*name != '/') lua_pop(L, 1);
    if (!out->size || out->size % size)
        hone_script_raise(L, HONE_EINPUT, line,
                          "file '%s' of %zu bytes is no list of %s, which have %zu each",
                          name, out->size, hone_dtype_name(dtype), size);
}
