// require: the embedded prelude under "hone" and "hone.*", and the files of the script's
// folder.
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/file.h"
#include "base/root.h"
#include "bind_internal.h"

// clang-format off
#define EMBEDDED_LIST(X) /* module, symbol */                                            \
    X("hone", hone_prelude_init)                                                         \
    X("hone.args", hone_prelude_args)                                                    \
    X("hone.campaign", hone_prelude_campaign)                                            \
    X("hone.check", hone_prelude_check)                                                  \
    X("hone.definition", hone_prelude_definition)                                        \
    X("hone.handle", hone_prelude_handle)                                                \
    X("hone.launch", hone_prelude_launch)                                                \
    X("hone.strategy", hone_prelude_strategy)                                           \
    X("hone.values", hone_prelude_values)
// clang-format on

#define EMBEDDED_DECLARE(name, symbol)                                                   \
    extern const unsigned char symbol[];                                                 \
    extern const size_t symbol##_size;
EMBEDDED_LIST(EMBEDDED_DECLARE)

static const struct {
    const char *name;
    const unsigned char *text;
    const size_t *size;
} embedded[] = {
#define EMBEDDED_ROW(name, symbol) {name, symbol, &symbol##_size},
    EMBEDDED_LIST(EMBEDDED_ROW)};

// In the registry.
static const char loaded_key[] = "hone.loaded"; // module name -> value
static const char open_key[] = "hone.open";     // handle.open of the prelude

const struct hone_script_file *hone_script_file(const struct hone_script *script,
                                                const char *name)
{
    const struct hone_script_file *file = script->files;
    while (file && strcmp(file->name, name) != 0)
        file = file->next;
    return file;
}

void hone_modules_load_text(lua_State *L, const char *name, const char *text, size_t size)
{
    struct hone_script *script = hone_script_of(L);
    struct hone_script_file *file = hone_script_alloc(L, 1, sizeof *file);
    file->name = hone_script_strdup(L, name);
    file->text = text;
    file->size = size;
    hone_sandbox_charge(L, (double)size);
    file->next = script->files;
    script->files = file;
    const char *chunk = lua_pushfstring(L, "@%s", name);
    if (luaL_loadbufferx(L, text, size, chunk, "t") != LUA_OK) lua_error(L);
    lua_remove(L, -2); // the chunk's name
}

const char *hone_modules_read(struct hone_script *script, const char *path, size_t *size,
                              const char *folder, struct hone_error *err)
{
    const struct hone_roots roots = {.folders = &folder, .count = 1, .anywhere = !folder};
    struct hone_root_file file;
    struct hone_error why = {0};
    if (hone_root_read(&file, &roots, path, HONE_SCRIPT_MOST, &why) != HONE_OK) {
        const bool missing = why.code == HONE_ENOTFOUND && !hone_file_exists(path);
        const bool refused = why.code == HONE_ENOTFOUND && !missing;
        hone_fail(err, refused ? HONE_EINPUT : why.code, "%s", why.text);
        return NULL;
    }
    const char *copy = hone_arena_dup(&script->arena, file.text, file.size + 1);
    free(file.text);
    *size = file.size;
    if (!copy) hone_no_memory(err, "reading '%s'", path);
    return copy;
}

static bool load_embedded(lua_State *L, const char *name)
{
    size_t count = sizeof embedded / sizeof *embedded, i = 0;
    while (i < count && strcmp(embedded[i].name, name) != 0)
        i++;
    if (i == count) return false;
    const char *text = (const char *)embedded[i].text;
    const char *chunk = lua_pushfstring(L, "=[%s]", name);
    if (luaL_loadbufferx(L, text, *embedded[i].size, chunk, "t") != LUA_OK) lua_error(L);
    lua_remove(L, -2);
    return true;
}

// Words joined by single dots, so that no spelling leads upwards or elsewhere.
static bool is_module_name(const char *name)
{
    bool in_word = false;
    for (; *name; name++) {
        bool word = hone_is_alnum(*name) || *name == '_' || *name == '-';
        if (!word && (*name != '.' || !in_word)) return false;
        in_word = word;
    }
    return in_word;
}

static void load_from_folder(lua_State *L, const char *name)
{
    struct hone_script *script = hone_script_of(L);
    const char *file = luaL_gsub(L, name, ".", "/");
    const char *path = lua_pushfstring(L, "%s/%s.lua", script->folder, file);
    struct hone_error err = {0};
    size_t size;
    const char *text = hone_modules_read(script, path, &size, script->folder, &err);
    if (err.code == HONE_ENOTFOUND)
        luaL_error(L, "no module '%s': it is neither a part of hone nor the file '%s'",
                   name, path);
    if (!text) luaL_error(L, "module '%s': %s", name, err.text);
    bool here = strcmp(script->folder, ".") == 0;
    hone_modules_load_text(L, here ? path + 2 : path, text, size);
    lua_replace(L, -3);
    lua_pop(L, 1);
}

