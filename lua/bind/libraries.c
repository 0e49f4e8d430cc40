// What scripts may use. Functions that reach files, run outside of the instruction
// count, or differ from run to run are absent or replaced.
#include <lualib.h>
#include <string.h>

#include "base/log.h"
#include "bind_internal.h"

// The arguments as one line, as print writes them.
static const char *joined(lua_State *L, const char *separator)
{
    int n = lua_gettop(L);
    luaL_Buffer line;
    luaL_buffinit(L, &line);
    for (int i = 1; i <= n; i++) {
        if (i > 1) luaL_addstring(&line, separator);
        luaL_tolstring(L, i, NULL);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    return lua_tostring(L, -1);
}

// print(...)
static int lua_print(lua_State *L)
{
    hone_log(HONE_LOG_INFO, "%s", joined(L, "\t"));
    return 0;
}

// warn(message, ...)
static int lua_warn(lua_State *L)
{
    hone_log(HONE_LOG_WARNING, "%s", joined(L, ""));
    return 0;
}

int hone_libraries_proceed(lua_State *L)
{
    return lua_tocfunction(L, lua_upvalueindex(1))(L);
}

// A byte that is compiled costs some instructions, and takes no memory in a comment.
static void charge_source(lua_State *L, int i)
{
    enum { PER_BYTE = 8 };
    if (lua_isstring(L, i)) hone_sandbox_charge(L, PER_BYTE * (double)lua_rawlen(L, i));
}

// What load gets in the place of a function: upvalue 1 is that function.
static int read_piece(lua_State *L)
{
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_call(L, 0, 1);
    hone_sandbox_charge(L, 1);
    charge_source(L, -1);
    return 1;
}

// load(chunk [, name [, mode [, env]]]): text only, since bytecode can crash the machine.
static int lua_load_text(lua_State *L)
{
    if (lua_gettop(L) < 3) lua_settop(L, 3);
    if (lua_isfunction(L, 1)) {
        lua_pushvalue(L, 1);
        lua_pushcclosure(L, read_piece, 1);
        lua_replace(L, 1);
    } else {
        charge_source(L, 1);
    }
    lua_pushliteral(L, "t");
    lua_replace(L, 3);
    return hone_libraries_proceed(L);
}

// setmetatable(t, metatable): no finalizers, which run outside of the instruction count.
static int lua_set_metatable(lua_State *L)
{
    if (lua_istable(L, 2)) {
        lua_pushliteral(L, "__gc");
        bool finalizer = lua_rawget(L, 2) != LUA_TNIL;
        lua_pop(L, 1);
        luaL_argcheck(L, !finalizer, 2, "scripts have no finalizers (__gc)");
    }
    return hone_libraries_proceed(L);
}

// collectgarbage(): "count" answers; the rest is the machine's own affair.
static int lua_collect(lua_State *L)
{
    const char *what = luaL_optstring(L, 1, "collect");
    lua_pushnumber(L, strcmp(what, "count") == 0 ? (double)hone_script_of(L)->bytes / 1024
                                                 : 0);
    return 1;
}

// math.randomseed(seed): without a seed it would differ from run to run.
static int lua_random_seed(lua_State *L)
{
    luaL_checknumber(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1)); // it has an upvalue: the generator
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 0);
    return 0;
}

void hone_libraries_wrap(lua_State *L, const char *library, const char *name,
                         lua_CFunction function)
{
    lua_getglobal(L, library);
    lua_getfield(L, -1, name);
    lua_pushcclosure(L, function, 1);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

// xpcall(f, handler, ...): the handler runs after the stack has unwound. Before that, an
// error that the hook raised would run it with hooks off, and so without end.
static int finish_xpcall(lua_State *L, int status, lua_KContext context)
{
    (void)context;
    bool succeeded = status == LUA_OK || status == LUA_YIELD;
    if (!succeeded) lua_pcall(L, 1, 1, 0); // handler(message)
    lua_pushboolean(L, succeeded);
    if (succeeded)
        lua_replace(L, 1); // the handler
    else
        lua_insert(L, 1);
    return lua_gettop(L);
}

static int lua_xpcall(lua_State *L)
{
    luaL_checkany(L, 1);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, 1);
    lua_rotate(L, 1, 2); // handler, f, f, handler, arguments
    lua_remove(L, 3);
    lua_remove(L, 3);
    int status = lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish_xpcall);
    return finish_xpcall(L, status, 0);
}

