#define _POSIX_C_SOURCE 200809L // nanosleep

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"
#include "print.h"
#include "record/following.h"
#include "terminal.h"
#include "terminal/interrupt.h"
#include "tuning/parts.h"

enum { ROWS_MOST = 16, LOOK_MS = 100, PIPE_COLUMNS = 80, PIPE_ROWS = 24 };

struct watch {
    const char *path;
    uint64_t budget;
    struct hone_following *following;
    enum hone_following_state state;
    struct hone_terminal_size size;
    int lines;         // drawn of this picture
    bool keep;         // the last picture: lines are not cleared behind
    size_t drawn_done; // what of it stands there since so many looks
    enum hone_following_state drawn_state;
    int looks;
};

static int room(const struct watch *w)
{
    return w->size.columns - 1; // in the last column terminals begin the next line
}

// Cut to the terminal; line is released.
static void line_print(struct watch *w, struct hone_styled *line)
{
    hone_styled_cut(line, room(w) > 0 ? (size_t)room(w) : 0);
    cli_print_text(stdout, line);
    if (!w->keep) cli_terminal_control(stdout, "\033[K");
    putchar('\n');
    w->lines++;
}

/* --- what is known --- */

static void print_title(struct watch *w, const struct hone_record_info *info,
                        size_t number)
{
    struct hone_styled line = HONE_STYLED_INIT;
    struct hone_strbuf problem = HONE_STRBUF_INIT;
    hone_problem_text_of(&problem, info, number);
    hone_styled_add(&line, HONE_STYLE_HEADING, "%s", info->kernel);
    if (info->device_name)
        hone_styled_add(&line, HONE_STYLE_PLAIN, " on %s", info->device_name);
    if (problem.len) hone_styled_add(&line, HONE_STYLE_PLAIN, ", %s", problem.data);
    if (info->problems_count > 1)
        hone_styled_add(&line, HONE_STYLE_PLAIN, " (%zu of %zu problems)", number + 1,
                        info->problems_count);
    line_print(w, &line);
    hone_strbuf_fini(&problem);
}

static void print_counts(struct watch *w, const struct hone_following_part *part)
{
    struct hone_styled line = HONE_STYLED_INIT;
    const size_t done = hone_following_done(w->following);
    const double rate = hone_following_rate(w->following);
    hone_styled_add(&line, HONE_STYLE_PLAIN, "%zu", done);
    if (w->budget)
        hone_styled_add(&line, HONE_STYLE_PLAIN, "/%llu", (unsigned long long)w->budget);
    hone_styled_add(&line, HONE_STYLE_PLAIN, " trials  ");
    if (part->best)
        hone_styled_add(&line, part->refuted ? HONE_STYLE_BAD : HONE_STYLE_GOOD,
                        "best %s%s", hone_cost_text(part->best).text,
                        part->refuted  ? ", which is not valid at the tuned size"
                        : part->finals ? " in the finals"
                                       : "");
    else
        hone_styled_add(&line, HONE_STYLE_PLAIN, "none valid yet");
    if (w->state == HONE_FOLLOWING_WRITTEN && rate > 0) {
        hone_styled_add(&line, HONE_STYLE_PLAIN, "  %.3g/s", rate);
        if (w->budget > done)
            hone_styled_add(&line, HONE_STYLE_PLAIN, "  %.0f s left",
                            (double)(w->budget - done) / rate);
    }
    line_print(w, &line);
}

static void print_config(struct watch *w, const struct hone_record_info *info,
                         const struct hone_following_part *part)
{
    struct hone_styled line = HONE_STYLED_INIT;
    struct hone_strbuf config = HONE_STRBUF_INIT;
    if (part->best) hone_choices_text(&config, info, part->choices);
    if (config.len) hone_styled_add(&line, HONE_STYLE_PLAIN, "%s", config.data);
    line_print(w, &line);
    hone_strbuf_fini(&config);
}

static void print_outcomes(struct watch *w, const struct hone_following_part *part)
{
    struct hone_styled line = HONE_STYLED_INIT;
    cli_add_outcomes(&line, part->outcomes);
    line_print(w, &line);
}

static void print_lines(struct watch *w, char *text)
{
    for (char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        struct hone_styled line = HONE_STYLED_INIT;
        hone_styled_add(&line, HONE_STYLE_PLAIN, "%.*s", (int)(end - text), text);
        line_print(w, &line);
    }
}

static void print_curve(struct watch *w, const struct hone_following_part *part)
{
    struct hone_strbuf text = HONE_STRBUF_INIT;
    const int rows = w->size.rows - w->lines - 2; // without state's line and the cursor's
    cli_add_curve(&text, part->steps, part->step_count, part->done, room(w),
                  rows > ROWS_MOST ? ROWS_MOST : rows);
    print_lines(w, text.data);
    hone_strbuf_fini(&text);
}

static void print_state(struct watch *w)
{
    static const char *const texts[] = {
        [HONE_FOLLOWING_ABSENT] = "Ctrl-C ends; waiting for",
        [HONE_FOLLOWING_WRITTEN] = "Ctrl-C ends; following",
        [HONE_FOLLOWING_ENDED] = "nobody writes to"};
    struct hone_styled line = HONE_STYLED_INIT;
    const char *what = texts[w->state];
    if (w->keep && w->state == HONE_FOLLOWING_WRITTEN) what = "is being written:";
    hone_styled_add(&line, HONE_STYLE_PLAIN, "%s %s", what, w->path);
    line_print(w, &line);
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
static bool has_changed(struct watch *w)
{
    const struct hone_terminal_size before = w->size;
    const size_t now = hone_following_done(w->following);
    w->size = cli_terminal_size(stdout);
    const bool changed = before.columns != w->size.columns ||
                         before.rows != w->size.rows || w->drawn_done != now ||
                         w->drawn_state != w->state || ++w->looks >= 1000 / LOOK_MS;
    w->drawn_done = now;
    w->drawn_state = w->state;
    if (changed) w->looks = 0;
    return changed;
}

static enum hone_status watch_screen(struct watch *w, struct hone_error *err)
{
    static const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
    const volatile sig_atomic_t *ended = hone_interrupt_flag();
    enum hone_status status = HONE_OK;
    hone_interrupt_catch(cli_end_interrupted);
    screen_open();
    while (status == HONE_OK && !*ended) {
        status = hone_following_look(w->following, &w->state, err);
        if (status == HONE_OK && has_changed(w)) screen_draw(w);
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
    w->size = (struct hone_terminal_size){PIPE_COLUMNS, PIPE_ROWS};
    w->keep = true;
    if (status == HONE_OK) draw_picture(w);
    return status;
}

enum hone_status cli_watch(const char *path, uint64_t budget, struct hone_error *err)
{
    struct watch w = {.path = path, .budget = budget, .drawn_done = SIZE_MAX};
    enum hone_status status = hone_following_open(&w.following, path, err);
    if (status == HONE_OK)
        status = hone_terminal_is_screen(STDOUT_FILENO) ? watch_screen(&w, err)
                                                        : print_once(&w, err);
    hone_following_close(w.following);
    return status;
}
