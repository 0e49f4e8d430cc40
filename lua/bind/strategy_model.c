// Models for strategies in Lua: told trials, they predict and suggest configurations.
#include <math.h>

#include "bind_internal.h"
#include "hone/model.h"
#include "hone/rng.h"

static const char type_name[] = "hone.model";

// What a userdata holds; its user values are the search's object and a table of the
// indices that it was told.
struct box {
    struct hone_model *model;
};

enum { VALUE_SEARCH = 1, VALUE_TOLD, VALUES = VALUE_TOLD };
enum { PREDICTION = 1000, SUGGESTION = 100000 }; // instructions that they stand for

static struct hone_model *check_model(lua_State *L, struct hone_search **search)
{
    const struct box *box = luaL_checkudata(L, 1, type_name);
    lua_getiuservalue(L, 1, VALUE_SEARCH);
    *search = hone_strategy_check_search(L, lua_gettop(L));
    lua_pop(L, 1);
    return box->model;
}

static void check_status(lua_State *L, enum hone_status status,
                         const struct hone_error *err)
{
    if (status != HONE_OK) luaL_error(L, "%s", err->text);
}

// --- methods ---

// Whether index was told before; it is from now on.
static bool was_told(lua_State *L, uint64_t index)
{
    lua_getiuservalue(L, 1, VALUE_TOLD);
    const bool told = lua_rawgeti(L, -1, (lua_Integer)index) != LUA_TNIL;
    lua_pushboolean(L, 1);
    lua_rawseti(L, -3, (lua_Integer)index);
    lua_pop(L, 2);
    return told;
}

// The trial on top of the stack.
static void tell_one(lua_State *L, struct hone_model *model,
                     const struct hone_search *search)
{
    struct hone_error err = {0};
    if (!lua_istable(L, -1))
        luaL_error(L, "a trial is a table such as { config = {...}, cost = 5 }, got a %s",
                   luaL_typename(L, -1));
    lua_getfield(L, -1, "config");
    const uint64_t index = hone_strategy_check_config(L, search, lua_gettop(L));
    lua_getfield(L, -2, "cost");
    if (!lua_isnil(L, -1) && !(lua_isnumber(L, -1) && lua_tonumber(L, -1) > 0))
        luaL_error(L, "the cost of a trial must be a number above 0, or nil");
    const double cost = lua_isnil(L, -1) ? (double)NAN : lua_tonumber(L, -1);
    lua_pop(L, 2);
    if (!was_told(L, index))
        check_status(L, hone_model_tell(model, index, cost, &err), &err);
}

// model:tell(trial), model:tell(trials)
static int strategy_model_tell(lua_State *L)
{
    struct hone_search *search;
    struct hone_model *model = check_model(L, &search);
    luaL_checktype(L, 2, LUA_TTABLE);
    lua_settop(L, 2);
    if (lua_getfield(L, 2, "config") != LUA_TNIL) {
        lua_settop(L, 2);
        tell_one(L, model, search);
        return 0;
    }
    const lua_Integer count = (lua_Integer)lua_rawlen(L, 2);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_settop(L, 2);
        lua_rawgeti(L, 2, i);
        tell_one(L, model, search);
    }
    return 0;
}

// model:predict(config) -> { cost =, sd =, chance = }, or nil while none is valid
static int strategy_model_predict(lua_State *L)
{
    struct hone_search *search;
    struct hone_prediction p;
    struct hone_model *model = check_model(L, &search);
    const uint64_t index = hone_strategy_check_config(L, search, 2);
    hone_sandbox_charge(L, PREDICTION);
    if (!hone_model_predict(model, &index, 1, &p)) {
        lua_pushnil(L);
        return 1;
    }
    lua_createtable(L, 0, 3);
    lua_pushnumber(L, exp(p.mean));
    lua_setfield(L, -2, "cost");
    lua_pushnumber(L, p.sd);
    lua_setfield(L, -2, "sd");
    lua_pushnumber(L, p.chance);
    lua_setfield(L, -2, "chance");
    return 1;
}

static bool was_proposed(void *search, uint64_t index)
{
    return hone_search_seen(search, index);
}

// model:suggest() -> the most promising configuration not proposed yet, or nil
static int suggest(lua_State *L)
{
    struct hone_search *search;
    uint64_t index;
    struct hone_model *model = check_model(L, &search);
    hone_sandbox_charge(L, SUGGESTION);
    if (hone_model_suggest(model, was_proposed, search, &index))
        hone_strategy_push_config(L, search, index);
    else
        lua_pushnil(L);
    return 1;
}

// model:believe(config): suggestions keep away from it until it is told
static int believe(lua_State *L)
{
    struct hone_search *search;
    struct hone_error err = {0};
    struct hone_model *model = check_model(L, &search);
    const uint64_t index = hone_strategy_check_config(L, search, 2);
    lua_getiuservalue(L, 1, VALUE_TOLD);
    if (lua_rawgeti(L, -1, (lua_Integer)index) == LUA_TNIL)
        check_status(L, hone_model_believe(model, index, &err), &err);
    return 0;
}

// model:forget(): what is believed
static int forget(lua_State *L)
{
    struct hone_search *search;
    hone_model_forget(check_model(L, &search));
    return 0;
}

// --- life ---

static int strategy_model_collect(lua_State *L)
{
    struct box *box = luaL_checkudata(L, 1, type_name);
    hone_model_free(box->model);
    box->model = NULL;
    return 0;
}

int hone_strategy_model(lua_State *L)
{
    const char *kind = luaL_checkstring(L, 1);
    struct hone_search *search = hone_strategy_check_search(L, 2);
    struct hone_error err = {0};
    hone_sandbox_charge(L, SUGGESTION);
    struct box *box = lua_newuserdatauv(L, sizeof *box, VALUES);
    box->model = NULL;
    luaL_setmetatable(L, type_name);
    lua_pushvalue(L, 2);
    lua_setiuservalue(L, -2, VALUE_SEARCH);
    lua_newtable(L);
    lua_setiuservalue(L, -2, VALUE_TOLD);
    const uint64_t seed = hone_rng_next(hone_search_rng(search));
    check_status(L,
                 hone_model_new(&box->model, kind, hone_search_space(search), seed, &err),
                 &err);
    hone_model_expect(box->model, hone_search_expectation(search));
    return 1;
}

void hone_strategy_model_install(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"believe", believe},
        {"forget", forget},
        {"predict", strategy_model_predict},
        {"suggest", suggest},
        {"tell", strategy_model_tell},
        {NULL, NULL},
    };
    luaL_newmetatable(L, type_name);
    luaL_newlib(L, methods);
    hone_hints_note(L);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, strategy_model_collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
