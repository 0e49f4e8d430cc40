#include "markup.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/sink.h"

void hone_markup_text(struct hone_strbuf *out, const char *text)
{
    hone_sink_html(out, text);
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

// Inside <script> no text may end the element or begin a comment, so < is never written.
// The script shows what it reads, so hidden characters are told as in markup.
void hone_markup_json(struct hone_strbuf *out, const char *text)
{
    const size_t size = strlen(text);
    hone_strbuf_add(out, "\"");
    for (size_t at = 0, length; at < size; at += length) {
        const uint32_t c = hone_utf8_next(text + at, size - at, &length);
        if (c == '\n' || c == '\t' || c == '<' || c == '>' || c == '&')
            hone_strbuf_printf(out, "\\u%04x", (unsigned)c);
        else if (hone_is_hidden(c))
            hone_strbuf_printf(out, "\\u003cU+%04X\\u003e",
                               c == HONE_NOT_UTF8 ? 0xfffd : (unsigned)c);
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