// Calls the module on top of the stack with its name and, in the prelude, the primitives;
// a module that returns nothing counts as true.
static void run_module(lua_State *L, const char *name, bool with_core)
{
    lua_pushstring(L, name);
    if (with_core) hone_core_open(L);
    lua_call(L, with_core ? 2 : 1, 1);
    if (!lua_isnil(L, -1)) return;
    lua_pop(L, 1);
    lua_pushboolean(L, 1);
}

// In the place of a module while it is being loaded: user values are the thread that
// does, and its name.
static const char loading_type[] = "hone.loading";
enum { LOADING_THREAD = 1, LOADING_NAME, LOADING_VALUES = LOADING_NAME };

// __close, with an error where loading failed: then it is not being loaded any more.
static int end_loading(lua_State *L)
{
    if (lua_isnil(L, 2)) return 0;
    luaL_getsubtable(L, LUA_REGISTRYINDEX, loaded_key);
    lua_getiuservalue(L, 1, LOADING_NAME);
    lua_pushnil(L);
    lua_settable(L, -3);
    return 0;
}

// The loaded modules are on top; what ends the loading with the calling function is left
// there.
static void begin_loading(lua_State *L, const char *name)
{
    lua_newuserdatauv(L, 0, LOADING_VALUES);
    lua_pushthread(L);
    lua_setiuservalue(L, -2, LOADING_THREAD);
    lua_pushstring(L, name);
    lua_setiuservalue(L, -2, LOADING_NAME);
    if (luaL_newmetatable(L, loading_type)) {
        lua_pushcfunction(L, end_loading);
        lua_setfield(L, -2, "__close");
    }
    lua_setmetatable(L, -2);
    lua_toclose(L, -1);
    lua_pushvalue(L, -1);
    lua_setfield(L, -3, name);
}

// Whether the value on top is of a module that is being loaded. A coroutine that ended by
// an error closes nothing, and loads nothing any more.
static bool is_loading(lua_State *L)
{
    if (!luaL_testudata(L, -1, loading_type)) return false;
    lua_getiuservalue(L, -1, LOADING_THREAD);
    const int status = lua_status(lua_tothread(L, -1));
    lua_pop(L, 1);
    return status == LUA_OK || status == LUA_YIELD;
}

static bool is_absent(lua_State *L)
{
    return lua_isnil(L, -1) || (luaL_testudata(L, -1, loading_type) && !is_loading(L));
}

// Leaves the module on top, and what it needs below until the calling function returns.
static void require_module(lua_State *L, const char *name)
{
    luaL_getsubtable(L, LUA_REGISTRYINDEX, loaded_key);
    lua_getfield(L, -1, name);
    if (is_absent(L)) {
        lua_pop(L, 1);
        begin_loading(L, name);
        bool prelude = !hone_script_of(L)->sealed && load_embedded(L, name);
        if (!prelude) load_from_folder(L, name);
        run_module(L, name, prelude);
        lua_pushvalue(L, -1);
        lua_setfield(L, -4, name);
    } else if (is_loading(L)) {
        luaL_error(L, "module '%s' requires itself", name);
    }
}

// require(name)
static int lua_require(lua_State *L)
{
    const char *name = luaL_checkstring(L, 1);
    if (!is_module_name(name))
        luaL_error(
            L,
            "'%s' is no module name: modules are hone and files of the script's folder, "
            "as in require \"tiles\" or require \"common.tiles\"",
            name);
    require_module(L, name);
    return 1;
}

static void call_require(lua_State *L, const char *name)
{
    lua_pushcfunction(L, lua_require);
    lua_pushstring(L, name);
    lua_call(L, 1, 1);
}

// Loads the prelude, then closes it: a script that could change the prelude's inner
// modules could forge records, which C trusts.
void hone_modules_install(lua_State *L)
{
    lua_pushcfunction(L, lua_require);
    lua_setglobal(L, "require");
    call_require(L, "hone");
    hone_hints_note(L);
    call_require(L, "hone.handle");
    lua_getfield(L, -1, "open");
    lua_setfield(L, LUA_REGISTRYINDEX, open_key);
    lua_pop(L, 1);
    lua_createtable(L, 0, 1); // hone
    lua_insert(L, -2);
    lua_setfield(L, -2, "hone");
    lua_setfield(L, LUA_REGISTRYINDEX, loaded_key);
    hone_script_of(L)->sealed = true;
}

void hone_modules_open_handle(lua_State *L)
{
    lua_getfield(L, LUA_REGISTRYINDEX, open_key);
    lua_insert(L, -2);
    lua_call(L, 1, 1);
}
