#include "json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_locale.h"
#include "base/c_text.h"
#include "base/sink.h"

// The first byte that is no valid UTF-8; NULL where there is none.
static const char *find_not_utf8(const char *text)
{
    for (size_t length; *text; text += length)
        if (hone_utf8_next(text, strnlen(text, 4), &length) == HONE_NOT_UTF8) return text;
    return NULL;
}

bool hone_json_holds(struct hone_value value)
{
    if (value.type == HONE_FLOAT) return isfinite(value.f);
    return value.type != HONE_STRING || !find_not_utf8(value.s);
}

json_t *hone_json_from_value(struct hone_value value)
{
    switch (value.type) {
    case HONE_INT:
        return json_integer(value.i);
    case HONE_FLOAT:
        return json_real(value.f);
    case HONE_BOOL:
        return json_boolean(value.b);
    case HONE_STRING:
        return json_string(value.s);
    }
    return NULL;
}

bool hone_json_peek_value(struct hone_value *out, const json_t *json)
{
    if (json_is_integer(json))
        *out = (struct hone_value){.type = HONE_INT, .i = json_integer_value(json)};
    else if (json_is_real(json))
        *out = (struct hone_value){.type = HONE_FLOAT, .f = json_real_value(json)};
    else if (json_is_boolean(json))
        *out = (struct hone_value){.type = HONE_BOOL, .b = json_is_true(json)};
    else if (json_is_string(json))
        *out = (struct hone_value){.type = HONE_STRING, .s = json_string_value(json)};
    else
        return false;
    return true;
}

bool hone_json_to_value(struct hone_value *out, const json_t *json,
                        struct hone_arena *arena)
{
    if (!hone_json_peek_value(out, json)) return false;
    if (out->type == HONE_STRING) out->s = hone_arena_strdup(arena, out->s);
    return true;
}

json_t *hone_json_lossy_string(const char *text)
{
    if (!find_not_utf8(text)) return json_string(text);
    char *copy = strdup(text);
    if (!copy) return NULL;
    for (const char *p = copy; (p = find_not_utf8(p)) != NULL;)
        copy[p - copy] = '?';
    json_t *json = json_string(copy);
    free(copy);
    return json;
}

static json_t *put(json_t *object, const char *key, json_t *child)
{
    return json_object_set_new(object, key, child) == 0 ? child : NULL;
}

json_t *hone_json_put_object(json_t *object, const char *key)
{
    return put(object, key, json_object());
}

json_t *hone_json_put_array(json_t *object, const char *key)
{
    return put(object, key, json_array());
}

json_t *hone_json_push_object(json_t *array)
{
    json_t *child = json_object();
    return json_array_append_new(array, child) == 0 ? child : NULL;
}

static bool reads_back(double x, int digits)
{
    char text[40];
    hone_snprintf(text, sizeof text, "%.*g", digits, x);
    return hone_strtod(text, NULL) == x;
}

// jansson takes the point of the locale in force, which must not change meanwhile.
json_t *hone_json_read(const char *text, size_t size, size_t flags, json_error_t *why)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    json_t *json = json_loadb(text, size, flags, why);
    hone_c_locale_leave(locale);
    return json;
}

int hone_json_digits(const json_t *json, int least)
{
    int digits = least;
    if (json_is_real(json)) {
        while (digits < 17 && !reads_back(json_real_value(json), digits))
            digits++;
    } else if (json_is_array(json)) {
        for (size_t i = 0; i < json_array_size(json); i++)
            digits = hone_json_digits(json_array_get(json, i), digits);
    } else if (json_is_object(json)) {
        // jansson's iterators take a mutable object, though they only read it.
        void *iter = json_object_iter((json_t *)(uintptr_t)json);
        for (; iter; iter = json_object_iter_next((json_t *)(uintptr_t)json, iter))
            digits = hone_json_digits(json_object_iter_value(iter), digits);
    }
    return digits;
}

static int add_bytes(const char *data, size_t size, void *out)
{
    hone_strbuf_add_bytes(out, data, size);
    return 0;
}

static bool json_write(struct hone_strbuf *out, const json_t *json, size_t flags)
{
    const struct hone_c_locale locale = hone_c_locale_enter();
    const bool written = json_dump_callback(json, add_bytes, out, flags) == 0;
    hone_c_locale_leave(locale);
    return written;
}

void hone_json_add_text(struct hone_strbuf *out, const json_t *json, size_t flags)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    if (!json || !json_write(&text, json, flags)) out->failed = true;
    hone_sink_visible(out, text.data, text.len);
    out->failed = out->failed || text.failed;
    hone_strbuf_fini(&text);
}

void hone_json_add_line(struct hone_strbuf *out, const json_t *json, int digits)
{
    size_t flags = JSON_COMPACT | JSON_REAL_PRECISION((size_t)digits);
    hone_json_add_text(out, json, flags);
    hone_strbuf_add(out, "\n");
}

const char *hone_json_brief(char *buf, size_t size, const json_t *json)
{
    if (!json) return "absent";
    struct hone_strbuf text = HONE_STRBUF_INIT;
    json_write(&text, json, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
    snprintf(buf, size, "%s", text.data);
    if (text.len >= size) memcpy(buf + size - 4, "...", 4);
    hone_strbuf_fini(&text);
    return buf;
}

double hone_json_round(double x, int digits)
{
    if (x == 0.0 || !isfinite(x)) return x;
    double scale = pow(10.0, digits - 1 - floor(log10(fabs(x))));
    double rounded = round(x * scale) / scale;
    return isfinite(rounded) ? rounded : x;
}

static bool differ_array(const json_t *a, const json_t *b, struct hone_strbuf *path,
                         struct hone_json_pair *parts)
{
    size_t na = json_array_size(a), nb = json_array_size(b);
    for (size_t i = 0; i < na || i < nb; i++) {
        size_t mark = path->len;
        hone_strbuf_printf(path, "[%zu]", i);
        if (hone_json_differ(json_array_get(a, i), json_array_get(b, i), path, parts))
            return true;
        path->len = mark;
    }
    return false;
}

static bool differ_keys(const json_t *a, const json_t *b, bool swapped,
                        struct hone_strbuf *path, struct hone_json_pair *parts)
{
    json_t *object = (json_t *)(uintptr_t)a;
    for (void *iter = json_object_iter(object); iter;
         iter = json_object_iter_next(object, iter)) {
        const char *key = json_object_iter_key(iter);
        const json_t *mine = json_object_iter_value(iter),
                     *theirs = json_object_get(b, key);
        size_t mark = path->len;
        hone_strbuf_printf(path, "%s%s", mark ? "." : "", key);
        if (hone_json_differ(swapped ? theirs : mine, swapped ? mine : theirs, path,
                             parts))
            return true;
        path->len = mark;
    }
    return false;
}

bool hone_json_differ(const json_t *a, const json_t *b, struct hone_strbuf *path,
                      struct hone_json_pair *parts)
{
    if (json_is_object(a) && json_is_object(b))
        return differ_keys(a, b, false, path, parts) ||
               differ_keys(b, a, true, path, parts);
    if (json_is_array(a) && json_is_array(b)) return differ_array(a, b, path, parts);
    if (!a && !b) return false;
    if (json_equal(a, b)) return false;
    *parts = (struct hone_json_pair){a, b};
    return true;
}
