#include "base/sink.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/one_of.h"

uint32_t hone_utf8_next(const char *text, size_t size, size_t *length)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *p = (const unsigned char *)text;
    const size_t wanted = *p < 0x80           ? 1
                          : (*p >> 5) == 0x6  ? 2
                          : (*p >> 4) == 0xe  ? 3
                          : (*p >> 3) == 0x1e ? 4
                                              : 0;
    *length = 1;
    if (wanted == 1) return *p;
    if (!wanted || wanted > size) return HONE_NOT_UTF8;
    uint32_t code = *p & (0x7fu >> wanted);
    for (size_t i = 1; i < wanted; i++) {
        if ((p[i] & 0xc0) != 0x80) return HONE_NOT_UTF8;
        code = code << 6 | (p[i] & 0x3f);
    }
    const bool surrogate = code >= 0xd800 && code <= 0xdfff;
    if (code < least[wanted] || code > 0x10ffff || surrogate) return HONE_NOT_UTF8;
    *length = wanted;
    return code;
}

bool hone_is_hidden(uint32_t code)
{
    // Unicode 15: Cc, Cf, Zl, Zp, and the blank letters of default ignorables.
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0, 0x1f},          {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
        {0x600, 0x605},     {0x61c, 0x61c},     {0x6dd, 0x6dd},     {0x70f, 0x70f},
        {0x890, 0x891},     {0x8e2, 0x8e2},     {0x115f, 0x1160},   {0x17b4, 0x17b5},
        {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},
        {0x3164, 0x3164},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
        {0xfffe, 0xffff},   {0x110bd, 0x110bd}, {0x110cd, 0x110cd}, {0x13430, 0x1343f},
        {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i].first && code <= ranges[i].last) return true;
    return code == HONE_NOT_UTF8;
}

static bool sink_is_blank(uint32_t code)
{
    return code == '\n' || code == '\t' || code == '\r';
}

const char *hone_find_hidden(const char *text, bool lines)
{
    size_t length, left = strlen(text);
    for (; left; text += length, left -= length) {
        const uint32_t code = hone_utf8_next(text, left, &length);
        if (hone_is_hidden(code) && !(lines && sink_is_blank(code))) return text;
    }
    return NULL;
}

const char *hone_text_fault(char *buf, size_t size, const char *text, size_t limit,
                            bool lines)
{
    const size_t bytes = strlen(text);
    size_t length;
    const char *at = hone_find_hidden(text, lines);
    if (bytes > limit) {
        snprintf(buf, size, "has %zu bytes, over the limit of %zu", bytes, limit);
        return buf;
    }
    if (!at) return NULL;
    const uint32_t code = hone_utf8_next(at, strlen(at), &length);
    if (code == HONE_NOT_UTF8)
        snprintf(buf, size, "is not UTF-8 at byte %zu", (size_t)(at - text) + 1);
    else
        snprintf(buf, size, "has the control or invisible character U+%04X at byte %zu",
                 (unsigned)code, (size_t)(at - text) + 1);
    return buf;
}

static void add_escape(struct hone_strbuf *out, uint32_t code)
{
    if (code == HONE_NOT_UTF8) code = 0xfffd;
    if (code < 0x10000) {
        hone_strbuf_printf(out, "\\u%04x", (unsigned)code);
        return;
    }
    code -= 0x10000;
    hone_strbuf_printf(out, "\\u%04x\\u%04x", 0xd800 | (unsigned)(code >> 10),
                       0xdc00 | (unsigned)(code & 0x3ff));
}

void hone_sink_visible(struct hone_strbuf *out, const char *text, size_t size)
{
    const char *plain = text, *end = text + size;
    size_t length;
    for (; text < end; text += length) {
        const uint32_t code = hone_utf8_next(text, (size_t)(end - text), &length);
        if (!hone_is_hidden(code) || sink_is_blank(code)) continue;
        hone_strbuf_add_bytes(out, plain, (size_t)(text - plain));
        add_escape(out, code);
        plain = text + length;
    }
    hone_strbuf_add_bytes(out, plain, (size_t)(end - plain));
}

