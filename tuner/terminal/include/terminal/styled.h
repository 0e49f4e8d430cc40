/* Text for people with its colours beside it: the text holds no escapes, so that whoever
 * prints it decides whether there are colours, and escapes within texts of others stay
 * text. */
#ifndef HONE_TERMINAL_STYLED_H
#define HONE_TERMINAL_STYLED_H

#include "hone/strbuf.h"

enum hone_style {
    HONE_STYLE_PLAIN,
    HONE_STYLE_BAD,
    HONE_STYLE_WARNING,
    HONE_STYLE_GOOD,
    HONE_STYLE_HEADING
};

/* Whether there are colours; AUTO: where text goes to a terminal. */
enum hone_color { HONE_COLOR_AUTO, HONE_COLOR_ALWAYS, HONE_COLOR_NEVER };

/* AUTO: on a screen, unless NO_COLOR is set and not empty; elsewhere too where
 * CLICOLOR_FORCE is set and neither empty nor 0. */
bool hone_color_wanted(enum hone_color wish, bool screen);

/* One after the other they cover the text. */
struct hone_span {
    size_t end; /* in the text; the next one begins there */
    enum hone_style style;
};

struct hone_styled {
    struct hone_strbuf text; /* failed when memory ran out */
    struct hone_span *spans;
    size_t count, cap;
};

#define HONE_STYLED_INIT                                                                 \
    {                                                                                    \
        .text = HONE_STRBUF_INIT                                                         \
    }

void hone_styled_add(struct hone_styled *out, enum hone_style style, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* Cut it to so many columns of a terminal; returns those that are left free. */
size_t hone_styled_cut(struct hone_styled *styled, size_t columns);

void hone_styled_fini(struct hone_styled *styled); /* leaves it as HONE_STYLED_INIT */

/* Columns that text takes on a terminal, where control and invisible characters show as
 * \u001b (base/sink.h). */
size_t hone_text_width(const char *text);

/* As much of text as fits in so many columns, added to out as it shows; returns the
 * columns taken. */
size_t hone_text_cut(struct hone_strbuf *out, const char *text, size_t columns);

/* Add text in lines of at most width columns, words whole, with one blank for the blanks
 * and line ends between words. The first line is used columns long already, the next
 * begin behind indent blanks. */
void hone_text_wrap(struct hone_strbuf *out, const char *text, size_t used, size_t indent,
                    size_t width);

#endif
