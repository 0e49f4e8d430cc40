#include "svg.h"

#include <math.h>
#include <stdio.h>

#include "base/quantity.h"
#include "markup.h"

static int height_of(const struct hone_svg *svg)
{
    return svg->height ? svg->height : HONE_SVG_HEIGHT;
}

static double share_of(const struct hone_svg_axis *axis, double value)
{
    const double span = axis->log ? log(axis->high / axis->low) : axis->high - axis->low;
    const double part = axis->log ? log(value / axis->low) : value - axis->low;
    return fmin(fmax(part / span, 0), 1);
}

double hone_svg_x(const struct hone_svg *svg, double value)
{
    return HONE_SVG_LEFT +
           (HONE_SVG_WIDTH - HONE_SVG_LEFT - HONE_SVG_RIGHT) * share_of(&svg->x, value);
}

double hone_svg_y(const struct hone_svg *svg, double value)
{
    const int bottom = height_of(svg) - HONE_SVG_BOTTOM;
    return bottom - (bottom - HONE_SVG_TOP) * share_of(&svg->y, value);
}

struct hone_svg_axis hone_svg_linear_axis(const char *label, double low, double high)
{
    if (!(high > low)) {
        low -= 1;
        high += 1;
    }
    return (struct hone_svg_axis){
        .label = label, .low = low, .high = high + (high - low) * 0.04};
}

struct hone_svg_axis hone_svg_log_axis(const char *label, double low, double high)
{
    if (!(high > low)) {
        low /= 1.1;
        high *= 1.1;
    }
    const double room = pow(high / low, 0.04);
    return (struct hone_svg_axis){
        .label = label, .low = low / room, .high = high * room, .log = true};
}

// The first of 1, 2, 5, 10 ... that parts the span into at most seven.
static double step_of(double span)
{
    const double decade = pow(10, floor(log10(span / 7)));
    for (size_t i = 0; i < 3; i++) {
        static const double steps[] = {1, 2, 5};
        if (span / (steps[i] * decade) <= 7) return steps[i] * decade;
    }
    return 10 * decade;
}

// The tick that follows value; on a logarithmic axis over about a decade or more 1, 2 and
// 5 of each, or whole decades where there are many.
static double next_tick(const struct hone_svg_axis *axis, double value, double step)
{
    if (!axis->log || axis->high / axis->low < 8)
        return (floor(value / step * (1 + 1e-12) + 1e-9) + 1) * step;
    const double decade = pow(10, floor(log10(value * (1 + 1e-9))));
    const double digit = value / decade * (1 + 1e-9);
    if (axis->high / axis->low > 5e3) return 10 * decade;
    return decade * (digit < 2 ? 2 : digit < 5 ? 5 : 10);
}

static void add_tick(struct hone_svg *svg, bool upright, double value)
{
    const int bottom = height_of(svg) - HONE_SVG_BOTTOM;
    const struct hone_plain number = hone_plain(value, 4);
    if (upright) {
        const double x = hone_svg_x(svg, value);
        hone_strbuf_printf(svg->out,
                           "<path d=\"M%.1f %dV%d\"/>"
                           "<text x=\"%.1f\" y=\"%d\">%s</text>",
                           x, HONE_SVG_TOP, bottom, x, bottom + 15, number.text);
        return;
    }
    const double y = hone_svg_y(svg, value);
    hone_strbuf_printf(svg->out,
                       "<path d=\"M%d %.1fH%d\"/><text class=\"e\" x=\"%d\" y=\"%.1f\">%s"
                       "</text>",
                       HONE_SVG_LEFT, y, HONE_SVG_WIDTH - HONE_SVG_RIGHT,
                       HONE_SVG_LEFT - 5, y + 4, number.text);
}

