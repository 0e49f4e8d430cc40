/* Text from outside (a journal, a script, a log) at the place where it goes: each kind of
 * place has one function here that makes the text harmless there. Text is UTF-8 or
 * claims to be.
 *
 * A code point is hidden when it moves the cursor, changes the order of what is read or
 * is not seen at all: C0 and C1 controls, bidirectional marks, joiners, fillers, tags. */
#ifndef HONE_BASE_SINK_H
#define HONE_BASE_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hone/strbuf.h"

#define HONE_NOT_UTF8 UINT32_MAX

/* The code point that text starts with, HONE_NOT_UTF8 for a byte that begins none; its
 * length, 1 to 4. size: at least 1. */
uint32_t hone_utf8_next(const char *text, size_t size, size_t *length);

/* A hidden code point; a line feed and a tab are. */
bool hone_is_hidden(uint32_t code);

/* NULL, or where in text the first hidden code point or what is no UTF-8 stands. lines:
 * line ends and tabs do not count. */
const char *hone_find_hidden(const char *text, bool lines);

/* Why text may be no name, value or expression of a journal or script, in buf: hidden
 * code points, or longer than limit bytes. NULL: it may. */
const char *hone_text_fault(char *buf, size_t size, const char *text, size_t limit,
                            bool lines);

/* Terminals and JSON that is already serialised: hidden code points but line feed, tab
 * and carriage return become \u202e (as JSON escapes), other bytes \ufffd. */
void hone_sink_visible(struct hone_strbuf *out, const char *text, size_t size);

/* A C comment, within a line of it: cannot end or continue anything. */
void hone_sink_comment(struct hone_strbuf *out, const char *text);

/* A C string literal with its quotes, in ASCII. NULL is "". */
void hone_sink_c_string(struct hone_strbuf *out, const char *text);

/* A word of a POSIX shell: as it is where that is safe, else in single quotes. */
void hone_sink_shell(struct hone_strbuf *out, const char *text);

/* A file name in a Makefile rule, as make and ninja read depfiles. false: there is no
 * way to write it that both read (line ends and any of ;=|:%*?[). */
bool hone_sink_make(struct hone_strbuf *out, const char *name);

/* HTML and XML, as text of an element or in a quoted attribute. */
void hone_sink_html(struct hone_strbuf *out, const char *text);

/* The path of a URI: all but letters, digits, '/', '-', '.', '_' and '~' as %20. */
void hone_sink_uri(struct hone_strbuf *out, const char *path);

#endif
