#define _POSIX_C_SOURCE 200809L // nanosleep
#include "watch.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "color.h"
#include "columns.h"
#include "curve.h"
#include "hone/record.h"
#include "interrupt.h"
#include "print.h"
#include "record/following.h"
#include "terminal.h"
#include "tuning/parts.h"

enum { ROWS_MOST = 16, LOOK_MS = 100, PIPE_COLUMNS = 80, PIPE_ROWS = 24 };

struct watch {
    const char *path;
    uint64_t budget;
    struct hone_following *following;
    enum hone_following_state state;
    struct cli_terminal_size size;
    int lines; // drawn of this picture
    bool keep; // the last picture: lines are not cleared behind
};

/* --- lines, each cut to the terminal --- */

static void line_end(struct watch *w)
{
    if (!w->keep) cli_terminal_control(stdout, "\033[K");
    putchar('\n');
    w->lines++;
}

// In the columns that are left.
static void print_cut(int *left, enum cli_style style, const char *text)
{
    struct hone_strbuf cut = HONE_STRBUF_INIT;
    *left -= (int)cli_text_cut(&cut, text, *left > 0 ? (size_t)*left : 0);
    cli_print_styled(stdout, style, "%s", cut.data);
    hone_strbuf_fini(&cut);
}

__attribute__((format(printf, 3, 4))) static void
print_piece(int *left, enum cli_style style, const char *format, ...)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    va_list args;
    va_start(args, format);
    hone_strbuf_vprintf(&text, format, args);
    va_end(args);
    print_cut(left, style, text.data);
    hone_strbuf_fini(&text);
}

static int room(const struct watch *w)
{
    return w->size.columns - 1; // in the last column terminals begin the next line
}

/* --- what is known --- */

static void print_title(struct watch *w, const struct hone_record_info *info,
                        size_t number)
{
    int left = room(w);
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    struct hone_record_info of = *info;
    struct hone_constant *sizes = calloc(info->problem_count + 1, sizeof *sizes);
    for (size_t i = 0; sizes && i < info->problem_count; i++) {
        sizes[i] = info->problem[i];
        if (number) sizes[i].value = info->problems[number].values[i];
    }
    of.problem = sizes;
    if (sizes) hone_problem_text(&problem, &of);
    print_piece(&left, CLI_STYLE_HEADING, "%s", info->kernel);
    if (info->device_name)
        print_piece(&left, CLI_STYLE_PLAIN, " on %s", info->device_name);
    if (problem.len) print_piece(&left, CLI_STYLE_PLAIN, ", %s", problem.data);
    if (info->problems_count > 1)
        print_piece(&left, CLI_STYLE_PLAIN, " (%zu of %zu problems)", number + 1,
                    info->problems_count);
    line_end(w);
    hone_strbuf_fini(&problem);
    free(sizes);
}

static void print_counts(struct watch *w, const struct hone_following_part *part)
{
    int left = room(w);
    char cost[48];
    const size_t done = hone_following_done(w->following);
    const double rate = hone_following_rate(w->following);
    print_piece(&left, CLI_STYLE_PLAIN, "%zu", done);
    if (w->budget)
        print_piece(&left, CLI_STYLE_PLAIN, "/%llu", (unsigned long long)w->budget);
    print_cut(&left, CLI_STYLE_PLAIN, " trials  ");
    if (part->best) cli_cost_text(cost, sizeof cost, part->best);
    if (part->best)
        print_piece(&left, part->refuted ? CLI_STYLE_BAD : CLI_STYLE_GOOD, "best %s%s",
                    cost,
                    part->refuted  ? ", which is not valid at the tuned size"
                    : part->finals ? " in the finals"
                                   : "");
    else
        print_cut(&left, CLI_STYLE_PLAIN, "none valid yet");
    if (w->state == HONE_FOLLOWING_WRITTEN && rate > 0) {
        print_piece(&left, CLI_STYLE_PLAIN, "  %.3g/s", rate);
        if (w->budget > done)
            print_piece(&left, CLI_STYLE_PLAIN, "  %.0f s left",
                        (double)(w->budget - done) / rate);
    }
    line_end(w);
}

// "BK=16 BM=128": parameters with more than one value.
static void print_config(struct watch *w, const struct hone_record_info *info,
                         const struct hone_following_part *part)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    int left = room(w);
    for (size_t i = 0; part->best && i < info->param_count; i++) {
        char value[64];
        if (info->params[i].count < 2) continue;
        hone_value_print(value, sizeof value, info->params[i].values[part->choices[i]]);
        hone_strbuf_printf(&text, "%s%s=%s", text.len ? " " : "", info->params[i].name,
                           value);
    }
    print_cut(&left, CLI_STYLE_PLAIN, text.data);
    line_end(w);
    hone_strbuf_fini(&text);
}

static void print_outcomes(struct watch *w, const struct hone_following_part *part)
{
    int left = room(w);
    const char *separator = "";
    for (int i = 0; i < HONE_OUTCOME_COUNT; i++) {
        const enum hone_outcome outcome = (enum hone_outcome)i;
        if (!part->outcomes[i]) continue;
        print_cut(&left, CLI_STYLE_PLAIN, separator);
        print_piece(&left, cli_outcome_style(outcome), "%zu %s", part->outcomes[i],
                    hone_outcome_name(outcome));
        separator = ", ";
    }
    line_end(w);
}

