#ifndef _GNU_SOURCE
#define _GNU_SOURCE // wcwidth
#endif
#include "terminal/styled.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/grow.h"
#include "base/sink.h"

static bool is_set(const char *name, const char *off)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, off) != 0;
}

bool hone_color_wanted(enum hone_color wish, bool screen)
{
    if (wish != HONE_COLOR_AUTO) return wish == HONE_COLOR_ALWAYS;
    if (is_set("NO_COLOR", "")) return false;
    return screen || is_set("CLICOLOR_FORCE", "0");
}

void hone_styled_add(struct hone_styled *out, enum hone_style style, const char *format,
                     ...)
{
    va_list args;
    if (!HONE_GROW(&out->spans, &out->cap, out->count + 1, 8)) {
        out->text.failed = true;
        return;
    }
    va_start(args, format);
    hone_strbuf_vprintf(&out->text, format, args);
    va_end(args);
    out->spans[out->count++] = (struct hone_span){.end = out->text.len, .style = style};
}

void hone_styled_fini(struct hone_styled *styled)
{
    hone_strbuf_fini(&styled->text);
    free(styled->spans);
    *styled = (struct hone_styled)HONE_STYLED_INIT;
}

// In a locale of UTF-8, which the program itself does not have: numbers would change.
static int code_width(uint32_t code)
{
    static locale_t utf8;
    static bool asked;
    if (code < 0x80) return 1;
    if (!asked) utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    asked = true;
    if (!utf8) return 1;
    const locale_t before = uselocale(utf8);
    const int width = wcwidth((wchar_t)code);
    uselocale(before);
    return width < 0 ? 1 : width;
}

size_t hone_text_cut(struct hone_strbuf *out, const char *text, size_t columns)
{
    struct hone_strbuf seen = HONE_STRBUF_INIT;
    size_t width = 0, length, i;
    hone_sink_visible(&seen, text, strlen(text));
    for (i = 0; i < seen.len; i += length) {
        const uint32_t code = hone_utf8_next(seen.data + i, seen.len - i, &length);
        const size_t next = width + (size_t)code_width(code);
        if (next > columns) break;
        width = next;
    }
    hone_strbuf_add_bytes(out, seen.data, i);
    hone_strbuf_fini(&seen);
    return width;
}

size_t hone_text_width(const char *text)
{
    struct hone_strbuf all = HONE_STRBUF_INIT;
    const size_t width = hone_text_cut(&all, text, SIZE_MAX);
    hone_strbuf_fini(&all);
    return width;
}

// Span by span: what shows as more characters than it is must not move the colours.
size_t hone_styled_cut(struct hone_styled *styled, size_t columns)
{
    struct hone_strbuf cut = HONE_STRBUF_INIT;
    size_t begin = 0;
    for (size_t i = 0; i < styled->count; i++) {
        struct hone_span *span = &styled->spans[i];
        char *end = styled->text.data + span->end, after = *end;
        *end = '\0';
        columns -= hone_text_cut(&cut, styled->text.data + begin, columns);
        *end = after;
        begin = span->end;
        span->end = cut.len;
    }
    hone_strbuf_fini(&styled->text);
    styled->text = cut;
    return columns;
}

void hone_text_wrap(struct hone_strbuf *out, const char *text, size_t used, size_t indent,
                    size_t width)
{
    const char *between = "";
    while (*text) {
        const size_t word = strcspn(text, " \n");
        if (*between && used + 1 + word > width) {
            hone_strbuf_printf(out, "\n%*s", (int)indent, "");
            used = indent;
            between = "";
        }
        hone_strbuf_printf(out, "%s%.*s", between, (int)word, text);
        used += strlen(between) + word;
        text += word;
        text += strspn(text, " \n");
        between = " ";
    }
}
