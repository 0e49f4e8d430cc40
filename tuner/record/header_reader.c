// What a first line is made of: texts, names, counts, values, lists.
#include "header_reader.h"

#include <stdlib.h>

#include "base/sink.h"
#include "json.h"

enum { VALUE_MOST = 4000 }; // bytes

void hone_header_bad(struct hone_header_reader *r, const char *what, const char *expected)
{
    if (hone_header_is_fine(r))
        r->status = hone_fail_at(r->err, HONE_EINPUT, r->path, 1, "'%s' must be %s", what,
                                 expected);
}

void hone_header_no_memory(struct hone_header_reader *r)
{
    if (hone_header_is_fine(r))
        r->status = hone_no_memory(r->err, "reading '%s'", r->path);
}

void *hone_header_array(struct hone_header_reader *r, size_t count, size_t size)
{
    if (!hone_header_is_fine(r)) return NULL;
    void *array = hone_arena_array(r->arena, count, size);
    if (!array) hone_header_no_memory(r);
    return array;
}

const char *hone_header_keep(struct hone_header_reader *r, const char *text)
{
    if (!hone_header_is_fine(r)) return NULL;
    const char *copy = text ? hone_arena_strdup(r->arena, text) : NULL;
    if (!copy) hone_header_no_memory(r);
    return copy;
}

// --- texts ---

void hone_header_check_text(struct hone_header_reader *r, const char *key,
                            const char *text, size_t limit)
{
    char why[96];
    const bool lines = limit == HONE_HEADER_TEXT_MOST; // an expression may have several
    if (!hone_header_is_fine(r) || !text) return;
    if (hone_text_fault(why, sizeof why, text, limit, lines))
        r->status = hone_fail_at(r->err, HONE_EINPUT, r->path, 1, "'%.60s' %s", key, why);
}

const char *hone_header_read_remark(struct hone_header_reader *r, const json_t *object,
                                    const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (!hone_header_is_fine(r) || !json || json_is_null(json)) return NULL;
    if (!json_is_string(json))
        hone_header_bad(r, key, "a text");
    else if (json_string_length(json) > HONE_HEADER_TEXT_MOST)
        hone_header_bad(r, key, "at most 65,536 bytes long");
    return hone_header_keep(r, json_string_value(json));
}

static const char *read_checked(struct hone_header_reader *r, const json_t *object,
                                const char *key, size_t limit)
{
    const char *text = hone_header_read_remark(r, object, key);
    hone_header_check_text(r, key, text, limit);
    return hone_header_is_fine(r) ? text : NULL;
}

const char *hone_header_read_text(struct hone_header_reader *r, const json_t *object,
                                  const char *key)
{
    return read_checked(r, object, key, HONE_HEADER_TEXT_MOST);
}

const char *hone_header_read_name(struct hone_header_reader *r, const json_t *object,
                                  const char *key)
{
    return read_checked(r, object, key, HONE_HEADER_NAME_MOST);
}

// --- the rest ---

// Digits of a text that are a count; what is no count is none.
static uint64_t count_of(const char *text, bool *is_count)
{
    char *end = NULL;
    *is_count = text && text[0] >= '0' && text[0] <= '9';
    if (!*is_count) return 0;
    const uint64_t count = strtoull(text, &end, 10);
    *is_count = !*end;
    return count;
}

// What JSON's integers do not hold travels as text.
uint64_t hone_header_read_u64(struct hone_header_reader *r, const json_t *object,
                              const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (!hone_header_is_fine(r) || !json || json_is_null(json)) return 0;
    if (json_is_integer(json) && json_integer_value(json) >= 0)
        return (uint64_t)json_integer_value(json);
    bool is_count;
    const uint64_t count = count_of(json_string_value(json), &is_count);
    if (!is_count) hone_header_bad(r, key, "a count");
    return count;
}

bool hone_header_read_flag(struct hone_header_reader *r, const json_t *object,
                           const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (json && !json_is_boolean(json)) hone_header_bad(r, key, "true or false");
    return hone_header_is_fine(r) && json_is_true(json);
}

void hone_header_check_value(struct hone_header_reader *r, const char *name,
                             struct hone_value value)
{
    if (value.type != HONE_STRING) return;
    if (!value.s) hone_header_no_memory(r);
    hone_header_check_text(r, name, value.s, VALUE_MOST);
}

struct hone_value hone_header_read_value(struct hone_header_reader *r, const char *name,
                                         const json_t *json, const char *expected)
{
    struct hone_value value = {0};
    if (!hone_header_is_fine(r)) return value;
    if (!hone_json_to_value(&value, json, r->arena)) hone_header_bad(r, name, expected);
    hone_header_check_value(r, name, value);
    return value;
}

struct hone_header_list hone_header_read_list(struct hone_header_reader *r,
                                              const json_t *object, const char *key)
{
    const json_t *json = json_object_get(object, key);
    if (json && !json_is_array(json)) hone_header_bad(r, key, "a list");
    if (!hone_header_is_fine(r)) return (struct hone_header_list){0};
    return (struct hone_header_list){json, json_array_size(json)};
}