// coroutine.close(co): a coroutine that ended in the hook has its hooks off for ever, so
// its __close functions must not run.
static int lua_close_coroutine(lua_State *L)
{
    if (!hone_script_of(L)->spent) return hone_libraries_proceed(L);
    lua_pushboolean(L, 0);
    return 1;
}

// The function that coroutine.wrap returns; upvalue 1 is the coroutine.
static int resume_wrapped(lua_State *L)
{
    lua_State *coroutine = lua_tothread(L, lua_upvalueindex(1));
    int count = lua_gettop(L);
    if (!lua_checkstack(coroutine, count)) return luaL_error(L, "too many arguments");
    lua_xmove(L, coroutine, count);
    int status = lua_resume(coroutine, L, count, &count);
    if (status == LUA_OK || status == LUA_YIELD) {
        luaL_checkstack(L, count, "too many results");
        lua_xmove(coroutine, L, count);
        return count;
    }
    bool ended = lua_status(coroutine) != LUA_OK && lua_status(coroutine) != LUA_YIELD;
    if (ended && !hone_script_of(L)->spent) lua_resetthread(coroutine);
    lua_xmove(coroutine, L, 1); // the message
    return lua_error(L);
}

// coroutine.wrap(f): for the same reason as coroutine.close
static int lua_wrap_coroutine(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    hone_sandbox_charge(L, HONE_HOOK_STEPS); // a count of its own begins
    lua_State *coroutine = lua_newthread(L);
    lua_pushvalue(L, 1);
    lua_xmove(L, coroutine, 1);
    lua_pushcclosure(L, resume_wrapped, 1);
    return 1;
}

static void remove_field(lua_State *L, const char *library, const char *name)
{
    lua_getglobal(L, library);
    lua_pushnil(L);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

static void seed_random(lua_State *L)
{
    lua_getglobal(L, "math");
    lua_getfield(L, -1, "randomseed");
    lua_pushinteger(L, 0);
    lua_call(L, 1, 0);
    lua_pop(L, 1);
}

void hone_libraries_open(lua_State *L)
{
    static const luaL_Reg libraries[] = {
        {LUA_GNAME, luaopen_base},       {LUA_COLIBNAME, luaopen_coroutine},
        {LUA_TABLIBNAME, luaopen_table}, {LUA_STRLIBNAME, luaopen_string},
        {LUA_MATHLIBNAME, luaopen_math}, {LUA_UTF8LIBNAME, luaopen_utf8},
        {LUA_IOLIBNAME, luaopen_io},     {LUA_OSLIBNAME, luaopen_os},
    };
    bool allow_io = hone_script_of(L)->options->allow_io;
    size_t count = sizeof libraries / sizeof *libraries - (allow_io ? 0 : 2);
    for (size_t i = 0; i < count; i++) {
        luaL_requiref(L, libraries[i].name, libraries[i].func, 1);
        lua_pop(L, 1);
    }
    if (allow_io) {
        remove_field(L, LUA_OSLIBNAME, "setlocale"); // that is the whole program's
    } else {
        remove_field(L, LUA_GNAME, "dofile");
        remove_field(L, LUA_GNAME, "loadfile");
    }
    remove_field(L, LUA_STRLIBNAME, "dump");
    seed_random(L);
    hone_libraries_wrap(L, LUA_GNAME, "print", lua_print);
    hone_libraries_wrap(L, LUA_GNAME, "warn", lua_warn);
    hone_libraries_wrap(L, LUA_GNAME, "load", lua_load_text);
    hone_libraries_wrap(L, LUA_GNAME, "setmetatable", lua_set_metatable);
    hone_libraries_wrap(L, LUA_GNAME, "collectgarbage", lua_collect);
    hone_libraries_wrap(L, LUA_GNAME, "xpcall", lua_xpcall);
    hone_libraries_wrap(L, LUA_COLIBNAME, "close", lua_close_coroutine);
    hone_libraries_wrap(L, LUA_COLIBNAME, "wrap", lua_wrap_coroutine);
    hone_libraries_wrap(L, LUA_MATHLIBNAME, "randomseed", lua_random_seed);
    hone_bounded_install(L);
}
