// Waivers of a kernel, from the record that the prelude made of them.
#include <string.h>

#include "base/suggest.h"
#include "bind_internal.h"

static const char *waiver_text(lua_State *L, const char *key)
{
    const char *text = NULL;
    if (lua_getfield(L, -1, key) != LUA_TNIL)
        text = hone_script_strdup(L, lua_tostring(L, -1));
    lua_pop(L, 1);
    return text;
}

static uint32_t waiver_number(lua_State *L, const char *key)
{
    lua_getfield(L, -1, key);
    const lua_Integer number = lua_tointeger(L, -1);
    lua_pop(L, 1);
    return (uint32_t)number;
}

static enum hone_finding waiver_finding(lua_State *L, size_t i, int line)
{
    enum hone_finding finding = HONE_FINDING_NONE;
    const char *names[HONE_FINDING_COUNT], *text = waiver_text(L, "finding");
    if (hone_finding_parse(&finding, text) == HONE_OK && finding != HONE_FINDING_NONE)
        return finding;
    for (size_t k = 0; k < HONE_FINDING_COUNT; k++)
        names[k] = hone_finding_name((enum hone_finding)k);
    const char *near = hone_suggest(text, names + 1, HONE_FINDING_COUNT - 1);
    hone_script_raise(
        L, HONE_EINPUT, line, "unknown finding '%s' in waiver %zu of hone.kernel%s%s%s",
        text, i + 1, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
    return finding;
}

void hone_waivers_read(lua_State *L, struct hone_kernel_def *def)
{
    def->waiver_count = (size_t)lua_rawlen(L, -1);
    struct hone_waiver *waivers =
        hone_script_alloc(L, def->waiver_count, sizeof *waivers);
    for (size_t i = 0; i < def->waiver_count; i++) {
        lua_rawgeti(L, -1, (lua_Integer)i + 1);
        const int line = (int)waiver_number(L, "script_line");
        waivers[i] = (struct hone_waiver){.finding = waiver_finding(L, i, line),
                                          .file = waiver_text(L, "file"),
                                          .line = waiver_number(L, "line"),
                                          .buffer = waiver_text(L, "buffer"),
                                          .reason = waiver_text(L, "reason"),
                                          .script_line = line};
        lua_pop(L, 1);
    }
    def->waivers = waivers;
}