static void print_curve(struct watch *w, const struct hone_following_part *part)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    int rows = w->size.rows - w->lines - 2; // the line below, and the one of the cursor
    if (rows > ROWS_MOST) rows = ROWS_MOST;
    if (rows < CLI_CURVE_LEAST_ROWS || room(w) < CLI_CURVE_LEAST_COLUMNS) return;
    cli_curve(&text, part, (size_t)room(w), (size_t)rows, cli_shows_utf8());
    for (char *line = text.data, *end; (end = strchr(line, '\n')) != NULL;
         line = end + 1) {
        int left = room(w);
        *end = '\0';
        print_cut(&left, CLI_STYLE_PLAIN, line);
        line_end(w);
    }
    hone_strbuf_fini(&text);
}

static void print_state(struct watch *w)
{
    static const char *const texts[] = {
        [HONE_FOLLOWING_ABSENT] = "Ctrl-C ends; waiting for",
        [HONE_FOLLOWING_WRITTEN] = "Ctrl-C ends; following",
        [HONE_FOLLOWING_ENDED] = "nobody writes to"};
    int left = room(w);
    const char *what = texts[w->state];
    if (w->keep && w->state == HONE_FOLLOWING_WRITTEN) what = "is being written:";
    print_piece(&left, CLI_STYLE_PLAIN, "%s %s", what, w->path);
    line_end(w);
}

// A low terminal gets the first lines.
static void draw_picture(struct watch *w)
{
    size_t number = 0;
    const struct hone_record_info *info = hone_following_info(w->following);
    const struct hone_following_part *part = hone_following_part(w->following, &number);
    const int most = w->size.rows - 1;
    w->lines = 0;
    if (info && w->lines < most) print_counts(w, part);
    if (info && w->lines < most) print_title(w, info, number);
    if (info && w->lines < most) print_config(w, info, part);
    if (info && w->lines < most) print_outcomes(w, part);
    if (info) print_curve(w, part);
    if (w->lines < most) print_state(w);
}

/* --- the screen --- */

// Its own one, so that a window may change its size; the last picture stays behind.
static void screen_open(void)
{
    cli_terminal_control(stdout, "\033[?1049h\033[?25l\033[2J");
}

static void screen_draw(struct watch *w)
{
    cli_terminal_control(stdout, "\033[H");
    draw_picture(w);
    cli_terminal_control(stdout, "\033[J");
    fflush(stdout);
}

static void screen_close(struct watch *w)
{
    cli_terminal_control(stdout, "\033[?25h\033[?1049l");
    w->keep = true;
    draw_picture(w);
}

// Whether the picture is another one: its size, what was read, the time left.
static bool has_changed(struct watch *w, size_t *done, enum hone_following_state *state,
                        int *ticks)
{
    const struct cli_terminal_size before = w->size;
    const size_t now = hone_following_done(w->following);
    w->size = cli_terminal_size(stdout);
    const bool changed = before.columns != w->size.columns ||
                         before.rows != w->size.rows || *done != now ||
                         *state != w->state || ++*ticks >= 1000 / LOOK_MS;
    *done = now;
    *state = w->state;
    if (changed) *ticks = 0;
    return changed;
}

static enum hone_status watch_screen(struct watch *w, struct hone_error *err)
{
    static const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    const volatile sig_atomic_t *ended = cli_interrupt_flag();
    enum hone_following_state state = HONE_FOLLOWING_ABSENT;
    size_t done = SIZE_MAX;
    int ticks = 0;
    enum hone_status status = HONE_OK;
    cli_interrupt_catch();
    screen_open();
    while (status == HONE_OK && !*ended) {
        status = hone_following_look(w->following, &w->state, err);
        if (status == HONE_OK && has_changed(w, &done, &state, &ticks)) screen_draw(w);
        if (w->state == HONE_FOLLOWING_ENDED) break;
        nanosleep(&pause, NULL);
    }
    screen_close(w);
    if (*ended == SIGTERM && status == HONE_OK)
        status = hone_fail(err, HONE_ECANCELLED, "the watch was ended by SIGTERM");
    return status;
}

static enum hone_status print_once(struct watch *w, struct hone_error *err)
{
    enum hone_status status = hone_following_look(w->following, &w->state, err);
    if (status == HONE_OK && w->state == HONE_FOLLOWING_ABSENT)
        return hone_fail(err, HONE_ENOTFOUND,
                         "'%s' is not there; only on a terminal --watch waits for it",
                         w->path);
    w->size = (struct cli_terminal_size){PIPE_COLUMNS, PIPE_ROWS};
    w->keep = true;
    if (status == HONE_OK) draw_picture(w);
    return status;
}

enum hone_status cli_watch(const char *path, uint64_t budget, struct hone_error *err)
{
    struct watch w = {.path = path, .budget = budget};
    enum hone_status status = hone_following_open(&w.following, path, err);
    if (status == HONE_OK)
        status =
            cli_terminal_is_screen(stdout) ? watch_screen(&w, err) : print_once(&w, err);
    hone_following_close(w.following);
    return status;
}
