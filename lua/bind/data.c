// Data for a buffer from a file beside the script: raw elements, as the GPU has them.
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "internal.h"

// Reads all of a file into script memory, so that raising later leaks nothing.
static void read_file(lua_State *L, struct hone_fill_data *out, const char *path,
                      const char *name, int line)
{
    char *bytes = NULL;
    struct hone_error err = {0};
    if (hone_file_read(&bytes, &out->size, path, &err) != HONE_OK)
        hone_script_raise(L, err.code, line, "%s", err.text);
    const bool fits = out->size <= HONE_FILL_FILE_MAX;
    void *copy =
        fits ? hone_arena_dup(&hone_script_of(L)->arena, bytes, out->size) : NULL;
    free(bytes);
    if (!fits)
        hone_script_raise(L, HONE_EINPUT, line,
                          "file '%s' has %zu bytes, a buffer is filled from at most %d",
                          name, out->size, HONE_FILL_FILE_MAX);
    if (!copy)
        hone_script_raise(L, HONE_ENOMEM, line, "out of memory for the data in '%s'",
                          name);
    out->bytes = copy;
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
    read_file(L, out, path, name, line);
    if (*name != '/') lua_pop(L, 1);
    if (!out->size || out->size % size)
        hone_script_raise(L, HONE_EINPUT, line,
                          "file '%s' of %zu bytes is no list of %s, which have %zu each",
                          name, out->size, hone_dtype_name(dtype), size);
}
