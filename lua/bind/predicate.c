// A constraint that is a Lua function. The space calls it from C at any time after the
// script has run, so every call is protected and answers with a status.
#include <string.h>

#include "bind_internal.h"

struct call {
    const struct hone_script_predicate *predicate;
    const struct hone_value *args;
    size_t count;
    bool holds;
};

void hone_script_push_value(lua_State *L, struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        lua_pushinteger(L, value.i);
        return;
    case HONE_FLOAT:
        lua_pushnumber(L, value.f);
        return;
    case HONE_BOOL:
        lua_pushboolean(L, value.b);
        return;
    case HONE_STRING:
        lua_pushstring(L, value.s);
        return;
    }
}

static int protected_call(lua_State *L)
{
    struct call *call = lua_touserdata(L, 1);
    luaL_checkstack(L, (int)call->count + 1, "too many variables");
    lua_rawgeti(L, LUA_REGISTRYINDEX, call->predicate->function);
    for (size_t i = 0; i < call->count; i++)
        hone_script_push_value(L, call->args[i]);
    lua_call(L, (int)call->count, 1);
    call->holds = lua_toboolean(L, -1);
    return 0;
}

enum hone_status hone_script_predicate_holds(void *context, const struct hone_value *args,
                                             size_t count, bool *holds,
                                             struct hone_error *err)
{
    const struct hone_script_predicate *predicate = context;
    lua_State *L = predicate->script->L;
    predicate->script->deadline = 0;
    struct call call = {.predicate = predicate, .args = args, .count = count};
    lua_pushcfunction(L, protected_call);
    lua_pushlightuserdata(L, &call);
    const int result = hone_watch_call(predicate->script, 1, 0);
    *holds = result == LUA_OK && call.holds;
    if (result == LUA_OK) return HONE_OK;
    const char *text =
        lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "no message";
    enum hone_status status = predicate->script->spent ? HONE_ELIMIT : HONE_EINPUT;
    hone_script_fail(predicate->script, status, text, err);
    lua_pop(L, 1);
    return status;
}
