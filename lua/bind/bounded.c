// Library functions that can run for ages inside one call: pattern matching backtracks,
// sorting compares, a table with a __len of its own can claim any length, and reading a
// long text takes no memory. Each is wrapped by a check of how long it could take; that
// bound is charged to the script, and an absurd one is refused.
#include <math.h>
#include <string.h>

#include "bind_internal.h"

enum {
    STEPS_PER_INSTRUCTION = 32, // a matching step is far cheaper than an instruction
    FEW = 64                    // arguments that any call may have
};
static const double max_steps = 1e9; // one call: a few seconds

static void charge(lua_State *L, double steps, const char *what)
{
    if (steps > max_steps)
        luaL_error(L, "%s could take %f steps, over the limit of %f", what, steps,
                   max_steps);
    hone_sandbox_charge(L, steps / STEPS_PER_INSTRUCTION);
}

// The bytes of argument i, where it is a text.
static double text_size(lua_State *L, int i)
{
    return lua_type(L, i) == LUA_TSTRING ? (double)lua_rawlen(L, i) : 0;
}

// --- patterns ---

// The end of a set that starts after its '[': "]" right at the start belongs to the set.
static const char *skip_set(const char *p, const char *end)
{
    if (p < end && *p == '^') p++;
    if (p < end && *p == ']') p++;
    while (p < end && *p != ']')
        p += *p == '%' ? 2 : 1;
    return p;
}

enum caret { CARET_ANCHORS, CARET_IS_PLAIN }; // at the start of a pattern

// Most steps that backtracking can take: each repetition tries every length, from every
// start. The exponent is the number of repetitions, so it is a bound, far over what most
// patterns need. "%bxy" scans, "%1" compares; both take what follows as it is.
static double pattern_steps(const char *p, size_t size, double length, enum caret caret)
{
    const char *end = p + size;
    double steps = caret == CARET_ANCHORS && p < end && *p == '^' ? 1 : length + 1;
    for (; p < end; p++) {
        const char next = *p == '%' && p + 1 < end ? p[1] : '\0';
        if (*p == '[') {
            p = skip_set(p + 1, end);
        } else if (next == 'b') {
            steps *= length + 1;
            p += 3;
        } else if (next >= '0' && next <= '9') {
            steps *= length / STEPS_PER_INSTRUCTION + 1;
            p++;
        } else if (next && next != 'f') {
            p++;
        } else if (*p == '*' || *p == '+' || *p == '-') {
            steps *= length + 1;
        } else if (*p == '?') {
            steps *= 2;
        }
    }
    return steps * ((double)size + 1);
}

static int match(lua_State *L, enum caret caret)
{
    size_t length, size;
    luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    const lua_Integer init = luaL_optinteger(L, 3, 1);
    if (init > 1) length -= (size_t)init < length ? (size_t)init - 1 : length;
    charge(L, pattern_steps(pattern, size, (double)length, caret),
           "this pattern on this string");
    return hone_libraries_proceed(L);
}

// string.match(s, pattern [, init])
static int bounded_match(lua_State *L)
{
    return match(L, CARET_ANCHORS);
}

// string.gsub(s, pattern, replacement [, n])
static int bounded_gsub(lua_State *L)
{
    size_t length, size;
    luaL_checklstring(L, 1, &length);
    const char *pattern = luaL_checklstring(L, 2, &size);
    charge(L, pattern_steps(pattern, size, (double)length, CARET_ANCHORS),
           "this pattern on this string");
    return hone_libraries_proceed(L);
}

// string.gmatch(s, pattern)
static int bounded_gmatch(lua_State *L)
{
    return match(L, CARET_IS_PLAIN);
}

// string.find(s, pattern [, init [, plain]])
static int bounded_find(lua_State *L)
{
    size_t length, size;
    if (!lua_toboolean(L, 4)) return match(L, CARET_ANCHORS);
    luaL_checklstring(L, 1, &length);
    luaL_checklstring(L, 2, &size);
    charge(L, ((double)length + 1) * ((double)size / STEPS_PER_INSTRUCTION + 1),
           "this search in this string");
    return hone_libraries_proceed(L);
}

