// The search object of a strategy in Lua: configurations go by their values, as
// { BM = 64, BN = 128 }, never by index.
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "bind_internal.h"
#include "hone/rng.h"

static const char type_name[] = "hone.search";

enum { RANDOM_TRIES = 64 };

struct hone_search **hone_strategy_push_search(lua_State *L, struct hone_search *search)
{
    struct hone_search **slot = lua_newuserdatauv(L, sizeof *slot, 1);
    *slot = search;
    lua_createtable(L, 0, 0);
    lua_setiuservalue(L, -2, 1);
    luaL_setmetatable(L, type_name);
    return slot;
}

struct hone_search *hone_strategy_check_search(lua_State *L, int at)
{
    struct hone_search **slot = luaL_checkudata(L, at, type_name);
    if (!*slot) luaL_error(L, "this search is over");
    return *slot;
}

static struct hone_search *check_search(lua_State *L)
{
    return hone_strategy_check_search(L, 1);
}

// --- configurations and trials ---

static uint16_t *new_choices(lua_State *L, const struct hone_space *space)
{
    return lua_newuserdatauv(L, (hone_space_param_count(space) + 1) * sizeof(uint16_t),
                             0);
}

void hone_strategy_push_config(lua_State *L, const struct hone_search *search,
                               uint64_t index)
{
    const struct hone_space *space = hone_search_space(search);
    const size_t n = hone_space_param_count(space);
    uint16_t *choices = new_choices(L, space);
    hone_space_choices(space, index, choices);
    lua_createtable(L, 0, (int)n);
    for (size_t i = 0; i < n; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        hone_script_push_value(L, param->values[choices[i]]);
        lua_setfield(L, -2, param->name);
    }
    lua_remove(L, -2);
}

void hone_strategy_push_trial(lua_State *L, const struct hone_search *search,
                              const struct hone_trial *trial)
{
    lua_createtable(L, 0, 4);
    hone_strategy_push_config(L, search, trial->index);
    lua_setfield(L, -2, "config");
    lua_pushstring(L, hone_outcome_name(trial->outcome));
    lua_setfield(L, -2, "outcome");
    if (trial->reason[0]) {
        lua_pushstring(L, trial->reason);
        lua_setfield(L, -2, "reason");
    }
    if (trial->outcome != HONE_VALID) return;
    lua_pushnumber(L, hone_trial_cost(trial));
    lua_setfield(L, -2, "cost");
}

static bool read_value(lua_State *L, struct hone_value *out)
{
    switch (lua_type(L, -1)) {
    case LUA_TBOOLEAN:
        *out = (struct hone_value){.type = HONE_BOOL, .b = lua_toboolean(L, -1)};
        return true;
    case LUA_TSTRING:
        *out = (struct hone_value){.type = HONE_STRING, .s = lua_tostring(L, -1)};
        return true;
    case LUA_TNUMBER:
        if (lua_isinteger(L, -1))
            *out = (struct hone_value){.type = HONE_INT, .i = lua_tointeger(L, -1)};
        else
            *out = (struct hone_value){.type = HONE_FLOAT, .f = lua_tonumber(L, -1)};
        return true;
    default:
        return false;
    }
}

// A name that is none would change nothing, in silence. All parameters are there.
static void check_names(lua_State *L, const struct hone_space *space, int at)
{
    const size_t count = hone_space_param_count(space);
    size_t entries = 0;
    for (lua_pushnil(L); entries <= count && lua_next(L, at); entries++)
        lua_pop(L, 1);
    if (entries <= count) return;
    lua_settop(L, lua_gettop(L) - 1); // the key that lua_next left
    const char **names = lua_newuserdatauv(L, count * sizeof *names, 0);
    for (size_t i = 0; i < count; i++)
        names[i] = hone_space_param(space, i)->name;
    for (lua_pushnil(L); lua_next(L, at); lua_pop(L, 1)) {
        lua_pushvalue(L, -2); // luaL_tolstring would change the key
        const char *key = luaL_tolstring(L, -1, NULL);
        size_t i = 0;
        while (i < count && strcmp(names[i], key) != 0)
            i++;
        const char *near = i < count ? NULL : hone_suggest(key, names, count);
        if (i == count)
            luaL_error(L, "'%s' is no parameter%s%s%s", key,
                       near ? "; did you mean '" : "", near ? near : "",
                       near ? "'?" : "");
        lua_pop(L, 2);
    }
    lua_pop(L, 1);
}

