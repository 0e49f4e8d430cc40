#include "progress.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "color.h"
#include "print.h"
#include "terminal.h"
#include "tuning/verification.h"

enum { BAR_MOST = 24, BAR_LEAST = 6, PIECES_MOST = 6 };
static const double REDRAW_SECONDS = 0.1;

// The one line there is: a terminal has one cursor.
static struct {
    bool known, terminal; /* whether stderr is a terminal, asked once */
    bool open;            /* a line without its end stands there */
    double drawn;         /* when */
    int length;           /* of what was drawn there */
    int tenths;           /* tenths of the run that a log was told of */
} line;

static bool on_terminal(void)
{
    if (!line.known) {
        line.known = true;
        line.terminal = isatty(STDERR_FILENO);
    }
    return line.terminal;
}

static bool is_due(bool finished)
{
    const double now = hone_clock_seconds();
    if (!finished && line.open && now - line.drawn < REDRAW_SECONDS) return false;
    line.drawn = now;
    return true;
}

// What a line says, in its order. Where the terminal is narrow, pieces go whole, the last
// rank first.
struct pieces {
    struct piece {
        char text[48];
        int rank;
        enum cli_style style;
    } items[PIECES_MOST];
    size_t count;
};

__attribute__((format(printf, 3, 4))) static void
pieces_add(struct pieces *pieces, int rank, const char *format, ...)
{
    assert(pieces->count < PIECES_MOST);
    struct piece *piece = &pieces->items[pieces->count++];
    va_list args;
    va_start(args, format);
    vsnprintf(piece->text, sizeof piece->text, format, args);
    va_end(args);
    piece->rank = rank;
}

static void pieces_drop_last_rank(struct pieces *pieces)
{
    size_t last = 0;
    for (size_t i = 1; i < pieces->count; i++)
        if (pieces->items[i].rank > pieces->items[last].rank) last = i;
    pieces->count--;
    for (size_t i = last; i < pieces->count; i++)
        pieces->items[i] = pieces->items[i + 1];
}

// Two blanks between; returns the length.
static size_t pieces_join(char *buf, size_t size, const struct pieces *pieces)
{
    size_t len = 0;
    buf[0] = '\0';
    for (size_t i = 0; i < pieces->count && len < size; i++)
        len += (size_t)snprintf(buf + len, size - len, "%s%s", i ? "  " : "",
                                pieces->items[i].text);
    return len;
}

// The same on the terminal, coloured, cut to width.
static void pieces_print(const struct pieces *pieces, int width)
{
    for (size_t i = 0; i < pieces->count; i++) {
        const struct piece *piece = &pieces->items[i];
        if (i) width -= fprintf(stderr, "%.*s", width > 0 ? width : 0, "  ");
        cli_style_begin(stderr, piece->style);
        width -= fprintf(stderr, "%.*s", width > 0 ? width : 0, piece->text);
        cli_style_end(stderr, piece->style);
    }
}

// One line that leaves the last column free, or terminals would begin the next one.
static void draw(double fraction, struct pieces *pieces)
{
    char text[PIECES_MOST * sizeof(struct piece)], bar[BAR_MOST + 1];
    const int room = cli_terminal_size(stderr).columns - 1;
    while (pieces_join(text, sizeof text, pieces) > (size_t)room && pieces->count > 1)
        pieces_drop_last_rank(pieces);
    const int text_width = (int)strlen(text) < room ? (int)strlen(text) : room;
    int width = room - text_width - 3; // the brackets and a blank
    if (width > BAR_MOST) width = BAR_MOST;
    if (width < BAR_LEAST) width = 0;
    for (int i = 0; i < width; i++)
        bar[i] = i < (int)(fraction * width + 0.5) ? '#' : '.';
    bar[width] = '\0';
    const int length = text_width + (width ? width + 3 : 0);
    const int blanks =
        line.length > length && line.length <= room ? line.length - length : 0;
    fprintf(stderr, "\r%s%s%s", width ? "[" : "", bar, width ? "] " : "");
    pieces_print(pieces, text_width);
    fprintf(stderr, "%*s", blanks, "");
    fflush(stderr);
    line.length = length;
    line.open = true;
}

