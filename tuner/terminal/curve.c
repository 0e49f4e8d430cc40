#include "terminal/curve.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

enum { LABEL = 10, STEPS = 8 }; // columns of a cost and a blank; heights of a character

bool hone_shows_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]), *dot = value ? strchr(value, '.') : NULL;
        if (!value || !*value) continue;
        return dot && (hone_begins_with(dot, ".utf-8") || hone_begins_with(dot, ".utf8"));
    }
    return false;
}

// The best after so many trials; INFINITY before there was one.
static double best_after(const struct hone_curve *curve, size_t trials)
{
    double best = (double)INFINITY;
    for (size_t i = 0; i < curve->count && curve->steps[i].at <= trials; i++)
        best = curve->steps[i].cost;
    return best;
}

// Height of a column in steps, from 1; 0: there is nothing yet.
static size_t height_of(const struct hone_curve *curve, double cost, size_t rows)
{
    const double low = curve->steps[curve->count - 1].cost, high = curve->steps[0].cost;
    if (isinf(cost)) return 0;
    if (!(high > low)) return 1;
    const double share = log(cost / low) / log(high / low);
    return 1 + (size_t)(share * (double)(rows * STEPS - 1) + 0.5);
}

// What a column shows where filled steps of a character are filled.
static const char *fill(size_t filled, bool blocks)
{
    static const char *const eighths[] = {" ",
                                          "\xe2\x96\x81",
                                          "\xe2\x96\x82",
                                          "\xe2\x96\x83",
                                          "\xe2\x96\x84",
                                          "\xe2\x96\x85",
                                          "\xe2\x96\x86",
                                          "\xe2\x96\x87",
                                          "\xe2\x96\x88"};
    static const char *const ascii[] = {" ", ".", ".", ".", ":", ":", ":", "#", "#"};
    return (blocks ? eighths : ascii)[filled];
}

static void add_label(struct hone_strbuf *out, const struct hone_curve *curve, size_t row,
                      size_t rows)
{
    const bool top = row == rows - 1, bottom = row == 0;
    if (!curve->count || (!top && !bottom))
        hone_strbuf_printf(out, "%*s", LABEL, "");
    else
        hone_strbuf_printf(out, "%*.4g ", LABEL - 1,
                           curve->steps[top ? 0 : curve->count - 1].cost);
}

void hone_curve_text(struct hone_strbuf *out, const struct hone_curve *curve,
                     size_t columns, size_t rows, bool blocks)
{
    const size_t width = columns - LABEL, plot = rows - 1;
    char last[32];
    for (size_t row = plot; row-- > 0;) {
        add_label(out, curve, row, plot);
        for (size_t x = 0; x < width && curve->count; x++) {
            const size_t trials = ((x + 1) * curve->done + width - 1) / width;
            const size_t height = height_of(curve, best_after(curve, trials), plot);
            const size_t below = row * STEPS;
            const size_t filled = height <= below ? 0 : height - below;
            hone_strbuf_add(out, fill(filled < STEPS ? filled : STEPS, blocks));
        }
        hone_strbuf_add(out, "\n");
    }
    snprintf(last, sizeof last, "%zu", curve->done);
    hone_strbuf_printf(out, "%*s1%*s\n", LABEL, "", (int)width - 1, last);
}