// Whose numbers of values are on top of the stack.
static const uint16_t *check_values(lua_State *L, const struct hone_space *space, int at)
{
    if (!lua_istable(L, at))
        luaL_error(L, "a configuration is a table such as { BM = 64 }, got a %s",
                   luaL_typename(L, at));
    uint16_t *choices = new_choices(L, space);
    for (size_t i = 0; i < hone_space_param_count(space); i++) {
        const char *name = hone_space_param(space, i)->name;
        struct hone_value value;
        lua_getfield(L, at, name);
        if (!read_value(L, &value))
            luaL_error(L, "the configuration has no value of parameter '%s'", name);
        if (hone_space_choice_of(space, i, value, &choices[i]) != HONE_OK)
            luaL_error(L, "%s is no value of parameter '%s'", luaL_tolstring(L, -1, NULL),
                       name);
        lua_pop(L, 1);
    }
    check_names(L, space, at);
    return choices;
}

uint64_t hone_strategy_check_config(lua_State *L, const struct hone_search *search,
                                    int at)
{
    const struct hone_space *space = hone_search_space(search);
    uint64_t index = 0;
    if (hone_space_index(space, check_values(L, space, at), &index) != HONE_OK)
        luaL_error(L, "the constraints forbid this configuration");
    lua_pop(L, 1);
    return index;
}

// --- methods ---

// search:measure(config) -> trial; only inside run
static int measure(lua_State *L)
{
    uint64_t index = hone_strategy_check_config(L, check_search(L), 2);
    if (!lua_isyieldable(L))
        return luaL_error(L, "search:measure works in run; ask returns configurations");
    lua_pushinteger(L, (lua_Integer)index);
    return lua_yield(L, 1);
}

// search:random() -> a configuration that was not proposed before, or nil
static int random_config(lua_State *L)
{
    struct hone_search *search = check_search(L);
    const uint64_t count = hone_space_count(hone_search_space(search));
    uint64_t index = 0;
    for (int i = 0; i < RANDOM_TRIES; i++) {
        index = hone_rng_below(hone_search_rng(search), count);
        if (!hone_search_seen(search, index)) {
            hone_strategy_push_config(L, search, index);
            return 1;
        }
    }
    // Nearly all are seen: the next unseen one from here on.
    for (uint64_t i = 0; i < count; i++) {
        if (i % 1024 == 0) hone_sandbox_charge(L, 1024);
        index = (index + 1) % count;
        if (hone_search_seen(search, index)) continue;
        hone_strategy_push_config(L, search, index);
        return 1;
    }
    lua_pushnil(L);
    return 1;
}