// --- texts ---

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

// What reads its first argument and makes nothing of its size: tonumber, a format
static int bounded_text(lua_State *L)
{
    const double bytes = text_size(L, 1);
    if (bytes > FEW) charge(L, bytes * 4, "a text of this length");
    return hone_libraries_proceed(L);
}

// utf8.offset(s, n [, i]): passes n characters
static int bounded_offset(lua_State *L)
{
    const double passed = fmin(fabs((double)luaL_checkinteger(L, 2)), text_size(L, 1));
    if (passed > FEW) charge(L, passed * 4, "a text of this length");
    return hone_libraries_proceed(L);
}

// --- arguments and results ---

// What goes through all its arguments: select, math.max, string.char, ...
static int bounded_args(lua_State *L)
{
    const int count = lua_gettop(L);
    if (count > FEW) charge(L, (double)count * 32, "so many arguments");
    return hone_libraries_proceed(L);
}

// How many places arguments first and first + 1 tell; otherwise: the last one's default.
static double span(lua_State *L, int first, double otherwise)
{
    const double from = (double)luaL_optinteger(L, first, 1);
    if (lua_isnoneornil(L, first + 1)) return otherwise - from + 1;
    const double to = (double)luaL_checkinteger(L, first + 1);
    return (to < 0 ? otherwise + to + 1 : to) - from + 1;
}

// utf8.len(s [, i [, j]])
static int bounded_length(lua_State *L)
{
    const double bytes = text_size(L, 1), count = fmin(span(L, 2, bytes), bytes);
    if (count > FEW) charge(L, count * 4, "a text of this length");
    return hone_libraries_proceed(L);
}

// string.byte, utf8.codepoint(s, i, j): at most as many results as the text has bytes
static int bounded_results(lua_State *L)
{
    const double bytes = text_size(L, 1);
    const double count = lua_gettop(L) > 2 ? fmin(span(L, 2, bytes), bytes) : 1;
    if (count > FEW) charge(L, count * 32, "so many results");
    return hone_libraries_proceed(L);
}

// --- tables ---

// A __len of its own could say one thing here and another to the library.
static double length_of(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    if (luaL_getmetafield(L, 1, "__len") != LUA_TNIL)
        luaL_error(L, "table.insert, remove and sort take no table with a __len of its "
                      "own: what they would do has no bound");
    return (double)lua_rawlen(L, 1);
}

// At most all items move: those from argument 2 on, which may be a float or a text.
static void charge_shift(lua_State *L, double length)
{
    const double moved = length + 1 - (double)luaL_checkinteger(L, 2);
    if (moved > FEW)
        charge(L, fmin(moved, length + 1) * STEPS_PER_INSTRUCTION,
               "this table operation");
}

// table.insert(list, [position,] value)
static int bounded_insert(lua_State *L)
{
    const double length = length_of(L);
    if (lua_gettop(L) > 2) charge_shift(L, length);
    return hone_libraries_proceed(L);
}

// table.remove(list [, position])
static int bounded_remove(lua_State *L)
{
    const double length = length_of(L);
    if (!lua_isnoneornil(L, 2)) charge_shift(L, length);
    return hone_libraries_proceed(L);
}

// What ends at the list's length where argument i does not say: the length is asked once.
static double fixed_span(lua_State *L, int i)
{
    lua_settop(L, i);
    if (lua_isnoneornil(L, i)) {
        lua_pushinteger(L, luaL_len(L, 1));
        lua_replace(L, i);
    }
    return (double)luaL_checkinteger(L, i) - (double)luaL_optinteger(L, i - 1, 1) + 1;
}

// table.unpack(list [, i [, j]]): more than a million are refused
static int bounded_unpack(lua_State *L)
{
    const double count = fixed_span(L, 3);
    if (count > FEW) charge(L, fmin(count, 1e6) * STEPS_PER_INSTRUCTION, "table.unpack");
    return hone_libraries_proceed(L);
}

