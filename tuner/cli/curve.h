/* A small plot of the best so far against evaluations, in lines of text. */
#ifndef HONE_CLI_CURVE_H
#define HONE_CLI_CURVE_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "record/following.h"

enum { CLI_CURVE_LEAST_COLUMNS = 24, CLI_CURVE_LEAST_ROWS = 3 };

/* rows lines of at most columns each, the last one the axis of evaluations, with costs on
 * the left, logarithmic. blocks: eighths of characters, in UTF-8; else ASCII. */
void cli_curve(struct hone_strbuf *out, const struct hone_following_part *part,
               size_t columns, size_t rows, bool blocks);

/* Does this user's locale show UTF-8? */
bool cli_shows_utf8(void);

#endif
