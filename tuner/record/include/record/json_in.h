/* JSON that came from others, for floors that do not know jansson: everything is borrowed
 * from the root, which hone_json_free releases. */
#ifndef HONE_RECORD_JSON_IN_H
#define HONE_RECORD_JSON_IN_H

#include <stdbool.h>
#include <stddef.h>

#include "hone/expr.h"

struct json_t;

/* NULL when text is no JSON value or memory ran out; why then says so. */
struct json_t *hone_json_parse(const char *text, size_t size, char *why, size_t why_size);
/* Whether text may be the beginning of an object whose rest a crash took: it is no value
 * itself, and something behind it could make it one. */
bool hone_json_is_torn(const char *text, size_t size);
void hone_json_free(struct json_t *root);

/* NULL when object is none, or has no such member. */
const struct json_t *hone_json_get(const struct json_t *object, const char *key);

/* False when json is no list (or object). */
bool hone_json_is_list(const struct json_t *json, size_t *count);
bool hone_json_is_object(const struct json_t *json);
const struct json_t *hone_json_at(const struct json_t *list, size_t i);

/* False for null, lists and objects. A text is borrowed. */
bool hone_json_peek_value(struct hone_value *out, const struct json_t *json);

/* On one line, cut to what fits in a message; "absent" for NULL. */
const char *hone_json_brief(char *buf, size_t size, const struct json_t *json);

#endif
