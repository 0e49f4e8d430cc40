// Library functions that can run for ages inside one call: pattern matching backtracks,
// and a table with a __len of its own can claim any length. Each is wrapped by a check of
// how long it could take; that bound is charged to the script, and an absurd one is
// refused.
#include <string.h>

#include "internal.h"

enum { STEPS_PER_INSTRUCTION = 32 }; // a matching step is far cheaper than an instruction
static const double max_steps = 1e9; // one call: a few seconds

static void charge(lua_State *L, double steps, const char *what)
{
    if (steps > max_steps)
        luaL_error(L, "%s could take %f steps, over the limit of %f", what, steps,
                   max_steps);
    hone_sandbox_charge(L, steps / STEPS_PER_INSTRUCTION);
}

// The end of a set that starts after its '[': "]" right at the start belongs to the set.
static const char *skip_set(const char *p, const char *end)
{
    if (p < end && *p == '^') p++;
    if (p < end && *p == ']') p++;
    while (p < end && *p != ']')
        p += *p == '%' ? 2 : 1;
    return p;
}

// Most steps that backtracking can take: each repetition tries every length, from every
// start. The exponent is the number of repetitions, so it is a bound, far over what most
// patterns need.
static double pattern_steps(const char *p, size_t size, double length)
{
    const char *end = p + size;
    double steps = p < end && *p == '^' ? 1 : length + 1;
    for (; p < end; p++) {
        if (*p == '[')
            p = skip_set(p + 1, end);
        else if (*p == '%' && p + 1 < end && p[1] != 'b')
            p++;
        else if (*p == '*' || *p == '+' || *p == '-' || *p == '%')
            steps *= length + 1;
        else if (*p == '?')
            steps *= 2;
    }
    return steps * ((double)size + 1);
}

// string.find, match, gmatch, gsub
static int bounded_match(lua_State *L)
{
    size_t length, size;
    luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    charge(L, pattern_steps(pattern, size, (double)length),
           "this pattern on this string");
    return hone_libraries_proceed(L);
}

// string.rep(s, n [, separator]): empty pieces take no memory, only time
static int bounded_rep(lua_State *L)
{
    size_t length, separator = 0;
    luaL_checklstring(L, 1, &length);
    lua_Integer n = luaL_checkinteger(L, 2);
    if (!lua_isnoneornil(L, 3)) luaL_checklstring(L, 3, &separator);
    if (n > 1 && length + separator == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    double bytes = (double)(length + separator) * (double)n;
    if (bytes > (double)hone_script_of(L)->max_bytes)
        luaL_error(L, "string.rep would make %f bytes, over the script's limit of %I",
                   bytes, (LUAI_UACINT)hone_script_of(L)->max_bytes);
    if (bytes > 0) hone_sandbox_charge(L, bytes / STEPS_PER_INSTRUCTION);
    return hone_libraries_proceed(L);
}

// Only a table that computes its length or its items can be longer than its memory.
static bool is_plain(lua_State *L, int i)
{
    bool plain = !lua_getmetatable(L, i);
    if (!plain) lua_pop(L, 1);
    return plain;
}

// table.insert, remove, sort, unpack, concat
static int bounded_length(lua_State *L)
{
    luaL_checkany(L, 1);
    if (!is_plain(L, 1)) charge(L, (double)luaL_len(L, 1) * 64, "this table operation");
    return hone_libraries_proceed(L);
}

// table.insert(list, position, value) and table.remove(list, position) shift all that
// follows
static int bounded_shift(lua_State *L)
{
    if (lua_istable(L, 1) && is_plain(L, 1) && lua_isinteger(L, 2)) {
        double shifted = (double)luaL_len(L, 1) - (double)lua_tointeger(L, 2);
        if (shifted > 0) charge(L, shifted, "this table operation");
        return hone_libraries_proceed(L);
    }
    return bounded_length(L);
}

// table.move(from, first, last, to [, into])
static int bounded_move(lua_State *L)
{
    double count = (double)luaL_checkinteger(L, 3) - (double)luaL_checkinteger(L, 2);
    if (count > 0) charge(L, count, "table.move");
    return hone_libraries_proceed(L);
}

void hone_bounded_install(lua_State *L)
{
    static const struct {
        const char *library, *name;
        lua_CFunction function;
    } wrapped[] = {
        {"string", "find", bounded_match},   {"string", "match", bounded_match},
        {"string", "gmatch", bounded_match}, {"string", "gsub", bounded_match},
        {"string", "rep", bounded_rep},      {"table", "insert", bounded_shift},
        {"table", "remove", bounded_shift},  {"table", "sort", bounded_length},
        {"table", "unpack", bounded_length}, {"table", "concat", bounded_length},
        {"table", "move", bounded_move},
    };
    for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
        hone_libraries_wrap(L, wrapped[i].library, wrapped[i].name, wrapped[i].function);
}
