// Where the entries of a table stand that a script writes out: its text is read as Lua
// reads it, one constructor { ... } at a time, so that comments, strings and the bodies
// of functions hide nothing and the same key of another table is not taken for it.
#include <string.h>

#include "base/ascii.h"
#include "base/identifier.h"
#include "bind_internal.h"

// A token of Lua, and the text behind it. A name, a keyword and a number are one kind.
struct token {
    const char *start;
    size_t length; // 0 at the end of the text
    int line;      // that it begins on
};

struct reader {
    const char *at;
    int line;
};

static void skip_bytes(struct reader *reader, size_t count)
{
    for (const char *end = reader->at + count; reader->at < end; reader->at++)
        reader->line += *reader->at == '\n';
}

// The length of [[...]] or [==[...]==]; 0 for what is neither.
static size_t bracketed(const char *text)
{
    const size_t level = text[0] == '[' ? strspn(text + 1, "=") : 0;
    if (text[0] != '[' || text[1 + level] != '[') return 0;
    for (const char *p = text + 2 + level; (p = strchr(p, ']')); p++)
        if (strspn(p + 1, "=") == level && p[1 + level] == ']')
            return (size_t)(p - text) + level + 2;
    return strlen(text);
}

// The length of "..." or '...', whose escapes may hide a quote or the end of a line.
static size_t quoted(const char *text)
{
    const char *p = text + 1;
    while (*p && *p != *text)
        p += p[0] == '\\' && p[1] ? 2 : 1;
    return (size_t)(p - text) + (*p != '\0');
}

static void skip_blanks(struct reader *reader)
{
    for (;;) {
        const char *at = reader->at;
        if (hone_is_space(*at)) {
            skip_bytes(reader, 1);
        } else if (at[0] == '-' && at[1] == '-') {
            const size_t length = bracketed(at + 2);
            skip_bytes(reader, length ? length + 2 : strcspn(at, "\n"));
        } else {
            return;
        }
    }
}

static size_t token_length(const char *at)
{
    size_t length = 0;
    if (*at == '"' || *at == '\'') return quoted(at);
    if ((length = bracketed(at))) return length;
    while (hone_is_name_part(at[length]))
        length++;
    if (length) return length;
    return *at == '=' && at[1] == '=' ? 2 : *at != '\0';
}

static struct token read_token(struct reader *reader)
{
    skip_blanks(reader);
    const struct token token = {reader->at, token_length(reader->at), reader->line};
    skip_bytes(reader, token.length);
    return token;
}

static bool token_is(struct token token, const char *text)
{
    return token.length == strlen(text) && !strncmp(token.start, text, token.length);
}

// 1 where a token opens what the separators of a table do not end, -1 where it closes it.
static int nesting(struct token token)
{
    static const char *const open[] = {"{", "(", "[", "function", "do", "if", "repeat"};
    static const char *const close[] = {"}", ")", "]", "end", "until"};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (token_is(token, open[i])) return 1;
    for (size_t i = 0; i < sizeof close / sizeof *close; i++)
        if (token_is(token, close[i])) return -1;
    return 0;
}

// From token on to the separator behind an entry or to the brace behind the last.
static struct token skip_entry(struct reader *reader, struct token token)
{
    for (int depth = 0; token.length; token = read_token(reader)) {
        if (depth == 0 &&
            (token_is(token, ",") || token_is(token, ";") || token_is(token, "}")))
            break;
        depth += nesting(token);
    }
    return token;
}

// Pushes the key that an entry begins with, and makes token the first of its value: name
// = value, ["name"] = value. An entry without a key gets the next number; nil is pushed
// where the key is computed.
static void push_key(lua_State *L, struct reader *reader, struct token *token,
                     lua_Integer *count)
{
    struct reader ahead = *reader;
    const bool bracket = token_is(*token, "[");
    const struct token name = bracket ? read_token(&ahead) : *token;
    const bool is_text = *name.start == '"' || *name.start == '\'';
    if (bracket && !(is_text && token_is(read_token(&ahead), "]"))) {
        lua_pushnil(L);
    } else if (token_is(read_token(&ahead), "=")) {
        lua_pushlstring(L, name.start + bracket, name.length - 2 * (size_t)bracket);
        *token = read_token(&ahead);
        *reader = ahead;
    } else {
        lua_pushinteger(L, ++*count);
    }
}

static void push_place(lua_State *L, const char *text, int line, struct token value)
{
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, 1);
    lua_setfield(L, -2, "file");
    lua_pushboolean(L, true);
    lua_setfield(L, -2, "exact");
    lua_pushinteger(L, line);
    lua_setfield(L, -2, "line");
    if (!token_is(value, "{")) return;
    lua_pushinteger(L, value.start - text);
    lua_setfield(L, -2, "brace");
    lua_pushinteger(L, value.line);
    lua_setfield(L, -2, "brace_line");
}

// entries(file, brace, line): the places of the entries of the table whose brace that is,
// by their keys; the place of a table that is written out has its brace, too
int hone_core_entries(lua_State *L)
{
    const struct hone_script_file *file =
        hone_script_file(hone_script_of(L), luaL_checkstring(L, 1));
    const lua_Integer brace = luaL_checkinteger(L, 2);
    lua_newtable(L);
    if (!file || brace < 0 || (size_t)brace >= file->size) return 1;
    struct reader reader = {file->text + brace + 1, (int)luaL_checkinteger(L, 3)};
    lua_Integer count = 0;
    struct token token = read_token(&reader);
    while (token.length && !token_is(token, "}")) {
        const char *start = token.start;
        const int line = token.line;
        push_key(L, &reader, &token, &count);
        push_place(L, file->text, line, token);
        token = skip_entry(&reader, token);
        if (lua_isnil(L, -2))
            lua_pop(L, 2);
        else
            lua_rawset(L, -3);
        if (token_is(token, ",") || token_is(token, ";")) token = read_token(&reader);
        hone_sandbox_charge(L, (double)(reader.at - start) / 4);
    }
    return 1;
}

// The brace behind the first name there, from a line on, where a table is its argument.
static struct token find_argument(const char *text, int line, const char *name)
{
    struct reader reader = {text, 1};
    struct token token;
    if (*text == '#') skip_bytes(&reader, strcspn(text, "\n"));
    do {
        token = read_token(&reader);
    } while (token.length && !(token.line >= line && token_is(token, name)));
    token = read_token(&reader);
    return token_is(token, "(") ? read_token(&reader) : token;
}

// argument(file, line): the brace and its line of the table that is written out where the
// script calls the prelude on that line; nothing where none is
int hone_core_argument(lua_State *L)
{
    const struct hone_script_file *file =
        hone_script_file(hone_script_of(L), luaL_checkstring(L, 1));
    const int line = (int)luaL_checkinteger(L, 2);
    const char *name = hone_core_called(L);
    if (!file || !name) return 0;
    hone_sandbox_charge(L, (double)file->size / 4);
    const struct token brace = find_argument(file->text, line, name);
    if (!token_is(brace, "{")) return 0;
    lua_pushinteger(L, brace.start - file->text);
    lua_pushinteger(L, brace.line);
    return 2;
}
