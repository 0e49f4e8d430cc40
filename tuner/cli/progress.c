#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "print.h"

enum { BAR_WIDTH = 24, LINE_WIDTH = 110 };
static const double REDRAW_SECONDS = 0.1;

// The one line there is: a terminal has one cursor.
static struct {
    bool known, terminal; /* whether stderr is a terminal, asked once */
    bool open;            /* a line without its end stands there */
    double drawn;         /* when */
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

static void draw(double fraction, const char *text)
{
    char bar[BAR_WIDTH + 1];
    int full = (int)(fraction * BAR_WIDTH + 0.5);
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < full ? '#' : '.';
    bar[BAR_WIDTH] = '\0';
    fprintf(stderr, "\r[%s] %-*.*s", bar, LINE_WIDTH - BAR_WIDTH, LINE_WIDTH - BAR_WIDTH,
            text);
    fflush(stderr);
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
    char left[32], text[128];
    time_left(left, sizeof left, fraction, seconds);
    snprintf(text, sizeof text, "%zu/%zu  %.1f/s  %s", done, count,
             seconds > 0 ? (double)done / seconds : 0, left);
    if (!on_terminal()) {
        if (tenth_passed(fraction)) fprintf(stderr, "%s\n", text);
    } else if (is_due(done == count)) {
        draw(fraction, text);
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

static void tune_text(char *buf, size_t size, const struct hone_progress *p,
                      double fraction)
{
    char left[32], best[48] = "none valid yet", budget[32] = "";
    time_left(left, sizeof left, fraction, p->seconds);
    if (p->best) cli_cost_text(best, sizeof best, p->best);
    if (p->budget != UINT64_MAX)
        snprintf(budget, sizeof budget, "/%llu", (unsigned long long)p->budget);
    snprintf(buf, size, "%zu%s  best %s  %.3g/s  %s", p->done, budget, best,
             p->seconds > 0 ? (double)p->done / p->seconds : 0, left);
}

void cli_progress_tune(const struct hone_progress *p, const struct hone_space *space,
                       bool improved)
{
    const double fraction = fraction_of(p);
    char text[192];
    tune_text(text, sizeof text, p, fraction);
    if (on_terminal()) {
        if (is_due(improved || fraction >= 1)) draw(fraction, text);
        return;
    }
    if (!improved && !tenth_passed(fraction)) return;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    if (improved) cli_config_text(&config, space, p->trial->index);
    fprintf(stderr, "%s%s%s\n", text, improved ? "  " : "", config.data);
    hone_strbuf_fini(&config);
}

void cli_progress_end(void)
{
    if (line.open) fputc('\n', stderr);
    line.open = false;
}
