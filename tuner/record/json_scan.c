#include "json_scan.h"

#include <string.h>

#include "base/one_of.h"
#include "hone/strbuf.h"
#include "json.h"

static void skip(struct hone_json_scan *s, const char *which)
{
    while (s->pos < s->end && hone_one_of(*s->pos, which)) {
        s->line += *s->pos == '\n';
        s->pos++;
    }
}

// Behind the string that starts at pos, or the end of the text.
static void pass_string(struct hone_json_scan *s)
{
    for (s->pos++; s->pos < s->end && *s->pos != '"'; s->pos++) {
        if (*s->pos == '\\' && s->pos + 1 < s->end) s->pos++;
        s->line += *s->pos == '\n';
    }
    if (s->pos < s->end) s->pos++;
}

// Behind the value that starts at pos. False where the text ends inside it.
static bool pass_value(struct hone_json_scan *s)
{
    size_t depth = 0;
    while (s->pos < s->end) {
        const char c = *s->pos;
        if (!depth && (c == ',' || c == '}' || c == ']' || c == '\n')) return true;
        if (c == '"') {
            pass_string(s);
            if (!depth) return s->pos < s->end;
            continue;
        }
        s->line += c == '\n';
        s->pos++;
        if (c == '{' || c == '[') depth++;
        if ((c == '}' || c == ']') && --depth == 0) return true;
    }
    return false;
}

bool hone_json_scan_enter(struct hone_json_scan *scan, char bracket)
{
    skip(scan, " \t\r\n");
    if (scan->pos == scan->end || *scan->pos != bracket) return false;
    scan->pos++;
    return true;
}

// "key": in front of a value; what has no colon behind it is a value itself.
static void take_key(struct hone_json_scan *s, struct hone_json_item *item)
{
    if (*s->pos != '"') return;
    struct hone_json_scan ahead = *s;
    pass_string(&ahead);
    size_t len = (size_t)(ahead.pos - s->pos);
    skip(&ahead, " \t\r\n");
    if (ahead.pos == ahead.end || *ahead.pos != ':' || len < 2) return;
    item->key = s->pos + 1;
    item->key_len = len - 2;
    ahead.pos++;
    skip(&ahead, " \t\r\n");
    *s = ahead;
}

bool hone_json_scan_next(struct hone_json_scan *scan, struct hone_json_item *item)
{
    skip(scan, " \t\r\n,");
    if (scan->pos == scan->end || *scan->pos == '}' || *scan->pos == ']') return false;
    *item = (struct hone_json_item){.line = scan->line, .value = scan->pos};
    take_key(scan, item);
    item->value = scan->pos;
    item->value_line = scan->line;
    item->whole = pass_value(scan);
    item->value_len = (size_t)(scan->pos - item->value);
    if (!item->value_len && scan->pos < scan->end) scan->pos++; // a stray byte
    return true;
}

// An item follows the bracket of what it is in, so there is always a byte that is no
// space.
static size_t indent_before(const char *text)
{
    const char *p = text;
    while (p[-1] == ' ')
        p--;
    return (size_t)(text - p);
}

bool hone_json_scan_resume(struct hone_json_scan *scan, const struct hone_json_item *item)
{
    const char *begin = item->key ? item->key - 1 : item->value;
    const size_t indent = indent_before(begin);
    struct hone_json_scan s = {.pos = begin, .end = scan->end, .line = item->line};
    while ((s.pos = memchr(s.pos, '\n', (size_t)(s.end - s.pos)))) {
        s.pos++;
        s.line++;
        const char *line = s.pos;
        while (line < s.end && *line == ' ')
            line++;
        if (line == s.end || (size_t)(line - s.pos) != indent || *line != *begin)
            continue;
        s.pos = line;
        *scan = s;
        return true;
    }
    return false;
}

struct hone_json_scan hone_json_scan_of(const struct hone_json_item *item)
{
    return (struct hone_json_scan){.pos = item->value,
                                   .end =
                                       item->value ? item->value + item->value_len : NULL,
                                   .line = item->value_line};
}

// The text with what Python writes and JSON does not know replaced, outside of strings.
static void replace_python(struct hone_strbuf *out, const struct hone_json_item *item)
{
    static const struct {
        const char *from, *to;
    } words[] = {{"NaN", "null"}, {"-Infinity", "1e20"}, {"Infinity", "1e20"}};
    struct hone_json_scan s = hone_json_scan_of(item);
    while (s.pos < s.end) {
        const char *begin = s.pos;
        size_t w = 0;
        if (*begin == '"') {
            pass_string(&s);
            hone_strbuf_add_bytes(out, begin, (size_t)(s.pos - begin));
            continue;
        }
        for (; w < sizeof words / sizeof *words; w++)
            if ((size_t)(s.end - begin) >= strlen(words[w].from) &&
                memcmp(begin, words[w].from, strlen(words[w].from)) == 0)
                break;
        if (w < sizeof words / sizeof *words) {
            hone_strbuf_add(out, words[w].to);
            s.pos += strlen(words[w].from);
        } else {
            hone_strbuf_add_bytes(out, begin, 1);
            s.pos++;
        }
    }
}

json_t *hone_json_item_parse(const struct hone_json_item *item, json_error_t *why)
{
    json_t *json = hone_json_read(item->value, item->value_len, JSON_DECODE_ANY, why);
    if (json || (!memchr(item->value, 'N', item->value_len) &&
                 !memchr(item->value, 'I', item->value_len)))
        return json;
    struct hone_strbuf text = HONE_STRBUF_INIT;
    json_error_t ignored;
    replace_python(&text, item);
    if (!text.failed)
        json = hone_json_read(text.data, text.len, JSON_DECODE_ANY, &ignored);
    hone_strbuf_fini(&text);
    return json;
}
