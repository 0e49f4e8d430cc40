/* What C reads of the record that the prelude makes of a script's table. Texts are copied
 * to the script's memory; each call may raise when that is out. */
#ifndef HONE_LUA_DEFINE_FIELDS_H
#define HONE_LUA_DEFINE_FIELDS_H

#include <lua.h>
#include <stdbool.h>
#include <stddef.h>

enum { HONE_DEFINE_RECORD = 1 }; /* stack index of the record, define's argument */

/* Fields of the table on top of the stack: NULL or 0 where there is none. */
const char *hone_define_text_field(lua_State *L, const char *key);
int hone_define_line_field(lua_State *L, const char *key);
double hone_define_number_field(lua_State *L, const char *key);
bool hone_define_flag_field(lua_State *L, const char *key);

/* Pushes the list that the record has under key, or nil, and returns its length. */
size_t hone_define_open_list(lua_State *L, const char *key);

/* The i-th text, from 0, of the list on top of the stack, and all of them. */
const char *hone_define_text_item(lua_State *L, size_t i);
const char *const *hone_define_text_list(lua_State *L, size_t *count);

#endif
