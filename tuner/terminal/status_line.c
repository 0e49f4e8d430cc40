#include "terminal/status_line.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/c_text.h"
#include "base/clock.h"

static const double REDRAW_SECONDS = 0.1;

enum { BAR_MOST = 24, BAR_LEAST = 6, BAR_FRAME = 3 }; // the brackets and a blank

void hone_status_line_add(struct hone_status_line *line, int rank, enum hone_style style,
                          const char *format, ...)
{
    assert(line->count < HONE_PIECES_MOST);
    struct hone_piece *piece = &line->pieces[line->count++];
    va_list args;
    va_start(args, format);
    hone_vsnprintf(piece->text, sizeof piece->text, format, args);
    va_end(args);
    piece->rank = rank;
    piece->style = style;
}

void hone_status_line_add_left(struct hone_status_line *line, int rank, double seconds)
{
    const double fraction = line->fraction;
    const double left = fraction > 0 ? seconds / fraction - seconds : 0;
    if (!(fraction > 0) || fraction >= 1)
        hone_status_line_add(line, rank, HONE_STYLE_PLAIN, fraction >= 1 ? "done" : "?");
    else if (left < 100)
        hone_status_line_add(line, rank, HONE_STYLE_PLAIN, "%.0f s left", left);
    else
        hone_status_line_add(line, rank, HONE_STYLE_PLAIN, "%.0f min left", left / 60);
}

static size_t pieces_width(const struct hone_status_line *line)
{
    size_t width = line->count ? 2 * (line->count - 1) : 0;
    for (size_t i = 0; i < line->count; i++)
        width += hone_text_width(line->pieces[i].text);
    return width;
}

static void drop_last_rank(struct hone_status_line *line)
{
    size_t last = 0;
    for (size_t i = 1; i < line->count; i++)
        if (line->pieces[i].rank > line->pieces[last].rank) last = i;
    line->count--;
    for (size_t i = last; i < line->count; i++)
        line->pieces[i] = line->pieces[i + 1];
}

static void add_bar(struct hone_styled *out, double fraction, size_t width)
{
    char bar[BAR_MOST + 1];
    memset(bar, '.', width);
    bar[width] = '\0';
    memset(bar, '#', (size_t)(fraction * (double)width + 0.5));
    hone_styled_add(out, HONE_STYLE_PLAIN, "[%s] ", bar);
}

void hone_status_line_plain(struct hone_styled *out, const struct hone_status_line *line)
{
    for (size_t i = 0; i < line->count; i++) {
        if (i) hone_styled_add(out, HONE_STYLE_PLAIN, "  ");
        hone_styled_add(out, line->pieces[i].style, "%s", line->pieces[i].text);
    }
}

size_t hone_status_line_fit(struct hone_styled *out, struct hone_status_line *line,
                            size_t columns)
{
    assert(line->fraction >= 0 && line->fraction <= 1);
    while (pieces_width(line) > columns && line->count > 1)
        drop_last_rank(line);
    const size_t taken = pieces_width(line);
    size_t bar = columns > taken + BAR_FRAME ? columns - taken - BAR_FRAME : 0;
    if (bar > BAR_MOST) bar = BAR_MOST;
    if (bar >= BAR_LEAST) add_bar(out, line->fraction, bar);
    hone_status_line_plain(out, line);
    return columns - hone_styled_cut(out, columns);
}

bool hone_status_due(struct hone_status_pace *pace, bool at_once)
{
    const double now = hone_clock_seconds();
    if (!at_once && now - pace->drawn < REDRAW_SECONDS) return false;
    pace->drawn = now;
    return true;
}

bool hone_status_tenth(struct hone_status_pace *pace, double fraction)
{
    const int tenths = (int)(fraction * 10);
    if (tenths <= pace->tenths) return false;
    pace->tenths = tenths;
    return true;
}
