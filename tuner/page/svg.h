/* Plots: a frame with two axes, and marks placed by value. Colours are classes of
 * page.css, so that light, dark and paper have their own. */
#ifndef HONE_PAGE_SVG_H
#define HONE_PAGE_SVG_H

#include "hone/strbuf.h"

enum {
    HONE_SVG_WIDTH = 640,
    HONE_SVG_HEIGHT = 300,
    HONE_SVG_LEFT = 70,
    HONE_SVG_RIGHT = 12,
    HONE_SVG_TOP = 18,
    HONE_SVG_BOTTOM = 44
};

struct hone_svg_axis {
    const char *label;
    double low, high; /* values at the ends; low < high, and above 0 where it is log */
    bool log;
};

struct hone_svg {
    struct hone_strbuf *out;
    struct hone_svg_axis x, y;
    int height; /* 0: HONE_SVG_HEIGHT */
};

/* Begin the plot inside a figure: title and description are for those who do not see it.
 * x or y without a label has no ticks. */
void hone_svg_begin(struct hone_svg *svg, const char *title, const char *description);
/* End the plot; the caller ends the figure. */
void hone_svg_end(struct hone_svg *svg);

/* An axis over low .. high with some room at its ends. */
struct hone_svg_axis hone_svg_linear_axis(const char *label, double low, double high);
struct hone_svg_axis hone_svg_log_axis(const char *label, double low, double high);

double hone_svg_x(const struct hone_svg *svg, double value);
double hone_svg_y(const struct hone_svg *svg, double value);

/* A dot of a path that is open: hone_svg_dots begins it, hone_svg_dots_end ends it. */
void hone_svg_dots(struct hone_svg *svg, const char *class_name);
void hone_svg_dot(struct hone_svg *svg, double x, double y); /* values */
void hone_svg_dots_end(struct hone_svg *svg);

/* A line across the plot at y, or upright at x, with words at its end. */
void hone_svg_level(struct hone_svg *svg, double y, const char *class_name,
                    const char *words);
void hone_svg_upright(struct hone_svg *svg, double x, const char *class_name,
                      const char *words);

#endif
