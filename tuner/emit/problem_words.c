#include "problem_words.h"

#include <string.h>

#include "base/sink.h"

static bool is_plain(struct hone_strbuf *scratch, const char *text)
{
    const size_t len = strlen(text);
    if (!len || text[0] == ' ' || text[len - 1] == ' ') return false;
    if (strpbrk(text, ",=\"'")) return false;
    hone_sink_comment(scratch, text);
    return !scratch->failed && strcmp(scratch->data, text) == 0;
}

// Whether a comment's end, its begin or a trigraph would come of c behind what is there.
static bool joins(const struct hone_strbuf *out, char c)
{
    const char last = out->data[out->len - 1];
    return (c == '/' && (last == '*' || last == '/')) || (c == '*' && last == '/') ||
           (c == '?' && last == '?');
}

static void add_quoted(struct hone_strbuf *out, const char *text)
{
    size_t length, left = strlen(text);
    hone_strbuf_add(out, "\"");
    for (; left && !out->failed; text += length, left -= length) {
        const uint32_t code = hone_utf8_next(text, left, &length);
        const bool stands = !hone_is_hidden(code) && code != '\\' && code != '"' &&
                            code != '%' && !joins(out, *text);
        if (stands) hone_strbuf_add_bytes(out, text, length);
        for (size_t i = 0; i < length && !stands; i++)
            hone_strbuf_printf(out, "%%%02X", (unsigned char)text[i]);
    }
    hone_strbuf_add(out, "\"");
}

void hone_problem_words_add(struct hone_strbuf *out, const char *name,
                            struct hone_value value)
{
    hone_strbuf_printf(out, "%s = ", name);
    if (value.type != HONE_STRING) {
        char number[64];
        hone_value_print(number, sizeof number, value);
        hone_strbuf_add(out, number);
        return;
    }
    struct hone_strbuf scratch = HONE_STRBUF_INIT;
    if (is_plain(&scratch, value.s))
        hone_strbuf_add(out, value.s);
    else
        add_quoted(out, value.s);
    out->failed |= scratch.failed;
    hone_strbuf_fini(&scratch);
}

/* --- read --- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

// In place.
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        const int high = *from == '%' ? hex_digit(from[1]) : -1;
        const int low = high >= 0 ? hex_digit(from[2]) : -1;
        const int byte = 16 * high + low;
        if (low >= 0 && byte) from += 2;
        *to++ = low >= 0 && byte ? (char)byte : *from;
    }
    *to = '\0';
}

// The size of a quoted text at the begin of the list, with its quotes; 0: there is none,
// as in lists of older versions, whose texts may begin with a quote.
static size_t quoted_size(const char *list)
{
    const char *end = *list == '"' ? strchr(list + 1, '"') : NULL;
    const bool ends = end && (!end[1] || strncmp(end + 1, ", ", 2) == 0);
    return ends ? (size_t)(end + 1 - list) : 0;
}

static size_t plain_size(const char *list)
{
    const char *end = strstr(list, ", ");
    return end ? (size_t)(end - list) : strlen(list);
}

// "NAME=TEXT" of a name and what stands behind its '='.
static const char *make_word(struct hone_arena *arena, const char *name, size_t name_size,
                             const char *value, size_t size)
{
    const bool quoted = size > 1 && *value == '"' && quoted_size(value) == size;
    const bool older = size > 1 && *value == '\'' && value[size - 1] == '\'';
    const size_t skipped = quoted || older;
    while (name_size && name[name_size - 1] == ' ')
        name_size--;
    char *word = hone_arena_printf(arena, "%.*s=%.*s", (int)name_size, name,
                                   (int)(size - 2 * skipped), value + skipped);
    if (word && quoted) decode(word + name_size + 1);
    return word;
}

const char **hone_problem_words_read(struct hone_arena *arena, const char *list)
{
    size_t most = 1, count = 0;
    for (const char *p = list; (p = strchr(p, '=')) != NULL; p++)
        most++;
    const char **words = hone_arena_array(arena, most, sizeof *words);
    while (words && *list) {
        const char *name = list + strspn(list, " ");
        const size_t name_size = strcspn(name, "=,");
        const bool is_constant = name[name_size] == '=';
        const char *value = is_constant ? name + name_size + 1 : name;
        if (is_constant) value += strspn(value, " ");
        const size_t quoted = is_constant ? quoted_size(value) : 0;
        const size_t size = quoted ? quoted : plain_size(value);
        if (is_constant) {
            words[count] = make_word(arena, name, name_size, value, size);
            if (!words[count++]) return NULL;
        }
        list = value + size;
        list += strspn(list, ", ");
    }
    return words;
}
