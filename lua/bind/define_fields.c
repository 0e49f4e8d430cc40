#include "define_fields.h"

#include "bind_internal.h"

void *hone_script_alloc(lua_State *L, size_t count, size_t size)
{
    void *memory = hone_arena_array(&hone_script_of(L)->arena, count, size);
    if (!memory) hone_script_raise(L, HONE_ENOMEM, 0, "out of memory for the definition");
    return memory;
}

const char *hone_script_strdup(lua_State *L, const char *text)
{
    const char *copy = hone_arena_strdup(&hone_script_of(L)->arena, text);
    if (!copy) hone_script_raise(L, HONE_ENOMEM, 0, "out of memory for the definition");
    return copy;
}

const char *hone_define_text_field(lua_State *L, const char *key)
{
    const char *text = NULL;
    if (lua_getfield(L, -1, key) != LUA_TNIL)
        text = hone_script_strdup(L, lua_tostring(L, -1));
    lua_pop(L, 1);
    return text;
}

int hone_define_line_field(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    int line = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return line;
}

double hone_define_number_field(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    const double number = lua_tonumber(L, -1);
    lua_pop(L, 1);
    return number;
}

bool hone_define_flag_field(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    const bool flag = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return flag;
}

size_t hone_define_open_list(lua_State *L, const char *key)
{
    return lua_getfield(L, HONE_DEFINE_RECORD, key) == LUA_TNIL
               ? 0
               : (size_t)lua_rawlen(L, -1);
}

const char *hone_define_text_item(lua_State *L, size_t i)
{
    lua_rawgeti(L, -1, (lua_Integer)i + 1);
    const char *text = hone_script_strdup(L, lua_tostring(L, -1));
    lua_pop(L, 1);
    return text;
}

const char *const *hone_define_text_list(lua_State *L, size_t *count)
{
    *count = (size_t)lua_rawlen(L, -1);
    const char **texts = hone_script_alloc(L, *count, sizeof *texts);
    for (size_t i = 0; i < *count; i++)
        texts[i] = hone_define_text_item(L, i);
    return texts;
}

struct hone_value hone_script_to_value(lua_State *L, int index)
{
    struct hone_value value = {.type = HONE_STRING};
    if (lua_isinteger(L, index)) {
        value.type = HONE_INT;
        value.i = lua_tointeger(L, index);
    } else if (lua_type(L, index) == LUA_TNUMBER) {
        value.type = HONE_FLOAT;
        value.f = lua_tonumber(L, index);
    } else if (lua_isboolean(L, index)) {
        value.type = HONE_BOOL;
        value.b = lua_toboolean(L, index);
    } else {
        value.s = hone_script_strdup(L, lua_tostring(L, index));
    }
    return value;
}
