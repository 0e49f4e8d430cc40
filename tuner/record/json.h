/* What the journal needs on top of jansson: values of the tuner as JSON scalars, the
 * digits that a real number needs, and checked getters. Out of memory shows as NULL, as
 * in jansson. */
#ifndef HONE_RECORD_JSON_H
#define HONE_RECORD_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/arena.h"
#include "hone/expr.h"
#include "hone/strbuf.h"
#include "record/json_in.h"

/* As json_loadb, with a point in numbers whatever the program's locale. */
json_t *hone_json_read(const char *text, size_t size, size_t flags, json_error_t *why);

/* Whether JSON can hold it: no infinity, NAN or text that is not UTF-8. */
bool hone_json_holds(struct hone_value value);

/* A new reference; NULL for what JSON cannot hold. */
json_t *hone_json_from_value(struct hone_value value);

/* As hone_json_peek_value, with a text copied to the arena (NULL: out of memory). */
bool hone_json_to_value(struct hone_value *out, const json_t *json,
                        struct hone_arena *arena);

/* A new string in which each byte that is no valid UTF-8 has become '?'. */
json_t *hone_json_lossy_string(const char *text);

/* A new object or list, put into object or at the end of array, which owns it; NULL when
 * out of memory. jansson frees what it cannot put: a value that was made apart must not
 * be used after that, and a key of NULL takes what is put to it as a failure. */
json_t *hone_json_put_object(json_t *object, const char *key);
json_t *hone_json_put_array(json_t *object, const char *key);
json_t *hone_json_push_object(json_t *array);

/* The fewest significant digits, at least `least` and at most 17, at which every real
 * number in json is read back as it was. */
int hone_json_digits(const json_t *json, int least);

/* Append json as text; flags are jansson's. Characters that are not seen are escaped. */
void hone_json_add_text(struct hone_strbuf *out, const json_t *json, size_t flags);

/* Append json on one line, reals with that many digits, and a newline. */
void hone_json_add_line(struct hone_strbuf *out, const json_t *json, int digits);

/* x rounded to significant digits, for figures that are not more exact than that. */
double hone_json_round(double x, int digits);

/* Where a and b first differ: appends the path ("params[2].values[1]") to path and
 * returns true, with the two differing parts (borrowed, NULL where absent). */
struct hone_json_pair {
    const json_t *a, *b;
};
bool hone_json_differ(const json_t *a, const json_t *b, struct hone_strbuf *path,
                      struct hone_json_pair *parts);

#endif
