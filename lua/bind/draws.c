// What problem sizes to verify at are drawn from, from the record that the prelude made.
#include "bind_internal.h"

static lua_Integer draw_integer(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    const lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return number;
}

// The values in field "values" of the table on top; none where it is a range.
static const struct hone_value *draw_values(lua_State *L, size_t *count)
{
    struct hone_value *list = NULL;
    if (lua_getfield(L, -1, "values") != LUA_TNIL) {
        *count = (size_t)lua_rawlen(L, -1);
        list = hone_script_alloc(L, *count, sizeof *list);
        for (size_t i = 0; i < *count; i++) {
            lua_rawgeti(L, -1, (lua_Integer)i + 1);
            list[i] = hone_script_to_value(L, -1);
            lua_pop(L, 1);
        }
    }
    lua_pop(L, 1);
    return list;
}

// The choices for one size; the problem's own value where the script names none.
static struct hone_draw_choice draw_choice(lua_State *L,
                                           const struct hone_constant *constant)
{
    struct hone_value *own = hone_script_alloc(L, 1, sizeof *own);
    struct hone_draw_choice choice = {.values = own, .count = 1};
    *own = constant->value;
    if (lua_getfield(L, -1, constant->name) != LUA_TNIL) {
        size_t count = 0;
        choice.values = draw_values(L, &count);
        choice.count = count;
        if (!choice.values) {
            choice.first = draw_integer(L, "first");
            choice.step = draw_integer(L, "step");
            choice.count = (uint64_t)draw_integer(L, "count");
        }
    }
    lua_pop(L, 1);
    return choice;
}

static struct hone_draw read_draw(lua_State *L, const struct hone_kernel_def *def)
{
    struct hone_draw_choice *choices =
        hone_script_alloc(L, def->problem_count, sizeof *choices);
    const struct hone_draw draw = {.choices = choices,
                                   .count = (size_t)draw_integer(L, "count"),
                                   .line = (int)draw_integer(L, "line")};
    lua_getfield(L, -1, "choices");
    for (size_t i = 0; i < def->problem_count; i++)
        choices[i] = draw_choice(L, &def->space.constants[i]);
    lua_pop(L, 1);
    return draw;
}

void hone_draws_read(lua_State *L, struct hone_kernel_def *def)
{
    def->draw_count = (size_t)lua_rawlen(L, -1);
    struct hone_draw *draws = hone_script_alloc(L, def->draw_count, sizeof *draws);
    for (size_t i = 0; i < def->draw_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        draws[i] = read_draw(L, def);
        lua_pop(L, 1);
    }
    def->draws = draws;
}
