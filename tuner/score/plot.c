// A small, fixed layout: axes with a few ticks, one line a strategy, names at the right
// in the order of the line ends. Evaluations are on a logarithmic axis: half of what a
// search finds, it finds in the first tenth of its budget.
#include "score/plot.h"

#include <math.h>
#include <stdlib.h>

enum {
    WIDTH = 760,
    HEIGHT = 440,
    LEFT = 60,
    RIGHT = 150,
    TOP = 40,
    BOTTOM = 50,
    LABEL_STEP = 15, // pixels between names
    NAMES_MAX = 64
};

// Colours that stay apart for colour-blind readers: Okabe, Ito: Color universal design
// (2008); dashes tell the rounds of the list apart.
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                      "#56B4E9", "#E69F00", "#000000"};
static const char *const dashes[] = {"none", "6 3", "2 3"};
enum { COLOURS = sizeof colours / sizeof *colours, DASHES = 3 };

struct frame {
    double low; // of y; the top is 1
    size_t count;
};

struct label {
    size_t line;
    double end, y; // value of the line's end; where the name stands
};

static double place_x(const struct frame *f, double evaluations)
{
    const double span = f->count > 1 ? log((double)f->count) : 1;
    return LEFT + (WIDTH - LEFT - RIGHT) * log(evaluations) / span;
}

static double place_y(const struct frame *f, double y)
{
    const double inside = y < f->low ? f->low : y > 1 ? 1 : y;
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (inside - f->low) / (1 - f->low);
}

static void add_escaped(struct hone_strbuf *out, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '&')
            hone_strbuf_add(out, *text == '<' ? "&lt;" : "&amp;");
        else
            hone_strbuf_add_bytes(out, text, 1);
}

static void add_axes(struct hone_strbuf *out, const struct frame *f)
{
    static const double decades[] = {1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000};
    hone_strbuf_add(out, "<g stroke=\"#ddd\" fill=\"#444\">\n");
    for (size_t i = 0; i < sizeof decades / sizeof *decades; i++) {
        if (decades[i] > (double)f->count) break;
        const double x = place_x(f, decades[i]);
        hone_strbuf_printf(out,
                           "<path d=\"M%.1f %d V%d\"/><text x=\"%.1f\" y=\"%d\" "
                           "text-anchor=\"middle\" stroke=\"none\">%g</text>\n",
                           x, TOP, HEIGHT - BOTTOM, x, HEIGHT - BOTTOM + 16, decades[i]);
    }
    for (int tenth = (int)lround(f->low * 10); tenth <= 10; tenth++) {
        const double y = place_y(f, tenth / 10.0);
        hone_strbuf_printf(out,
                           "<path d=\"M%d %.1f H%d\"/><text x=\"%d\" y=\"%.1f\" "
                           "text-anchor=\"end\" stroke=\"none\">%.1f</text>\n",
                           LEFT, y, WIDTH - RIGHT, LEFT - 6, y + 4, tenth / 10.0);
    }
    hone_strbuf_printf(out,
                       "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" "
                       "stroke=\"none\">evaluations</text>\n</g>\n",
                       (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 12);
}

static size_t line_length(const struct hone_plot_line *line, size_t count)
{
    size_t n = 0;
    while (n < count && !isnan(line->y[n]))
        n++;
    return n;
}

static void add_line(struct hone_strbuf *out, const struct frame *f,
                     const struct hone_plot_line *line, size_t number)
{
    const size_t n = line_length(line, f->count);
    if (!n) return;
    hone_strbuf_printf(out,
                       "<path fill=\"none\" stroke=\"%s\" stroke-width=\"2\" "
                       "stroke-dasharray=\"%s\" d=\"M",
                       colours[number % COLOURS], dashes[number / COLOURS % DASHES]);
    for (size_t i = 0; i < n; i++)
        hone_strbuf_printf(out, "%s%.1f %.1f", i ? " " : "", place_x(f, (double)i + 1),
                           place_y(f, line->y[i]));
    hone_strbuf_add(out, "\"/>\n");
}

static int by_end(const void *a, const void *b)
{
    const struct label *x = a, *y = b;
    if (x->end != y->end) return x->end > y->end ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

// Names stand where their lines end, pushed down to keep them apart, then up from below.
static void place_labels(struct label *labels, size_t count, const struct frame *f)
{
    double y = TOP;
    for (size_t i = 0; i < count; i++) {
        const double wanted = place_y(f, labels[i].end);
        labels[i].y = wanted > y ? wanted : y;
        y = labels[i].y + LABEL_STEP;
    }
    y = HEIGHT - BOTTOM;
    for (size_t i = count; i-- > 0;) {
        if (labels[i].y > y) labels[i].y = y;
        y = labels[i].y - LABEL_STEP;
    }
}

static void add_labels(struct hone_strbuf *out, const struct frame *f,
                       const struct hone_plot_line *lines, size_t line_count)
{
    struct label labels[NAMES_MAX] = {{0}};
    size_t count = 0;
    for (size_t i = 0; i < line_count && count < NAMES_MAX; i++) {
        const size_t n = line_length(&lines[i], f->count);
        if (n) labels[count++] = (struct label){.line = i, .end = lines[i].y[n - 1]};
    }
    qsort(labels, count, sizeof *labels, by_end);
    place_labels(labels, count, f);
    for (size_t i = 0; i < count; i++) {
        hone_strbuf_printf(out, "<text x=\"%d\" y=\"%.1f\" fill=\"%s\">",
                           WIDTH - RIGHT + 8, labels[i].y + 4,
                           colours[labels[i].line % COLOURS]);
        add_escaped(out, lines[labels[i].line].name);
        hone_strbuf_printf(out, " %.3f</text>\n", labels[i].end);
    }
}

// The axis begins at the tenth below what the lines show from the fifth evaluation on:
// the first few are luck.
static double lowest(const struct hone_plot_line *lines, size_t line_count, size_t count)
{
    double low = 0.9;
    for (size_t i = 0; i < line_count; i++)
        for (size_t m = count > 4 ? 4 : 0; m < line_length(&lines[i], count); m++)
            if (lines[i].y[m] < low) low = lines[i].y[m];
    return floor(low * 10) / 10;
}

void hone_plot_svg(struct hone_strbuf *out, const char *title,
                   const struct hone_plot_line *lines, size_t line_count, size_t count)
{
    const struct frame frame = {.low = lowest(lines, line_count, count), .count = count};
    hone_strbuf_printf(out,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                       "height=\"%d\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" "
                       "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" "
                       "fill=\"#fff\"/>\n<text x=\"%d\" y=\"22\" font-size=\"14\">",
                       WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT);
    add_escaped(out, title);
    hone_strbuf_add(out, "</text>\n");
    add_axes(out, &frame);
    for (size_t i = 0; i < line_count; i++)
        add_line(out, &frame, &lines[i], i);
    add_labels(out, &frame, lines, line_count);
    hone_strbuf_add(out, "</svg>\n");
}
