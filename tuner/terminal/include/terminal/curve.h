/* A small plot of the best so far against evaluations, in lines of text. */
#ifndef HONE_TERMINAL_CURVE_H
#define HONE_TERMINAL_CURVE_H

#include <stdbool.h>

#include "hone/strbuf.h"

enum { HONE_CURVE_LEAST_COLUMNS = 24, HONE_CURVE_LEAST_ROWS = 3 };

struct hone_curve {
    size_t done; /* evaluations */
    /* The cost fell to this by the at-th evaluation, from 1; less and less cost. */
    const struct hone_curve_step {
        size_t at;
        double cost;
    } * steps;
    size_t count;
};

/* rows lines of at most columns each, the last one the axis of evaluations, with costs on
 * the left, logarithmic. blocks: eighths of characters, in UTF-8; else ASCII. */
void hone_curve_text(struct hone_strbuf *out, const struct hone_curve *curve,
                     size_t columns, size_t rows, bool blocks);

/* Does this user's locale show UTF-8? */
bool hone_shows_utf8(void);

#endif