// search:neighbours(config [, "hamming" | "adjacent"]) -> list of configurations
static int neighbours(lua_State *L)
{
    static const char *const names[] = {"hamming", "adjacent", NULL};
    struct hone_search *search = check_search(L);
    const struct hone_space *space = hone_search_space(search);
    const uint64_t index = hone_strategy_check_config(L, search, 2);
    const enum hone_neighbourhood kind =
        luaL_checkoption(L, 3, "hamming", names) == 0 ? HONE_HAMMING : HONE_ADJACENT;
    const size_t count = hone_space_neighbours(space, index, kind, NULL, 0);
    hone_sandbox_charge(L, 64 * (double)count); // each is found twice
    uint64_t *found = lua_newuserdatauv(L, (count + 1) * sizeof *found, 0);
    hone_space_neighbours(space, index, kind, found, count);
    lua_createtable(L, (int)count, 0);
    for (size_t i = 0; i < count; i++) {
        hone_strategy_push_config(L, search, found[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// search:valid(config) -> whether the constraints allow it
static int valid(lua_State *L)
{
    const struct hone_space *space = hone_search_space(check_search(L));
    uint64_t index;
    lua_pushboolean(L, hone_space_index(space, check_values(L, space, 2), &index) ==
                           HONE_OK);
    return 1;
}

// search:seen(config) -> whether it was proposed before
static int seen(lua_State *L)
{
    struct hone_search *search = check_search(L);
    lua_pushboolean(L,
                    hone_search_seen(search, hone_strategy_check_config(L, search, 2)));
    return 1;
}

// search:best() -> the best valid trial so far, or nil
static int best(lua_State *L)
{
    struct hone_search *search = check_search(L);
    const struct hone_trial *trial = hone_search_best(search);
    if (trial)
        hone_strategy_push_trial(L, search, trial);
    else
        lua_pushnil(L);
    return 1;
}

// search:uniform() -> a random number in [0, 1)
static int uniform(lua_State *L)
{
    lua_pushnumber(L, hone_rng_double(hone_search_rng(check_search(L))));
    return 1;
}

// search:integer(n) -> a random integer in 1 .. n
static int integer(lua_State *L)
{
    struct hone_search *search = check_search(L);
    const lua_Integer n = luaL_checkinteger(L, 2);
    luaL_argcheck(L, n > 0, 2, "must be positive");
    const uint64_t r = hone_rng_below(hone_search_rng(search), (uint64_t)n);
    lua_pushinteger(L, (lua_Integer)r + 1);
    return 1;
}

// search:count() -> configurations in the space
static int count_space(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)hone_space_count(hone_search_space(check_search(L))));
    return 1;
}

// search:left() -> evaluations left of the budget, or nil where there is none
static int left(lua_State *L)
{
    struct hone_search *search = check_search(L);
    const uint64_t budget = hone_search_budget(search), told = hone_search_told(search);
    if (budget == UINT64_MAX)
        lua_pushnil(L);
    else
        lua_pushinteger(L, budget > told ? (lua_Integer)(budget - told) : 0);
    return 1;
}

// search:params() -> { name = { value, ... }, ... }
static int params(lua_State *L)
{
    const struct hone_space *space = hone_search_space(check_search(L));
    const size_t n = hone_space_param_count(space);
    lua_createtable(L, 0, (int)n);
    for (size_t i = 0; i < n; i++) {
        const struct hone_param *param = hone_space_param(space, i);
        lua_createtable(L, (int)param->count, 0);
        for (size_t v = 0; v < param->count; v++) {
            hone_script_push_value(L, param->values[v]);
            lua_rawseti(L, -2, (lua_Integer)v + 1);
        }
        lua_setfield(L, -2, param->name);
    }
    return 1;
}

// search.state, a table of this search alone, or a method (upvalue 1 holds them)
static int index_search(lua_State *L)
{
    if (strcmp(luaL_checkstring(L, 2), "state") == 0) {
        lua_getiuservalue(L, 1, 1);
        return 1;
    }
    lua_settop(L, 2);
    lua_rawget(L, lua_upvalueindex(1));
    return 1;
}

void hone_strategy_install(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"best", best},       {"count", count_space},    {"integer", integer},
        {"left", left},       {"measure", measure},      {"neighbours", neighbours},
        {"params", params},   {"random", random_config}, {"seen", seen},
        {"uniform", uniform}, {"valid", valid},          {NULL, NULL},
    };
    luaL_newmetatable(L, type_name);
    lua_createtable(L, 0, 12);
    luaL_setfuncs(L, methods, 0);
    hone_hints_note(L);
    lua_pushcclosure(L, index_search, 1);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