// table.concat(list [, separator [, i [, j]]])
static int bounded_concat(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const double count = fixed_span(L, 4);
    if (count > FEW) charge(L, count * STEPS_PER_INSTRUCTION, "table.concat");
    return hone_libraries_proceed(L);
}

// table.move(from, first, last, to [, into])
static int bounded_move(lua_State *L)
{
    double count = (double)luaL_checkinteger(L, 3) - (double)luaL_checkinteger(L, 2);
    if (count > 0) charge(L, count * STEPS_PER_INSTRUCTION, "table.move");
    return hone_libraries_proceed(L);
}

// The longest text among the items: comparing two reads that much.
static double longest_text(lua_State *L, lua_Integer count)
{
    double longest = 0;
    for (lua_Integer i = 1; i <= count; i++) {
        if (lua_rawgeti(L, 1, i) == LUA_TSTRING)
            longest = fmax(longest, (double)lua_rawlen(L, -1));
        lua_pop(L, 1);
    }
    return longest;
}

// table.sort(list [, before]): a comparison in C executes no instruction
static int bounded_sort(lua_State *L)
{
    const double length = length_of(L);
    charge(L, length * 4, "table.sort");
    const double text = length > 1 ? longest_text(L, (lua_Integer)length) : 0;
    const double compared = length > 1 ? length * log2(length) : 0;
    const bool in_c = !lua_isfunction(L, 2) || lua_iscfunction(L, 2);
    charge(L, compared * (in_c ? STEPS_PER_INSTRUCTION : 1) + compared * text,
           "table.sort");
    return hone_libraries_proceed(L);
}

// --- coroutines ---

// coroutine.create(f): the count of instructions starts anew in each
static int bounded_create(lua_State *L)
{
    hone_sandbox_charge(L, HONE_HOOK_STEPS);
    return hone_libraries_proceed(L);
}

// next(table [, key]): skips what was removed, as many places as the table ever had
static int bounded_next(lua_State *L)
{
    hone_sandbox_look(L);
    return hone_libraries_proceed(L);
}

// pairs(t)
static int bounded_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    lua_pushvalue(L, lua_upvalueindex(2)); // next
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}

static void install_pairs(lua_State *L)
{
    hone_libraries_wrap(L, LUA_GNAME, "next", bounded_next);
    lua_getglobal(L, "pairs");
    lua_getglobal(L, "next");
    lua_pushcclosure(L, bounded_pairs, 2);
    lua_setglobal(L, "pairs");
}

void hone_bounded_install(lua_State *L)
{
    static const struct {
        const char *library, *name;
        lua_CFunction function;
    } wrapped[] = {
        {"string", "find", bounded_find},        {"string", "match", bounded_match},
        {"string", "gmatch", bounded_gmatch},    {"string", "gsub", bounded_gsub},
        {"string", "rep", bounded_rep},          {"string", "byte", bounded_results},
        {"string", "char", bounded_args},        {"string", "format", bounded_text},
        {"string", "pack", bounded_text},        {"string", "packsize", bounded_text},
        {"string", "unpack", bounded_text},      {"utf8", "len", bounded_length},
        {"utf8", "offset", bounded_offset},      {"utf8", "codepoint", bounded_results},
        {"utf8", "char", bounded_args},          {"table", "insert", bounded_insert},
        {"table", "remove", bounded_remove},     {"table", "sort", bounded_sort},
        {"table", "unpack", bounded_unpack},     {"table", "concat", bounded_concat},
        {"table", "move", bounded_move},         {"table", "pack", bounded_args},
        {"math", "max", bounded_args},           {"math", "min", bounded_args},
        {LUA_GNAME, "select", bounded_args},     {LUA_GNAME, "tonumber", bounded_text},
        {"coroutine", "create", bounded_create},
    };
    for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
        hone_libraries_wrap(L, wrapped[i].library, wrapped[i].name, wrapped[i].function);
    install_pairs(L);
}
