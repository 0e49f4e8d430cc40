#include "markup.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sink.h"

static const char replacement[] = "\xef\xbf\xbd"; // U+FFFD

// Control characters have no place in HTML, tab and ends of lines excepted.
static bool is_shown(uint32_t character)
{
    if (character < 0x20)
        return character == '\t' || character == '\n' || character == '\r';
    return character < 0x7f || character > 0x9f;
}

static const char *entity(char c)
{
    switch (c) {
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '&':
        return "&amp;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hone_markup_text(struct hone_strbuf *out, const char *text)
{
    const size_t size = strlen(text);
    for (size_t at = 0, length; at < size; at += length) {
        const uint32_t character = hone_utf8_next(text + at, size - at, &length);
        const char *name = length == 1 ? entity(text[at]) : NULL;
        if (name)
            hone_strbuf_add(out, name);
        else if (character == HONE_NOT_UTF8 || !is_shown(character))
            hone_strbuf_add(out, replacement);
        else
            hone_strbuf_add_bytes(out, text + at, length);
    }
}

void hone_markup_printf(struct hone_strbuf *out, const char *format, ...)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    va_list args;
    va_start(args, format);
    hone_strbuf_vprintf(&text, format, args);
    va_end(args);
    if (text.failed) out->failed = true;
    hone_markup_text(out, text.data);
    hone_strbuf_fini(&text);
}

// Inside <script> no text may end the element or begin a comment, so < is never written;
// U+2028 and U+2029 end lines in older scripts.
void hone_markup_json(struct hone_strbuf *out, const char *text)
{
    const size_t size = strlen(text);
    hone_strbuf_add(out, "\"");
    for (size_t at = 0, length; at < size; at += length) {
        const uint32_t c = hone_utf8_next(text + at, size - at, &length);
        if (c == HONE_NOT_UTF8)
            hone_strbuf_add(out, "\\ufffd");
        else if (c < 0x20 || c == '<' || c == '>' || c == '&' || c == 0x7f ||
                 c == 0x2028 || c == 0x2029)
            hone_strbuf_printf(out, "\\u%04x", (unsigned)c);
        else if (c == '"' || c == '\\')
            hone_strbuf_printf(out, "\\%c", (char)c);
        else
            hone_strbuf_add_bytes(out, text + at, length);
    }
    hone_strbuf_add(out, "\"");
}

void hone_markup_json_value(struct hone_strbuf *out, struct hone_value value)
{
    char text[64];
    if (value.type == HONE_STRING) {
        hone_markup_json(out, value.s);
        return;
    }
    // Scripts keep integers exactly up to 2^53 only.
    const bool rounded =
        value.type == HONE_INT && (value.i > 1LL << 53 || value.i < -(1LL << 53));
    hone_value_print(text, sizeof text, value);
    hone_strbuf_printf(out, rounded ? "[\"%s\"]" : "%s", text);
}

void hone_markup_value(struct hone_strbuf *out, struct hone_value value)
{
    char text[64];
    if (value.type == HONE_STRING) {
        hone_markup_text(out, value.s);
        return;
    }
    hone_value_print(text, sizeof text, value);
    hone_markup_text(out, text);
}
