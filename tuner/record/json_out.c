#include "record/json_out.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "header.h"
#include "json.h"

struct json_t *hone_json_object(void)
{
    return json_object();
}

struct json_t *hone_json_array(void)
{
    return json_array();
}

void hone_json_child(struct json_t *object, const char *key, struct json_t *child)
{
    json_object_set_new(object, key, child);
}

void hone_json_append(struct json_t *array, struct json_t *child)
{
    json_array_append_new(array, child);
}

struct json_t *hone_json_one_or_all(struct json_t *array)
{
    if (json_array_size(array) != 1) return array;
    struct json_t *item = json_incref(json_array_get(array, 0));
    json_decref(array);
    return item;
}

void hone_json_text(struct json_t *object, const char *key, const char *text)
{
    hone_json_child(object, key, text ? json_string(text) : json_null());
}

void hone_json_lossy_text(struct json_t *object, const char *key, const char *text)
{
    hone_json_child(object, key, hone_json_lossy_string(text));
}

void hone_json_number(struct json_t *object, const char *key, double number)
{
    hone_json_child(object, key, isfinite(number) ? json_real(number) : json_null());
}

void hone_json_integer(struct json_t *object, const char *key, int64_t number)
{
    hone_json_child(object, key, json_integer(number));
}

void hone_json_unsigned(struct json_t *object, const char *key, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    if (number > INT64_MAX)
        hone_json_text(object, key, text);
    else
        hone_json_integer(object, key, (int64_t)number);
}

void hone_json_bool(struct json_t *object, const char *key, bool truth)
{
    hone_json_child(object, key, json_boolean(truth));
}

// What JSON cannot hold becomes null.
static json_t *from_value(struct hone_value value)
{
    json_t *json = hone_json_from_value(value);
    return json ? json : json_null();
}

void hone_json_value(struct json_t *object, const char *key, struct hone_value value)
{
    hone_json_child(object, key, from_value(value));
}

void hone_json_append_lossy_text(struct json_t *array, const char *text)
{
    hone_json_append(array, hone_json_lossy_string(text));
}

void hone_json_append_value(struct json_t *array, struct hone_value value)
{
    hone_json_append(array, from_value(value));
}

enum hone_status hone_json_header(struct json_t **out,
                                  const struct hone_record_info *info,
                                  struct hone_error *err)
{
    return hone_header_write(out, info, err);
}

void hone_json_line(struct hone_strbuf *out, struct json_t *root)
{
    hone_json_add_line(out, root, hone_json_digits(root, 1));
    json_decref(root);
}

enum hone_status hone_json_print(struct json_t *root, FILE *file, struct hone_error *err)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    hone_json_add_text(&text, root, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
    json_decref(root);
    const bool failed = text.failed;
    bool written = !failed && fputs(text.data, file) >= 0 && fputc('\n', file) != EOF;
    hone_strbuf_fini(&text);
    if (failed) return hone_no_memory(err, "printing JSON");
    return written ? HONE_OK : hone_fail(err, HONE_EIO, "cannot write JSON");
}
