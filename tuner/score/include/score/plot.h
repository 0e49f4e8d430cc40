/* Convergence of the strategies as an SVG picture. */
#ifndef HONE_SCORE_PLOT_H
#define HONE_SCORE_PLOT_H

#include <stddef.h>

#include "hone/strbuf.h"

struct hone_plot_line {
    const char *name;
    const double *y; /* y[i] after i + 1 evaluations, 0 .. 1; ends at the first NAN */
};

/* Append a picture of best / optimum against evaluations; count is of each y. */
void hone_plot_svg(struct hone_strbuf *out, const char *title,
                   const struct hone_plot_line *lines, size_t line_count, size_t count);

#endif
