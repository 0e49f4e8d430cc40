#include "record/json_in.h"

#include <stdio.h>

#include <jansson.h>

#include "json.h"

struct json_t *hone_json_parse(const char *text, size_t size, char *why, size_t why_size)
{
    json_error_t error;
    json_t *root = hone_json_read(text, size, JSON_DECODE_ANY, &error);
    if (!root) snprintf(why, why_size, "%s", error.text);
    return root;
}

void hone_json_free(struct json_t *root)
{
    json_decref(root);
}

const struct json_t *hone_json_get(const struct json_t *object, const char *key)
{
    return json_object_get(object, key);
}

bool hone_json_is_list(const struct json_t *json, size_t *count)
{
    *count = json_array_size(json);
    return json_is_array(json);
}

bool hone_json_is_object(const struct json_t *json)
{
    return json_is_object(json);
}

const struct json_t *hone_json_at(const struct json_t *list, size_t i)
{
    return json_array_get(list, i);
}