// A log gets a line for each tenth of the run.
static bool tenth_passed(double fraction)
{
    const int tenths = (int)(fraction * 10);
    if (tenths <= line.tenths) return false;
    line.tenths = tenths;
    return true;
}

static void time_left(char *buf, size_t size, double fraction, double seconds)
{
    if (!(fraction > 0) || fraction >= 1) {
        snprintf(buf, size, fraction >= 1 ? "done" : "?");
        return;
    }
    const double left = seconds / fraction - seconds;
    if (left < 100)
        snprintf(buf, size, "%.0f s left", left);
    else
        snprintf(buf, size, "%.0f min left", left / 60);
}

void cli_progress_count(size_t done, size_t count, double seconds)
{
    const double fraction = count ? (double)done / (double)count : 1;
    char left[32];
    struct pieces pieces = {0};
    time_left(left, sizeof left, fraction, seconds);
    pieces_add(&pieces, 0, "%zu/%zu", done, count);
    pieces_add(&pieces, 2, "%.1f/s", seconds > 0 ? (double)done / seconds : 0);
    pieces_add(&pieces, 1, "%s", left);
    if (!on_terminal()) {
        char text[128];
        pieces_join(text, sizeof text, &pieces);
        if (tenth_passed(fraction)) fprintf(stderr, "%s\n", text);
    } else if (is_due(done == count)) {
        draw(fraction, &pieces);
    }
}

// How much of the run is over: of its evaluations or of its time, whichever is more.
static double fraction_of(const struct hone_progress *p)
{
    double fraction = 0;
    if (p->budget != UINT64_MAX) fraction = (double)p->done / (double)p->budget;
    if (isfinite(p->seconds_budget))
        fraction = fmax(fraction, p->seconds / p->seconds_budget);
    return fmin(fraction, 1);
}

// Neither over a limit of the device nor beyond the emulator: these are no failures.
static size_t count_failed(const struct hone_progress *p)
{
    size_t failed = 0;
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++)
        if (hone_outcome_is_failure((enum hone_outcome)i)) failed += p->outcomes[i];
    return failed;
}

static void add_tune(struct pieces *pieces, const struct hone_progress *p,
                     double fraction)
{
    char left[32], best[48] = "none valid yet", budget[32] = "";
    const size_t failed = count_failed(p);
    time_left(left, sizeof left, fraction, p->seconds);
    if (p->best) cli_cost_text(best, sizeof best, p->best);
    if (p->budget != UINT64_MAX)
        snprintf(budget, sizeof budget, "/%llu", (unsigned long long)p->budget);
    pieces_add(pieces, 1, "%zu%s", p->done, budget);
    pieces_add(pieces, 0, "best %.40s", best);
    if (p->best) pieces->items[pieces->count - 1].style = CLI_STYLE_GOOD;
    if (failed) {
        pieces_add(pieces, 3, "%zu failed", failed);
        pieces->items[pieces->count - 1].style = CLI_STYLE_BAD;
    }
    pieces_add(pieces, 4, "%.3g/s", p->seconds > 0 ? (double)p->done / p->seconds : 0);
    pieces_add(pieces, 2, "%s", left);
}

void cli_progress_tune(const struct hone_progress *p, const struct hone_space *space,
                       bool improved)
{
    const double fraction = fraction_of(p);
    char text[320];
    struct pieces pieces = {0};
    add_tune(&pieces, p, fraction);
    if (on_terminal()) {
        if (is_due(improved || fraction >= 1)) draw(fraction, &pieces);
        return;
    }
    if (!improved && !tenth_passed(fraction)) return;
    pieces_join(text, sizeof text, &pieces);
    struct hone_strbuf config = HONE_STRBUF_INIT;
    if (improved) cli_config_text(&config, space, p->trial->index);
    fprintf(stderr, "%s%s%s\n", text, improved ? "  " : "", config.data);
    hone_strbuf_fini(&config);
}

void cli_progress_end(void)
{
    if (line.open) fputc('\n', stderr);
    line.open = false;
    line.length = 0;
}