// What out ends with may be the first half of a comment's end or of a trigraph.
static bool joins(const struct hone_strbuf *out, char c)
{
    const char last = out->len ? out->data[out->len - 1] : ' ';
    return (c == '/' && (last == '*' || last == '/')) || (c == '*' && last == '/') ||
           (c == '?' && last == '?');
}

void hone_sink_comment(struct hone_strbuf *out, const char *text)
{
    size_t length, left = text ? strlen(text) : 0;
    for (; left; text += length, left -= length) {
        const uint32_t code = hone_utf8_next(text, left, &length);
        if (joins(out, *text)) hone_strbuf_add(out, " ");
        if (code < 0x20 || code == 0x7f || code == '\\')
            hone_strbuf_add(out, "_");
        else if (code == HONE_NOT_UTF8)
            hone_strbuf_add(out, "<?>");
        else if (hone_is_hidden(code))
            hone_strbuf_printf(out, "<U+%04X>", (unsigned)code);
        else
            hone_strbuf_add_bytes(out, text, length);
    }
}

// Octal escapes have at most three digits, so what follows cannot join them; '?' is
// escaped against trigraphs.
void hone_sink_c_string(struct hone_strbuf *out, const char *text)
{
    hone_strbuf_add(out, "\"");
    for (const char *p = text ? text : ""; *p; p++) {
        const unsigned char c = (unsigned char)*p;
        const bool plain = c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '?';
        hone_strbuf_printf(out, plain ? "%c" : "\\%03o", c);
    }
    hone_strbuf_add(out, "\"");
}

void hone_sink_shell(struct hone_strbuf *out, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789_+-.:,=/";
    if (*text && !text[strspn(text, safe)]) {
        hone_strbuf_add(out, text);
        return;
    }
    hone_strbuf_add(out, "'");
    for (; *text; text++) {
        if (*text == '\'')
            hone_strbuf_add(out, "'\\''");
        else
            hone_strbuf_add_bytes(out, text, 1);
    }
    hone_strbuf_add(out, "'");
}

// As gcc writes them: backslashes ahead of what is escaped are doubled.
bool hone_sink_make(struct hone_strbuf *out, const char *name)
{
    size_t slashes = 0;
    if (strpbrk(name, "\n\r;=|:%*?[")) return false; // a recipe, a variable, a pattern
    for (; *name; name++) {
        if (*name == '$') hone_strbuf_add(out, "$");
        if (hone_one_of(*name, " \t#"))
            for (size_t i = 0; i <= slashes; i++)
                hone_strbuf_add(out, "\\");
        slashes = *name == '\\' ? slashes + 1 : 0;
        hone_strbuf_add_bytes(out, name, 1);
    }
    return true;
}

void hone_sink_html(struct hone_strbuf *out, const char *text)
{
    size_t length, left = strlen(text);
    for (; left; text += length, left -= length) {
        const uint32_t code = hone_utf8_next(text, left, &length);
        if (code == '\n' || code == '\t')
            hone_strbuf_add_bytes(out, text, 1);
        else if (code == '<' || code == '>' || code == '&' || code == '"' || code == '\'')
            hone_strbuf_printf(out, "&#%u;", (unsigned)code);
        else if (hone_is_hidden(code))
            hone_strbuf_printf(out, "&lt;U+%04X&gt;",
                               code == HONE_NOT_UTF8 ? 0xfffd : (unsigned)code);
        else
            hone_strbuf_add_bytes(out, text, length);
    }
}

void hone_sink_uri(struct hone_strbuf *out, const char *path)
{
    for (; *path; path++) {
        const unsigned char byte = (unsigned char)*path;
        if (hone_is_alnum(byte) || hone_one_of((char)byte, "/-._~"))
            hone_strbuf_add_bytes(out, path, 1);
        else
            hone_strbuf_printf(out, "%%%02X", byte);
    }
}
