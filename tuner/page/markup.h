/* Text of others on its way into the page: the one place that escapes it. */
#ifndef HONE_PAGE_MARKUP_H
#define HONE_PAGE_MARKUP_H

#include "hone/expr.h"
#include "hone/strbuf.h"

/* Append text between tags or in an attribute between double quotes. Bytes that are no
 * UTF-8, control characters and invisible ones become <U+202E>. */
void hone_markup_text(struct hone_strbuf *out, const char *text);

/* The same of a formatted text: names and reasons may be among the arguments. */
void hone_markup_printf(struct hone_strbuf *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append a JSON string, with its quotes, for the inside of <script>. */
void hone_markup_json(struct hone_strbuf *out, const char *text);

/* The same of a value. An integer that a script would round is its text in a list: that
 * reads the same, and a string value is never in one. */
void hone_markup_json_value(struct hone_strbuf *out, struct hone_value value);

/* A value as people read it, escaped. */
void hone_markup_value(struct hone_strbuf *out, struct hone_value value);

#endif
