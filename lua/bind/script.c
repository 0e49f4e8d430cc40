// Loading a script: one protected call opens the sandbox, runs the script and reads what
// it returns; whatever went wrong inside becomes one error with the script's file and
// line.
#include "hone/script.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/identifier.h"
#include "base/log.h"
#include "base/place.h"
#include "bind_internal.h"

static const uint64_t default_instructions = 500000000;
static const size_t default_memory_bytes = (size_t)1 << 30;

void hone_script_raise(lua_State *L, enum hone_status status, int line,
                       const char *format, ...)
{
    struct hone_script *script = hone_script_of(L);
    char text[sizeof script->err->text];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (status == HONE_EUSAGE)
        hone_fail(script->err, status, "%s", text);
    else
        hone_fail_at(script->err, status,
                     script->def.source ? script->def.source : script->path, line, "%s",
                     text);
    lua_pushnil(L);
    lua_error(L);
    abort(); // lua_error does not return, but is not declared so
}

// "a.lua:12: text": the length of the file's name, its line and where the text begins.
static size_t split_place(const char *message, int *line, const char **text)
{
    for (const char *end = strstr(message, ": "); end; end = strstr(end + 1, ": ")) {
        size_t length;
        uint32_t number;
        if (!hone_place_split(message, (size_t)(end - message), &length, &number))
            continue;
        *line = (int)number;
        *text = end + 2;
        return length;
    }
    *line = 0;
    *text = message;
    return 0;
}

// Lua shortens long file names to "...tail": find the file that is meant.
static const char *full_name(const struct hone_script *script, const char *name,
                             size_t length)
{
    bool cut = length > 3 && strncmp(name, "...", 3) == 0;
    if (cut) {
        name += 3;
        length -= 3;
    }
    for (const struct hone_script_file *file = script->files; file; file = file->next) {
        size_t whole = strlen(file->name);
        bool tail = whole >= length && (cut || whole == length) &&
                    memcmp(file->name + whole - length, name, length) == 0;
        if (tail) return file->name;
    }
    return NULL;
}

// error("") says nothing, which is said.
static const char *or_empty(const char *text)
{
    return text[strspn(text, " \t\r\n\v\f")] ? text : "the script raised an empty error";
}

enum hone_status hone_script_fail(const struct hone_script *script,
                                  enum hone_status status, const char *message,
                                  struct hone_error *err)
{
    int line;
    const char *text;
    size_t length = split_place(message, &line, &text);
    const char *file = full_name(script, message, length);
    char hint[120];
    hone_hints_find(hint, sizeof hint, script, text);
    const int most = *hint ? 290 : 500; // leaves room for the hint
    if (!file)
        return hone_fail_at(err, status, script->path, 0, "%.*s%s", most,
                            or_empty(message), hint);
    return hone_fail_at(err, status, file, line, "%.*s%s", most, or_empty(text), hint);
}

// A message of a library function has no place: that of the innermost code of a script.
static const char *with_place(lua_State *L, const char *message)
{
    int line;
    const char *text;
    lua_Debug info;
    if (split_place(message, &line, &text)) return message;
    for (int level = 1; lua_getstack(L, level, &info); level++)
        if (lua_getinfo(L, "Sl", &info) && info.currentline > 0)
            return lua_pushfstring(L, "%s:%d: %s", info.short_src, info.currentline,
                                   message);
    return message;
}

// Called where an error was raised, while the stack still shows how it came about.
static int on_error(lua_State *L)
{
    const char *message = lua_tostring(L, 1);
    if (!message && luaL_callmeta(L, 1, "__tostring")) message = lua_tostring(L, -1);
    if (!message)
        message = lua_pushfstring(L, "the script raised a %s value", luaL_typename(L, 1));
    luaL_traceback(L, L, message, 1);
    hone_log(HONE_LOG_DEBUG, "%s", lua_tostring(L, -1));
    lua_pop(L, 1);
    lua_pushstring(L, with_place(L, message));
    return 1;
}

// Replaces the returned value by its record.
static void open_handle(lua_State *L)
{
    hone_modules_open_handle(L);
    bool defines = false;
    if (lua_istable(L, -1)) {
        lua_getfield(L, -1, "kind");
        const char *kind = lua_tostring(L, -1);
        defines =
            kind && (strcmp(kind, "kernel") == 0 || strcmp(kind, "space") == 0 ||
                     strcmp(kind, "strategy") == 0 || strcmp(kind, "campaign") == 0);
        lua_pop(L, 1);
    }
    if (!defines)
        hone_script_raise(L, HONE_EINPUT, 0,
                          "the script must return hone.kernel {...}, hone.space {...}, "
                          "hone.strategy {...} or hone.campaign {...}");
}

// run(text, size): everything that can raise
static int script_run(lua_State *L)
{
    const char *text = lua_touserdata(L, 1);
    size_t size = (size_t)lua_tointeger(L, 2);
    hone_libraries_open(L);
    hone_modules_install(L);
    hone_strategy_install(L);
    hone_strategy_model_install(L);
    lua_settop(L, 0);
    hone_modules_load_text(L, hone_script_of(L)->path, text, size);
    lua_call(L, 0, 1);
    open_handle(L);
    lua_pushcfunction(L, hone_define);
    lua_insert(L, -2);
    lua_call(L, 1, 0);
    return 0;
}

