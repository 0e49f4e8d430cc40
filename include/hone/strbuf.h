/* A growing text. data is never NULL and always NUL-terminated. When memory runs out the
 * text stops growing and failed is set: check once at the end. */
#ifndef HONE_STRBUF_H
#define HONE_STRBUF_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct hone_strbuf {
    char *data;
    size_t len, cap;
    bool failed;
};

#define HONE_STRBUF_INIT                                                                 \
    {                                                                                    \
        .data = hone_strbuf_empty                                                        \
    }
extern char hone_strbuf_empty[1];

void hone_strbuf_fini(struct hone_strbuf *buf);  /* leaves it as HONE_STRBUF_INIT */
void hone_strbuf_clear(struct hone_strbuf *buf); /* keeps the memory */
void hone_strbuf_add(struct hone_strbuf *buf, const char *text);
void hone_strbuf_add_bytes(struct hone_strbuf *buf, const void *data, size_t len);
void hone_strbuf_printf(struct hone_strbuf *buf, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void hone_strbuf_vprintf(struct hone_strbuf *buf, const char *format, va_list args);
/* The text, to be freed by the caller, NULL when memory ran out; buf starts anew. */
char *hone_strbuf_steal(struct hone_strbuf *buf);

#endif
