// What a script may have meant where Lua only says that it found nothing.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "bind_internal.h"

// In the order of the alphabet, so that of names as near the same one is always found.
static void hints_add(lua_State *L, struct hone_script *script, const char *name)
{
    const size_t size = strlen(name) + 1;
    size_t i = script->name_count;
    if (i == HONE_SCRIPT_NAMES)
        luaL_error(L, "over %d names to suggest", HONE_SCRIPT_NAMES);
    char *copy = hone_script_alloc(L, size, 1);
    memcpy(copy, name, size);
    for (; i > 0 && strcmp(script->names[i - 1], name) > 0; i--)
        script->names[i] = script->names[i - 1];
    script->names[i] = copy;
    script->name_count++;
}

void hone_hints_note(lua_State *L)
{
    lua_pushnil(L);
    while (lua_next(L, -2)) {
        lua_pop(L, 1);
        hints_add(L, hone_script_of(L), lua_tostring(L, -1));
    }
}

// The word in "attempt to call a nil value (field 'WORD')"; "" where there is none.
static void called_word(char out[HONE_WORD_MAX + 1], const char *text)
{
    static const char call[] = "attempt to call a nil value (";
    const char *at = strstr(text, call);
    *out = '\0';
    if (!at) return;
    at += strlen(call);
    if (strncmp(at, "field '", 7) != 0 && strncmp(at, "method '", 8) != 0) return;
    const char *word = strchr(at, '\'') + 1;
    const size_t length = strcspn(word, "'");
    if (length > HONE_WORD_MAX) return;
    memcpy(out, word, length);
    out[length] = '\0';
}

void hone_hints_find(char *out, size_t size, const struct hone_script *script,
                     const char *text)
{
    static const struct {
        const char *missing, *hint;
    } hints[] = {
        {"(global 'os')", "scripts have no os or io without --allow-io"},
        {"(global 'io')", "scripts have no os or io without --allow-io"},
        {"(global 'hone')", "local hone = require \"hone\" comes first"},
        {"nil value (field 'float')", "scalars are hone.f32, hone.f64, hone.i32, ..."},
        {"nil value (field 'double')", "scalars are hone.f32, hone.f64, hone.i32, ..."},
        {"nil value (field 'int')", "scalars are hone.f32, hone.f64, hone.i32, ..."},
        {"nil value (field 'scalar')", "scalars are hone.f32, hone.f64, hone.i32, ..."},
        {"nil value (field 'buffer')", "buffers are hone.input, hone.output, hone.inout"},
    };
    char word[HONE_WORD_MAX + 1];
    *out = '\0';
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++)
        if (strstr(text, hints[i].missing)) {
            snprintf(out, size, "; %s", hints[i].hint);
            return;
        }
    called_word(word, text);
    const char *near = hone_suggest(word, script->names, script->name_count);
    // one that there is elsewhere is not misspelt here
    if (near && strcmp(near, word) != 0)
        snprintf(out, size, "; did you mean '%s'?", near);
}