static void add_ticks(struct hone_svg *svg, const struct hone_svg_axis *axis,
                      bool upright)
{
    enum { TICKS_MOST = 40 };
    const double step = step_of(axis->high - axis->low);
    double tick = axis->log && axis->high / axis->low >= 8
                      ? pow(10, floor(log10(axis->low)))
                      : floor(axis->low / step) * step;
    for (size_t i = 0; i < TICKS_MOST && tick <= axis->high * (1 + 1e-12); i++) {
        if (tick >= axis->low * (axis->low > 0 ? 1 - 1e-12 : 1))
            add_tick(svg, upright, tick);
        tick = next_tick(axis, tick, step);
    }
}

static void add_axes(struct hone_svg *svg)
{
    const int bottom = height_of(svg) - HONE_SVG_BOTTOM;
    hone_strbuf_add(svg->out, "<g class=\"axis\" aria-hidden=\"true\">");
    if (svg->x.label) {
        add_ticks(svg, &svg->x, true);
        hone_strbuf_printf(svg->out, "<text x=\"%d\" y=\"%d\">",
                           (HONE_SVG_LEFT + HONE_SVG_WIDTH - HONE_SVG_RIGHT) / 2,
                           bottom + 34);
        hone_markup_text(svg->out, svg->x.label);
        hone_strbuf_add(svg->out, "</text>");
    }
    if (svg->y.label) {
        add_ticks(svg, &svg->y, false);
        hone_strbuf_printf(svg->out, "<text class=\"s\" x=\"2\" y=\"%d\">",
                           HONE_SVG_TOP - 10);
        hone_markup_text(svg->out, svg->y.label);
        hone_strbuf_add(svg->out, "</text>");
    }
    hone_strbuf_add(svg->out, "</g>\n");
}

void hone_svg_begin(struct hone_svg *svg, const char *title, const char *description)
{
    hone_strbuf_printf(svg->out, "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"",
                       HONE_SVG_WIDTH, height_of(svg));
    hone_markup_printf(svg->out, "%s. %s", title, description);
    hone_strbuf_add(svg->out, "\">\n");
    add_axes(svg);
}

void hone_svg_end(struct hone_svg *svg)
{
    hone_strbuf_add(svg->out, "</svg>\n");
}

void hone_svg_dots(struct hone_svg *svg, const char *class_name)
{
    hone_strbuf_printf(svg->out, "<path class=\"dots %s\" d=\"", class_name);
}

// A line of no length with round ends is a dot, in a sixth of the bytes of a circle.
void hone_svg_dot(struct hone_svg *svg, double x, double y)
{
    hone_strbuf_printf(svg->out, "M%.0f %.0fh0", hone_svg_x(svg, x), hone_svg_y(svg, y));
}

void hone_svg_dots_end(struct hone_svg *svg)
{
    hone_strbuf_add(svg->out, "\"/>\n");
}

void hone_svg_level(struct hone_svg *svg, double y, const char *class_name,
                    const char *words)
{
    const double at = hone_svg_y(svg, y);
    hone_strbuf_printf(svg->out,
                       "<path class=\"%s\" d=\"M%d %.1fH%d\"/><text class=\"e\" x=\"%d\" "
                       "y=\"%.1f\">",
                       class_name, HONE_SVG_LEFT, at, HONE_SVG_WIDTH - HONE_SVG_RIGHT,
                       HONE_SVG_WIDTH - HONE_SVG_RIGHT - 2, at - 4);
    hone_markup_text(svg->out, words);
    hone_strbuf_add(svg->out, "</text>\n");
}

void hone_svg_upright(struct hone_svg *svg, double x, const char *class_name,
                      const char *words)
{
    const double at = hone_svg_x(svg, x);
    const bool right = at > HONE_SVG_WIDTH * 0.75;
    hone_strbuf_printf(svg->out,
                       "<path class=\"%s\" d=\"M%.1f %dV%d\"/><text class=\"%s\" "
                       "x=\"%.1f\" y=\"%d\">",
                       class_name, at, HONE_SVG_TOP, height_of(svg) - HONE_SVG_BOTTOM,
                       right ? "e" : "s", at + (right ? -4 : 4), HONE_SVG_TOP + 10);
    hone_markup_text(svg->out, words);
    hone_strbuf_add(svg->out, "</text>\n");
}
