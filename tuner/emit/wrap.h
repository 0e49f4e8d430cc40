/* Lines of a header, none longer than a page is wide. */
#ifndef HONE_EMIT_WRAP_H
#define HONE_EMIT_WRAP_H

struct hone_strbuf;

enum { EMIT_COLUMNS = 100 };

/* Append text with longer lines broken; it is C of whole lines whose comments of several
 * lines begin each with " * ". Comments break at blanks, their next line has four blanks
 * more than any other; code behind a comma or ahead of an operator, in the fewest
 * brackets; texts at blanks, into two literals; macros likewise, with a backslash. The
 * meaning stays. A word that is longer stays whole. */
void hone_emit_wrap(struct hone_strbuf *out, const char *text);

#endif
