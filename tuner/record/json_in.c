#include "record/json_in.h"

#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "base/ascii.h"
#include "base/one_of.h"
#include "base/sink.h"
#include "json.h"

struct json_t *hone_json_parse(const char *text, size_t size, char *why, size_t why_size)
{
    json_error_t error;
    json_t *root = hone_json_read(text, size, JSON_DECODE_ANY, &error);
    if (!root) snprintf(why, why_size, "%s", error.text);
    return root;
}

static bool ends_early(const char *text, size_t size)
{
    json_error_t error;
    json_t *root = hone_json_read(text, size, 0, &error);
    json_decref(root);
    return !root && json_error_code(&error) == json_error_premature_end_of_input;
}

// Bytes at the end that may begin a number, true, false or null.
static size_t count_begun(const char *text, size_t size)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t len = 0;
    while (len < size && (hone_is_alnum(text[size - 1 - len]) ||
                          hone_one_of(text[size - 1 - len], "+-.")))
        len++;
    const char *word = text + size - len;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (len < strlen(words[i]) && memcmp(word, words[i], len) == 0) return len;
    for (size_t i = 0; i < len; i++)
        if (!hone_one_of(word[i], "0123456789+-.eE")) return 0;
    return len;
}

// Bytes at the end that begin a letter of UTF-8 and lack some of it.
static size_t count_of_utf8(const char *text, size_t size)
{
    char whole[4];
    size_t len = 0, length;
    while (len < size && len < 3 && (text[size - 1 - len] & 0xc0) == 0x80)
        len++;
    if (len++ == size) return 0;
    // What begins a letter allows one of these two behind it, though not always both.
    static const char *const rests[] = {"\x80\x80\x80", "\xbf\xbf\xbf"};
    for (size_t i = 0; i < 2; i++) {
        memcpy(whole, text + size - len, len);
        memcpy(whole + len, rests[i], sizeof whole - len);
        if (hone_utf8_next(whole, sizeof whole, &length) != HONE_NOT_UTF8 && length > len)
            return len;
    }
    return 0;
}

// Bytes at the end that may begin a letter of a text: of UTF-8, or as \u12.
static size_t count_of_letter(const char *text, size_t size)
{
    size_t digits = 0;
    if (size && (text[size - 1] & 0x80)) return count_of_utf8(text, size);
    while (digits < 3 && digits < size &&
           hone_one_of(text[size - 1 - digits], "0123456789abcdefABCDEF"))
        digits++;
    if (size > digits + 1 && memcmp(text + size - digits - 2, "\\u", 2) == 0)
        return digits + 2;
    return size && text[size - 1] == '\\';
}

// The reader says that a text ends early only behind a whole word or letter.
bool hone_json_is_torn(const char *text, size_t size)
{
    if (!size || text[0] != '{') return false;
    return ends_early(text, size) || ends_early(text, size - count_begun(text, size)) ||
           ends_early(text, size - count_of_letter(text, size));
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
