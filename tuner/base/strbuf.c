#include "hone/strbuf.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/c_text.h"
#include "base/grow.h"

char hone_strbuf_empty[1] = "";

void hone_strbuf_fini(struct hone_strbuf *buf)
{
    if (buf->cap) free(buf->data);
    *buf = (struct hone_strbuf)HONE_STRBUF_INIT;
}

void hone_strbuf_clear(struct hone_strbuf *buf)
{
    buf->len = 0;
    buf->failed = false;
    if (buf->cap) buf->data[0] = '\0';
}

static bool reserve(struct hone_strbuf *buf, size_t more)
{
    if (buf->failed) return false;
    if (buf->cap - buf->len > more) return true;
    char *data = buf->cap ? buf->data : NULL;
    buf->failed = more >= SIZE_MAX - buf->len ||
                  !HONE_GROW(&data, &buf->cap, buf->len + more + 1, 64);
    if (buf->failed) return false;
    buf->data = data;
    return true;
}

void hone_strbuf_add_bytes(struct hone_strbuf *buf, const void *data, size_t len)
{
    if (!reserve(buf, len)) return;
    if (len) memcpy(buf->data + buf->len, data, len);
    buf->len += len;
    buf->data[buf->len] = '\0';
}

void hone_strbuf_add(struct hone_strbuf *buf, const char *text)
{
    hone_strbuf_add_bytes(buf, text, strlen(text));
}

void hone_strbuf_vprintf(struct hone_strbuf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int len = hone_vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (len < 0 || !reserve(buf, (size_t)len)) {
        buf->failed = true;
        return;
    }
    hone_vsnprintf(buf->data + buf->len, (size_t)len + 1, format, args);
    buf->len += (size_t)len;
}

void hone_strbuf_printf(struct hone_strbuf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hone_strbuf_vprintf(buf, format, args);
    va_end(args);
}

char *hone_strbuf_steal(struct hone_strbuf *buf)
{
    char *data = NULL;
    if (!buf->failed && reserve(buf, 0)) {
        buf->data[buf->len] = '\0';
        data = buf->data;
        *buf = (struct hone_strbuf)HONE_STRBUF_INIT;
    }
    hone_strbuf_fini(buf);
    return data;
}
