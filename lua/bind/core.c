// The primitives that the prelude is written with: places in the script's text, names,
// types.
#include <string.h>

#include "base/ascii.h"
#include "base/identifier.h"
#include "base/sink.h"
#include "base/suggest.h"
#include "bind_internal.h"
#include "hone/version.h"
#include "render/fill_data.h"

// The script's code nearest above this call, past C functions and the prelude itself.
// Its level on the stack; 0 where there is none.
static int find_caller(lua_State *L, lua_Debug *frame)
{
    for (int level = 1; lua_getstack(L, level, frame); level++) {
        lua_getinfo(L, "Sl", frame);
        if (frame->currentline > 0 && frame->source[0] == '@') return level;
    }
    return 0;
}

const char *hone_core_called(lua_State *L)
{
    lua_Debug frame;
    const int level = find_caller(L, &frame);
    if (!level || !lua_getstack(L, level - 1, &frame)) return NULL;
    lua_getinfo(L, "n", &frame);
    return frame.name;
}

// located(f): a function that calls f(place, ...) with the place it is called from. In C,
// since a tail call of a Lua function, as in return hone.kernel {...}, would have
// replaced that frame.
static int call_located(lua_State *L)
{
    lua_Debug frame;
    const bool found = find_caller(L, &frame) > 0;
    lua_createtable(L, 0, 2);
    lua_pushstring(L, found ? frame.source + 1 : hone_script_of(L)->path);
    lua_setfield(L, -2, "file");
    lua_pushinteger(L, found ? frame.currentline : 0);
    lua_setfield(L, -2, "line");
    lua_insert(L, 1);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
    return lua_gettop(L);
}

static int core_located(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TFUNCTION);
    lua_settop(L, 1);
    lua_pushcclosure(L, call_located, 1);
    return 1;
}

// suggest(word, {name, ...}): the nearest name, nil when none is near
static int core_suggest(lua_State *L)
{
    const char *word = luaL_checkstring(L, 1);
    size_t count = (size_t)luaL_len(L, 2);
    const char **names = lua_newuserdatauv(L, (count + 1) * sizeof *names, 0);
    for (size_t i = 0; i < count; i++) {
        lua_rawgeti(L, 2, (lua_Integer)i + 1);
        names[i] = luaL_checkstring(L, -1); // stays alive in the list
        lua_pop(L, 1);
    }
    lua_pushstring(L, hone_suggest(word, names, count));
    return 1;
}