// A limit the script ran over, whatever message it made of that; at the place last seen.
static enum hone_status over_limit(struct hone_script *script, const char *what,
                                   unsigned long long limit)
{
    char message[LUA_IDSIZE + 120];
    int length = 0;
    if (script->line)
        length = snprintf(message, sizeof message, "%s:%d: ", script->file, script->line);
    snprintf(message + length, sizeof message - (size_t)length, "script ran over %llu %s",
             limit, what);
    return hone_script_fail(script, HONE_EINPUT, message, script->err);
}

// What the state says after a failed run, unless the failure was recorded where it
// happened.
static enum hone_status script_explain(struct hone_script *script, int result)
{
    if (script->err->code != HONE_OK) return script->err->code;
    const char *text =
        lua_type(script->L, -1) == LUA_TSTRING ? lua_tostring(script->L, -1) : "";
    bool caught = script->out_of_memory && strstr(text, "not enough memory");
    if ((result == LUA_ERRMEM || caught) && script->starved)
        return hone_no_memory(script->err, "for script '%s'", script->path);
    if ((result == LUA_ERRMEM || caught) && script->oversized)
        return over_limit(script, "bytes in one string or table", HONE_SCRIPT_BLOCK_MAX);
    if (result == LUA_ERRMEM || caught)
        return over_limit(script, "bytes of memory", script->max_bytes);
    if (script->spent && script->steps > script->max_steps)
        return over_limit(script, "instructions", script->max_steps);
    return hone_script_fail(script, HONE_EINPUT, text, script->err);
}

static enum hone_status run_protected(struct hone_script *script, const char *text,
                                      size_t size)
{
    lua_State *L = script->L;
    lua_pushcfunction(L, on_error);
    lua_pushcfunction(L, script_run);
    lua_pushlightuserdata(L, (char *)(uintptr_t)text);
    lua_pushinteger(L, (lua_Integer)size);
    const int result = hone_watch_call(script, 2, 1);
    enum hone_status status = result == LUA_OK ? HONE_OK : script_explain(script, result);
    lua_settop(L, 0);
    return status;
}

// A space needs no name of its own: its file has one.
static enum hone_status name_after_file(struct hone_script *script)
{
    const char *base = hone_path_base(script->path);
    size_t length = strcspn(base, ".");
    char *name = hone_arena_printf(&script->arena, "%.*s", (int)length, base);
    if (!name) return hone_no_memory(script->err, "for '%s'", base);
    for (char *p = name; *p; p++)
        if (!hone_is_name_part(*p)) *p = '_';
    script->def.name = name;
    return HONE_OK;
}

static enum hone_status script_load(struct hone_script *script, const char *path)
{
    const struct hone_script_options *options = script->options;
    script->max_steps =
        options->max_instructions ? options->max_instructions : default_instructions;
    script->max_bytes =
        options->max_memory_bytes ? options->max_memory_bytes : default_memory_bytes;
    char *folder = hone_path_folder(path);
    script->folder = hone_arena_strdup(&script->arena, folder);
    script->path = hone_arena_strdup(&script->arena, path);
    free(folder);
    if (!script->path || !script->folder)
        return hone_no_memory(script->err, "for script '%s'", path);
    size_t size;
    const char *text = hone_modules_read(script, path, &size, NULL, script->err);
    if (!text) return script->err->code;
    if (!hone_sandbox_new(script) && script->starved)
        return hone_no_memory(script->err, "for script '%s'", path);
    if (!script->L)
        return hone_fail(script->err, HONE_EINPUT,
                         "script '%s' cannot start in %zu bytes of memory", path,
                         script->max_bytes);
    enum hone_status status = run_protected(script, text, size);
    if (status == HONE_OK && !script->def.name) status = name_after_file(script);
    script->strategy.fns.name = script->def.name;
    return status;
}

enum hone_status hone_script_load(struct hone_script **out, const char *path,
                                  const struct hone_script_options *options,
                                  struct hone_error *err)
{
    *out = NULL;
    struct hone_script *script = calloc(1, sizeof *script);
    if (!script) return hone_no_memory(err, "for script '%s'", path);
    struct hone_error failure = {0};
    hone_watch_add(script);
    script->options = options;
    script->err = &failure;
    enum hone_status status = script_load(script, path);
    script->options = NULL;
    script->err = NULL;
    if (status != HONE_OK) {
        hone_script_free(script);
        return hone_error_pass(err, status, &failure);
    }
    hone_sandbox_restart(script);
    *out = script;
    return HONE_OK;
}

enum hone_script_kind hone_script_kind(const struct hone_script *script)
{
    return script->kind;
}

const struct hone_kernel_def *hone_script_def(const struct hone_script *script)
{
    return &script->def;
}

enum hone_status hone_script_hash(char out[33], const struct hone_script *script,
                                  struct hone_error *err)
{
    static_assert(HONE_HASH_TEXT == 33, "the header tells the size");
    struct hone_hash hash;
    hone_hash_begin(&hash);
    for (const struct hone_script_file *file = script->files; file; file = file->next)
        hone_hash_part(&hash, file->text, file->size);
    hone_hash_end(&hash, out);
    return *out ? HONE_OK : hone_no_memory(err, "for the hash of '%s'", script->path);
}

void hone_script_free(struct hone_script *script)
{
    if (!script) return;
    if (script->L) lua_close(script->L);
    hone_watch_remove(script);
    hone_strategy_fini(&script->strategy);
    hone_arena_fini(&script->arena);
    free(script);
}