// dtypes(): their names, in order
static int core_dtypes(lua_State *L)
{
    static const char *const names[] = {
#define DTYPE_NAME(id, text, bytes) text,
        HONE_DTYPE_LIST(DTYPE_NAME)};
    lua_newtable(L);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        lua_pushstring(L, names[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    return 1;
}

// dtype_range(name): the least and the most that a fill may name, whether it is whole
static int core_dtype_range(lua_State *L)
{
    enum hone_dtype dtype;
    if (hone_dtype_parse(&dtype, luaL_checkstring(L, 1)) != HONE_OK)
        return luaL_argerror(L, 1, "no dtype");
    const struct hone_dtype_range range = hone_dtype_range(dtype);
    lua_pushnumber(L, range.low);
    lua_pushnumber(L, range.high);
    lua_pushboolean(L, range.whole);
    return 3;
}

static const char *line_start(const char *text, lua_Integer line)
{
    while (text && --line > 0) {
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return text;
}

// Whether the word at p stands as a key: BM =, ["BM"] =, but neither xBM nor BM ==.
static bool is_key(const char *text, const char *p, size_t length)
{
    const char before = p > text ? p[-1] : ' ';
    const char *after = p + length;
    if (hone_is_name_part(before) || before == '.') return false;
    if (before == '"' || before == '\'') {
        if (*after++ != before) return false;
        while (*after == ' ')
            after++;
        if (*after++ != ']') return false;
    }
    while (hone_is_space(*after))
        after++;
    return *after == '=' && after[1] != '=';
}

// Whether p is a whole string in quotes.
static bool is_literal(const char *text, const char *p, size_t length)
{
    char quote = p > text ? p[-1] : '\0';
    return (quote == '"' || quote == '\'') && p[length] == quote;
}

enum { LONGEST_KEY = 255 }; // longer ones are not looked for

// The first line from the given one on where what is written as match wants; else that
// line.
static int line_of(lua_State *L, bool (*match)(const char *, const char *, size_t))
{
    const struct hone_script_file *file =
        hone_script_file(hone_script_of(L), luaL_checkstring(L, 1));
    lua_Integer line = luaL_checkinteger(L, 2), found = line;
    size_t length;
    const char *what = luaL_checklstring(L, 3, &length);
    const char *p = file ? line_start(file->text, line) : NULL;
    if (length > LONGEST_KEY) length = 0;
    if (file) hone_sandbox_charge(L, (double)file->size / 8);
    for (; p && length && *p; p++) {
        found += *p == '\n';
        if (strncmp(p, what, length) != 0 || !match(file->text, p, length)) continue;
        lua_pushinteger(L, found);
        return 1;
    }
    lua_pushinteger(L, line);
    return 1;
}

// line_of_key(file, line, key)
static int core_line_of_key(lua_State *L)
{
    return line_of(L, is_key);
}

// line_of_literal(file, line, text)
static int core_line_of_literal(lua_State *L)
{
    return line_of(L, is_literal);
}

// The last "end" before stop that closes a function opened at start.
static const char *after_last_end(const char *start, const char *stop)
{
    const char *last = NULL;
    for (const char *p = start; p + 3 <= stop; p++) {
        bool word = strncmp(p, "end", 3) == 0 && !hone_is_name_part(p[-1]) &&
                    !hone_is_name_part(p[3]);
        if (word) last = p + 3;
    }
    return last;
}

// function_text(f): as written, blanks joined; "function at line 12" where that is not
// certain
static int core_function_text(lua_State *L)
{
    lua_Debug info;
    lua_settop(L, 1);
    lua_pushvalue(L, 1);
    lua_getinfo(L, ">S", &info);
    const struct hone_script_file *file =
        info.source[0] == '@' ? hone_script_file(hone_script_of(L), info.source + 1)
                              : NULL;
    if (file) hone_sandbox_charge(L, (double)file->size / 2);
    const char *line = file ? line_start(file->text, info.linedefined) : NULL;
    const char *start = line ? strstr(line, "function") : NULL;
    const char *stop = start ? line_start(file->text, info.lastlinedefined) : NULL;
    stop = stop ? stop + strcspn(stop, "\n") : NULL;
    const char *end = stop && start < stop ? after_last_end(start, stop) : NULL;
    const char *line_end = line ? line + strcspn(line, "\n") : NULL;
    const char *second = start ? strstr(start + 1, "function") : NULL;
    if (!end || start > line_end || (second && second < stop)) {
        lua_pushfstring(L, "function at line %d", info.linedefined);
        return 1;
    }
    luaL_Buffer text;
    luaL_buffinit(L, &text);
    for (const char *p = start; p < end; p++) {
        bool blank = hone_is_space(*p);
        if (!blank || !hone_is_space(p[1])) luaL_addchar(&text, blank ? ' ' : *p);
    }
    luaL_pushresult(&text);
    return 1;
}

// name_fault(text): why it can be no name in C and C++, nil when it can
static int core_name_fault(lua_State *L)
{
    size_t size;
    const char *name = luaL_checklstring(L, 1, &size);
    lua_pushstring(L, strlen(name) < size ? "has a NUL" : hone_identifier_fault(name));
    return 1;
}

// text_fault(text, most [, lines]): why it can be no value or expression, nil when it can
static int core_text_fault(lua_State *L)
{
    char why[96];
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size);
    const size_t most = (size_t)luaL_checkinteger(L, 2);
    const char *fault = hone_text_fault(why, sizeof why, text, most, lua_toboolean(L, 3));
    lua_pushstring(L, strlen(text) < size ? "has a NUL" : fault);
    return 1;
}

// setting(name): the text of --set NAME=TEXT, nil without one
static int core_setting(lua_State *L)
{
    lua_pushstring(L, hone_settings_find(L, luaL_checkstring(L, 1)));
    return 1;
}

int hone_core_open(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"located", core_located},
        {"suggest", core_suggest},
        {"dtypes", core_dtypes},
        {"dtype_range", core_dtype_range},
        {"line_of_key", core_line_of_key},
        {"line_of_literal", core_line_of_literal},
        {"argument", hone_core_argument},
        {"entries", hone_core_entries},
        {"function_text", core_function_text},
        {"name_fault", core_name_fault},
        {"text_fault", core_text_fault},
        {"setting", core_setting},
        {"model", hone_strategy_model},
        {NULL, NULL},
    };
    luaL_newlib(L, functions);
    lua_pushliteral(L, HONE_VERSION);
    lua_setfield(L, -2, "version");
    return 1;
}
